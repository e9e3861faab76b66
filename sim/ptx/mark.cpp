// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/mark.h"

#include <cctype>
#include <fmt/format.h>
#include <vector>

namespace heddle::ptx {
namespace {

constexpr const char* Prefix = "heddle.";
constexpr const char* Threshold = "threshold=";
constexpr unsigned MaxThreshold = 31;  // WARP_SZ - 1, which is a barrier that all wait at
constexpr const char* Marks = "heddle.predict, heddle.predict_function or heddle.reconverge";

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

struct Word {
  std::size_t offset = 0;
  std::string text;
};

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    if (at > begin) words.push_back({begin, text.substr(begin, at - begin)});
    while (at < text.size() && is_space(text[at])) ++at;
  }
  return words;
}

std::string found(const std::vector<Word>& words, std::size_t index) {
  return index < words.size() ? fmt::format("found '{}'", words[index].text) : "found the end of the line";
}

std::size_t offset_of(const std::vector<Word>& words, std::size_t index) {
  return index < words.size() ? words[index].offset : words.back().offset + words.back().text.size();
}

/// As PTX spells the name of a function or a label.
bool is_name(const std::string& text) {
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$') return false;
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
}

Mark::Kind kind_of(const Word& word) {
  if (word.text == "heddle.predict") return Mark::Kind::Predict;
  if (word.text == "heddle.predict_function") return Mark::Kind::PredictFunction;
  if (word.text == "heddle.reconverge") return Mark::Kind::Reconverge;
  throw MarkError{word.offset, fmt::format("expected {}, found '{}'", Marks, word.text)};
}

unsigned threshold_of(const Word& word) {
  const std::string digits = word.text.substr(std::string(Threshold).size());
  unsigned value = 0;
  bool is_number = !digits.empty() && digits.size() <= 3;
  for (const char c : digits) {
    is_number = is_number && std::isdigit(static_cast<unsigned char>(c)) != 0;
    value = 10 * value + static_cast<unsigned>(c - '0');
  }
  if (!is_number || value > MaxThreshold)
    throw MarkError{word.offset,
                    fmt::format("expected {}N, N at most {}, found '{}'", Threshold, MaxThreshold, word.text)};
  return value;
}

}  // namespace

bool is_mark(const std::string& comment) {
  return comment.rfind(Prefix, 0) == 0;
}

Mark parse_mark(const std::string& comment) {
  const std::vector<Word> words = words_of(comment);
  Mark mark;
  mark.kind = kind_of(words[0]);
  const bool is_function = mark.kind == Mark::Kind::PredictFunction;
  if (words.size() < 2 || !is_name(words[1].text))
    throw MarkError{offset_of(words, 1), fmt::format("{}: expected the name of a {}, {}", words[0].text,
                                                     is_function ? "function" : "prediction", found(words, 1))};
  mark.name = words[1].text;
  std::size_t next = 2;
  const bool may_be_soft = mark.kind != Mark::Kind::Reconverge;
  if (may_be_soft && words.size() > next && words[next].text.rfind(Threshold, 0) == 0)
    mark.threshold = threshold_of(words[next++]);
  if (words.size() > next) {
    const bool takes_more = may_be_soft && next == 2;
    throw MarkError{words[next].offset,
                    fmt::format("{} {}: expected {}the end of the line, {}", words[0].text, mark.name,
                                takes_more ? "threshold=N or " : "", found(words, next))};
  }
  return mark;
}

}  // namespace heddle::ptx
