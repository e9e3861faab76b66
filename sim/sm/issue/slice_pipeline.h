// SPDX-License-Identifier: Apache-2.0
// One scheduler with an issue slice, wired: slice, issue side, execution and writeback. It has no state of its own.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/sm/issue/issue_pipeline.h"
#include "sim/sm/issue/issue_unit.h"

namespace heddle {

template <unsigned Paths>
class SlicePipeline final : public IssuePipeline {
 public:
  SlicePipeline(std::unique_ptr<IssueSlice<Paths>> slice, const DesignPoint& point, unsigned scheduler,
                const Mechanism& mechanism, const SmModules& sm)
      : slice_(std::move(slice)),
        scheduler_(scheduler),
        in_flight_(sm.in_flight),
        lsu_(sm.lsu),
        dequeues_(sm.dequeues),
        writeback_(sm.in_flight, sm.registers),
        execute_(point, sm.registers, sm.operands, sm.ctas, sm.addresses, sm.lsu, writeback_, sm.in_flight, sm.counters,
                 divergence_named(mechanism.divergence).has(SmSide::Barriers),
                 divergence_named(mechanism.divergence).has(SmSide::SoftwareStack)),
        issue_(point, scheduler, mechanism, *slice_, execute_, sm.registers, sm.ctas, sm.lsu, sm.dequeues, sm.code,
               sm.in_flight, sm.counters) {}
  SlicePipeline(const SlicePipeline&) = delete;  // its parts refer to each other

  void load(const isa::Launch& launch, std::uint64_t code) override {
    execute_.load(*launch.program);
    issue_.load(launch, code);
    decouples_ = dequeues_.runs();
    if (decouples_) execute_.attach(dequeues_.port());
  }

  bool step(std::uint64_t cycle, std::uint64_t cycles) override {
    const SliceView<Paths> view = slice_->sample();
    issue_.sample(view, cycle, cycles);
    if (execute_.awaits_arrival())
      if (const Arrived arrived = slice_->arrived(); arrived.valid) execute_.arrived(arrived.passed, cycle);
    const Executed done = execute_.step(cycle);
    if (done.convergence.op == BarrierOp::Jump) slice_->set_targets(execute_.targets());
    if (done.acquires) lsu_.acquire();  // what it waits for was over when it issued
    issue_.executed(done);
    if (view.granted) enter(issue_.issue(view));
    const MissingPart part = issue_.take_part();
    const WrittenBack result = part.valid ? writeback_.write_part(part.token, part.missing) : writeback_.step(cycle);
    issue_.written(result);
    if (decouples_)
      drive_late(done, result, cycle);
    else
      issue_.drive(done, result);
    return view.granted;
  }

  void rest() override { issue_.rest(); }

  void complete(unsigned token, std::uint64_t cycle) override {
    const InFlight& flight = in_flight_[token];
    issue_.served(token);
    if (!flight.instruction->destination.is_none()) {
      writeback_.expect(token, cycle, 0);
      return;
    }
    issue_.retired(flight);
    in_flight_.give_back(token);
  }

  void partly_served(unsigned token, isa::Lanes served) override { issue_.partly_served(token, served); }
  void missed(const InFlight& flight) override { issue_.missed(flight); }
  bool idle() const override {
    return execute_.reading() == nullptr && !execute_.awaits_arrival() && writeback_.waiting() == 0 && issue_.idle();
  }

  std::vector<std::uint64_t> shows() const override {
    std::vector<std::uint64_t> values = issue_.shows();
    values.push_back(writeback_.waiting());
    return values;
  }

  void start(SliceWarp warp, isa::Lanes lanes) override { issue_.start(warp, lanes); }
  void barrier_opened(SliceWarp warp, isa::Lanes lanes) override { issue_.barrier_opened(warp, lanes); }
  isa::Lanes live(SliceWarp warp) const override { return issue_.live(warp); }
  isa::Lanes waiting(SliceWarp warp) const override { return issue_.waiting(warp); }
  bool blocked_at_barriers(SliceWarp warp) const override { return issue_.blocked_at_barriers(warp); }
  bool drained(SliceWarp warp) const override { return issue_.drained(warp); }

  unsigned paths() const override { return Paths; }
  PathView path(SliceWarp warp, unsigned k) const override { return slice_->path(warp, k); }
  std::uint64_t releases() const override { return slice_->releases(); }

 private:
  void enter(unsigned token) {
    if (in_flight_[token].instruction->queue == isa::QueueOp::None)
      execute_.accept(token);
    else
      dequeues_.accept(token);
  }

  /// First executes what has dequeued all that it needs.
  void drive_late(const Executed& done, const WrittenBack& result, std::uint64_t cycle) {
    unsigned token = 0;
    Dequeued dequeued;
    Executed late;
    if (dequeues_.take(scheduler_, !done.resolves(), token, dequeued)) {
      late = execute_.late(token, dequeued, cycle);
      issue_.executed(late);
    }
    issue_.drive(late.resolves() ? late : done, result);
  }

  std::unique_ptr<IssueSlice<Paths>> slice_;
  const unsigned scheduler_;
  InFlightPool& in_flight_;
  load_store_unit& lsu_;
  DequeueUnit& dequeues_;
  bool decouples_ = false;  // the launch runs in two streams
  Writeback writeback_;
  Execute execute_;
  IssueUnit<Paths> issue_;
};

}  // namespace heddle
