// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/token_stream.h"

#include <fmt/format.h>

namespace heddle::ptx {

bool TokenStream::accept_symbol(const char* text) {
  if (!is_symbol(text)) return false;
  take();
  return true;
}

void TokenStream::expect_symbol(const char* text) {
  expect_symbol(text, fmt::format("'{}'", text));
}

void TokenStream::expect_symbol(const char* text, const std::string& what) {
  if (!accept_symbol(text)) fail_expected(what);
}

const Token& TokenStream::expect(Token::Kind kind, const char* what) {
  if (peek().kind != kind) fail_expected(what);
  return take();
}

std::uint64_t TokenStream::expect_number_up_to(std::uint64_t limit, const char* what) {
  const Token& number = expect_number(what);
  if (number.value > limit) fail(number, fmt::format("expected {} of at most {}, found {}", what, limit, number.text));
  return number.value;
}

std::uint64_t TokenStream::expect_integer() {
  const bool negative = accept_symbol("-");
  const std::uint64_t value = expect_number("a number").value;
  return negative ? 0 - value : value;
}

const Token& TokenStream::expect_inside(const char* what) {
  if (at_end()) fail_expected(what);
  return take();
}

void TokenStream::skip_braces() {
  expect_symbol("{");
  for (unsigned depth = 1; depth > 0;) {
    const Token& token = expect_inside("'}'");
    if (token.kind != Token::Kind::Symbol) continue;
    if (token.text == "{") ++depth;
    if (token.text == "}") --depth;
  }
}

void TokenStream::fail_expected(const std::string& what) const {
  const char* dot = is_directive() ? "." : "";
  fail(peek(), at_end() ? fmt::format("expected {}, found end of file", what)
                        : fmt::format("expected {}, found '{}{}'", what, dot, peek().text));
}

void TokenStream::fail(const Token& token, const std::string& message) const {
  throw module_.error(token.where, message);
}

}  // namespace heddle::ptx
