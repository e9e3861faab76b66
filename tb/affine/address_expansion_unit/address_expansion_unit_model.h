// SPDX-License-Identifier: Apache-2.0
// What the expansion of an address tuple means, thread by thread: each evaluates the tuple on its own. The records
// follow from the addresses: neighbours that lie in one region share one. Knows no clock, no accumulator and no mask.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

namespace heddle::bench {

struct Three {
  std::uint64_t x = 0, y = 0, z = 0;
};

struct AddressTuple {
  std::uint64_t base = 0;
  Three offset, block;
  unsigned size = 2;  ///< each thread accesses 1 << size bytes
  std::uint64_t warps = 0, lanes = 0;
};

/// A thread's access, and how it looks when it is read back from a record.
struct Access {
  unsigned lane;
  std::uint64_t address;
  friend bool operator==(const Access& a, const Access& b) { return a.lane == b.lane && a.address == b.address; }
};

struct Accesses {
  std::vector<Access> of;
  friend bool operator==(const Accesses& a, const Accesses& b) { return a.of == b.of; }
  friend std::ostream& operator<<(std::ostream& out, const Accesses& a) {
    for (const Access& access : a.of) out << access.lane << ':' << std::hex << access.address << std::dec << ' ';
    return out;
  }
};

struct ExpectedRecord {
  unsigned warp = 0;
  Accesses accesses;
  bool last = false;        ///< of its warp
  bool misaligned = false;  ///< the addresses, before they were cut to the access size
};

struct Expansion {
  std::vector<ExpectedRecord> records;
  bool closed = true;                                      ///< the offset has a closed form
  unsigned starts = 1, adjusts = 0, skips = 0;             ///< steps without a record
  bool wraps = false, partial = false, dead_warp = false;  ///< what occurred, for the covers
};

struct AddressModel {
  unsigned lanes, word_bits;

  std::uint64_t word(std::uint64_t bits) const { return word_bits == 64 ? bits : bits & ((1ULL << word_bits) - 1); }

  /// What one thread accesses.
  std::uint64_t address(const AddressTuple& t, const Three& thread, const Three& cta) const {
    return word(t.base + t.offset.x * thread.x + t.offset.y * thread.y + t.offset.z * thread.z + t.block.x * cta.x +
                t.block.y * cta.y + t.block.z * cta.z);
  }

  /// Distances of neighbours that let one region serve several threads: none, or a power of two below Lanes, in units.
  bool closed(const AddressTuple& t) const {
    const std::uint64_t up = word(t.offset.x), down = word(0 - t.offset.x), distance = up < down ? up : down;
    for (std::uint64_t units = 1; units < lanes; units *= 2) {
      if (distance == units << t.size) return true;
    }
    return distance == 0;
  }

  struct Thread {
    unsigned warp, lane;
    std::uint64_t address;
  };

  /// Threads of one warp between which the addresses grow by offset.x: those of one region share a record. Without a
  /// closed form each has its own; where the tuple is not for the warp, the run is one step, or a step a thread unless
  /// it is a whole warp.
  void expand_run(const AddressTuple& t, std::vector<Thread>& run, Expansion& all) const {
    const std::uint64_t region_bytes = std::uint64_t(lanes) << t.size, cut = ~std::uint64_t(0) << t.size;
    const bool live = (t.warps >> run[0].warp & 1) != 0;
    const bool at_once = !live && (all.closed || run.size() == lanes);
    ExpectedRecord record;
    const auto close = [&] {
      if (record.accesses.of.empty())
        ++all.skips;
      else
        all.records.push_back(record);
      record = {};
    };
    for (std::size_t n = 0; n < run.size(); ++n) {
      const std::uint64_t here = run[n].address;
      if (n != 0) {
        const std::uint64_t before = run[n - 1].address;
        if (!at_once && (!all.closed || (live && here / region_bytes != before / region_bytes))) close();
        all.wraps |= (t.offset.x >> (word_bits - 1) & 1) == 0 ? here < before : here > before;
      }
      record.warp = run[n].warp;
      if (live && (t.lanes >> run[n].lane & 1) != 0) {
        record.accesses.of.push_back({run[n].lane, here & cut});
        record.misaligned |= (here & ~cut) != 0;
      }
    }
    close();
    all.dead_warp |= !live;
    run.clear();
  }

  /// All of a CTA of dim.x * dim.y * dim.z threads whose warps start at `first_warp`.
  Expansion expand(const AddressTuple& t, const Three& dim, const Three& cta, unsigned first_warp) const {
    Expansion all;
    all.closed = closed(t);
    const bool rows = dim.y * dim.z > 1, planes = dim.z > 1;
    // A row goes on linearly where the step to it is as large as all steps along it.
    const bool row_breaks = rows && word(dim.x * t.offset.x) != word(t.offset.y);
    const bool plane_breaks = planes && word(dim.y * t.offset.y) != word(t.offset.z);
    all.starts += (t.block.x != 0 && cta.x != 0) + (t.block.y != 0 && cta.y != 0) + (t.block.z != 0 && cta.z != 0) +
                  (rows && t.offset.x != 0) + (planes && t.offset.y != 0);

    std::vector<Thread> run;
    std::uint64_t number = 0;
    for (std::uint64_t z = 0; z < dim.z; ++z) {
      for (std::uint64_t y = 0; y < dim.y; ++y) {
        for (std::uint64_t x = 0; x < dim.x; ++x, ++number) {
          const bool row_ends = row_breaks && x == 0, plane_ends = plane_breaks && x == 0 && y == 0;
          const unsigned lane = static_cast<unsigned>(number % lanes);
          if (number != 0) all.adjusts += row_ends + plane_ends;
          if (number != 0 && (lane == 0 || row_ends || plane_ends)) expand_run(t, run, all);
          run.push_back({first_warp + static_cast<unsigned>(number / lanes), lane, address(t, {x, y, z}, cta)});
        }
      }
    }
    expand_run(t, run, all);
    all.partial = number % lanes != 0;
    for (std::size_t r = 0; r < all.records.size(); ++r) {
      all.records[r].last = r + 1 == all.records.size() || all.records[r + 1].warp != all.records[r].warp;
    }
    return all;
  }
};

}  // namespace heddle::bench
