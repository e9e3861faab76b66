// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/lexer.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>

#include "sim/ptx/mark.h"

namespace heddle::ptx {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}
bool continues_word(char c) {
  return starts_word(c) || is_digit(c);
}

class Lexer {
 public:
  Lexer(const std::vector<std::string>& lines, const std::string& file) : lines_(lines), file_(file) {}

  std::vector<Token> run() {
    for (line_ = 0; line_ < lines_.size(); ++line_) scan_line(lines_[line_]);
    if (in_comment_) fail(0, "expected '*/': a comment is still open at the end of the file");
    add(Token::Kind::End, 0, "end of file");
    return std::move(tokens_);
  }

 private:
  void scan_line(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      if (in_comment_) {
        const std::size_t end = text.find("*/", at);
        if (end == std::string::npos) return;
        in_comment_ = false;
        at = end + 2;
      } else if (text.compare(at, 2, "//") == 0) {
        return scan_comment(text, at + 2);
      } else if (text.compare(at, 2, "/*") == 0) {
        in_comment_ = true;
        at += 2;
      } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
        ++at;
      } else {
        at = scan_token(text, at);
      }
    }
  }

  void scan_comment(const std::string& text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    const std::string comment = text.substr(at);
    if (is_mark(comment)) add(Token::Kind::Mark, at, comment);
  }

  std::size_t scan_token(const std::string& text, std::size_t at) {
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (is_digit(c)) return scan_number(text, at);
    if (c == '"') {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos) fail(at, "expected '\"' at the end of the string");
      add(Token::Kind::String, at, text.substr(at + 1, end - at - 1));
      return end + 1;
    }
    if (c == '.' && starts_word(next)) {
      std::size_t end = at + 1;
      while (end < text.size() && continues_word(text[end])) ++end;
      add(Token::Kind::Directive, at, text.substr(at + 1, end - at - 1));
      return end;
    }
    if (starts_word(c)) {
      const std::size_t end = end_of_word(text, at);
      const std::string word = text.substr(at, end - at);
      // The one constant that PTX defines stands wherever a number may.
      const bool is_number = word == "WARP_SZ";
      add(is_number ? Token::Kind::Number : Token::Kind::Word, at, word).value = is_number ? 32 : 0;
      return end;
    }
    if (std::string("{}()[]<>,;:@!|+-=").find(c) == std::string::npos)
      fail(at, fmt::format("expected a PTX token, found '{}'", c));
    add(Token::Kind::Symbol, at, std::string(1, c));
    return at + 1;
  }

  /// A word goes on over ".name" and "::name" (ld.global.u32, %tid.x, ld.param::entry, L2::128B).
  static std::size_t end_of_word(const std::string& text, std::size_t at) {
    for (;;) {
      while (at < text.size() && continues_word(text[at])) ++at;
      if (at + 1 < text.size() && text[at] == '.' && continues_word(text[at + 1])) {
        ++at;
      } else if (at + 2 < text.size() && text.compare(at, 2, "::") == 0 && continues_word(text[at + 2])) {
        at += 2;
      } else {
        return at;
      }
    }
  }

  std::size_t scan_number(const std::string& text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) return scan_version(text, at, end + 1);
    std::string digits = text.substr(at, end - at);
    int base = 10;
    std::size_t exact = 0;  // digits a 0f or 0d literal must have
    if (digits.size() > 1 && digits[0] == '0') {
      const char marker = static_cast<char>(std::tolower(static_cast<unsigned char>(digits[1])));
      if (marker == 'f') exact = 8;
      if (marker == 'd') exact = 16;
      if (marker == 'x' || exact != 0) base = 16;
      if (marker == 'b') base = 2;
      if (base == 10) base = 8;
      digits = digits.substr(base == 8 ? 1 : 2);
    }
    if (exact == 0 && !digits.empty() && (digits.back() == 'U' || digits.back() == 'u')) digits.pop_back();
    char* stop = nullptr;
    errno = 0;
    const std::uint64_t value = std::strtoull(digits.c_str(), &stop, base);
    const bool well_formed = !digits.empty() && *stop == '\0' && errno == 0 && (exact == 0 || digits.size() == exact);
    if (!well_formed) fail(at, fmt::format("expected a number, found '{}'", text.substr(at, end - at)));
    add(Token::Kind::Number, at, text.substr(at, end - at)).value = value;
    return end;
  }

  /// "7.0", as in .version: the only decimal point in PTX.
  std::size_t scan_version(const std::string& text, std::size_t at, std::size_t end) {
    while (end < text.size() && is_digit(text[end])) ++end;
    add(Token::Kind::Number, at, text.substr(at, end - at));
    return end;
  }

  Token& add(Token::Kind kind, std::size_t column, std::string text) {
    Token token;
    token.kind = kind;
    token.where = {static_cast<unsigned>(line_) + 1, static_cast<unsigned>(column) + 1};
    token.text = std::move(text);
    tokens_.push_back(std::move(token));
    return tokens_.back();
  }

  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    const bool inside = line_ < lines_.size();
    throw Error(file_, {static_cast<unsigned>(line_) + 1, static_cast<unsigned>(column) + 1}, message,
                inside ? lines_[line_] : std::string());
  }

  const std::vector<std::string>& lines_;
  const std::string& file_;
  std::vector<Token> tokens_;
  std::size_t line_ = 0;
  bool in_comment_ = false;
};

}  // namespace

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  while (from < text.size()) {
    std::size_t end = text.find('\n', from);
    if (end == std::string::npos) end = text.size();
    std::size_t length = end - from;
    if (length > 0 && text[from + length - 1] == '\r') --length;
    lines.push_back(text.substr(from, length));
    from = end + 1;
  }
  return lines;
}

std::vector<Token> tokenize(const std::vector<std::string>& lines, const std::string& file) {
  return Lexer(lines, file).run();
}

}  // namespace heddle::ptx
