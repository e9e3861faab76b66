// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/program.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace heddle::tests {

namespace {

constexpr const char* Words[LitmusWords] = {"x", "y", "z", "w"};
constexpr unsigned NoiseWarps = 2;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path) {}

  std::vector<LitmusTest> read() {
    std::ifstream file(path_);
    if (!file) fail("cannot be read");
    for (std::string line; std::getline(file, line);) {
      ++line_;
      const std::size_t first = line.find_first_not_of(' ');
      if (first == std::string::npos || line[first] == '#') continue;
      read_line(line.substr(first));
    }
    end_test();
    return tests_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", path_.string(), line_, what));
  }

  void read_line(const std::string& line) {
    std::vector<std::string> words = split(line, ' ');
    const std::string key = words.front();
    words.erase(words.begin());
    if (key == "test") {
      end_test();
      if (words.size() != 1) fail("expected the name of a test");
      tests_.push_back({});
      tests_.back().family = path_.stem().string();
      tests_.back().name = words[0];
      values_ = {"0", "1"};
      return;
    }
    if (tests_.empty()) fail("expected 'test NAME' first");
    LitmusTest& test = tests_.back();
    if (key == "thread") {
      LitmusThread thread;
      if (words.size() != 1 || std::sscanf(words[0].c_str(), "%u:%u", &thread.cta, &thread.warp) != 2)
        fail("expected 'thread CTA:WARP'");
      if (test.threads.size() == 4) fail("expected four threads at most");
      test.threads.push_back(thread);
    } else if (key == "final") {
      test.finals = words;
    } else if (key == "values") {
      values_ = words;
    } else if (key == "allowed" || key == "forbidden") {
      for (const std::string& pattern : words) (key == "allowed" ? allowed_ : forbidden_).push_back(pattern);
    } else {
      if (test.threads.empty()) fail("expected 'thread CTA:WARP' before PTX");
      test.threads.back().lines.push_back(line);
    }
  }

  /// Expands the patterns, of which a forbidden one goes before an allowed one.
  void end_test() {
    if (tests_.empty()) return;
    LitmusTest& test = tests_.back();
    for (const LitmusThread& thread : test.threads)
      for (const std::string& line : thread.lines) {
        const std::regex result("\\br([0-9])\\b");
        for (auto at = std::sregex_iterator(line.begin(), line.end(), result); at != std::sregex_iterator(); ++at)
          test.registers = std::max<unsigned>(test.registers, static_cast<unsigned>(std::stoul((*at)[1])) + 1);
      }
    for (const std::string& pattern : forbidden_) expand(pattern, test.forbidden);
    for (const std::string& pattern : allowed_) expand(pattern, test.allowed);
    for (const Outcome& outcome : test.forbidden) test.allowed.erase(outcome);
    if (test.allowed.empty()) fail(fmt::format("test {} allows no outcome", test.name));
    allowed_.clear(), forbidden_.clear();
  }

  void expand(const std::string& pattern, std::set<Outcome>& into) const {
    const LitmusTest& test = tests_.back();
    const std::vector<std::string> places = split(pattern, ',');
    if (places.size() != test.registers + test.finals.size())
      fail(fmt::format("test {}: outcome {} has {} values, expected {} registers and {} words", test.name, pattern,
                       places.size(), test.registers, test.finals.size()));
    std::vector<Outcome> outcomes{{}};
    for (const std::string& place : places) {
      std::vector<Outcome> longer;
      for (const Outcome& outcome : outcomes)
        for (const std::string& value : place == "*" ? values_ : std::vector<std::string>{place}) {
          longer.push_back(outcome);
          longer.back().push_back(static_cast<unsigned>(std::stoul(value)));
        }
      outcomes = std::move(longer);
    }
    into.insert(outcomes.begin(), outcomes.end());
  }

  const std::filesystem::path path_;
  unsigned line_ = 0;
  std::vector<LitmusTest> tests_;
  std::vector<std::string> values_, allowed_, forbidden_;
};

/// In PTX: words by their address, registers and labels of this thread.
std::string in_ptx(std::string line, const std::vector<std::string>& labels, unsigned index) {
  line = std::regex_replace(line, std::regex("\\[([xyzw])\\b"), "[%$1");
  line = std::regex_replace(line, std::regex("\\b([rtp][0-9])\\b"), "%$1");
  for (const std::string& label : labels)
    line = std::regex_replace(line, std::regex("\\b" + label + "\\b"), fmt::format("{}_{}", label, index));
  return line;
}

std::string thread_ptx(const LitmusThread& thread, unsigned index) {
  std::string text = fmt::format("Thread_{}:\n", index), body;
  std::vector<std::string> labels;
  std::set<std::string> results;
  for (const std::string& line : thread.lines) {
    if (line.back() == ':') labels.push_back(line.substr(0, line.size() - 1));
    const std::regex result("\\br[0-9]\\b");
    for (auto at = std::sregex_iterator(line.begin(), line.end(), result); at != std::sregex_iterator(); ++at)
      results.insert(at->str());
  }
  for (const std::string& line : thread.lines) {
    if (line.rfind("warm ", 0) != 0) {
      body += "  " + in_ptx(line, labels, index) + '\n';
      continue;
    }
    for (const std::string& word : split(line.substr(5), ' '))
      text += fmt::format("  ld.global.u32 %c, [%{}+4];\n", word);
  }
  text += fmt::format(
      "  ld.param.u32 %c, [delay{0}];\n"
      "Delay_{0}:\n"
      "  setp.eq.u32 %q, %c, 0;\n"
      "  @%q bra Begin_{0};\n"
      "  sub.u32 %c, %c, 1;\n"
      "  bra Delay_{0};\n"
      "Begin_{0}:\n",
      index);
  text += body;
  for (const std::string& result : results)
    text += fmt::format("  st.global.u32 [%out+{}], %{};\n", 4 * (result[1] - '0'), result);
  return text + "  ret;\n";
}

std::string noise_ptx() {
  std::string text =
      "Noise:\n"
      "  setp.eq.u32 %q, %warp, 0;\n"
      "  @%q bra Reads;\n"
      "  setp.ne.u32 %q, %warp, 1;\n"
      "  @%q ret;\n"
      "  ld.param.u32 %c, [floods];\n"
      "  ld.param.u64 %a, [flood];\n"
      "  mul.wide.u32 %b, %lane, 1536;\n"
      "  add.u64 %a, %a, %b;\n"
      "Flood:\n"
      "  setp.eq.u32 %q, %c, 0;\n"
      "  @%q ret;\n"
      "  st.global.u32 [%a], %c;\n"
      "  sub.u32 %c, %c, 1;\n"
      "  bra Flood;\n"
      "Reads:\n"
      "  ld.param.u32 %c, [reads];\n"
      "Read:\n"
      "  setp.eq.u32 %q, %c, 0;\n"
      "  @%q ret;\n";
  for (const char* word : Words) text += fmt::format("  ld.global.u32 %n, [%{}+8];\n", word);
  return text +
         "  sub.u32 %c, %c, 1;\n"
         "  bra Read;\n";
}

}  // namespace

const char* litmus_word(unsigned index) {
  return Words[index];
}

unsigned LitmusTest::ctas() const {
  unsigned most = 0;
  for (const LitmusThread& thread : threads) most = std::max(most, thread.cta);
  return most + 1;
}

unsigned LitmusTest::warps() const {
  unsigned most = NoiseWarps - 1;
  for (const LitmusThread& thread : threads) most = std::max(most, thread.warp);
  return most + 1;
}

bool LitmusTest::uses_shared() const {
  for (const LitmusThread& thread : threads)
    for (const std::string& line : thread.lines)
      if (line.find("[s]") != std::string::npos) return true;
  return false;
}

std::vector<LitmusTest> read_litmus_tests(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<LitmusTest> tests;
  for (const auto& file : files)
    for (const LitmusTest& test : Reader(file).read()) tests.push_back(test);
  return tests;
}

std::string litmus_ptx(const LitmusTest& test) {
  std::string text = fmt::format(
      "// {} of tests/litmus/{}.litmus\n"
      ".version 7.8\n.target sm_75\n.address_size 64\n"
      ".visible .entry k(.param .u64 words, .param .u64 out, .param .u32 delay0, .param .u32 delay1, "
      ".param .u32 delay2, .param .u32 delay3, .param .u32 reads, .param .u64 flood, .param .u32 floods)\n"
      "{{\n"
      "  .reg .pred %p<4>, %q;\n  .reg .b32 %r<10>, %t<10>, %c, %n, %lane, %warp, %cta;\n"
      "  .reg .b64 %x, %y, %z, %w, %out, %a, %b;\n",
      test.name, test.family);
  if (test.uses_shared()) text += "  .shared .u32 s;\n";
  for (unsigned i = 0; i < LitmusWords; ++i)
    text += fmt::format("  ld.param.u64 %{0}, [words]; add.u64 %{0}, %{0}, {1};\n", Words[i], i * LitmusWordStride);
  text +=
      "  ld.param.u64 %out, [out];\n"
      "  mov.u32 %lane, %laneid;\n  mov.u32 %warp, %tid.x; shr.u32 %warp, %warp, 5;\n  mov.u32 %cta, %ctaid.x;\n";
  if (test.uses_shared()) text += "  mov.u32 %c, 0; st.shared.u32 [s], %c; bar.sync 0;\n";
  text += fmt::format("  setp.ge.u32 %q, %cta, {};\n  @%q bra Noise;\n", test.ctas());
  text += "  setp.ne.u32 %q, %lane, 0;\n  @%q ret;\n  mad.lo.u32 %c, %cta, 8, %warp;\n";
  for (unsigned i = 0; i < test.threads.size(); ++i)
    text += fmt::format("  setp.eq.u32 %q, %c, {};\n  @%q bra Thread_{};\n",
                        test.threads[i].cta * 8 + test.threads[i].warp, i);
  text += "  ret;\n";
  for (unsigned i = 0; i < test.threads.size(); ++i) text += thread_ptx(test.threads[i], i);
  return text + noise_ptx() + "}\n";
}

std::string text_of(const Outcome& outcome) {
  return fmt::format("{}", fmt::join(outcome, ","));
}

}  // namespace heddle::tests
