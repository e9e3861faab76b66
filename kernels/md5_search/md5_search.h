// What host and device share of `md5_search`.
#pragma once

namespace heddle::kernels::md5_search {

constexpr unsigned KeyLength = 8;  // characters: four known ones and four in search

struct Md5Digest {
  unsigned words[4];
};

}  // namespace heddle::kernels::md5_search
