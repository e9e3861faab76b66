// What the parts of one SM share: the launch, warps, CTAs, instructions under way, counters. Owned by the SM.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/config/design_points.h"
#include "sim/sm/cta.h"
#include "sim/sm/load_store_unit.h"
#include "sim/sm/local_memory.h"
#include "sim/sm/statistics.h"
#include "sim/sm/warp.h"
#include "tlm/backing_store.h"

namespace heddle {

/// An issued instruction, from issue to writeback. It keeps its own lanes and side, whatever its path does meanwhile.
struct InFlight {
  const isa::Instruction* instruction = nullptr;
  isa::Pc pc = 0;
  unsigned warp = 0;  ///< of its scheduler
  unsigned scheduler = 0;
  bool right = false;
  isa::Lanes path_lanes = 0;  ///< active at issue
  isa::Lanes lanes = 0;       ///< of them, those whose guard holds
  unsigned parts = 0;         ///< accesses of the load/store unit still under way
  isa::LaneValues values;     ///< of the destination
};

/// Records of instructions under way, reused.
class InFlightPool {
 public:
  unsigned take();
  void give_back(unsigned token) { free_.push_back(token); }
  InFlight& operator[](unsigned token) { return records_[token]; }

 private:
  std::vector<InFlight> records_;
  std::vector<unsigned> free_;
};

struct SmState {
  const DesignPoint& point;
  const SmPlace place;
  BackingStore& store;
  load_store_unit& lsu;

  isa::Launch launch{};
  std::vector<Warp> warps{};  ///< warp w of scheduler s: w * schedulers + s (even and odd warps)
  std::vector<Cta> ctas{};
  InFlightPool in_flight{};
  LocalMemory local{};
  Statistics statistics{};
  std::vector<BranchCount> branches{};  ///< by PC
  std::uint64_t cycle = 0;
  std::uint64_t last_progress = 0;      ///< last cycle in which a thread exited, a barrier opened or a store was issued
  unsigned memory_in_operand_read = 0;  ///< accesses that will need room in the load/store unit

  unsigned global_warp(unsigned scheduler, unsigned warp) const { return warp * point.schedulers + scheduler; }
  ThreadCoordinates coordinates(const Warp& warp) const {
    return {&launch, ctas[warp.cta].index, warp.index, warp.index * point.lanes, cycle, place};
  }
  isa::FaultSite site(const Warp& warp, isa::Pc pc, unsigned lane) const;
};

}  // namespace heddle
