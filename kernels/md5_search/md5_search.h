// What host and device share of `md5_search`.
#pragma once

namespace heddle::kernels::md5_search {

constexpr unsigned KeyLength = 8;  // characters: four known ones and four in search

struct Md5Digest {
  unsigned words[4];
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(Md5Digest) == 4 * sizeof(unsigned));

}  // namespace heddle::kernels::md5_search
// SPDX-License-Identifier: Apache-2.0
