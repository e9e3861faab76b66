// SPDX-License-Identifier: Apache-2.0
#include "tests/random/affine_points.h"

#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace heddle::tests {

namespace {

struct Key {
  const char* name;
  unsigned DesignPoint::*value;
  unsigned size;
};

struct Sized {
  const char* name;
  const DesignPoint& base;
  std::vector<Key> keys;
};

#define HEDDLE_KEY(key, size) \
  { #key, &DesignPoint::key, size }

std::vector<Sized> sizes() {
  return {{"tiny_of_one",
           point::tiny::Values,
           {HEDDLE_KEY(atq_entries, 1), HEDDLE_KEY(warp_queue_entries, 1), HEDDLE_KEY(lock_bits, 1),
            HEDDLE_KEY(l1_bytes, 512), HEDDLE_KEY(l1_ways, 2)}},
          {"isca17_of_one",
           point::isca17::Values,
           {HEDDLE_KEY(atq_entries, 1), HEDDLE_KEY(warp_queue_entries, 1), HEDDLE_KEY(lock_bits, 1),
            HEDDLE_KEY(l1_bytes, 1024), HEDDLE_KEY(l1_ways, 2)}},
          {"isca17_of_three",
           point::isca17::Values,
           {HEDDLE_KEY(atq_entries, 3), HEDDLE_KEY(warp_queue_entries, 2), HEDDLE_KEY(lock_bits, 2),
            HEDDLE_KEY(l1_bytes, 2048), HEDDLE_KEY(l1_ways, 4)}}};
}

#undef HEDDLE_KEY

}  // namespace

const std::vector<const DesignPoint*>& affine_points() {
  static std::deque<DesignPoint> values;  // pointed at
  static std::vector<const DesignPoint*> points;
  if (!points.empty()) return points;
  for (const Sized& sized : sizes()) {
    values.push_back(sized.base);
    values.back().name = sized.name;
    std::string settings;
    for (const Key& key : sized.keys) {
      values.back().*key.value = key.size;
      settings += fmt::format(" {}={}", key.name, key.size);
    }
    const std::string command = fmt::format("'{}/scripts/slice_point' {}{} --families Affine --build '{}'",
                                            HEDDLE_SOURCE_DIR, sized.base.name, settings, HEDDLE_BINARY_DIR);
    if (std::system(command.c_str()) != 0) throw std::runtime_error("the blocks of " + settings + " cannot be built");
    points.push_back(&values.back());
  }
  return points;
}

}  // namespace heddle::tests
