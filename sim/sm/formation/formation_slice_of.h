// SPDX-License-Identifier: Apache-2.0
// The block rtl/warp_formation at one design point, or its twin, behind the interface that the SM knows. Included by
// formation_slice_at_point.cpp, which is compiled for every point that a kernel runs at.
#pragma once

#include <systemc>

#include <string>
#include <type_traits>
#include <vector>

#include "rtl/base/each_set.h"
#include "rtl/base/link.h"
#include "rtl/base/links.h"
#include "rtl/warp_formation/warp_formation.h"
#include "sim/sm/slice/formation_slice.h"
#include "sim/twin/block_or_twin.h"
#include "sim/twin/warp_formation_ports.h"

namespace heddle {

template <class Point>
using formation_of =
    Formation<Point::SlotWarps * Point::Lanes, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;

/// Between edges, how often each thread is in the block, by TID. A twin does not say: none.
template <class Block>
std::vector<unsigned> places_in(const Block& block) {
  std::vector<unsigned> times(Block::Threads);
  block.each_thread([&times](unsigned tid) { ++times.at(tid); });
  return times;
}
template <class Block>
std::vector<unsigned> places_in(const block_or_twin<Block, warp_formation_ports>&) {
  return {};
}

/// Block: rtl/warp_formation, or what has its ports; made of its name and `arguments`.
template <class F, class Block>
class formation_at_point : public FormationSlice {
  static constexpr unsigned Lanes = F::Lanes;

 public:
  template <class... Arguments>
  formation_at_point(const std::string& name, const sc_core::sc_signal<bool>& clk,
                     const sc_core::sc_signal<bool>& rst_n, Arguments&&... arguments)
      : rst_n_(rst_n), slice_(name.c_str(), std::forward<Arguments>(arguments)...) {
    Block& block = slice_.block;
    block.clk_i(clk), block.rst_ni(rst_n);
    block.commit_i(slice_.commit), block.commit_ready_o(slice_.commit_ready);
    block.commit_tid_i(slice_.commit_tid), block.commit_pc_i(slice_.commit_pc);
    block.launch_i(slice_.launch), block.launch_ready_o(slice_.launch_ready);
    block.release_i(slice_.release);
    block.issued_o(slice_.issued), block.issued_tid_o(slice_.issued_tid), block.issued_ready_i(slice_.issued_ready);
    block.status_o(slice_.status), block.idle_o(slice_.idle);
  }

  /// What a block shows at the edge that resets it means nothing.
  FormationView sample() const override {
    if (!rst_n_.read()) return {};
    const typename F::Issued& issued = slice_.issued.read();
    const typename F::Status& status = slice_.status.read();
    FormationView view;
    view.issued = static_cast<isa::Lanes>(issued.lanes);
    view.pc = static_cast<isa::Pc>(issued.pc);
    view.cta = static_cast<unsigned>(issued.cta);
    view.data = static_cast<unsigned>(issued.data);
    if (view.issued != 0)
      for (unsigned l = 0; l < Lanes; ++l) view.tids[l] = static_cast<std::uint16_t>(slice_.issued_tid[l].read());
    view.commit_ready = slice_.commit_ready.read();
    view.launch_ready = slice_.launch_ready.read();
    view.hits = count_set(status.hit);
    view.conflicts = count_set(status.conflict);
    view.evictions = count_set(status.evict);
    view.drains = status.drain != 0;
    return view;
  }

  void drive(const FormationDrive& drive) override {
    if (drive.commit.lanes != 0 || commits_) commit(drive.commit);
    if (drive.launch.threads != 0 || launches_) launch(drive.launch);
    if (drive.releases || releases_) {
      typename F::Release release;
      release.valid = drive.releases;
      release.cta = drive.released_cta;
      slice_.release.write(release);
    }
    slice_.issued_ready.write(drive.issued_ready);
    commits_ = drive.commit.lanes != 0;
    launches_ = drive.launch.threads != 0;
    releases_ = drive.releases;
  }

  bool idle() const override { return slice_.idle.read(); }

  std::vector<unsigned> places() const override { return places_in(slice_.block); }

 private:
  struct Slice : sc_core::sc_module {
    Block block;
    Link<typename F::Commit> commit{"commit"};
    Links<typename F::Tid> commit_tid{"commit_tid", Lanes}, issued_tid{"issued_tid", Lanes};
    Links<typename F::Pc> commit_pc{"commit_pc", Lanes};
    Link<typename F::Launch> launch{"launch"};
    Link<typename F::Release> release{"release"};
    Link<typename F::Issued> issued{"issued"};
    Link<typename F::Status> status{"status"};
    Link<bool> commit_ready{"commit_ready"}, launch_ready{"launch_ready"}, issued_ready{"issued_ready"}, idle{"idle"};
    template <class... Arguments>
    explicit Slice(const sc_core::sc_module_name& name, Arguments&&... arguments)
        : sc_module(name), block("warp_formation", std::forward<Arguments>(arguments)...) {}
  };

  void commit(const FormationCommit& of) {
    typename F::Commit record;
    record.lanes = of.lanes;
    record.cta = of.cta;
    record.data = of.data;
    record.passed = of.passed;
    record.waits = of.waits;
    slice_.commit.write(record);
    HEDDLE_EACH_SET(l, Lanes, of.lanes) {  // nobody looks at the others
      slice_.commit_tid[l].write(of.tids[l]);
      slice_.commit_pc[l].write(of.pcs[l]);
    }
  }

  void launch(const FormationLaunch& of) {
    typename F::Launch record;
    record.threads = of.threads;
    record.warp = of.warp;
    record.cta = of.cta;
    record.pc = of.pc;
    slice_.launch.write(record);
  }

  const sc_core::sc_signal<bool>& rst_n_;
  Slice slice_;
  bool commits_ = false, launches_ = false, releases_ = false;  // what the links show
};

/// By the name of the policy's row, and whether its register file lets a thread run in any lane. HasTwins: one may stand in
/// place of the block.
template <class Point, class Policies, bool HasTwins>
FormationSlice* formation_slice_of(const std::string& name, const Mechanism& mechanism,
                                   const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
  using F = formation_of<Point>;
  const bool any_lane = register_file_named(register_file_of(mechanism)).any_lane;
  FormationSlice* slice = nullptr;
  const auto make = [&](auto order, auto lane_aware) {
    constexpr bool LaneAware = decltype(lane_aware)::value;
    using Block = warp_formation<F, decltype(order)::value, Point::LutSets, Point::MajorityEntries, LaneAware,
                                 LaneAware && Point::Swizzle != 0>;
    if constexpr (HasTwins)
      slice = new formation_at_point<F, block_or_twin<Block, warp_formation_ports>>(name, clk, rst_n, mechanism.twins);
    else
      slice = new formation_at_point<F, Block>(name, clk, rst_n);
  };
  const auto make_if_named = [&](auto candidate) {
    using Row = decltype(candidate);
    if (mechanism.divergence != Row::Row.name) return;
    const std::integral_constant<Policy, Row::PolicyOption> order;
    any_lane ? make(order, std::false_type()) : make(order, std::true_type());
  };
  std::apply([&](auto... candidates) { (make_if_named(candidates), ...); }, Policies());
  return slice;
}

}  // namespace heddle
