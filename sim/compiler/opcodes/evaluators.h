// SPDX-License-Identifier: Apache-2.0
// From a typed function on values to the evaluators of an instruction.
//
//   evaluators<&add<float>>()  ->  { one thread, all lanes }
//
// Operands are cut to the type of the function's parameter first, so bits above a value's own width never matter.
// Results: integers narrower than 64 bits are extended to 32 bits by their sign and then with zeros; a bool is 0 or 1.
// The lane form is a loop without branches around an inlined function: gcc vectorises it.
#pragma once

#include <cstring>
#include <type_traits>

#include "sim/isa/instruction.h"

namespace heddle::compiler {

using Bits = std::uint64_t;

/// An f16; half.h converts it.
struct Half {
  std::uint16_t bits;
};

struct Evaluators {
  isa::Evaluate one = nullptr;
  isa::EvaluateLanes lanes = nullptr;
};

template <class T>
inline T from_bits(Bits bits) {
  if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else if constexpr (std::is_same_v<T, Half>) {
    return {static_cast<std::uint16_t>(bits)};
  } else if constexpr (std::is_floating_point_v<T>) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> raw = static_cast<decltype(raw)>(bits);
    T value;
    std::memcpy(&value, &raw, sizeof value);
    return value;
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
inline Bits to_bits(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> raw = 0;
    std::memcpy(&raw, &value, sizeof raw);
    return raw;
  } else if constexpr (std::is_same_v<T, Half>) {
    return value.bits;
  } else if constexpr (std::is_signed_v<T> && sizeof(T) < 8) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  } else {
    return static_cast<Bits>(value);
  }
}

namespace detail {

template <auto Function>
struct Adapter;

template <class R, class A, R (*Function)(A)>
struct Adapter<Function> {
  static Bits one(Bits a, Bits, Bits) { return to_bits<R>(Function(from_bits<A>(a))); }
};

template <class R, class A, class B, R (*Function)(A, B)>
struct Adapter<Function> {
  static Bits one(Bits a, Bits b, Bits) { return to_bits<R>(Function(from_bits<A>(a), from_bits<B>(b))); }
};

template <class R, class A, class B, class C, R (*Function)(A, B, C)>
struct Adapter<Function> {
  static Bits one(Bits a, Bits b, Bits c) {
    return to_bits<R>(Function(from_bits<A>(a), from_bits<B>(b), from_bits<C>(c)));
  }
};

template <auto Function>
void all_lanes(const isa::LaneValues& a, const isa::LaneValues& b, const isa::LaneValues& c, isa::LaneValues& d) {
  for (unsigned lane = 0; lane < isa::MaxLanes; ++lane) d[lane] = Adapter<Function>::one(a[lane], b[lane], c[lane]);
}

}  // namespace detail

template <auto Function>
constexpr Evaluators evaluators() {
  return {&detail::Adapter<Function>::one, &detail::all_lanes<Function>};
}

}  // namespace heddle::compiler
