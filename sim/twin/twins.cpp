// SPDX-License-Identifier: Apache-2.0
#include "sim/twin/twins.h"

#include <cstddef>

#include "sim/twin/twin.h"

namespace heddle {

std::unique_ptr<Twin> twin_of(const std::string& block, const Twins& twins) {
  const auto its = twins.libraries.find(block);
  return its == twins.libraries.end() ? nullptr : std::make_unique<Twin>(its->second, twins.seed);
}

const RecordingTo* recording_of(const std::string& name, const Twins& twins) {
  std::string block = name.substr(name.rfind('.') + 1);
  if (block.size() > 2 && block.compare(block.size() - 2, 2, "_0") == 0) block.resize(block.size() - 2);
  const auto its = twins.recorded.find(block);
  if (its == twins.recorded.end() || name.rfind("sm0.", 0) != 0) return nullptr;
  const std::size_t slice = name.find(".slice");
  const bool is_first = slice == std::string::npos || name.compare(slice, 8, ".slice0.") == 0;
  return is_first ? &its->second : nullptr;
}

}  // namespace heddle
