// SPDX-License-Identifier: Apache-2.0
// kernels/statistics.json: how each run of the kernel suite ends, and all that it counts. scripts/kernel_statistics.py reads
// it too.
//
//   {"names": ["outcome", "cycles", ...],
//    "runs": {
//    "KERNEL MECHANISM/SCOREBOARD": ["equal", 529286, ...], ...}}
//
// Names stand once: a line a run has the values in their order, of which the last zeros are left out. A new name is the
// last one, so that only the lines of runs that count it change.
#pragma once

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace heddle::tests {

class KernelStatistics {
 public:
  using Json = nlohmann::ordered_json;

  /// \throws std::runtime_error  the file cannot be read
  explicit KernelStatistics(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + ": cannot be read");
    const Json known = Json::parse(in);
    names_ = known.at("names").get<std::vector<std::string>>();
    runs_ = known.at("runs");
  }

  std::size_t size() const { return runs_.size(); }

  /// {name: value} of a run, without what is zero; of a run that is not there, nothing.
  Json row(const std::string& run) const {
    Json row = Json::object();
    if (!runs_.contains(run)) return row;
    const Json& values = runs_.at(run);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != 0) row[names_.at(i)] = values[i];
    return row;
  }

  /// A run's row, in its place or behind all others.
  void set(const std::string& run, const Json& row) {
    Json values = Json::array();
    for (const auto& [name, value] : row.items()) {
      const std::size_t place = place_of(name);
      while (values.size() <= place) values.push_back(0);
      values[place] = value;
    }
    runs_[run] = std::move(values);
  }

  void write(const std::string& file) const {
    std::ofstream out(file);
    out << "{\"names\": " << Json(names_).dump() << ",\n \"runs\": {";
    const char* before = "\n ";
    for (const auto& [run, values] : runs_.items()) {
      out << before << Json(run).dump() << ": " << values.dump();
      before = ",\n ";
    }
    out << "\n}}\n";
    if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
  }

 private:
  std::vector<std::string> names_;
  Json runs_;

  std::size_t place_of(const std::string& name) {
    const auto place = std::size_t(std::find(names_.begin(), names_.end(), name) - names_.begin());
    if (place == names_.size()) names_.push_back(name);
    return place;
  }
};

}  // namespace heddle::tests
