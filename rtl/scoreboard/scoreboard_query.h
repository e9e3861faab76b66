// SPDX-License-Identifier: Apache-2.0
// One warp's question to the scoreboard, asked in every cycle: may the heads of its two paths issue? Combinational; see
// scoreboard.h, which asks it where AtDecode is false.
//
// Here are also the records of the scoreboard and its rules, as static functions.
#pragma once

#include "rtl/base/control_flow.h"
#include "rtl/base/each_set.h"
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
  /// The id of an internal ISA name: 0..255 registers, 256..287 predicates, 288 the carry, anything above none.
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

/// Why the heads of a warp must wait; all zero: they may issue.
struct ScoreboardHazard {
  sc_uint<1> own_left;     // the left head names a register that is pending in its own set
  sc_uint<1> shadow_left;  // ... that is shadowed in the right set
  sc_uint<1> full_left;    // ... and it has a destination, but its set has no free entry
  sc_uint<1> own_right;
  sc_uint<1> shadow_right;
  sc_uint<1> full_right;
  HEDDLE_RECORD(ScoreboardHazard, own_left, shadow_left, full_left, own_right, shadow_right, full_right)
};

/// The register of a pending write. Which entries are pending, and which shadowed, are masks beside them.
struct ScoreboardEntry {
  sc_uint<RegisterId::Bits> id;
  sc_uint<1> wide;
  HEDDLE_RECORD(ScoreboardEntry, id, wide)
};

struct ScoreboardRules {
  /// R2. A pair is an aligned even register and the next one; only general registers pair.
  static bool overlap(unsigned id, bool wide, unsigned other, bool other_wide) {
    return id != RegisterId::None &&
           (id == other || ((wide || other_wide) && id >= RegisterId::FirstGeneral && id >> 1 == other >> 1));
  }

  /// R3. Whether the head reads or writes what the entry holds.
  static bool names(const ScoreboardHead& head, const ScoreboardEntry& entry) {
    const unsigned id = entry.id;
    const bool wide = entry.wide != 0;
    return overlap(head.a, head.a_wide != 0, id, wide) || overlap(head.b, head.b_wide != 0, id, wide) ||
           overlap(head.c, head.c_wide != 0, id, wide) || overlap(head.guard, false, id, wide) ||
           overlap(head.d, head.d_wide != 0, id, wide);
  }
};

/// Masks over the entries of one warp: the left set, then, with Shadow, the right one.
template <unsigned Entries, bool Shadow>
struct ScoreboardMasks {
  static constexpr unsigned PerWarp = (Shadow ? 2 : 1) * Entries;

  /// The entries that track this side.
  static std::uint64_t own_of(bool right) {
    const std::uint64_t set = ~std::uint64_t(0) >> (64 - Entries);
    return Shadow && right ? set << (PerWarp - Entries) : set;
  }

  // Why a head must wait that names these entries.
  static bool own(std::uint64_t named, std::uint64_t pending, bool right) {  // R3
    return (named & pending & own_of(right)) != 0;
  }
  static bool shadowed(std::uint64_t named, std::uint64_t shadow, bool right) {  // R4
    return (named & shadow & ~own_of(right)) != 0;
  }
  static bool full(std::uint64_t pending, bool right) {  // R5, of a head with a destination
    return (own_of(right) & ~pending) == 0;
  }
};

template <unsigned Entries, bool Shadow>
class scoreboard_query : public sc_core::sc_module {
 public:
  using Masks = ScoreboardMasks<Entries, Shadow>;
  static constexpr unsigned PerWarp = Masks::PerWarp;

  sc_in<ScoreboardHead> head_left_i{"head_left_i"};
  sc_in<ScoreboardHead> head_right_i{"head_right_i"};
  sc_core::sc_vector<sc_in<ScoreboardEntry>> entry_i{"entry_i", PerWarp};
  sc_in<sc_uint<PerWarp>> pending_i{"pending_i"};
  sc_in<sc_uint<PerWarp>> shadow_i{"shadow_i"};
  sc_out<ScoreboardHazard> hazard_o{"hazard_o"};

  SC_CTOR(scoreboard_query) {
    if (by_process()) {
      SC_METHOD(look);
      sensitive << head_left_i << head_right_i << pending_i << shadow_i;
      for (unsigned e = 0; e < PerWarp; ++e) sensitive << entry_i[e];
    }
  }

  /// The answer as heads and entries stand.
  void look() {
    // Only the entries that matter are read, and the heads where they stand: in a simulation copies of all records would
    // cost as much as the question.
    const std::uint64_t pending = pending_i.read(), shadow = shadow_i.read();
    const std::uint64_t asks_left = pending & (Masks::own_of(false) | shadow);
    const std::uint64_t asks_right = pending & (Masks::own_of(true) | shadow);
    std::uint64_t named_left = 0, named_right = 0;  // pending entries that the heads name
    HEDDLE_EACH_SET(e, PerWarp, asks_left) {
      const ScoreboardEntry entry = entry_i[e].read();
      if (ScoreboardRules::names(head_left_i.read(), entry)) named_left |= std::uint64_t(1) << e;
    }
    HEDDLE_EACH_SET(e, PerWarp, asks_right) {
      const ScoreboardEntry entry = entry_i[e].read();
      if (ScoreboardRules::names(head_right_i.read(), entry)) named_right |= std::uint64_t(1) << e;
    }
    ScoreboardHazard hazard;
    hazard.own_left = Masks::own(named_left, pending, false);
    hazard.own_right = Masks::own(named_right, pending, true);
    hazard.shadow_left = Masks::shadowed(named_left, shadow, false);
    hazard.shadow_right = Masks::shadowed(named_right, shadow, true);
    hazard.full_left = Masks::full(pending, false) && head_left_i.read().d != RegisterId::None;
    hazard.full_right = Masks::full(pending, true) && head_right_i.read().d != RegisterId::None;
    hazard_o.write(hazard);
  }
};

}  // namespace heddle
