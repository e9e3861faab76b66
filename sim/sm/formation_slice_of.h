// The block rtl/warp_formation at one design point, behind the interface that the SM knows. Included by
// formation_slice_at_point.cpp, which is compiled for every point that a kernel runs at.
#pragma once

#include <systemc>

#include <string>

#include "rtl/base/each_set.h"
#include "rtl/base/link.h"
#include "rtl/base/links.h"
#include "rtl/warp_formation/warp_formation.h"
#include "sim/sm/formation_slice.h"

namespace heddle {

template <class Point, Policy Order, bool LaneAware>
class formation_at_point : public FormationSlice {
  static constexpr unsigned Lanes = Point::Lanes;
  using F = Formation<Point::SlotWarps * Lanes, Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;
  using Block = warp_formation<F, Order, Point::LutSets, Point::MajorityEntries, LaneAware, LaneAware>;

 public:
  formation_at_point(const std::string& name, const sc_core::sc_signal<bool>& clk,
                     const sc_core::sc_signal<bool>& rst_n)
      : slice_(name.c_str()) {
    Block& block = slice_.block;
    block.clk_i(clk), block.rst_ni(rst_n);
    block.commit_i(slice_.commit), block.commit_ready_o(slice_.commit_ready);
    block.commit_tid_i(slice_.commit_tid), block.commit_pc_i(slice_.commit_pc);
    block.launch_i(slice_.launch), block.launch_ready_o(slice_.launch_ready);
    block.release_i(slice_.release);
    block.issued_o(slice_.issued), block.issued_tid_o(slice_.issued_tid), block.issued_ready_i(slice_.issued_ready);
    block.status_o(slice_.status), block.idle_o(slice_.idle);
  }

  FormationView sample() const override {
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

 private:
  struct Slice : sc_core::sc_module {
    Block block{"warp_formation"};
    Link<typename F::Commit> commit{"commit"};
    Links<typename F::Tid> commit_tid{"commit_tid", Lanes}, issued_tid{"issued_tid", Lanes};
    Links<typename F::Pc> commit_pc{"commit_pc", Lanes};
    Link<typename F::Launch> launch{"launch"};
    Link<typename F::Release> release{"release"};
    Link<typename F::Issued> issued{"issued"};
    Link<typename F::Status> status{"status"};
    Link<bool> commit_ready{"commit_ready"}, launch_ready{"launch_ready"}, issued_ready{"issued_ready"}, idle{"idle"};
    explicit Slice(const sc_core::sc_module_name& name) : sc_module(name) {}
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

  Slice slice_;
  bool commits_ = false, launches_ = false, releases_ = false;  // what the links show
};

/// By the name of the policy's row, and whether its register file lets a thread run in any lane.
template <class Point, class Policies>
FormationSlice* formation_slice_of(const std::string& name, const Mechanism& mechanism,
                                   const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
  const bool any_lane = register_file_named(register_file_of(mechanism)).any_lane;
  FormationSlice* slice = nullptr;
  const auto make_if_named = [&](auto candidate) {
    using Row = decltype(candidate);
    if (mechanism.divergence != Row::Row.name) return;
    if (any_lane)
      slice = new formation_at_point<Point, Row::IssueOrder, false>(name, clk, rst_n);
    else
      slice = new formation_at_point<Point, Row::IssueOrder, true>(name, clk, rst_n);
  };
  std::apply([&](auto... candidates) { (make_if_named(candidates), ...); }, Policies());
  return slice;
}

}  // namespace heddle
