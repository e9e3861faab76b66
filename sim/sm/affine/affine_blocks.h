// SPDX-License-Identifier: Apache-2.0
// The hardware of decoupled affine computation (rtl/affine: affine_expansion and affine_stack) behind native integers,
// so that the rest of the SM knows no design point. Warps and lanes are bits of masks.
//
// One cycle: the SM drives at an edge; the blocks answer in the cycle, and act at the next edge, at which the SM
// samples what they showed.
#pragma once

#include <systemc>

#include <cstdint>
#include <memory>
#include <string>

#include "rtl/config/design_points.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/mechanisms.h"

namespace heddle {

/// What the blocks show at an edge, about the cycle that ends there. Each part is what the port of its name shows
/// (rtl/affine/README.md, rtl/affine/affine_stack/README.md).
struct AffineView {
  bool full = false, predicate_full = false;
  unsigned used = 0;                                     ///< tuples in the queue
  std::uint64_t hold = 0;                                ///< by CTA
  std::uint64_t address_ready = 0, predicate_ready = 0;  ///< by warp

  struct LaneCompare {
    bool valid = false;
    isa::Comparison comparison = isa::Comparison::Eq;
    std::uint32_t base = 0, offset = 0, scalar = 0;
    unsigned first = 0, count = 0;
  } compare;

  struct Request {
    bool valid = false;
    std::uint32_t line = 0;  ///< address without the bits within a line
    unsigned warp = 0, slot = 0;
  } request;

  struct Address {
    bool valid = false, data = false, last = false;
    unsigned warp = 0, size = 0, order = 0;
    std::uint32_t region = 0;  ///< address of its first byte
    isa::Lanes mask = 0, lanes = 0;
  } address;

  struct Predicate {
    bool valid = false;
    unsigned warp = 0;
    isa::Lanes lanes = 0;
  } predicate, expanded;

  struct Path {
    bool valid = false, open = false;
    isa::Pc pc = 0;
    std::uint64_t warps = 0;
  } path;

  struct Group {
    bool valid = false, last = false;
    std::uint64_t warps = 0;
    isa::Lanes lanes = 0;
  } group;

  unsigned depth = 0;  ///< of the affine stack

  /// What happened in the last edge.
  bool scalar = false, pair = false, region = false, thread = false, lock_refused = false;
};
/// What the one block shows, and what the other one does.
bool same_expansion(const AffineView& a, const AffineView& b);
bool same_stack(const AffineView& a, const AffineView& b);

struct AffineDrive {
  struct Batch {
    enum class Op : std::uint8_t { None, Open, Join } op = Op::None;
    unsigned cta = 0, first_warp = 0;
    std::uint32_t index_x = 0, index_y = 0, index_z = 0;  // blockIdx
    unsigned row = 0, rows = 0, plane = 0, threads = 0;   // of blockDim: x, y, x y, x y z
  } batch;

  struct Enqueue {
    enum class Kind : std::uint8_t { None, Data, Address, Predicate, Barrier } kind = Kind::None;
    unsigned size = 0;  ///< logarithm of the bytes of an access
    isa::Comparison comparison = isa::Comparison::Eq;
    std::uint32_t base = 0, offset_x = 0, offset_y = 0, offset_z = 0, block_x = 0, block_y = 0, block_z = 0;
    std::uint32_t scalar = 0, scalar_block_x = 0, scalar_block_y = 0, scalar_block_z = 0;
    std::uint64_t warps = 0;
    isa::Lanes lanes = 0;
  } enqueue;

  std::uint64_t passed = 0;  ///< CTAs that pass a barrier

  struct Lanes {
    bool valid = false;
    isa::Lanes mask = 0;
  } lanes;

  bool request_ready = false;
  struct Reply {
    bool valid = false;
    unsigned warp = 0, slot = 0;
  } reply;

  struct Dequeue {
    bool valid = false;
    unsigned warp = 0;
  } address, predicate;

  struct Path {
    enum class Op : std::uint8_t { None, Launch, Advance, Jump, Branch, Exit } op = Op::None;
    isa::Pc target = 0, rpc = 0;
    std::uint64_t warps = 0, tail_warps = 0;
    isa::Lanes tail_lanes = 0;
  } path;

  struct Outcome {
    bool valid = false;
    std::uint64_t warps = 0;
    isa::Lanes lanes = 0;  ///< of each of them that take the branch; of several warps all or none
  } outcome;

  bool next = false;  ///< the group that the stack names has been enqueued

  bool asks_expansion() const {
    return batch.op != Batch::Op::None || enqueue.kind != Enqueue::Kind::None || passed != 0 || lanes.valid ||
           reply.valid || address.valid || predicate.valid;
  }
  bool asks_stack() const { return path.op != Path::Op::None || outcome.valid || next; }
};

/// Where the next edge would change nothing.
struct AffineRest {
  bool expansion = false, stack = false;

  bool all() const { return expansion && stack; }
};

class AffineBlocks {
 public:
  virtual ~AffineBlocks() = default;
  virtual AffineView sample() const = 0;
  virtual void drive(const AffineDrive& drive) = 0;
  virtual AffineRest rests() const = 0;
  /// An edge comes, but not to what may rest. Each block has a clock, which rises with that of the SM or not at all.
  virtual void rise(const AffineRest& rest) = 0;
};

/// What their library has, under AffineBlocksFactoryName; the caller owns the blocks.
using AffineBlocksFactory = AffineBlocks*(const char* name, const Twins& twins, const sc_core::sc_signal<bool>& rst_n);
inline constexpr const char* AffineBlocksFactoryName = "heddle_affine_blocks";

/// Loads the library with the blocks at this point's widths and depths, and the twins that the mechanism names.
/// \throws std::runtime_error for a point whose library was not built
std::unique_ptr<AffineBlocks> make_affine_blocks(const std::string& name, const DesignPoint& point,
                                                 const Mechanism& mechanism, const sc_core::sc_signal<bool>& rst_n);

}  // namespace heddle
