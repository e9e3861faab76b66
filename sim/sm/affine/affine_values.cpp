// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/affine/affine_values.h"

#include <stdexcept>

namespace heddle {

using isa::Comparison;

namespace {

/// Each number of one with that of the other.
template <class Combine>
AffineTuple by_number(const AffineTuple& a, const AffineTuple& b, Combine&& combine) {
  AffineTuple result(combine(a.base, b.base));
  for (unsigned i = 0; i < 3; ++i) {
    result.thread[i] = combine(a.thread[i], b.thread[i]);
    result.block[i] = combine(a.block[i], b.block[i]);
  }
  return result;
}

AffineTuple scaled(const AffineTuple& a, std::uint32_t factor) {
  return by_number(a, a, [factor](std::uint32_t number, std::uint32_t) { return number * factor; });
}

}  // namespace

std::uint32_t AffineTuple::at(const isa::Dim3& thread_index, const isa::Dim3& block_index) const {
  return base + thread[0] * thread_index.x + thread[1] * thread_index.y + thread[2] * thread_index.z +
         block[0] * block_index.x + block[1] * block_index.y + block[2] * block_index.z;
}

bool operator==(const AffineTuple& a, const AffineTuple& b) {
  return a.base == b.base && a.thread == b.thread && a.block == b.block;
}

AffineTuple operator+(const AffineTuple& a, const AffineTuple& b) {
  return by_number(a, b, [](std::uint32_t one, std::uint32_t other) { return one + other; });
}

AffineTuple operator-(const AffineTuple& a, const AffineTuple& b) {
  return by_number(a, b, [](std::uint32_t one, std::uint32_t other) { return one - other; });
}

AffineTuple operator*(const AffineTuple& a, const AffineTuple& b) {
  if (b.is_scalar()) return scaled(a, b.base);
  if (a.is_scalar()) return scaled(b, a.base);
  throw std::logic_error("a product of two tuples is not affine");
}

AffineTuple shifted_left(const AffineTuple& value, const AffineTuple& by) {
  if (!by.is_scalar()) throw std::logic_error("a shift by a tuple is not affine");
  return by.base < 32 ? scaled(value, std::uint32_t(1) << by.base) : AffineTuple();
}

Comparison inverse(Comparison comparison) {
  switch (comparison) {
    case Comparison::Eq:
      return Comparison::Ne;
    case Comparison::Ne:
      return Comparison::Eq;
    case Comparison::Lt:
      return Comparison::Ge;
    case Comparison::Le:
      return Comparison::Gt;
    case Comparison::Gt:
      return Comparison::Le;
    case Comparison::Ge:
      return Comparison::Lt;
    case Comparison::Lo:
      return Comparison::Hs;
    case Comparison::Ls:
      return Comparison::Hi;
    case Comparison::Hi:
      return Comparison::Ls;
    case Comparison::Hs:
      return Comparison::Lo;
  }
  throw std::logic_error("unknown comparison");
}

Comparison mirrored(Comparison comparison) {
  switch (comparison) {
    case Comparison::Eq:
    case Comparison::Ne:
      return comparison;
    case Comparison::Lt:
      return Comparison::Gt;
    case Comparison::Le:
      return Comparison::Ge;
    case Comparison::Gt:
      return Comparison::Lt;
    case Comparison::Ge:
      return Comparison::Le;
    case Comparison::Lo:
      return Comparison::Hi;
    case Comparison::Ls:
      return Comparison::Hs;
    case Comparison::Hi:
      return Comparison::Lo;
    case Comparison::Hs:
      return Comparison::Ls;
  }
  throw std::logic_error("unknown comparison");
}

bool holds(Comparison comparison, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a), signed_b = static_cast<std::int32_t>(b);
  switch (comparison) {
    case Comparison::Eq:
      return a == b;
    case Comparison::Ne:
      return a != b;
    case Comparison::Lt:
      return signed_a < signed_b;
    case Comparison::Le:
      return signed_a <= signed_b;
    case Comparison::Gt:
      return signed_a > signed_b;
    case Comparison::Ge:
      return signed_a >= signed_b;
    case Comparison::Lo:
      return a < b;
    case Comparison::Ls:
      return a <= b;
    case Comparison::Hi:
      return a > b;
    case Comparison::Hs:
      return a >= b;
  }
  throw std::logic_error("unknown comparison");
}

AffinePredicate AffinePredicate::operator!() const {
  AffinePredicate other = *this;
  if (is_known)
    other.value = !value;
  else
    other.comparison = inverse(comparison);
  return other;
}

bool AffinePredicate::at(const isa::Dim3& thread_index, const isa::Dim3& block_index) const {
  return is_known ? value
                  : holds(comparison, tuple.at(thread_index, block_index), scalar.at(thread_index, block_index));
}

AffinePredicate compared(Comparison comparison, const AffineTuple& a, const AffineTuple& b) {
  if (a.is_scalar() && b.is_scalar()) return holds(comparison, a.base, b.base);
  if (!a.is_same_in_cta() && !b.is_same_in_cta()) throw std::logic_error("a comparison of two tuples has no scalar");
  AffinePredicate result;
  result.is_known = false;
  const bool in_order = b.is_same_in_cta();
  result.comparison = in_order ? comparison : mirrored(comparison);
  result.tuple = in_order ? a : b;
  result.scalar = in_order ? b : a;
  return result;
}

}  // namespace heddle
