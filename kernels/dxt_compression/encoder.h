// DXT1 on the CPU, one block of 4 x 4 pixels at a time: the reference of `dxt_compression`, and a decoder's error.
#pragma once

#include <array>
#include <vector>

namespace heddle::kernels::dxt_compression {

using Colour = std::array<float, 3>;  // red, green, blue, 0 to 255

/// Two bits a pixel, of the pixels in the order of their axis: how many thirds of the second end. Not all the same.
std::vector<unsigned> all_partitions();

/// The two words of a block: the colours, then two bits a pixel. Of equally good partitions the first counts.
std::array<unsigned, 2> compress(const std::vector<Colour>& pixels, const std::vector<unsigned>& partitions);

/// The sum of the squared differences between a block's pixels and what a decoder makes of its two words.
double squared_error(const std::vector<Colour>& pixels, unsigned ends, unsigned codes);

}  // namespace heddle::kernels::dxt_compression
// SPDX-License-Identifier: Apache-2.0
