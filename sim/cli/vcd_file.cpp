// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/vcd_file.h"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace heddle::cli {

namespace {

/// By the identifier that stands for it.
std::map<std::string, std::size_t> read_head(std::ifstream& file, VcdFile& vcd) {
  std::map<std::string, std::size_t> by_id;
  std::vector<std::string> scopes;
  for (std::string line; std::getline(file, line) && line.find("$enddefinitions") == std::string::npos;) {
    std::istringstream words(line);
    std::string word, kind, id, name, range;
    words >> word;
    if (word == "$scope") {
      words >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope" && !scopes.empty()) {
      scopes.pop_back();
    } else if (word == "$var") {
      unsigned width = 0;
      words >> kind >> width >> id >> name >> range;
      const std::string path = fmt::format("{}.{}", fmt::join(scopes, "."), name);
      by_id[id] = vcd.signals.size();
      vcd.signals.push_back({path, path + (range == "$end" ? "" : range), width, 0});
    }
  }
  return by_id;
}

}  // namespace

VcdFile read_vcd(const std::string& name) {
  VcdFile vcd;
  std::ifstream file(name);
  const std::map<std::string, std::size_t> by_id = read_head(file, vcd);
  bool any = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (line[0] == '#' && line.find_first_not_of("0123456789", 1) == std::string::npos && line.size() > 1) {
      vcd.last = std::stoull(line.substr(1));
      if (!any) vcd.first = vcd.last;
      any = true;
      continue;
    }
    if (vcd.last == vcd.first) continue;
    const auto its = by_id.find(line[0] == 'b' ? line.substr(line.find(' ') + 1) : line.substr(1));
    if (its != by_id.end()) ++vcd.signals[its->second].changes;
  }
  return vcd;
}

}  // namespace heddle::cli
