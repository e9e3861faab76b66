// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/threads/thread_table.h"

namespace heddle {

using isa::SpecialRegister;

isa::FaultSite ThreadTable::site(ThreadSlot thread, isa::Pc pc) const {
  const Row& row = (*this)[thread.row];
  return {launch_->program, pc, row.block, isa::coordinates(row.warp.index() * lanes_ + thread.home, launch_->block),
          launch_->dynamic_shared};
}

void ThreadTable::special_register(SpecialRegister which, SmWarp of, std::uint64_t cycle, isa::LaneValues& out) const {
  const Row& row = (*this)[of];
  const isa::Dim3& block = launch_->block;
  const isa::Dim3& grid = launch_->grid;
  const auto uniform = [&out](std::uint64_t value) { out.fill(value); };
  const auto thread = [&](auto coordinate) {
    isa::Dim3 t = isa::coordinates(row.warp.index() * lanes_, block);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      out[lane] = coordinate(t);
      if (++t.x == block.x) {
        t.x = 0;
        if (++t.y == block.y) t.y = 0, ++t.z;
      }
    }
  };
  const auto lane_mask = [&](auto mask_of) {
    for (unsigned lane = 0; lane < lanes_; ++lane) out[lane] = mask_of(lane) & 0xffffffffU;
  };
  switch (which) {
    case SpecialRegister::TidX:
      thread([](const isa::Dim3& t) { return t.x; });
      break;
    case SpecialRegister::TidY:
      thread([](const isa::Dim3& t) { return t.y; });
      break;
    case SpecialRegister::TidZ:
      thread([](const isa::Dim3& t) { return t.z; });
      break;
    case SpecialRegister::NtidX:
      uniform(block.x);
      break;
    case SpecialRegister::NtidY:
      uniform(block.y);
      break;
    case SpecialRegister::NtidZ:
      uniform(block.z);
      break;
    case SpecialRegister::CtaidX:
      uniform(row.block.x);
      break;
    case SpecialRegister::CtaidY:
      uniform(row.block.y);
      break;
    case SpecialRegister::CtaidZ:
      uniform(row.block.z);
      break;
    case SpecialRegister::NctaidX:
      uniform(grid.x);
      break;
    case SpecialRegister::NctaidY:
      uniform(grid.y);
      break;
    case SpecialRegister::NctaidZ:
      uniform(grid.z);
      break;
    case SpecialRegister::Laneid:
      for (unsigned lane = 0; lane < lanes_; ++lane) out[lane] = lane;
      break;
    case SpecialRegister::Warpid:
      uniform(row.warp.index());
      break;
    case SpecialRegister::Nwarpid:
      uniform((block.count() + lanes_ - 1) / lanes_);
      break;
    case SpecialRegister::LanemaskEq:
      lane_mask([](unsigned l) { return std::uint64_t(1) << l; });
      break;
    case SpecialRegister::LanemaskLe:
      lane_mask([](unsigned l) { return (std::uint64_t(2) << l) - 1; });
      break;
    case SpecialRegister::LanemaskLt:
      lane_mask([](unsigned l) { return (std::uint64_t(1) << l) - 1; });
      break;
    case SpecialRegister::LanemaskGe:
      lane_mask([](unsigned l) { return ~((std::uint64_t(1) << l) - 1); });
      break;
    case SpecialRegister::LanemaskGt:
      lane_mask([](unsigned l) { return ~((std::uint64_t(2) << l) - 1); });
      break;
    case SpecialRegister::Smid:
      uniform(place_.number);
      break;
    case SpecialRegister::Nsmid:
      uniform(place_.sms);
      break;
    case SpecialRegister::DynamicSharedBytes:
      uniform(launch_->dynamic_shared);
      break;
    case SpecialRegister::SharedBytes:
      uniform(isa::shared_bytes(*launch_));
      break;
    case SpecialRegister::ClockLow:
    case SpecialRegister::GlobaltimerLow:
      uniform(cycle & 0xffffffffU);
      break;
    case SpecialRegister::ClockHigh:
    case SpecialRegister::GlobaltimerHigh:
      uniform(cycle >> 32);
      break;
    case SpecialRegister::Clock:
    case SpecialRegister::Globaltimer:
      uniform(cycle);
      break;
    case SpecialRegister::Gridid:
      uniform(launch_->grid_id);
      break;
    case SpecialRegister::Count:
      break;
  }
}

}  // namespace heddle
