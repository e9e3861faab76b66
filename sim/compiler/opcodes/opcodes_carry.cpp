// SPDX-License-Identifier: Apache-2.0
// Rows of extended-precision arithmetic: the carry passes from one opcode to the next.
//
// `.cc` writes the carry, addc, subc and madc read it. It is the carry of the machine's one adder, which subtracts as
// a + ~b + carry: sub.cc leaves *not* borrow, and subc adds it. The manual says borrow, and no chain of subtractions
// alone can tell; nvcc ends one with addc, and so decides (DESIGN 9). An instruction has one destination, so that
// lowering makes two of `add.cc`: one for the sum, one for the carry. `mad.lo.cc d, a, b, c` is a product in a register
// of its own and then the sum.
#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

template <class T>
T add(T a, T b) {
  return static_cast<T>(a + b);
}
template <class T>
bool carry_of_add(T a, T b) {
  return add(a, b) < a;
}
template <class T>
T add_carry(T a, T b, bool carry) {
  return static_cast<T>(a + b + (carry ? 1 : 0));
}
template <class T>
bool carry_of_add_carry(T a, T b, bool carry) {
  const T sum = add_carry(a, b, carry);
  return sum < a || (sum == a && carry);
}

template <class T>
T sub_carry(T a, T b, bool carry) {
  return add_carry(a, static_cast<T>(~b), carry);
}
template <class T>
bool carry_of_sub_carry(T a, T b, bool carry) {
  return carry_of_add_carry(a, static_cast<T>(~b), carry);
}
template <class T>
T sub(T a, T b) {
  return sub_carry(a, b, true);
}
template <class T>
bool carry_of_sub(T a, T b) {
  return carry_of_sub_carry(a, b, true);
}

template <auto Function>
void last(std::vector<Opcode>& table, const std::string& spelling) {
  compute<Function>(table, isa::Unit::Alu, {spelling.c_str()});
  table.back().pattern = Pattern::Carry;
}

template <auto Function, auto CarryOut>
void linked(std::vector<Opcode>& table, const std::string& spelling) {
  last<Function>(table, spelling);
  table.back().carry_out = evaluators<CarryOut>();
}

void product_and_sum(std::vector<Opcode>& table, const std::string& spelling, const std::string& product,
                     const std::string& sum) {
  Opcode row;
  row.spelling = spelling;
  row.pattern = Pattern::ProductSum;
  row.steps = {product, sum};
  table.push_back(std::move(row));
}

void product_sums(std::vector<Opcode>& table, const std::string& half, const std::string& type) {
  const std::string product = "mul" + half + type;
  product_and_sum(table, "mad" + half + ".cc" + type, product, "add.cc" + type);
  product_and_sum(table, "madc" + half + ".cc" + type, product, "addc.cc" + type);
  product_and_sum(table, "madc" + half + type, product, "addc" + type);
}

template <class T>
void chains(std::vector<Opcode>& table, const std::string& type) {
  linked<&add<T>, &carry_of_add<T>>(table, "add.cc" + type);
  linked<&add_carry<T>, &carry_of_add_carry<T>>(table, "addc.cc" + type);
  last<&add_carry<T>>(table, "addc" + type);
  linked<&sub<T>, &carry_of_sub<T>>(table, "sub.cc" + type);
  linked<&sub_carry<T>, &carry_of_sub_carry<T>>(table, "subc.cc" + type);
  last<&sub_carry<T>>(table, "subc" + type);
  product_sums(table, ".lo", type);
  product_sums(table, ".hi", type);
}

}  // namespace

void add_carry_opcodes(std::vector<Opcode>& table) {
  chains<std::uint32_t>(table, ".u32");
  chains<std::uint32_t>(table, ".s32");
  chains<std::uint64_t>(table, ".u64");
  chains<std::uint64_t>(table, ".s64");
}

}  // namespace heddle::compiler
