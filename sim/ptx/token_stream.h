// SPDX-License-Identifier: Apache-2.0
// Tokens with a place to read from: what every part of the parser asks them, and errors that name the place.
#pragma once

#include <string>
#include <vector>

#include "sim/ptx/lexer.h"
#include "sim/ptx/module.h"

namespace heddle::ptx {

class TokenStream {
 public:
  /// Errors show lines of `module`, which must outlive this.
  TokenStream(const Module& module, std::vector<Token> tokens) : module_(module), tokens_(std::move(tokens)) {}

  const Token& peek() const { return tokens_[next_]; }
  const Token& take() { return tokens_[at_end() ? next_ : next_++]; }
  bool at_end() const { return peek().kind == Token::Kind::End; }
  bool is_symbol(const char* text) const { return peek().kind == Token::Kind::Symbol && peek().text == text; }
  bool is_directive() const { return peek().kind == Token::Kind::Directive; }
  bool accept_symbol(const char* text);

  void expect_symbol(const char* text);
  void expect_symbol(const char* text, const std::string& what);
  const Token& expect_word(const char* what) { return expect(Token::Kind::Word, what); }
  const Token& expect_number(const char* what) { return expect(Token::Kind::Number, what); }
  const Token& expect_directive(const char* what) { return expect(Token::Kind::Directive, what); }
  const Token& expect(Token::Kind kind, const char* what);
  /// A whole number of at most `limit`.
  std::uint64_t expect_number_up_to(std::uint64_t limit, const char* what);
  /// With an optional sign.
  std::uint64_t expect_integer();
  const Token& expect_inside(const char* what);  // anything but the end of the file

  /// From the next "{" to its "}".
  void skip_braces();

  [[noreturn]] void fail_expected(const std::string& what) const;
  [[noreturn]] void fail(const Token& token, const std::string& message) const;

 private:
  const Module& module_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

}  // namespace heddle::ptx
