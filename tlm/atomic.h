// SPDX-License-Identifier: Apache-2.0
// What an atomic operation does to one value, at whatever memory performs it: DRAM, shared memory or the oracle.
#pragma once

#include <cstdint>

namespace heddle {

enum class AtomicOp : std::uint8_t {
  None,
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  CompareExchange,
  Increment,
  Decrement,
  AddFloat,         // IEEE, to nearest even, 4 or 8 bytes
  AddFloatFlushing  // the same of 4 bytes, subnormal operands and results become zeros with their sign
};

// The operation as global memory performs it. PTX ISA, "atom": "atom.add.f32 on global memory flushes subnormal inputs
// and results to sign-preserving zero; whereas atom.add.f32 on shared memory supports subnormal inputs and results".
AtomicOp in_global_memory(AtomicOp op, unsigned bytes);

// The new value, in the low `bytes` (1 to 8) of the result. Bits of the arguments above `bytes` are ignored.
// `is_signed` matters to Min and Max alone. A float sum that is not a number is the canonical one, all ones but the
// sign. Increment and Decrement wrap at the operand as PTX's atom.inc and atom.dec.
std::uint64_t apply(AtomicOp op, bool is_signed, unsigned bytes, std::uint64_t old, std::uint64_t operand,
                    std::uint64_t compare);

// The same on memory, least significant byte first; the old value, zero-extended.
std::uint64_t apply_at(std::uint8_t* at, AtomicOp op, bool is_signed, unsigned bytes, std::uint64_t operand,
                       std::uint64_t compare);

// The low `bytes` of a value, the rest filled with zeros or with the sign.
std::uint64_t extend(std::uint64_t value, unsigned bytes, bool is_signed);

}  // namespace heddle
