// CTAs of one SM: onto warp slots and off them, and their barriers.
//
// A CTA starts when a CTA slot, warp slots, registers and shared memory are free for it; its warps go to the lowest
// free slots, and to their schedulers, in that edge. A warp slot is given back when its threads have exited, its last
// writeback and store are through and its control flow unit holds nothing of it; the CTA's share of registers and
// shared memory with its last warp. Barriers open in the edge after the last arrival.
#pragma once

#include <vector>

#include "sim/sm/cta_dispatcher.h"
#include "sim/sm/issue_pipeline.h"

namespace heddle {

class CtaUnit {
 public:
  /// \param resident_warps  at most so many warps at once; 0: as many as the point has
  CtaUnit(SmState& sm, std::vector<IssuePipeline>& pipelines, unsigned resident_warps);

  /// CTAs of the launch that an empty SM holds at once. \throws isa::ExecutionError when not even one fits.
  unsigned room_for(const isa::Launch& launch) const;
  /// A launch begins; its CTAs start from the next step on.
  void start(CtaDispatcher& dispatcher);
  /// A thread exited or arrived at a barrier, or an access is complete: the next step looks at every CTA.
  void news() { news_ = true; }
  /// One edge: barriers open, slots are given back, CTAs start. \throws isa::ExecutionError for a barrier that none of
  /// its CTA's threads can open any more.
  void step();
  /// Every CTA is done, and there is none left for this SM.
  bool done() const { return done_; }
  /// Another step would change nothing.
  bool idle() const;

 private:
  bool nothing_left() const { return dispatcher_->empty(sm_.place.number); }
  bool start_cta();
  void settle();
  void release_from_barriers(Cta& cta);
  void check_barriers(const Cta& cta) const;
  bool drained(unsigned global) const;
  /// Of warp `global` of the SM: its scheduler's pipeline, and its number there.
  IssuePipeline& pipeline_of(unsigned global) const { return pipelines_[global % sm_.point.schedulers]; }
  unsigned slot_of(unsigned global) const { return global / sm_.point.schedulers; }

  SmState& sm_;
  std::vector<IssuePipeline>& pipelines_;
  const unsigned most_warps_;
  CtaDispatcher* dispatcher_ = nullptr;
  bool done_ = true;
  bool news_ = false;     // one may start or end, or a barrier open
  bool leaving_ = false;  // a warp without threads waits for its last store or its stack
};

}  // namespace heddle
