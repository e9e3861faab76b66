// SPDX-License-Identifier: Apache-2.0
// What a recording (rtl/base/port_recording.h) is of.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct RecordedPort {
  std::string name;
  unsigned width;  ///< bits of an element
  unsigned count;  ///< elements; 1 for what is no array
  bool is_output;
};

struct RecordedBlock {
  std::string block;
  std::string point;       ///< design point, with its settings behind it
  std::string parameters;  ///< of the twin, that the point does not say: "Shadow=1 AtDecode=0"
  std::string run;         ///< kernel and mechanism
  std::vector<RecordedPort> ports = {};
};

}  // namespace heddle
