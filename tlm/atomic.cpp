// SPDX-License-Identifier: Apache-2.0
#include "tlm/atomic.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace heddle {
namespace {

template <class Float, class Bits>
Bits add(Bits a, Bits b, bool flushes) {
  const auto value_of = [flushes](Bits bits) {
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return flushes && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(Float{0}, value) : value;
  };
  Float sum = value_of(a) + value_of(b);
  if (flushes && std::fpclassify(sum) == FP_SUBNORMAL) sum = std::copysign(Float{0}, sum);
  Bits result;
  std::memcpy(&result, &sum, sizeof result);
  return std::isnan(sum) ? static_cast<Bits>(~Bits{0} >> 1) : result;
}

std::uint64_t add_floats(std::uint64_t a, std::uint64_t b, unsigned bytes, bool flushes) {
  return bytes == 8 ? add<double, std::uint64_t>(a, b, flushes)
                    : add<float>(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), flushes);
}

}  // namespace

AtomicOp in_global_memory(AtomicOp op, unsigned bytes) {
  return op == AtomicOp::AddFloat && bytes == 4 ? AtomicOp::AddFloatFlushing : op;
}

std::uint64_t extend(std::uint64_t value, unsigned bytes, bool is_signed) {
  const unsigned unused = 64 - 8 * bytes;
  const std::uint64_t raised = value << unused;
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(raised) >> unused) : raised >> unused;
}

std::uint64_t apply(AtomicOp op, bool is_signed, unsigned bytes, std::uint64_t old, std::uint64_t operand,
                    std::uint64_t compare) {
  const std::uint64_t a = extend(old, bytes, is_signed);
  const std::uint64_t b = extend(operand, bytes, is_signed);
  const std::uint64_t c = extend(compare, bytes, is_signed);
  const bool less = is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
  // PTX compares inc and dec as unsigned, whatever the type says.
  const std::uint64_t count = extend(old, bytes, false);
  const std::uint64_t limit = extend(operand, bytes, false);
  std::uint64_t result = a;
  switch (op) {
    case AtomicOp::None:
      break;
    case AtomicOp::Add:
      result = a + b;
      break;
    case AtomicOp::Min:
      result = less ? a : b;
      break;
    case AtomicOp::Max:
      result = less ? b : a;
      break;
    case AtomicOp::And:
      result = a & b;
      break;
    case AtomicOp::Or:
      result = a | b;
      break;
    case AtomicOp::Xor:
      result = a ^ b;
      break;
    case AtomicOp::Exchange:
      result = b;
      break;
    case AtomicOp::CompareExchange:
      result = a == c ? b : a;
      break;
    case AtomicOp::Increment:
      result = count >= limit ? 0 : count + 1;
      break;
    case AtomicOp::Decrement:
      result = count == 0 || count > limit ? limit : count - 1;
      break;
    case AtomicOp::AddFloat:
    case AtomicOp::AddFloatFlushing:
      result = add_floats(old, operand, bytes, op == AtomicOp::AddFloatFlushing);
      break;
  }
  return extend(result, bytes, false);
}

std::uint64_t apply_at(std::uint8_t* at, AtomicOp op, bool is_signed, unsigned bytes, std::uint64_t operand,
                       std::uint64_t compare) {
  std::uint64_t old = 0;
  std::memcpy(&old, at, bytes);
  const std::uint64_t result = apply(op, is_signed, bytes, old, operand, compare);
  std::memcpy(at, &result, bytes);
  return old;
}

}  // namespace heddle
