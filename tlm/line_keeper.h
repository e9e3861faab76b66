// SPDX-License-Identifier: Apache-2.0
// Lines that a cache must not replace, as whoever wants them kept knows them (DAC sec. 4.2: lines that were requested
// for a warp stay until it has read them).
#pragma once

#include <cstdint>

namespace heddle {

class LineKeeper {
 public:
  virtual ~LineKeeper() = default;
  /// Must the line stay? Asked whenever one is to be replaced, about those of its set that are present: never about all
  /// ways of a set at once may the answer be yes.
  /// \param line_address  of its first byte
  virtual bool keeps(std::uint64_t line_address) const = 0;
};

}  // namespace heddle
