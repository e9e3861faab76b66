// What host and device share of `md5_search`.
#pragma once

constexpr unsigned KeyLength = 8;  // characters: four known ones and four in search

struct Md5Digest {
  unsigned words[4];
};
