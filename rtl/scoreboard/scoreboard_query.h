// One warp's question to the scoreboard: may the heads of its two paths issue? Combinational; see scoreboard.h.
//
// Here are also the records of the scoreboard and its rules, as static functions.
#pragma once

#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"

namespace heddle {

using sc_core::sc_in;
using sc_core::sc_out;

/// Registers as the scoreboard names them. Zero is no register, so that a blank record names nothing; general registers
/// have the top bit set (0x105 is r5), so that a pair and its halves differ only in the lowest bit.
struct RegisterId {
  static constexpr unsigned Bits = 9, None = 0, FirstPredicate = 1, Carry = 33, FirstGeneral = 256;

  static constexpr unsigned general(unsigned r) { return FirstGeneral + r; }
  static constexpr unsigned predicate(unsigned p) { return FirstPredicate + p; }
  /// Of the internal ISA's name: 0..255 registers, 256..287 predicates, 288 the carry, anything above none.
  static constexpr unsigned of(unsigned name) { return name < 256 ? general(name) : name <= 288 ? name - 255 : None; }
};

/// What the instruction at the head of a slot's buffer names: three sources, its guard predicate, its destination.
struct ScoreboardHead {
  sc_uint<RegisterId::Bits> a;
  sc_uint<1> a_wide;
  sc_uint<RegisterId::Bits> b;
  sc_uint<1> b_wide;
  sc_uint<RegisterId::Bits> c;
  sc_uint<1> c_wide;
  sc_uint<RegisterId::Bits> guard;
  sc_uint<RegisterId::Bits> d;
  sc_uint<1> d_wide;
  HEDDLE_RECORD(ScoreboardHead, a, a_wide, b, b_wide, c, c_wide, guard, d, d_wide)
};

/// Why a head must wait; all zero: it may issue.
struct ScoreboardHazard {
  sc_uint<1> own_left;     // the left head names a register that is pending in its own set
  sc_uint<1> shadow_left;  // ... that is shadowed in the right set
  sc_uint<1> full_left;    // ... and it has a destination, but its set has no free entry
  sc_uint<1> own_right;
  sc_uint<1> shadow_right;
  sc_uint<1> full_right;
  HEDDLE_RECORD(ScoreboardHazard, own_left, shadow_left, full_left, own_right, shadow_right, full_right)
};

/// A pending write. Free, and then all zero: neither P nor S.
template <bool Shadow>
struct ScoreboardEntry;

template <>
struct ScoreboardEntry<true> {
  sc_uint<1> s;  // shadow: of interest to the other side too
  sc_uint<1> p;  // pending
  sc_uint<RegisterId::Bits> id;
  sc_uint<1> wide;
  HEDDLE_RECORD(ScoreboardEntry, s, p, id, wide)
};

template <>
struct ScoreboardEntry<false> {
  sc_uint<1> p;
  sc_uint<RegisterId::Bits> id;
  sc_uint<1> wide;
  HEDDLE_RECORD(ScoreboardEntry, p, id, wide)
};

template <bool Shadow>
struct ScoreboardRules {
  using Entry = ScoreboardEntry<Shadow>;

  static bool shadowed(const Entry& entry) {
    bool s = false;
    if constexpr (Shadow) s = entry.s != 0;
    return s;
  }

  static bool pending(const Entry& entry, unsigned id) { return entry.p != 0 && entry.id == id; }

  static bool free(const Entry& entry) { return entry.p == 0 && !shadowed(entry); }

  /// R2. A pair is an aligned even register and the next one; only general registers pair.
  static bool overlap(unsigned id, bool wide, unsigned other, bool other_wide) {
    return id != RegisterId::None &&
           (id == other || ((wide || other_wide) && id >= RegisterId::FirstGeneral && id >> 1 == other >> 1));
  }

  /// R3. Whether the head reads or writes what the entry holds.
  static bool names(const ScoreboardHead& head, const Entry& entry) {
    const unsigned id = entry.id;
    const bool wide = entry.wide != 0;
    return overlap(head.a, head.a_wide != 0, id, wide) || overlap(head.b, head.b_wide != 0, id, wide) ||
           overlap(head.c, head.c_wide != 0, id, wide) || overlap(head.guard, false, id, wide) ||
           overlap(head.d, head.d_wide != 0, id, wide);
  }
};

/// Entries of one warp: the left set, then, with Shadow, the right one.
template <unsigned Entries, bool Shadow>
class scoreboard_query : public sc_core::sc_module {
 public:
  using Rules = ScoreboardRules<Shadow>;
  using Entry = typename Rules::Entry;
  static constexpr unsigned Sets = Shadow ? 2 : 1;

  sc_in<ScoreboardHead> head_left_i{"head_left_i"};
  sc_in<ScoreboardHead> head_right_i{"head_right_i"};
  sc_core::sc_vector<sc_in<Entry>> entry_i{"entry_i", Sets* Entries};
  sc_out<ScoreboardHazard> hazard_o{"hazard_o"};

  SC_CTOR(scoreboard_query) {
    SC_METHOD(look);
    sensitive << head_left_i << head_right_i;
    for (unsigned e = 0; e < Sets * Entries; ++e) sensitive << entry_i[e];
  }

 private:
  void look() {
    // Ports are read where they stand: in a simulation copies of their records would cost as much as the question.
    ScoreboardHazard hazard;
    bool room_left = false, room_right = false;
    for (unsigned e = 0; e < Sets * Entries; ++e) {
      const bool of_right = e >= Entries;
      if (Rules::free(entry_i[e].read())) {
        if (!Shadow || !of_right) room_left = true;
        if (!Shadow || of_right) room_right = true;
      } else {
        const bool left_names = Rules::names(head_left_i.read(), entry_i[e].read());
        const bool right_names = Rules::names(head_right_i.read(), entry_i[e].read());
        const bool shadowed = Rules::shadowed(entry_i[e].read());
        const bool pending = entry_i[e].read().p != 0;
        if (pending && left_names && !of_right) hazard.own_left = 1;  // R3
        if (pending && right_names && of_right == Shadow) hazard.own_right = 1;
        if (shadowed && left_names && of_right) hazard.shadow_left = 1;  // R4
        if (shadowed && right_names && !of_right) hazard.shadow_right = 1;
      }
    }
    hazard.full_left = head_left_i.read().d != RegisterId::None && !room_left ? 1 : 0;  // R5
    hazard.full_right = head_right_i.read().d != RegisterId::None && !room_right ? 1 : 0;
    hazard_o.write(hazard);
  }
};

}  // namespace heddle
