// SPDX-License-Identifier: Apache-2.0
// Affine ALU: arithmetic on affine tuples, one instruction of the affine warp a cycle (DAC sec. 3, eqs. 1 to 3).
//
// What   op_i               Op            the operation; None: no instruction
//        a_i, b_i, c_i      Tuple         its operands
//        extents_i          Extents       with valid: the largest threadIdx and blockIdx from the next cycle on
//        result_o           Result        the tuple, or why there is none; never a tuple that is wrong for some thread
//        idle_o                           result_o is blank, and without a request it stays so
//        Rules R1..R9 are stated in README.md and cited below where the code obeys them.
// Time   Operands of cycle n give the result of cycle n+1.
// Lanes  The paper runs it on the SIMT lanes. Here: seven lanes, one a component, do x * factor + addend (R1); of the
//        others six an operand find its range (R6), for min, max, rem and select.
// Cost   asked from the inventory: the result and the extents.
// Twin   affine_alu.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"

namespace heddle {

/// Operations of the affine ALU, as in PTX. S: signed, U: unsigned.
enum class AffineOp : unsigned {
  None = 0,
  Mov = 1,  ///< a
  Neg = 2,  ///< -a
  Add = 3,  ///< a + b
  Sub = 4,  ///< a - b
  Mul = 5,  ///< a * b
  Mad = 6,  ///< a * b + c
  Shl = 7,  ///< a << b; 0 when b is not below the width
  MinS = 8,
  MaxS = 9,
  MinU = 10,
  MaxU = 11,
  RemS = 12,  ///< the remainder of a by b, with the sign of a
  RemU = 13,
  Select = 14,  ///< a where c is not 0, else b
};

/// Why there is no tuple.
enum class AffineError : unsigned {
  None = 0,
  NotAffine = 1,  ///< not provably one tuple
  Division = 2,   ///< a constant, but of a division, which the unit does not do
  ByZero = 3,     ///< a remainder by zero
};

/// The value of a tuple in a thread: base + offset . threadIdx + block . blockIdx, see affine.h.
template <unsigned WordBits>
struct AffineTuple {
  sc_uint<WordBits> base;
  sc_uint<WordBits> offset_x;
  sc_uint<WordBits> offset_y;
  sc_uint<WordBits> offset_z;
  sc_uint<WordBits> block_x;
  sc_uint<WordBits> block_y;
  sc_uint<WordBits> block_z;
  HEDDLE_RECORD(AffineTuple, base, offset_x, offset_y, offset_z, block_x, block_y, block_z)
};

template <class A>
class affine_alu : public sc_core::sc_module {
  static_assert(A::WordBits >= 2 && A::WordBits <= 32, "a range is computed in 64 bits");

 public:
  static constexpr unsigned WordBits = A::WordBits;
  using Word = typename A::Word;
  using Op = sc_uint<4>;  // AffineOp
  using Tuple = AffineTuple<WordBits>;

  /// What a launch says of its threads: the largest index in each direction, so 0 where there is one.
  struct Extents {
    sc_uint<1> valid;
    sc_uint<WordBits> last_x;  // blockDim - 1
    sc_uint<WordBits> last_y;
    sc_uint<WordBits> last_z;
    sc_uint<WordBits> last_block_x;  // gridDim - 1
    sc_uint<WordBits> last_block_y;
    sc_uint<WordBits> last_block_z;
    HEDDLE_RECORD(Extents, valid, last_x, last_y, last_z, last_block_x, last_block_y, last_block_z)
  };

  struct Result {
    sc_uint<1> valid;
    sc_uint<2> error;  // AffineError
    sc_uint<WordBits> base;
    sc_uint<WordBits> offset_x;
    sc_uint<WordBits> offset_y;
    sc_uint<WordBits> offset_z;
    sc_uint<WordBits> block_x;
    sc_uint<WordBits> block_y;
    sc_uint<WordBits> block_z;
    HEDDLE_RECORD(Result, valid, error, base, offset_x, offset_y, offset_z, block_x, block_y, block_z)
  };

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Op> op_i{"op_i"};
  sc_core::sc_in<Tuple> a_i{"a_i"};
  sc_core::sc_in<Tuple> b_i{"b_i"};
  sc_core::sc_in<Tuple> c_i{"c_i"};
  sc_core::sc_in<Extents> extents_i{"extents_i"};
  sc_core::sc_out<Result> result_o{"result_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(affine_alu) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "op_i", op_i);
    probe(*this, "a_i", a_i);
    probe(*this, "b_i", b_i);
    probe(*this, "c_i", c_i);
    probe(*this, "extents_i", extents_i);
    declare(*this, "result_o", result_o,
            {Storage::Flop, paper_none(), "DAC sec. 3, a tuple; width ours, the unit an option of ours"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
    declare(*this, "last_q", last_q,
            {Storage::Flop, paper_none(), "ours, of the option: the largest threadIdx and blockIdx"});
  }

 private:
  using Bits = sc_dt::uint64;                                // a word, or a sum or a product of words
  static constexpr unsigned Components = 7, Directions = 6;  // of a tuple; of an index
  static constexpr Bits WordMask = ~Bits(0) >> (64 - WordBits), SignBit = Bits(1) << (WordBits - 1);

  Word last_q[Directions];

  /// A tuple as an array: the directions in the order of the record, then the base.
  struct Terms {
    Bits at[Components];
  };

  /// The integers that a value goes through, when it does not wrap between them.
  struct Range {
    bool fits;
    Bits low, high;
  };

  static Terms terms_of(const Tuple& tuple) {
    Terms of;
    of.at[0] = tuple.offset_x;
    of.at[1] = tuple.offset_y;
    of.at[2] = tuple.offset_z;
    of.at[3] = tuple.block_x;
    of.at[4] = tuple.block_y;
    of.at[5] = tuple.block_z;
    of.at[6] = tuple.base;
    return of;
  }

  /// R2: all threads have the base; a direction with one index adds nothing.
  bool constant(const Terms& of) const {
    bool is_constant = true;
    for (unsigned d = 0; d < Directions; ++d) {
      if (of.at[d] != 0 && last_q[d] != 0) is_constant = false;
    }
    return is_constant;
  }

  bool same(const Terms& a, const Terms& b) const {
    bool same = a.at[Directions] == b.at[Directions];
    for (unsigned d = 0; d < Directions; ++d) {
      if (a.at[d] != b.at[d] && last_q[d] != 0) same = false;
    }
    return same;
  }

  /// R6. Signed words are told with the sign bit inverted: then they are in the order of unsigned ones.
  Range range_of(const Terms& of, bool is_signed) const {
    const Bits base = is_signed ? of.at[Directions] ^ SignBit : of.at[Directions];
    Bits up = 0, down = 0;
    bool wraps = false;
    for (unsigned d = 0; d < Directions; ++d) {
      const bool falls = (of.at[d] & SignBit) != 0;
      const Bits step = falls ? (~of.at[d] + 1) & WordMask : of.at[d];
      const Bits span = step * Bits(last_q[d]);
      if (span > WordMask) wraps = true;
      if (falls) {
        down += span & WordMask;
      } else {
        up += span & WordMask;
      }
    }
    Range range;
    range.fits = !wraps && down <= base && base + up <= WordMask;
    range.low = (base - down) & WordMask;
    range.high = (base + up) & WordMask;
    return range;
  }

  HEDDLE_REPORT(void refuse(unsigned op) {
    SC_REPORT_ERROR("affine_alu/illegal", (std::string(name()) + ": no operation " + std::to_string(op)).c_str());
  })

  /// What the operands of an operation are.
  struct Found {
    bool is_signed;
    bool a_constant, b_constant;  // R2
    bool same, a_below, b_below;  // R7: in every thread
    bool holds, fails;            // R9: c, in every thread
    Bits modulus, mask;           // R8: of a remainder; of a power of two it is a mask
    Bits most;                    // R8: the largest value of a
    bool natural, divides;        // R8: a is 0 or more; each step of a is a multiple of the modulus
  };

  /// R1: how the result is told of x and addend.
  struct Plan {
    Bits factor;
    bool only_base;  // R8
    bool unknown;    // no such operation
    AffineError error;
  };

  /// R7: which operand is the smaller one.
  void order(const Terms& a, const Terms& b, const Range& of_a, const Range& of_b, Found& found) const {
    const bool fits = of_a.fits && of_b.fits;
    found.same = same(a, b);
    found.a_below = found.same || (fits && of_a.high <= of_b.low);
    found.b_below = fits && of_b.high <= of_a.low;
  }

  /// R8: what a remainder of a by b, which is a constant, depends on.
  void divide(const Terms& a, const Terms& b, const Range& of_a, Found& found) const {
    const Bits b_base = b.at[Directions];
    found.modulus = found.is_signed && (b_base & SignBit) != 0 ? (~b_base + 1) & WordMask : b_base;
    found.mask = (found.modulus - 1) & WordMask;
    found.natural = of_a.fits && (!found.is_signed || (of_a.low & SignBit) != 0);
    found.most = found.is_signed ? of_a.high ^ SignBit : of_a.high;
    found.divides = (found.modulus & found.mask) == 0 && (!found.is_signed || found.natural);
    for (unsigned d = 0; d < Directions; ++d) {
      if ((a.at[d] & found.mask) != 0 && last_q[d] != 0) found.divides = false;
    }
  }

  /// R9: whether c tells.
  void tell(const Terms& c, Found& found) const {
    const Range of_c = range_of(c, false);
    found.holds = of_c.fits && of_c.low != 0;
    found.fails = constant(c) && c.at[Directions] == 0;
  }

  /// R2, R6 to R9
  void find(unsigned op, const Terms& a, const Terms& b, const Terms& c, Found& found) const {
    found.is_signed =
        op == unsigned(AffineOp::MinS) || op == unsigned(AffineOp::MaxS) || op == unsigned(AffineOp::RemS);
    found.a_constant = constant(a);
    found.b_constant = constant(b);
    Range of_a = range_of(a, found.is_signed), of_b = range_of(b, found.is_signed);
    order(a, b, of_a, of_b, found);
    divide(a, b, of_a, found);
    tell(c, found);
  }

  /// R3
  static void multiply(const Terms& a, const Terms& b, const Found& found, Terms& x, Plan& plan) {
    if (found.b_constant) {
      plan.factor = b.at[Directions];
    } else {
      x = b;
      plan.factor = a.at[Directions];
    }
    if (!found.a_constant && !found.b_constant) plan.error = AffineError::NotAffine;
  }

  /// R4
  static void shift(const Terms& b, const Found& found, Plan& plan) {
    const Bits b_base = b.at[Directions];
    plan.factor = b_base < WordBits ? Bits(1) << b_base : Bits(0);
    if (!found.b_constant) plan.error = AffineError::NotAffine;
  }

  /// R7: minimum or maximum.
  static void pick(bool a_wins, const Terms& b, const Found& found, Terms& x, Plan& plan) {
    if (!a_wins) x = b;
    if (!found.a_below && !found.b_below) plan.error = AffineError::NotAffine;
  }

  /// R8
  static void remainder(const Found& found, Plan& plan) {
    if (!found.b_constant) {
      plan.error = AffineError::NotAffine;
    } else if (found.modulus == 0) {
      plan.error = AffineError::ByZero;
    } else if (!(found.natural && found.most < found.modulus)) {
      plan.only_base = true;
      if (!found.divides) plan.error = found.a_constant ? AffineError::Division : AffineError::NotAffine;
    }
  }

  /// R9
  static void select(const Terms& b, const Found& found, Terms& x, Plan& plan) {
    if (found.fails) x = b;
    if (!found.holds && !found.fails && !found.same) plan.error = AffineError::NotAffine;
  }

  static void clear(Terms& addend, Plan& plan) {
    for (unsigned i = 0; i < Components; ++i) addend.at[i] = 0;
    plan.factor = 1;
    plan.only_base = false;
    plan.unknown = false;
    plan.error = AffineError::None;
  }

  /// R1: which operands, in x * factor + addend; anything else is an error. `x` is a as it comes.
  static void apply(unsigned op, const Terms& a, const Terms& b, const Terms& c, const Found& found, Terms& x,
                    Terms& addend, Plan& plan) {
    switch (op) {
      case unsigned(AffineOp::None):
      case unsigned(AffineOp::Mov):
        break;
      case unsigned(AffineOp::Neg):
        plan.factor = WordMask;
        break;
      case unsigned(AffineOp::Add):
        addend = b;
        break;
      case unsigned(AffineOp::Sub):
        x = b;
        plan.factor = WordMask;
        addend = a;
        break;
      case unsigned(AffineOp::Mul):
      case unsigned(AffineOp::Mad):
        multiply(a, b, found, x, plan);
        if (op == unsigned(AffineOp::Mad)) addend = c;
        break;
      case unsigned(AffineOp::Shl):
        shift(b, found, plan);
        break;
      case unsigned(AffineOp::MinS):
      case unsigned(AffineOp::MinU):
        pick(found.a_below, b, found, x, plan);
        break;
      case unsigned(AffineOp::MaxS):
      case unsigned(AffineOp::MaxU):
        pick(!found.a_below, b, found, x, plan);
        break;
      case unsigned(AffineOp::RemS):
      case unsigned(AffineOp::RemU):
        remainder(found, plan);
        break;
      case unsigned(AffineOp::Select):
        select(b, found, x, plan);
        break;
      default:
        plan.unknown = true;
        break;
    }
  }

  /// R1; R8: the remainder of a constant.
  static void combine(const Terms& x, const Terms& addend, const Plan& plan, const Found& found, Terms& sum) {
    for (unsigned i = 0; i < Components; ++i) sum.at[i] = x.at[i] * plan.factor + addend.at[i];
    if (plan.only_base) {
      for (unsigned d = 0; d < Directions; ++d) sum.at[d] = 0;
      sum.at[Directions] = sum.at[Directions] & found.mask;
    }
  }

  /// R5: a tuple, or why there is none.
  static void tell_result(const Terms& sum, const Plan& plan, Result& result) {
    result.valid = 1;
    result.error = unsigned(plan.error);
    if (plan.error == AffineError::None) {
      result.offset_x = sum.at[0];
      result.offset_y = sum.at[1];
      result.offset_z = sum.at[2];
      result.block_x = sum.at[3];
      result.block_y = sum.at[4];
      result.block_z = sum.at[5];
      result.base = sum.at[6];
    }
  }

  /// R2: how far a direction goes.
  void launch(const Extents& extents) {
    last_q[0] = extents.last_x;
    last_q[1] = extents.last_y;
    last_q[2] = extents.last_z;
    last_q[3] = extents.last_block_x;
    last_q[4] = extents.last_block_y;
    last_q[5] = extents.last_block_z;
  }

  HEDDLE_CLOCKED(step) {
    const unsigned op = op_i.read();
    const Extents extents = extents_i.read();
    Terms a = terms_of(a_i.read()), b = terms_of(b_i.read()), c = terms_of(c_i.read());
    Terms x = a, addend, sum;
    Found found;
    Plan plan;
    Result result;
    clear(addend, plan);
    find(op, a, b, c, found);
    apply(op, a, b, c, found, x, addend, plan);
    combine(x, addend, plan, found, sum);
    if (!rst_ni.read()) {
      for (unsigned d = 0; d < Directions; ++d) last_q[d] = WordMask;  // any launch is within
    } else {
      if (op != unsigned(AffineOp::None) && !plan.unknown) tell_result(sum, plan, result);
      if (extents.valid != 0) launch(extents);
      if (plan.unknown) HEDDLE_REPORT(refuse(op));
    }
    result_o.write(result);
    idle_o.write(result.valid == 0);
  }
};

}  // namespace heddle
