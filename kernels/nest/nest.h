// The computation of `nest`: an if/else inside an if/else, five deep, with work before, on both sides and after each.
// cuda_device.h, included first, makes these device functions.
#pragma once

#include "../shared_code.h"

namespace heddle::kernels::nest {

template <unsigned Level, unsigned Path>
struct Nest {
  HEDDLE_DEVICE static unsigned run(unsigned value, unsigned bits) {
    value = value * (2 * Path + 5U) + (bits >> Level);
    if ((bits >> Level & 1U) != 0) {
      value ^= value << 7;
      value = Nest<Level - 1, 2 * Path + 1>::run(value, bits);
      value += value >> 11;
    } else {
      value = (value ^ 0x9e3779b9U) * 69069U;
      value = Nest<Level - 1, 2 * Path>::run(value, bits);
      value ^= value >> 5;
    }
    return value * 3U + Path;
  }
};

template <unsigned Path>
struct Nest<0, Path> {
  HEDDLE_DEVICE static unsigned run(unsigned value, unsigned bits) {
    return (value ^ bits) * (Path * 8U + 3U) + (value >> (Path % 7U + 1U));
  }
};

}  // namespace heddle::kernels::nest
// SPDX-License-Identifier: Apache-2.0
