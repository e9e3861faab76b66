// SPDX-License-Identifier: Apache-2.0
// The blocks rtl/affine/affine_expansion and affine_stack, or their twins, at one design point, behind the interface that
// the SM knows. Included by affine_blocks_at_point.cpp, which is compiled for every point that a kernel runs at.
#pragma once

#include <systemc>

#include <memory>
#include <string>
#include <utility>

#include "rtl/affine/affine_expansion.h"
#include "rtl/affine/affine_stack/affine_stack.h"
#include "rtl/base/link.h"
#include "sim/sm/affine/affine_blocks.h"
#include "sim/sm/links/clock_gate.h"
#include "sim/twin/affine_ports.h"
#include "sim/twin/block_or_twin.h"

namespace heddle {

template <class Point>
using affine_of = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;

template <class Point>
using affine_expansion_of = affine_expansion<affine_of<Point>, Point::AtqEntries, Point::WarpQueueEntries,
                                             Point::L1Bytes / (Point::L1Ways * Point::LineBytes), Point::L1Ways,
                                             Point::LineBytes, Point::LockBits, Point::L1HashFrom>;

template <class Point>
using affine_stack_of = affine_stack<affine_of<Point>, Point::PcBits, Point::AffineDepth, Point::AffineLaneDepth>;

/// ExpansionUnit, StackUnit: the blocks, or what has their ports; made of their names and `arguments`.
template <class Point, class ExpansionUnit, class StackUnit>
class affine_at_point : public AffineBlocks {
  using A = affine_of<Point>;
  using Expansion = affine_expansion_of<Point>;
  using Stack = affine_stack_of<Point>;
  static_assert(Point::Lanes <= isa::MaxLanes);

 public:
  template <class... Arguments>
  affine_at_point(const std::string& name, const sc_core::sc_signal<bool>& rst_n, const Arguments&... arguments)
      : rst_n_(rst_n), parts_(name.c_str(), arguments...) {
    ExpansionUnit& expansion = parts_.expansion;
    expansion.clk_i(parts_.expansion_clk), expansion.rst_ni(rst_n);
    expansion.batch_i(parts_.batch), expansion.enqueue_i(parts_.enqueue), expansion.passed_i(parts_.passed);
    expansion.lanes_i(parts_.lanes_reply), expansion.lanes_o(parts_.lanes_compare);
    expansion.request_o(parts_.request), expansion.request_ready_i(parts_.request_ready);
    expansion.reply_i(parts_.reply);
    expansion.set_i(parts_.set), expansion.locked_o(parts_.locked);
    expansion.address_dequeue_i(parts_.address_dequeue), expansion.predicate_dequeue_i(parts_.predicate_dequeue);
    expansion.full_o(parts_.full), expansion.used_o(parts_.used), expansion.predicate_full_o(parts_.predicate_full);
    expansion.hold_o(parts_.hold);
    expansion.address_ready_o(parts_.address_ready), expansion.predicate_ready_o(parts_.predicate_ready);
    expansion.address_o(parts_.address), expansion.predicate_o(parts_.predicate);
    expansion.expanded_o(parts_.expanded);
    expansion.address_event_o(parts_.address_event), expansion.predicate_event_o(parts_.predicate_event);
    expansion.refused_o(parts_.refused), expansion.idle_o(parts_.expansion_idle);
    StackUnit& stack = parts_.stack;
    stack.clk_i(parts_.stack_clk), stack.rst_ni(rst_n);
    stack.request_i(parts_.path_request), stack.outcome_i(parts_.outcome), stack.next_i(parts_.next);
    stack.path_o(parts_.path), stack.group_o(parts_.group), stack.depth_o(parts_.depth);
    stack.event_o(parts_.path_event), stack.idle_o(parts_.stack_idle);
  }

  /// What a block shows at the edge that resets it means nothing.
  AffineView sample() const override {
    AffineView view;
    if (!rst_n_.read()) return view;
    view.full = parts_.full.read();
    view.predicate_full = parts_.predicate_full.read();
    view.used = static_cast<unsigned>(parts_.used.read());
    view.hold = parts_.hold.read();
    view.address_ready = parts_.address_ready.read();
    view.predicate_ready = parts_.predicate_ready.read();
    if (const auto& compare = parts_.lanes_compare.read(); compare.valid != 0) {
      view.compare.valid = true;
      view.compare.comparison = static_cast<isa::Comparison>(unsigned(compare.compare));
      view.compare.base = static_cast<std::uint32_t>(compare.base);
      view.compare.offset = static_cast<std::uint32_t>(compare.offset);
      view.compare.scalar = static_cast<std::uint32_t>(compare.scalar);
      view.compare.first = static_cast<unsigned>(compare.first);
      view.compare.count = static_cast<unsigned>(compare.count);
    }
    if (const auto& request = parts_.request.read(); request.valid != 0) {
      view.request = {true, static_cast<std::uint32_t>(request.line), static_cast<unsigned>(request.warp),
                      static_cast<unsigned>(request.slot)};
    }
    if (const auto& address = parts_.address.read(); address.valid != 0) {
      view.address.valid = true;
      view.address.data = address.data != 0;
      view.address.last = address.last != 0;
      view.address.warp = static_cast<unsigned>(address.warp);
      view.address.size = static_cast<unsigned>(address.size);
      view.address.order = static_cast<unsigned>(address.order);
      view.address.region = static_cast<std::uint32_t>(address.region) << A::LaneBits;
      view.address.mask = static_cast<isa::Lanes>(address.mask);
      view.address.lanes = static_cast<isa::Lanes>(address.lanes);
    }
    view.predicate = record_of(parts_.predicate.read());
    view.expanded = record_of(parts_.expanded.read());
    const auto& path = parts_.path.read();
    view.path = {path.valid != 0, path.open != 0, static_cast<isa::Pc>(path.pc), path.warps};
    const auto& group = parts_.group.read();
    view.group = {group.valid != 0, group.last != 0, group.warps, static_cast<isa::Lanes>(group.lanes)};
    view.depth = static_cast<unsigned>(parts_.depth.read());
    const auto& predicates = parts_.predicate_event.read();
    view.scalar = predicates.scalar != 0;
    view.pair = predicates.pair != 0;
    const auto& addresses = parts_.address_event.read();
    view.region = addresses.region != 0;
    view.thread = addresses.thread != 0;
    const auto& refused = parts_.refused.read();
    view.lock_refused = refused.set_full != 0 || refused.counter_full != 0;
    return view;
  }

  void drive(const AffineDrive& drive) override {
    // Links that show nothing need not be told so again.
    if (drive.asks_expansion() || asks_expansion_) drive_expansion(drive);
    if (drive.asks_stack() || asks_stack_) drive_stack(drive);
    asks_expansion_ = drive.asks_expansion();
    asks_stack_ = drive.asks_stack();
    parts_.request_ready.write(drive.request_ready);
  }

  AffineRest rests() const override {
    if (!rst_n_.read()) return {};
    return {!asks_expansion_ && parts_.expansion_idle.read(), !asks_stack_ && parts_.stack_idle.read()};
  }

  void rise(const AffineRest& rest) override {
    if (!rest.expansion) parts_.expansion_clk.rise();
    if (!rest.stack) parts_.stack_clk.rise();
  }

 private:
  struct Parts : sc_core::sc_module {
    ExpansionUnit expansion;
    StackUnit stack;
    rising_clock expansion_clk{"expansion_clk"}, stack_clk{"stack_clk"};
    Link<typename A::Batch> batch{"batch"};
    Link<typename A::Enqueue> enqueue{"enqueue"};
    Link<typename A::CtaMask> passed{"passed"}, hold{"hold"};
    Link<typename A::LaneReply> lanes_reply{"lanes_reply"};
    Link<typename A::LaneCompare> lanes_compare{"lanes_compare"};
    Link<typename Expansion::Request> request{"request"};
    Link<bool> request_ready{"request_ready"};
    Link<typename Expansion::Reply> reply{"reply"};
    Link<typename Expansion::SetIndex> set{"set"};  // the L1 asks AffineUnit::keeps() instead
    sc_core::sc_vector<Link<typename Expansion::Locked>> locked{"locked", Point::L1Ways - 1};
    Link<typename Expansion::Dequeue> address_dequeue{"address_dequeue"}, predicate_dequeue{"predicate_dequeue"};
    Link<bool> full{"full"}, predicate_full{"predicate_full"};
    Link<typename Expansion::Used> used{"used"};
    Link<typename A::WarpMask> address_ready{"address_ready"}, predicate_ready{"predicate_ready"};
    Link<typename A::AddressOffer> address{"address"};
    Link<typename A::PredicateOffer> predicate{"predicate"}, expanded{"expanded"};
    Link<typename A::AddressEvent> address_event{"address_event"};
    Link<typename A::PredicateEvent> predicate_event{"predicate_event"};
    Link<LockRefused> refused{"refused"};
    Link<typename Stack::Request> path_request{"path_request"};
    Link<typename Stack::Outcome> outcome{"outcome"};
    Link<bool> next{"next"};
    Link<typename Stack::Path> path{"path"};
    Link<typename Stack::Group> group{"group"};
    Link<typename Stack::Count> depth{"depth"};
    Link<typename Stack::Event> path_event{"path_event"};
    Link<bool> expansion_idle{"expansion_idle"}, stack_idle{"stack_idle"};
    template <class... Arguments>
    explicit Parts(const sc_core::sc_module_name& name, const Arguments&... arguments)
        : sc_module(name), expansion("affine_expansion", arguments...), stack("affine_stack", arguments...) {}
  };

  static AffineView::Predicate record_of(const typename A::PredicateOffer& record) {
    if (record.valid == 0) return {};
    return {true, static_cast<unsigned>(record.warp), static_cast<isa::Lanes>(record.mask)};
  }

  static typename Expansion::Dequeue dequeue_of(const AffineDrive::Dequeue& of) {
    typename Expansion::Dequeue record;
    record.valid = of.valid;
    record.warp = of.warp;
    return record;
  }

  void drive_expansion(const AffineDrive& drive) {
    typename A::Batch batch;
    if (drive.batch.op != AffineDrive::Batch::Op::None) {
      const AffineDrive::Batch& of = drive.batch;
      batch.op = unsigned(of.op == AffineDrive::Batch::Op::Open ? BatchOp::Open : BatchOp::Join);
      batch.cta = of.cta;
      batch.first_warp = of.first_warp;
      batch.index_x = of.index_x, batch.index_y = of.index_y, batch.index_z = of.index_z;
      batch.row = of.row, batch.rows = of.rows, batch.plane = of.plane, batch.threads = of.threads;
    }
    parts_.batch.write(batch);

    typename A::Enqueue enqueue;
    if (drive.enqueue.kind != AffineDrive::Enqueue::Kind::None) {
      const AffineDrive::Enqueue& of = drive.enqueue;
      enqueue.kind = unsigned(kind_of(of.kind));
      enqueue.size = of.size;
      enqueue.compare = unsigned(of.comparison);
      enqueue.base = of.base;
      enqueue.offset_x = of.offset_x, enqueue.offset_y = of.offset_y, enqueue.offset_z = of.offset_z;
      enqueue.block_x = of.block_x, enqueue.block_y = of.block_y, enqueue.block_z = of.block_z;
      enqueue.scalar = of.scalar;
      enqueue.scalar_block_x = of.scalar_block_x;
      enqueue.scalar_block_y = of.scalar_block_y;
      enqueue.scalar_block_z = of.scalar_block_z;
      enqueue.warps = of.warps;
      enqueue.lanes = of.lanes;
    }
    parts_.enqueue.write(enqueue);

    parts_.passed.write(drive.passed);
    typename A::LaneReply lanes;
    lanes.valid = drive.lanes.valid;
    lanes.mask = drive.lanes.mask;
    parts_.lanes_reply.write(lanes);
    typename Expansion::Reply reply;
    reply.valid = drive.reply.valid;
    reply.warp = drive.reply.warp;
    reply.slot = drive.reply.slot;
    parts_.reply.write(reply);
    parts_.address_dequeue.write(dequeue_of(drive.address));
    parts_.predicate_dequeue.write(dequeue_of(drive.predicate));
  }

  static TupleKind kind_of(AffineDrive::Enqueue::Kind kind) {
    switch (kind) {
      case AffineDrive::Enqueue::Kind::None:
        break;
      case AffineDrive::Enqueue::Kind::Data:
        return TupleKind::Data;
      case AffineDrive::Enqueue::Kind::Address:
        return TupleKind::Address;
      case AffineDrive::Enqueue::Kind::Predicate:
        return TupleKind::Predicate;
      case AffineDrive::Enqueue::Kind::Barrier:
        return TupleKind::Barrier;
    }
    return TupleKind::None;
  }

  void drive_stack(const AffineDrive& drive) {
    typename Stack::Request request;
    if (drive.path.op != AffineDrive::Path::Op::None) {
      request.op = unsigned(op_of(drive.path.op));
      request.target = drive.path.target;
      request.rpc = drive.path.rpc == isa::NoPc ? sc_dt::uint64(Stack::NoPc) : drive.path.rpc;
      request.warps = drive.path.warps;
      request.tail_warps = drive.path.tail_warps;
      request.tail_lanes = drive.path.tail_lanes;
    }
    parts_.path_request.write(request);
    typename Stack::Outcome outcome;
    if (drive.outcome.valid) {
      outcome.valid = 1;
      outcome.warps = drive.outcome.warps;
      outcome.lanes = drive.outcome.lanes;
    }
    parts_.outcome.write(outcome);
    parts_.next.write(drive.next);
  }

  static PathOp op_of(AffineDrive::Path::Op op) {
    switch (op) {
      case AffineDrive::Path::Op::None:
        break;
      case AffineDrive::Path::Op::Launch:
        return PathOp::Launch;
      case AffineDrive::Path::Op::Advance:
        return PathOp::Advance;
      case AffineDrive::Path::Op::Jump:
        return PathOp::Jump;
      case AffineDrive::Path::Op::Branch:
        return PathOp::Branch;
      case AffineDrive::Path::Op::Exit:
        return PathOp::Exit;
    }
    return PathOp::None;
  }

  const sc_core::sc_signal<bool>& rst_n_;
  Parts parts_;
  bool asks_expansion_ = false, asks_stack_ = false;  // what the links show
};

/// HasTwins: some may stand in place of the blocks.
template <class Point, bool HasTwins>
AffineBlocks* affine_blocks_of(const std::string& name, const Twins& twins, const sc_core::sc_signal<bool>& rst_n) {
  using Expansion = affine_expansion_of<Point>;
  using Stack = affine_stack_of<Point>;
  if constexpr (!HasTwins)
    return new affine_at_point<Point, Expansion, Stack>(name, rst_n);
  else
    return new affine_at_point<Point, block_or_twin<Expansion, affine_expansion_ports>,
                               block_or_twin<Stack, affine_stack_ports>>(name, rst_n, twins);
}

}  // namespace heddle
