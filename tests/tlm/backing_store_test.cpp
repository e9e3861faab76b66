// SPDX-License-Identifier: Apache-2.0
// The arena behind device addresses, and the atomic operations. No SystemC.
#include "tlm/backing_store.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tlm/atomic.h"

using heddle::apply;
using heddle::AtomicOp;
using heddle::BackingStore;

BOOST_AUTO_TEST_CASE(allocations_are_aligned_and_apart) {
  BackingStore store;
  std::uint64_t end = 0;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{1000}}) {
    const std::uint64_t address = store.allocate(bytes);
    BOOST_TEST(address % 256 == 0u);
    BOOST_TEST(address > std::numeric_limits<std::uint32_t>::max());
    BOOST_TEST(address >= end + (end == 0 ? 0 : 256));
    end = address + bytes;
  }
  BOOST_TEST(store.allocations().size() == 4u);
}

BOOST_AUTO_TEST_CASE(contains_is_exact) {
  BackingStore store;
  const std::uint64_t a = store.allocate(100);
  const std::uint64_t b = store.allocate(8);
  const std::uint64_t none = store.allocate(0);
  BOOST_TEST(store.contains(a, 1));
  BOOST_TEST(store.contains(a + 96, 4));
  BOOST_TEST(!store.contains(a + 97, 4));
  BOOST_TEST(!store.contains(a - 1, 1));
  BOOST_TEST(!store.contains(a + 100, 1));
  BOOST_TEST(store.contains(b, 8));
  BOOST_TEST(!store.contains(b + 1, 8));
  BOOST_TEST(!store.contains(none, 1));
  BOOST_TEST(!store.contains(0, 4));
  BOOST_TEST(!store.contains(~std::uint64_t{0}, 8));
}

BOOST_AUTO_TEST_CASE(whole_lines_may_reach_into_gaps_but_not_past_the_arena) {
  BackingStore store;
  const std::uint64_t a = store.allocate(4);
  const std::uint64_t b = store.allocate(4);
  std::uint8_t line[128] = {1, 2, 3, 4, 5};
  store.write(a, line, 128);
  store.write(b, line, 128);
  store.read(b + 128, line, 128);
  BOOST_CHECK_THROW(store.read(b + 4096, line, 128), std::out_of_range);
  BOOST_CHECK_THROW(store.read(16, line, 1), std::out_of_range);
  BOOST_TEST(*store.at(a + 1) == 2);
}

BOOST_AUTO_TEST_CASE(reserved_bytes_are_apart) {
  BackingStore left;
  const std::uint64_t a = left.allocate(4);
  BackingStore right = left;
  left.reserve(1000);
  const std::uint64_t first = BackingStore::reserved_base;
  const std::uint8_t bytes[4] = {1, 2, 3, 4};
  left.write(first + 1020, bytes, 4);  // four lines of 256
  BOOST_TEST(*left.at(first + 1023) == 4);
  left.reserve(500);  // enough is there
  BOOST_TEST(*left.at(first + 1020) == 1);
  BOOST_CHECK_THROW(left.write(first + 1021, bytes, 4), std::out_of_range);
  BOOST_CHECK_THROW(right.at(first), std::out_of_range);
  BOOST_TEST(!left.contains(first, 4));
  BOOST_TEST(!heddle::first_difference(left, right).has_value());
  BOOST_TEST(left.allocate(1) == right.allocate(1));
  BOOST_TEST(*left.at(a) == 0);
}

BOOST_AUTO_TEST_CASE(code_lies_apart_and_stays) {
  BackingStore left;
  BackingStore right = left;
  const std::uint64_t first = left.reserve_code(257), second = left.reserve_code(1);
  BOOST_TEST(first == BackingStore::code_base);
  BOOST_TEST(second == first + 512);
  std::uint8_t bytes[256];
  left.read(second, bytes, 256);  // a whole line
  BOOST_CHECK_THROW(left.read(second + 1, bytes, 256), std::out_of_range);
  BOOST_TEST(!left.contains(first, 4));
  BOOST_TEST(!heddle::first_difference(left, right).has_value());
  BOOST_TEST(left.allocate(1) == right.allocate(1));
}

BOOST_AUTO_TEST_CASE(difference_ignores_gaps) {
  BackingStore left;
  const std::uint64_t a = left.allocate(10);
  const std::uint64_t b = left.allocate(300);
  BackingStore right = left;
  BOOST_TEST(!heddle::first_difference(left, right).has_value());
  *right.at(a + 10) = 1;
  BOOST_TEST(!heddle::first_difference(left, right).has_value());
  *right.at(b + 299) = 1;
  BOOST_TEST(heddle::first_difference(left, right).value() == b + 299);
  *left.at(a + 9) = 1;
  BOOST_TEST(heddle::first_difference(left, right).value() == a + 9);
  right = left;
  const std::uint64_t c = right.allocate(1);
  BOOST_TEST(heddle::first_difference(left, right).value() == c);
}

BOOST_AUTO_TEST_CASE(atomic_operations) {
  const std::uint64_t minus_one = 0xffffffffu;
  BOOST_TEST(apply(AtomicOp::Add, false, 4, minus_one, 3, 0) == 2u);
  BOOST_TEST(apply(AtomicOp::Add, false, 8, minus_one, 3, 0) == 0x100000002u);
  BOOST_TEST(apply(AtomicOp::Min, true, 4, minus_one, 3, 0) == minus_one);
  BOOST_TEST(apply(AtomicOp::Min, false, 4, minus_one, 3, 0) == 3u);
  BOOST_TEST(apply(AtomicOp::Max, true, 4, minus_one, 3, 0) == 3u);
  BOOST_TEST(apply(AtomicOp::Max, false, 4, minus_one, 3, 0) == minus_one);
  BOOST_TEST(apply(AtomicOp::Max, true, 8, ~std::uint64_t{0}, 0, 0) == 0u);
  BOOST_TEST(apply(AtomicOp::And, false, 4, 12, 10, 0) == 8u);
  BOOST_TEST(apply(AtomicOp::Or, false, 4, 12, 10, 0) == 14u);
  BOOST_TEST(apply(AtomicOp::Xor, false, 4, 12, 10, 0) == 6u);
  BOOST_TEST(apply(AtomicOp::Exchange, false, 2, 1, 0x12345, 0) == 0x2345u);
  BOOST_TEST(apply(AtomicOp::CompareExchange, false, 4, 7, 9, 7) == 9u);
  BOOST_TEST(apply(AtomicOp::CompareExchange, false, 4, 7, 9, 8) == 7u);
  BOOST_TEST(apply(AtomicOp::Increment, false, 4, 4, 5, 0) == 5u);
  BOOST_TEST(apply(AtomicOp::Increment, false, 4, 5, 5, 0) == 0u);
  BOOST_TEST(apply(AtomicOp::Increment, true, 4, 1, minus_one, 0) == 2u);
  BOOST_TEST(apply(AtomicOp::Decrement, false, 4, 0, 5, 0) == 5u);
  BOOST_TEST(apply(AtomicOp::Decrement, false, 4, 6, 5, 0) == 5u);
  BOOST_TEST(apply(AtomicOp::Decrement, false, 4, 5, 5, 0) == 4u);
}

BOOST_AUTO_TEST_CASE(sums_of_floats) {
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return apply(AtomicOp::AddFloat, false, 4, a, b, 0); };
  const auto flushed = [](std::uint64_t a, std::uint64_t b) {
    return apply(heddle::in_global_memory(AtomicOp::AddFloat, 4), false, 4, a, b, 0);
  };
  const auto wide = [](std::uint64_t a, std::uint64_t b) {
    return apply(heddle::in_global_memory(AtomicOp::AddFloat, 8), false, 8, a, b, 0);
  };
  BOOST_TEST(sum(0x3f800000, 0x40000000) == 0x40400000u);  // 1 + 2
  BOOST_TEST(sum(0x3f800000, 0x33800000) == 0x3f800000u);  // 1 + 2^-24: to even
  BOOST_TEST(sum(0x3f800001, 0x33800000) == 0x3f800002u);
  BOOST_TEST(sum(0x7f7fffff, 0x7f7fffff) == 0x7f800000u);  // overflow
  BOOST_TEST(sum(0x7f800000, 0xff800000) == 0x7fffffffu);  // no number
  BOOST_TEST(sum(0xff812345, 0) == 0x7fffffffu);
  BOOST_TEST(sum(0x80000000, 0x80000000) == 0x80000000u);  // -0 + -0
  BOOST_TEST(sum(1, 2) == 3u);                             // subnormal operands
  BOOST_TEST(flushed(1, 2) == 0u);
  BOOST_TEST(flushed(0x80000001, 0x80000002) == 0x80000000u);  // zeros keep their sign
  BOOST_TEST(flushed(0x3f800000, 0x007fffff) == 0x3f800000u);
  BOOST_TEST(sum(0x00800001, 0x80800000) == 1u);  // subnormal result of normal operands
  BOOST_TEST(flushed(0x00800001, 0x80800000) == 0u);
  BOOST_TEST(flushed(0x00800000, 0x80800001) == 0x80000000u);
  BOOST_TEST(flushed(0x3f800000, 0x40000000) == 0x40400000u);
  BOOST_TEST(wide(0x3ff0000000000000, 0x4000000000000000) == 0x4008000000000000u);
  BOOST_TEST(wide(1, 2) == 3u);  // f64 keeps subnormals everywhere
  BOOST_TEST(wide(0x7ff0000000000000, 0xfff0000000000000) == 0x7fffffffffffffffu);
}

BOOST_AUTO_TEST_CASE(extension) {
  BOOST_TEST(heddle::extend(0x1ff, 1, true) == ~std::uint64_t{0});
  BOOST_TEST(heddle::extend(0x1ff, 1, false) == 0xffu);
  BOOST_TEST(heddle::extend(0x8000, 2, true) == 0xffffffffffff8000u);
  BOOST_TEST(heddle::extend(~std::uint64_t{0}, 8, false) == ~std::uint64_t{0});
}
