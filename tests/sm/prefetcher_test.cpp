// SPDX-License-Identifier: Apache-2.0
// The tables of the prefetcher, how they are trained, and its throttle, without an SM.
#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "rtl/config/design_points.h"
#include "sim/sm/memory/prefetch_throttle.h"
#include "sim/sm/memory/stride_tables.h"

extern "C" int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle::PrefetchThrottle;
using heddle::PrefetchYield;
using heddle::StridePrediction;
using heddle::StrideSource;
using heddle::StrideTables;

const heddle::DesignPoint& isca17 = heddle::point::isca17::Values;
constexpr std::uint64_t Base = 0x7f00'0000'0000;

struct Tables {
  StrideTables tables{isca17};
  StridePrediction look(unsigned pc, unsigned warp, std::uint64_t offset) {
    return tables.look(pc, warp, Base + offset);
  }
};

bool is(const StridePrediction& prediction, StrideSource source, std::int64_t offset) {
  return prediction.source == source && prediction.offset == offset;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_warp_is_trained_by_three_accesses_of_one_stride, Tables) {
  BOOST_TEST(is(look(8, 3, 0), StrideSource::None, 0));
  BOOST_TEST(is(look(8, 3, 512), StrideSource::None, 0));
  BOOST_TEST(is(look(8, 3, 1024), StrideSource::Warp, 512));
  BOOST_TEST(is(look(8, 3, 1536), StrideSource::Warp, 512));
  BOOST_TEST(is(look(8, 3, 100), StrideSource::None, 0));  // backwards
  BOOST_TEST(is(look(8, 3, 50), StrideSource::None, 0));
  BOOST_TEST(is(look(8, 3, 0), StrideSource::Warp, -50));
  BOOST_TEST(is(look(9, 3, 0), StrideSource::None, 0));  // another load
}

BOOST_FIXTURE_TEST_CASE(a_load_of_one_address_is_not_predicted, Tables) {
  for (unsigned i = 0; i < 5; ++i) BOOST_TEST(is(look(8, 3, 0), StrideSource::None, 0));
  for (unsigned warp = 4; warp < 8; ++warp) BOOST_TEST(is(look(8, warp, 0), StrideSource::None, 0));
}

BOOST_FIXTURE_TEST_CASE(three_warps_of_one_stride_promote_the_load, Tables) {
  // Their bases do not step evenly, so that nothing is learnt from warp to warp.
  const std::uint64_t bases[] = {0, 100'000, 700'000, 900'000};
  for (unsigned warp = 0; warp < 3; ++warp)
    for (unsigned i = 0; i < 3; ++i) {
      const StridePrediction seen = look(8, warp, bases[warp] + 256 * i);
      BOOST_TEST(is(seen, i == 2 ? StrideSource::Warp : StrideSource::None, i == 2 ? 256 : 0));
    }
  BOOST_TEST(is(look(8, 3, bases[3]), StrideSource::Load, 256));  // without training
  BOOST_TEST(is(look(8, 0, bases[0] + 768), StrideSource::Load, 256));
  tables.clear();
  BOOST_TEST(is(look(8, 3, bases[3]), StrideSource::None, 0));
}

BOOST_FIXTURE_TEST_CASE(three_warps_train_the_stride_from_warp_to_warp, Tables) {
  BOOST_TEST(is(look(8, 0, 0), StrideSource::None, 0));
  BOOST_TEST(is(look(8, 1, 128), StrideSource::None, 0));
  BOOST_TEST(is(look(8, 2, 256), StrideSource::Thread, 128));
  BOOST_TEST(is(look(8, 6, 768), StrideSource::Thread, 128));  // some warps on
  BOOST_TEST(is(look(8, 5, 640), StrideSource::Thread, 128));  // and back
  BOOST_TEST(is(look(8, 7, 897), StrideSource::None, 0));      // no stride of whole bytes a warp
}

BOOST_FIXTURE_TEST_CASE(a_promoted_load_goes_before_the_stride_from_warp_to_warp, Tables) {
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned warp = 0; warp < 3; ++warp) look(8, warp, 128 * warp + 4096 * i);
  BOOST_TEST(is(look(8, 3, 3 * 128), StrideSource::Load, 4096));
}

BOOST_FIXTURE_TEST_CASE(the_entry_of_longest_ago_is_replaced, Tables) {
  look(8, 0, 0);
  look(8, 0, 512);
  for (unsigned warp = 1; warp < isca17.prefetch_warp_entries; ++warp) look(9, warp, 1000 * warp * warp);
  BOOST_TEST(is(look(8, 0, 1024), StrideSource::Warp, 512));  // all of them have room
  for (unsigned warp = 1; warp <= isca17.prefetch_warp_entries; ++warp) look(10, warp, 1000 * warp * warp);
  BOOST_TEST(is(look(8, 0, 1536), StrideSource::None, 0));
}

namespace {

/// What a period adds.
struct Throttle {
  PrefetchThrottle throttle;
  PrefetchYield total{1000, 500, 600, 70};  // of kernels before
  Throttle() { throttle.start(total); }
  unsigned after(std::uint64_t requests, std::uint64_t merges, std::uint64_t useful, std::uint64_t early) {
    total.requests += requests;
    total.merges += merges;
    total.useful += useful;
    total.early_evictions += early;
    throttle.decide(total);
    return throttle.degree();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_throttle_moves_by_what_prefetches_brought, Throttle) {
  BOOST_TEST(throttle.degree() == 2U);
  BOOST_TEST(after(1000, 400, 500, 0) == 1U);  // late, but wanted: (0 + 0.4) / 2
  BOOST_TEST(after(1000, 400, 500, 0) == 0U);
  BOOST_TEST(after(1000, 400, 500, 0) == 0U);
  BOOST_TEST(after(1000, 400, 1000, 15) == 1U);  // some are evicted early
  BOOST_TEST(after(0, 0, 0, 0) == 1U);           // nobody asked for anything
  BOOST_TEST(after(1000, 0, 500, 0) == 0U);      // the mean with the last ratio is still high: 0.19
  BOOST_TEST(after(1000, 0, 500, 0) == 1U);      // no more
  BOOST_TEST(after(1000, 400, 1000, 30) == 5U);  // many are evicted early
  BOOST_TEST(after(1000, 0, 0, 1) == 5U);        // of none that were useful
  throttle.start(total);
  BOOST_TEST(throttle.degree() == 2U);
}

BOOST_FIXTURE_TEST_CASE(the_degree_says_how_many_of_five_pass, Throttle) {
  const auto passed = [&] {
    unsigned count = 0;
    for (unsigned i = 0; i < 10; ++i) count += throttle.admits();
    return count;
  };
  BOOST_TEST(passed() == 6U);
  after(1000, 400, 500, 0);
  after(1000, 400, 500, 0);
  BOOST_TEST(passed() == 10U);
  after(1000, 400, 1000, 30);
  BOOST_TEST(passed() == 0U);
}
