// SPDX-License-Identifier: Apache-2.0
// The answer to a misspelt name, against the cases of tests/cli/nearest.txt that scripts/nearest.py is held to as well.
#include "sim/report/nearest.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_as_the_scripts_answer) {
  std::ifstream file(HEDDLE_NEAREST_CASES);
  unsigned cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream parts(line);
    std::string asked, names, answer;
    std::getline(std::getline(std::getline(parts, asked, '|'), names, '|'), answer);
    asked = trimmed(asked);
    const std::size_t quote = asked.find('\'');
    const std::string kind = asked.substr(3, quote - 4), name = asked.substr(quote + 1, asked.size() - quote - 2);
    std::vector<std::string> known;
    std::istringstream words(names);
    for (std::string word; words >> word;) known.push_back(word);
    BOOST_TEST(heddle::report::no_such(kind, name, known) == asked + ';' + answer);
    ++cases;
  }
  BOOST_TEST(cases > 10);
}
