// SPDX-License-Identifier: Apache-2.0
#include "tests/random/marks.h"

#include <fmt/format.h>
#include <map>
#include <vector>

namespace heddle::tests {

std::string predict_mark(unsigned prediction) {
  return fmt::format("// heddle.predict p{}", prediction);
}

std::string reconverge_mark(unsigned prediction) {
  return fmt::format("// heddle.reconverge p{}", prediction);
}

std::string with_misplaced_marks(const std::string& body, std::size_t from, gpu::Random& random) {
  std::vector<std::size_t> lines;  // where each begins
  for (std::size_t at = from; at != std::string::npos && at < body.size(); at = body.find('\n', at) + 1)
    lines.push_back(at);
  std::multimap<std::size_t, std::string> marks;
  const unsigned all = static_cast<unsigned>(lines.size());
  const auto put = [&](const std::string& mark, unsigned first, unsigned end) {
    const unsigned line = first + random.below(end - first);
    marks.emplace(lines[line], mark);
    return line;
  };
  // Most points stand behind their Predict in the text: one that no lane comes to is refused, and shows little.
  const unsigned predictions = 1 + random.below(2);
  for (unsigned prediction = 0; prediction < predictions; ++prediction) {
    const unsigned predict = put(predict_mark(prediction), 0, random.below(4) == 0 ? all : all / 2);
    if (random.below(4) == 0) put(predict_mark(prediction), 0, all);
    for (unsigned i = 1 + random.below(3); i-- != 0;)
      put(reconverge_mark(prediction), random.below(4) == 0 ? 0 : predict, all);
  }
  std::string text = body.substr(0, from);
  auto mark = marks.begin();
  for (unsigned line = 0; line < all; ++line) {
    for (; mark != marks.end() && mark->first == lines[line]; ++mark) text += mark->second + '\n';
    text += body.substr(lines[line], (line + 1 < all ? lines[line + 1] : body.size()) - lines[line]);
  }
  return text;
}

}  // namespace heddle::tests
