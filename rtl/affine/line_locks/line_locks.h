// SPDX-License-Identifier: Apache-2.0
// Line locks (DAC sec. 4.2; DESIGN 6.7): which cache lines L1 must keep because a data record that waits in a warp
// queue is for them, and how many such records there are.
//
// What   offer_i      AddressOffer  the record that the address expansion unit offers; `data`: it wants a lock
//        taken_i                    warp_queues takes it in this cycle
//        unlock_i     Unlock        a data record has left its queue
//        set_i                      the set in which L1 looks for a victim
//        grant_o                    offer_i is data and may lock its line
//        locked_o[k]  LockedLine    the locked lines of set_i
//        refused_o    LockRefused   why the offer of the last cycle was not granted
//        idle_o                     without a request nothing changes
// Rules  R1 A line has as many locks as data records that were taken and not unlocked; 0: it is not locked.
//        R2 Granted: a lock of a line that is locked and whose counter is not full, or of another line when fewer than
//           Ways - 1 lines of its set are locked.
//        R3 So one way of each set can always be replaced.
//        R4 A full counter is not granted, even when the set has room.
//        R5 A grant is judged before the unlock of its cycle. Both happen: the counter of one line then stays.
//        R6 locked_o[k] are all locked lines of set_i, in no order, blank where there is none.
//        R7 Refused by name and without effect: an unlock of a line that is not locked; a data offer that is taken
//           without a grant; taken_i without an offer.
//        R8 The set of a line is that of L1: with HashFrom its lowest bits are exclusive-or'd (rtl/base/set_index.h).
// Time   grant_o and locked_o follow their inputs in the same cycle; a lock or unlock of cycle n counts from n+1 on.
// Cost   asked from the inventory: Sets x (Ways - 1) x (LockBits + TagBits); the paper's are the counters.
// Twin   line_locks.sv, same ports, same state.
#pragma once

#include <string>

#include "rtl/affine/lines.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/link.h"
#include "rtl/base/set_index.h"

namespace heddle {

/// A line of a set and its locks; free when it has none.
template <unsigned TagBits, unsigned LockBits>
struct LockEntry {
  sc_uint<TagBits> tag;
  sc_uint<LockBits> locks;
  HEDDLE_RECORD(LockEntry, tag, locks)
};

template <unsigned LineBits>
struct LockedLine {
  sc_uint<1> valid;
  sc_uint<LineBits> line;
  HEDDLE_RECORD(LockedLine, valid, line)
};

struct LockRefused {
  sc_uint<1> set_full;      // Ways - 1 other lines of its set are locked
  sc_uint<1> counter_full;  // its line has as many locks as can be counted
  HEDDLE_RECORD(LockRefused, set_full, counter_full)
};

template <class A, unsigned Sets, unsigned Ways, unsigned LineBytes, unsigned LockBits, unsigned HashFrom>
class line_locks : public sc_core::sc_module {
  static_assert(Sets >= 1 && (Sets & (Sets - 1)) == 0, "sets are a power of two");
  static_assert(Ways >= 2, "one way of a set is never locked: two at least");
  static_assert(LockBits >= 1 && LockBits <= 16);

 public:
  using L = Lines<A, LineBytes>;
  using Line = typename L::Line;
  using Unlock = typename L::Unlock;
  using AddressOffer = typename A::AddressOffer;
  static constexpr unsigned Lockable = Ways - 1, Entries = Sets * Lockable;
  static constexpr unsigned SetBits = Sets == 1 ? 0 : index_bits(Sets);
  static_assert(L::LineBits > SetBits);
  static_assert(HashFrom == 0 || HashFrom >= SetBits, "what is hashed in stands above the bits of a set");
  static constexpr unsigned TagBits = L::LineBits - SetBits;
  using Entry = LockEntry<TagBits, LockBits>;
  using Locked = LockedLine<L::LineBits>;
  using SetIndex = sc_uint<index_bits(Sets)>;
  static constexpr unsigned MostLocks = (1U << LockBits) - 1;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<AddressOffer> offer_i{"offer_i"};
  sc_core::sc_in<bool> taken_i{"taken_i"};
  sc_core::sc_in<Unlock> unlock_i{"unlock_i"};
  sc_core::sc_in<SetIndex> set_i{"set_i"};
  sc_core::sc_out<bool> grant_o{"grant_o"};
  sc_core::sc_vector<sc_core::sc_out<Locked>> locked_o{"locked_o", Lockable};
  sc_core::sc_out<LockRefused> refused_o{"refused_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(line_locks) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(look);
    sensitive << offer_i << set_i;
    for (unsigned e = 0; e < Entries; ++e) sensitive << entry_q[e];
    probe(*this, "offer_i", offer_i);
    probe(*this, "taken_i", taken_i);
    probe(*this, "unlock_i", unlock_i);
    probe(*this, "set_i", set_i);
    probe(*this, "grant_o", grant_o);
    probe(*this, "locked_o", locked_o);
    declare(*this, "entry_q", entry_q,
            {Storage::Cam, paper_fields("locks"), "DAC sec. 4.2, lock counters", "3 searches of a set, 2W"});
    declare(*this, "refused_o", refused_o, {Storage::Flop, paper_none(), "ours, for the statistics"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

 private:
  sc_core::sc_vector<Link<Entry>> entry_q{"entry_q", Entries};  ///< k of set s at s * Lockable + k

  /// A line among the entries of its set.
  struct Found {
    bool locked;  ///< the line is locked: its entry is at `at`
    bool room;    ///< an entry is free: the first at `free_at`
    unsigned locks;
    unsigned at;
    unsigned free_at;
  };

  static unsigned set_of(const Line& line) {  // R8
    const std::uint64_t its_line = line;
    return static_cast<unsigned>(set_of_line(its_line, Sets, HashFrom));
  }
  static sc_uint<TagBits> tag_of(const Line& line) { return line >> SetBits; }

  Found find(const Line& line) {
    Found found;
    found.locked = false;
    found.room = false;
    found.locks = 0;
    found.at = 0;
    found.free_at = 0;
    for (unsigned k = 0; k < Lockable; ++k) {
      const unsigned e = set_of(line) * Lockable + k;
      const Entry entry = entry_q[e].read();
      if (entry.locks == 0) {
        if (!found.room) found.free_at = e;
        found.room = true;
      } else if (entry.tag == tag_of(line)) {
        found.locked = true;
        found.locks = entry.locks;
        found.at = e;
      }
    }
    return found;
  }

  /// R2, R4
  static bool grants(const AddressOffer& offer, const Found& found) {
    return offer.valid != 0 && offer.data != 0 && (found.locked ? found.locks != MostLocks : found.room);
  }

  void look() {
    const AddressOffer offer = offer_i.read();
    grant_o.write(grants(offer, find(L::line_of(offer.region))));
    for (unsigned k = 0; k < Lockable; ++k) {  // R6
      const unsigned set = static_cast<unsigned>(set_i.read()) & (Sets - 1);
      const Entry entry = entry_q[set * Lockable + k].read();
      Locked locked;
      if (entry.locks != 0) {
        locked.valid = 1;
        // The hash is of bits above those that it changes, so that what has made the set of the line makes it again.
        const std::uint64_t its_line = (std::uint64_t(entry.tag) << SetBits) | set;
        locked.line = (its_line & ~std::uint64_t(Sets - 1)) | set_of_line(its_line, Sets, HashFrom);
      }
      locked_o[k].write(locked);
    }
  }

  HEDDLE_REPORT(void refuse(const Line& line, const char* why) {
    SC_REPORT_ERROR("line_locks/illegal",
                    (std::string(name()) + ": line " + std::to_string(sc_dt::uint64(line)) + ": " + why).c_str());
  })

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      const Entry entry;
      const LockRefused refused;
      for (unsigned e = 0; e < Entries; ++e) entry_q[e].write(entry);
      refused_o.write(refused);
      idle_o.write(true);
    } else {
      const AddressOffer offer = offer_i.read();
      const Unlock unlock = unlock_i.read();
      const bool taken = taken_i.read(), wants = offer.valid != 0 && offer.data != 0;
      Line line = L::line_of(offer.region);
      const Found offered = find(line), released = find(unlock.line);
      const bool grant = grants(offer, offered);
      const bool locks = taken && grant;
      const bool unlocks = unlock.valid != 0 && released.locked;

      const bool stays = locks && unlocks && line == unlock.line;  // R5

      if (locks && !stays) {  // R1
        Entry entry;
        entry.tag = tag_of(line);
        entry.locks = offered.locks + 1;
        entry_q[offered.locked ? offered.at : offered.free_at].write(entry);
      }
      if (unlocks && !stays) {
        Entry entry;
        entry.tag = tag_of(unlock.line);
        entry.locks = released.locks - 1;
        entry_q[released.at].write(entry);
      }
      LockRefused refused;
      refused.counter_full = wants && !grant && offered.locked ? 1 : 0;
      refused.set_full = wants && !grant && !offered.locked ? 1 : 0;
      refused_o.write(refused);
      idle_o.write(refused.counter_full == 0 && refused.set_full == 0);

      // R7
      if (unlock.valid != 0 && !released.locked)
        HEDDLE_REPORT(refuse(unlock.line, "unlock of a line that is not locked"));
      if (taken && wants && !grant) HEDDLE_REPORT(refuse(line, "a data offer is taken without a lock"));
      if (taken && offer.valid == 0) HEDDLE_REPORT(refuse(line, "taken without an offer"));
    }
  }
};

}  // namespace heddle
