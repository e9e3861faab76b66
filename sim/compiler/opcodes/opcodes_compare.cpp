// SPDX-License-Identifier: Apache-2.0
// Rows of setp: every comparison of every type, alone or combined with a predicate.
#include "sim/compiler/opcodes/float_rounding.h"
#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

// Comparisons. The unordered ones (suffix u) are true if an operand is a NaN.
template <class T>
bool eq(T a, T b) {
  return a == b;
}
template <class T>
bool ne(T a, T b) {
  return a < b || b < a;
}  // ordered: false for a NaN
template <class T>
bool lt(T a, T b) {
  return a < b;
}
template <class T>
bool le(T a, T b) {
  return a <= b;
}
template <class T>
bool gt(T a, T b) {
  return a > b;
}
template <class T>
bool ge(T a, T b) {
  return a >= b;
}
template <class T>
bool equ(T a, T b) {
  return !ne(a, b);
}
template <class T>
bool neu(T a, T b) {
  return !eq(a, b);
}
template <class T>
bool ltu(T a, T b) {
  return !ge(a, b);
}
template <class T>
bool leu(T a, T b) {
  return !gt(a, b);
}
template <class T>
bool gtu(T a, T b) {
  return !le(a, b);
}
template <class T>
bool geu(T a, T b) {
  return !lt(a, b);
}
template <class T>
bool num(T a, T b) {
  return a == a && b == b;
}
template <class T>
bool nan(T a, T b) {
  return !num(a, b);
}

// What setp does with its predicate operand c. The second result q is that of the opposite comparison.
template <class T, bool (*Compare)(T, T)>
bool opposite(T a, T b) {
  return !Compare(a, b);
}
template <class T, bool (*Compare)(T, T)>
bool with_and(T a, T b, bool c) {
  return Compare(a, b) & c;
}
template <class T, bool (*Compare)(T, T)>
bool with_or(T a, T b, bool c) {
  return Compare(a, b) | c;
}
template <class T, bool (*Compare)(T, T)>
bool with_xor(T a, T b, bool c) {
  return Compare(a, b) ^ c;
}

/// .ftz: subnormal operands are zeros.
template <bool (*Compare)(float, float)>
bool flushed(float a, float b) {
  return Compare(flush(a), flush(b));
}

void add_setp(std::vector<Opcode>& table, const char* name, const char* with, const char* type,
              const Signature& signature, const Evaluators& evaluate, const Evaluators& inverse) {
  std::string spelling = "setp.";
  for (const char* part : {name, with, type}) spelling += part;
  Opcode& row = add_row(table, isa::Unit::Alu, std::move(spelling), signature, evaluate);
  row.pattern = Pattern::Compare;
  row.inverse = inverse;
}

template <auto Function, auto Inverse>
void setp(std::vector<Opcode>& table, const char* name, const char* with, const char* type) {
  add_setp(table, name, with, type, signature_of(Function), evaluators<Function>(), evaluators<Inverse>());
}

template <class T, bool (*Compare)(T, T)>
void comparison(std::vector<Opcode>& table, const char* name, std::initializer_list<const char*> types) {
  for (const char* type : types) {
    setp<Compare, &opposite<T, Compare>>(table, name, ".", type);
    if constexpr (std::is_integral_v<T> && sizeof(T) == sizeof(std::uint32_t)) table.back().op = isa::Op::Compare;
    setp<&with_and<T, Compare>, &with_and<T, &opposite<T, Compare>>>(table, name, ".and.", type);
    setp<&with_or<T, Compare>, &with_or<T, &opposite<T, Compare>>>(table, name, ".or.", type);
    setp<&with_xor<T, Compare>, &with_xor<T, &opposite<T, Compare>>>(table, name, ".xor.", type);
  }
}

template <class Signed, class Unsigned>
void integer_comparisons(std::vector<Opcode>& table, const char* s, const char* u, const char* b) {
  comparison<Unsigned, &eq<Unsigned>>(table, "eq", {s, u, b});
  comparison<Unsigned, &ne<Unsigned>>(table, "ne", {s, u, b});
  comparison<Signed, &lt<Signed>>(table, "lt", {s});
  comparison<Signed, &le<Signed>>(table, "le", {s});
  comparison<Signed, &gt<Signed>>(table, "gt", {s});
  comparison<Signed, &ge<Signed>>(table, "ge", {s});
  comparison<Unsigned, &lt<Unsigned>>(table, "lt", {u});
  comparison<Unsigned, &le<Unsigned>>(table, "le", {u});
  comparison<Unsigned, &gt<Unsigned>>(table, "gt", {u});
  comparison<Unsigned, &ge<Unsigned>>(table, "ge", {u});
  comparison<Unsigned, &lt<Unsigned>>(table, "lo", {u});
  comparison<Unsigned, &le<Unsigned>>(table, "ls", {u});
  comparison<Unsigned, &gt<Unsigned>>(table, "hi", {u});
  comparison<Unsigned, &ge<Unsigned>>(table, "hs", {u});
}

template <class T, bool (*Compare)(T, T)>
void float_comparison(std::vector<Opcode>& table, const char* name) {
  if constexpr (std::is_same_v<T, float>) {
    comparison<float, Compare>(table, name, {"f32"});
    comparison<float, &flushed<Compare>>(table, name, {"ftz.f32"});
  } else {
    comparison<double, Compare>(table, name, {"f64"});
  }
}

template <class T>
void float_comparisons(std::vector<Opcode>& table) {
  float_comparison<T, &eq<T>>(table, "eq");
  float_comparison<T, &ne<T>>(table, "ne");
  float_comparison<T, &lt<T>>(table, "lt");
  float_comparison<T, &le<T>>(table, "le");
  float_comparison<T, &gt<T>>(table, "gt");
  float_comparison<T, &ge<T>>(table, "ge");
  float_comparison<T, &equ<T>>(table, "equ");
  float_comparison<T, &neu<T>>(table, "neu");
  float_comparison<T, &ltu<T>>(table, "ltu");
  float_comparison<T, &leu<T>>(table, "leu");
  float_comparison<T, &gtu<T>>(table, "gtu");
  float_comparison<T, &geu<T>>(table, "geu");
  float_comparison<T, &num<T>>(table, "num");
  float_comparison<T, &nan<T>>(table, "nan");
}

}  // namespace

void add_compare_opcodes(std::vector<Opcode>& table) {
  integer_comparisons<std::int16_t, std::uint16_t>(table, "s16", "u16", "b16");
  integer_comparisons<std::int32_t, std::uint32_t>(table, "s32", "u32", "b32");
  integer_comparisons<std::int64_t, std::uint64_t>(table, "s64", "u64", "b64");
  float_comparisons<float>(table);
  float_comparisons<double>(table);
}

}  // namespace heddle::compiler
