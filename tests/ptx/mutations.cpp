// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/mutations.h"

#include <cctype>
#include <fmt/format.h>
#include <random>
#include <vector>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace heddle::tests {

namespace {

class Mutator {
 public:
  Mutator(const std::string& text, std::uint64_t seed) : text_(text), random_(seed) {}

  std::string run() {
    for (unsigned changes = 1 + below(3); changes != 0 && !text_.empty(); --changes) change();
    return text_;
  }

 private:
  struct Span {
    std::size_t at, size;
  };

  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }

  void change() {
    switch (below(13)) {
      case 0:
        return erase(token());
      case 1:
        return repeat(token());
      case 2:
        return swap(token(), token());
      case 3:
        return replace(token(), text_of(token()));
      case 4:
        return erase(line());
      case 5:
        return repeat(line());
      case 6:
        return swap(line(), line());
      case 7:
        return replace(number(), strange_number());
      case 8:
        return insert(std::string(1 + below(3), "{}()[]<>,;:@!|+-=.%\""[below(20)]));
      case 9:
        return insert(std::string(1 + below(20'000), "{([-@"[below(5)]));
      case 10:
        return insert(garbage());
      case 11:
        return text_.resize(below(text_.size()));
      default:
        text_[below(text_.size())] ^= static_cast<char>(1U << below(8));
    }
  }

  // ---- Places ----

  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
  }

  Span around(std::size_t at) const {
    if (!in_word(text_[at])) return {at, 1};
    std::size_t from = at, to = at;
    while (from > 0 && in_word(text_[from - 1])) --from;
    while (to < text_.size() && in_word(text_[to])) ++to;
    return {from, to - from};
  }

  Span token() {
    std::size_t at = below(text_.size());
    while (at + 1 < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0) ++at;
    return around(at);
  }

  Span line() {
    const std::size_t at = below(text_.size());
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t from = before == std::string::npos ? 0 : before + 1;
    const std::size_t to = text_.find('\n', from);
    return {from, (to == std::string::npos ? text_.size() : to + 1) - from};
  }

  /// A token with a digit, if one is near.
  Span number() {
    std::size_t at = below(text_.size());
    while (at + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) == 0) ++at;
    std::size_t to = at;
    while (to < text_.size() && std::isalnum(static_cast<unsigned char>(text_[to])) != 0) ++to;
    return {at, std::max<std::size_t>(to - at, 1)};
  }

  // ---- Changes ----

  std::string text_of(const Span& span) const { return text_.substr(span.at, span.size); }
  void erase(const Span& span) { text_.erase(span.at, span.size); }
  void repeat(const Span& span) { text_.insert(span.at, ' ' + text_of(span) + ' '); }
  void replace(const Span& span, const std::string& by) { text_.replace(span.at, span.size, by); }
  void insert(const std::string& what) { text_.insert(below(text_.size()), what); }

  void swap(Span a, Span b) {
    if (a.at > b.at) std::swap(a, b);
    if (a.at + a.size > b.at) return;
    const std::string first = text_of(a), second = text_of(b);
    replace(b, first);
    replace(a, second);
  }

  std::string strange_number() {
    constexpr const char* Numbers[] = {"0",          "1",  "-1", "4294967295", "4294967296", "18446744073709551615",
                                       "2147483647", "0x", "0f", "0f7fc00000", "1e9",        "99999999999999999999",
                                       "65536",      "08", "3U", "0b102",      "1000000000", "0d7ff0000000000000"};
    return Numbers[below(std::size(Numbers))];
  }

  std::string garbage() {
    std::string bytes(1 + below(16), ' ');
    for (char& byte : bytes) byte = static_cast<char>(below(256));
    return bytes;
  }

  std::string text_;
  std::mt19937_64 random_;
};

}  // namespace

std::string mutated(const std::string& text, std::uint64_t seed) {
  return Mutator(text, seed).run();
}

std::string misbehaviour(const std::string& text) {
  const std::string file = "bad.ptx";
  try {
    const ptx::Module module = ptx::parse(text, file);
    for (const auto& entry : module.entries) compiler::analyse(module, entry.name);
  } catch (const ptx::Error& error) {
    const std::string what = error.what();
    const std::string place = fmt::format("{}:{}:{}: ", file, error.where().line, error.where().column);
    if (error.where().line == 0 || error.where().column == 0) return "an error without a place: " + what;
    if (what.rfind(place, 0) != 0) return "an error that does not begin with its place: " + what;
    if (what.size() <= place.size() || what[place.size()] == '\n') return "an error without words: " + what;
  } catch (const std::exception& error) { return fmt::format("another exception: {}", error.what()); }
  return "";
}

}  // namespace heddle::tests
