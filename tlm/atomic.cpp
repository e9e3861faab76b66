#include "tlm/atomic.h"

#include <algorithm>
#include <cstring>

namespace heddle {

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
