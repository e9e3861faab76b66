// SPDX-License-Identifier: Apache-2.0
// An issued instruction on its way to writeback. Modules hand each other a token; the records are kept in a pool, as
// TLM payloads are in their memory manager.
#pragma once

#include <vector>

#include "sim/isa/instruction.h"
#include "sim/sm/links/threads.h"

namespace heddle {

/// What the registers of a warp's lanes are together (affine_tags.h); in the order in which sums combine.
enum class AffineTag : std::uint8_t { None, Scalar, Affine, Upper };

/// It keeps its own lanes, threads and side, whatever its path does meanwhile.
struct InFlight {
  const isa::Instruction* instruction = nullptr;
  isa::Pc pc = 0;
  unsigned scheduler = 0;
  SliceWarp warp;
  unsigned k = 0;
  isa::Lanes live = 0;                 ///< of its warp, at issue; until it has executed none of them exits
  isa::Lanes path_lanes = 0;           ///< active at issue
  isa::Lanes lanes = 0;                ///< of them, those whose guard holds
  Threads threads;                     ///< that its lanes carry
  AffineTag affine = AffineTag::None;  ///< what the affine unit writes; None: it is not the unit's
  unsigned parts = 0;                  ///< accesses of the load/store unit still under way
  isa::LaneValues values;              ///< of the destination
};

/// Records of instructions under way, reused.
class InFlightPool {
 public:
  unsigned take();
  void give_back(unsigned token) { free_.push_back(token); }
  InFlight& operator[](unsigned token) { return records_[token]; }
  const InFlight& operator[](unsigned token) const { return records_[token]; }

 private:
  std::vector<InFlight> records_;
  std::vector<unsigned> free_;
};

}  // namespace heddle
