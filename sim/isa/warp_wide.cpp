// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/warp_wide.h"

#include <algorithm>

#include "sim/isa/lanes.h"

namespace heddle::isa {
namespace {

struct Segment {
  int first, last;
};

/// minLane and maxLane of the manual.
Segment segment_of(unsigned lane, unsigned limits) {
  const unsigned clamp = limits & 31, segments = limits >> 8 & 31;
  return {static_cast<int>(lane & segments), static_cast<int>((lane & segments) | (clamp & ~segments))};
}

int source_lane(WarpOp op, unsigned lane, unsigned offset, unsigned limits) {
  const int own = static_cast<int>(lane), distance = static_cast<int>(offset & 31);
  const int segments = static_cast<int>(limits >> 8 & 31);
  switch (op) {
    case WarpOp::ShuffleUp:
      return own - distance;
    case WarpOp::ShuffleDown:
      return own + distance;
    case WarpOp::ShuffleButterfly:
      return own ^ distance;
    default:
      return segment_of(lane, limits).first | (distance & ~segments);
  }
}

void shuffle(const Instruction& instruction, Lanes lanes, const LaneValues& a, const LaneValues& b, LaneValues& d) {
  const bool packed = instruction.lane_limits == LimitsInSource;
  for_each_lane(lanes, [&](unsigned lane) {
    const auto offset = static_cast<unsigned>(b[lane]);
    const unsigned limits = packed ? offset >> 8 : instruction.lane_limits;
    unsigned from = lane;
    if (shuffle_in_range(instruction.warp_op, lane, offset, limits))
      from = static_cast<unsigned>(source_lane(instruction.warp_op, lane, offset, limits));
    d[lane] = static_cast<std::uint32_t>(a[(lanes >> from & 1) != 0 ? from : lane]);
  });
}

void match(bool all, Lanes lanes, const LaneValues& a, LaneValues& d) {
  for_each_lane(lanes, [&](unsigned lane) {
    Lanes same = 0;
    for_each_lane(lanes, [&](unsigned other) { same |= Lanes{a[other] == a[lane]} << other; });
    d[lane] = all && same != lanes ? 0 : same;
  });
}

std::uint32_t combine(WarpOp op, std::uint32_t x, std::uint32_t y) {
  const auto signed_less = [](std::uint32_t l, std::uint32_t r) {
    return static_cast<std::int32_t>(l) < static_cast<std::int32_t>(r);
  };
  switch (op) {
    case WarpOp::Add:
      return x + y;
    case WarpOp::MinSigned:
      return std::min(x, y, signed_less);
    case WarpOp::MaxSigned:
      return std::max(x, y, signed_less);
    case WarpOp::MinUnsigned:
      return std::min(x, y);
    case WarpOp::MaxUnsigned:
      return std::max(x, y);
    case WarpOp::And:
      return x & y;
    case WarpOp::Or:
      return x | y;
    default:
      return x ^ y;
  }
}

std::uint32_t reduce(WarpOp op, Lanes lanes, const LaneValues& a) {
  auto result = static_cast<std::uint32_t>(a[static_cast<unsigned>(__builtin_ctz(lanes))]);
  for_each_lane(lanes & (lanes - 1),
                [&](unsigned lane) { result = combine(op, result, static_cast<std::uint32_t>(a[lane])); });
  return result;
}

/// The one value that every lane gets.
std::uint32_t common_result(WarpOp op, Lanes lanes, const LaneValues& a) {
  Lanes true_lanes = 0;
  for_each_lane(lanes, [&](unsigned lane) { true_lanes |= Lanes{a[lane] != 0} << lane; });
  switch (op) {
    case WarpOp::VoteAll:
      return true_lanes == lanes;
    case WarpOp::VoteAny:
      return true_lanes != 0;
    case WarpOp::VoteUniform:
      return true_lanes == lanes || true_lanes == 0;
    case WarpOp::Ballot:
      return true_lanes;
    case WarpOp::ActiveMask:
      return lanes;
    case WarpOp::Elect:
      return static_cast<std::uint32_t>(__builtin_ctz(lanes));
    default:
      return reduce(op, lanes, a);
  }
}

}  // namespace

bool shuffle_in_range(WarpOp op, unsigned lane, unsigned offset, unsigned limits) {
  const int from = source_lane(op, lane, offset, limits), last = segment_of(lane, limits).last;
  return op == WarpOp::ShuffleUp ? from >= last : from <= last;
}

void exchange(const Instruction& instruction, Lanes lanes, const LaneValues& a, const LaneValues& b, LaneValues& d) {
  switch (instruction.warp_op) {
    case WarpOp::None:
      break;
    case WarpOp::ShuffleUp:
    case WarpOp::ShuffleDown:
    case WarpOp::ShuffleButterfly:
    case WarpOp::ShuffleIndex:
      shuffle(instruction, lanes, a, b, d);
      break;
    case WarpOp::MatchAny:
    case WarpOp::MatchAll:
      match(instruction.warp_op == WarpOp::MatchAll, lanes, a, d);
      break;
    default: {
      const std::uint32_t result = common_result(instruction.warp_op, lanes, a);
      for_each_lane(lanes, [&](unsigned lane) { d[lane] = result; });
      break;
    }
  }
}

Members members_of_lowest(Lanes active, Lanes live, const LaneValues& masks) {
  const auto lowest = static_cast<unsigned>(__builtin_ctz(active));
  const auto mask = static_cast<Lanes>(masks[lowest]);
  Members members;
  for_each_lane(active,
                [&](unsigned lane) { members.lanes |= Lanes{static_cast<Lanes>(masks[lane]) == mask} << lane; });
  members.missing = mask & live & ~members.lanes;
  members.names_itself = (members.lanes & ~mask) == 0;
  return members;
}

}  // namespace heddle::isa
