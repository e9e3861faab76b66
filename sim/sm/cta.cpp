#include "sim/sm/cta.h"

#include <cstring>

namespace heddle {

using isa::SpecialRegister;

std::uint64_t parameter(const isa::Launch& launch, unsigned offset, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, launch.parameters.data() + offset, bytes);
  return value;
}

void special_register(SpecialRegister which, const ThreadCoordinates& at, unsigned lanes, isa::LaneValues& out) {
  const isa::Dim3& block = at.launch->block;
  const isa::Dim3& grid = at.launch->grid;
  const auto uniform = [&out](std::uint64_t value) { out.fill(value); };
  const auto thread = [&](auto coordinate) {
    isa::Dim3 t = isa::coordinates(at.first_thread, block);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      out[lane] = coordinate(t);
      if (++t.x == block.x) {
        t.x = 0;
        if (++t.y == block.y) t.y = 0, ++t.z;
      }
    }
  };
  const auto lane_mask = [&](auto mask_of) {
    for (unsigned lane = 0; lane < lanes; ++lane) out[lane] = mask_of(lane) & 0xffffffffU;
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
      uniform(at.cta.x);
      break;
    case SpecialRegister::CtaidY:
      uniform(at.cta.y);
      break;
    case SpecialRegister::CtaidZ:
      uniform(at.cta.z);
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
      for (unsigned lane = 0; lane < lanes; ++lane) out[lane] = lane;
      break;
    case SpecialRegister::Warpid:
      uniform(at.warp_in_cta);
      break;
    case SpecialRegister::Nwarpid:
      uniform((block.count() + lanes - 1) / lanes);
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
      uniform(at.sm.number);
      break;
    case SpecialRegister::Nsmid:
      uniform(at.sm.sms);
      break;
    case SpecialRegister::DynamicSharedBytes:
      uniform(at.launch->dynamic_shared);
      break;
    case SpecialRegister::SharedBytes:
      uniform(isa::shared_bytes(*at.launch));
      break;
    case SpecialRegister::ClockLow:
    case SpecialRegister::GlobaltimerLow:
      uniform(at.cycle & 0xffffffffU);
      break;
    case SpecialRegister::ClockHigh:
    case SpecialRegister::GlobaltimerHigh:
      uniform(at.cycle >> 32);
      break;
    case SpecialRegister::Clock:
    case SpecialRegister::Globaltimer:
      uniform(at.cycle);
      break;
    case SpecialRegister::Gridid:
      uniform(at.launch->grid_id);
      break;
    case SpecialRegister::Count:
      break;
  }
}

}  // namespace heddle
