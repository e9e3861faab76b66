// SPDX-License-Identifier: Apache-2.0
// A decoded instruction as the instruction buffers hold it: what the slice reads of it, and the rest.
#pragma once

#include "rtl/scoreboard/scoreboard_query.h"

namespace heddle {

/// From `a` on it is what the scoreboard reads. The operation is for who executes it: class, immediates, and of a branch
/// where its target and RPC stand. Nothing in the slice looks at it.
template <unsigned WordBits>
struct DecodedWord {
  static constexpr unsigned OperationBits = WordBits - bits_of<ScoreboardHead> - 1;
  sc_uint<OperationBits> operation;
  sc_uint<1> control;  // a branch, an exit or a call: the path waits at it for its resolve
  sc_uint<RegisterId::Bits> a;
  sc_uint<1> a_wide;
  sc_uint<RegisterId::Bits> b;
  sc_uint<1> b_wide;
  sc_uint<RegisterId::Bits> c;
  sc_uint<1> c_wide;
  sc_uint<RegisterId::Bits> guard;
  sc_uint<RegisterId::Bits> d;
  sc_uint<1> d_wide;
  HEDDLE_RECORD(DecodedWord, operation, control, a, a_wide, b, b_wide, c, c_wide, guard, d, d_wide)
};

/// Where the fields of a DecodedWord stand in its bits, the last field at the bottom.
template <unsigned WordBits>
struct WordFields {
  static_assert(WordBits > bits_of<ScoreboardHead> + 1, "a word has an operation beside what the slice reads");
  static constexpr unsigned Id = RegisterId::Bits, IdMask = (1U << Id) - 1;
  static constexpr unsigned DWide = 0, D = 1, Guard = D + Id, CWide = Guard + Id, C = CWide + 1, BWide = C + Id,
                            B = BWide + 1, AWide = B + Id, A = AWide + 1, Control = A + Id;

  static bool control(std::uint64_t word) { return (word >> Control & 1) != 0; }

  /// Its registers; of a word that is zero, none.
  static ScoreboardHead head(std::uint64_t word) {
    ScoreboardHead head;
    head.a = word >> A & IdMask;
    head.a_wide = word >> AWide & 1;
    head.b = word >> B & IdMask;
    head.b_wide = word >> BWide & 1;
    head.c = word >> C & IdMask;
    head.c_wide = word >> CWide & 1;
    head.guard = word >> Guard & IdMask;
    head.d = word >> D & IdMask;
    head.d_wide = word >> DWide & 1;
    return head;
  }
};

}  // namespace heddle
