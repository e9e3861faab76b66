// SPDX-License-Identifier: Apache-2.0
// Dynamic warp subdivision as DPE compares with it (sec. 2.2, 4): any number of warp splits issue, table, scheduler and
// scoreboard have no limits. A reference, not hardware: what stands in place of an issue slice where the block
// warp_split_table shows two splits a warp. It keeps that block's rules (rtl/warp_split_table/README.md, R1 to R9, R12,
// R13) but for its limits: a split keeps a slot of its own from its first to its last lane, nobody waits in a queue,
// and only a split whose own PC or lanes changed is fetched anew.
#pragma once

#include <array>
#include <vector>

#include "sim/sm/slice/issue_slice.h"

namespace heddle {

class IdealSplits final : public IssueSlice<MostPaths> {
 public:
  /// \param warps      of the scheduler
  /// \param threshold  N: the longest block at a post-dominator that may run twice, in instructions
  IdealSplits(unsigned warps, unsigned threshold) : warps_(warps), threshold_(threshold) {}

  SliceView<MostPaths> sample() const override {
    return {granted_.valid, granted_.warp, granted_.k, valid_, redirected_};
  }
  Hazards<MostPaths> hazards(std::uint64_t) const override { return {}; }  // the SM looks at the lanes on their way
  PathView path(SliceWarp warp, unsigned k) const override { return warps_[warp.index()].split[k]; }
  unsigned depth(SliceWarp warp) const override;
  unsigned paths(SliceWarp warp) const override;

  void load(const isa::Program&) override {}
  void set_head(SliceWarp warp, unsigned k, isa::Pc pc) override { heads_[k][warp.index()] = pc; }
  isa::Pc head(SliceWarp warp, unsigned k) const override { return heads_[k][warp.index()]; }
  /// One edge: what was granted and driven in the cycle that ends takes effect, then the next one is picked.
  void drive(const SliceDrive<MostPaths>& drive) override;
  void set_targets(const isa::LaneValues&) override {}
  Arrived arrived() const override { return {}; }
  std::uint64_t releases() const override { return 0; }
  bool idle() const override { return !redirected_.any() && blank_ == 0; }

 private:
  /// A path beneath the TOS.
  struct Entry {
    PathView path;
    isa::Pc rpc = 0;
  };
  struct Warp {
    std::array<PathView, MostPaths> split;  // mask 0: none
    isa::Lanes branching = 0;               // bit k: a branch or exit of split k is in flight
    isa::Pc rpc = 0;                        // of all splits: the TOS's
    isa::Lanes live = 0;
    bool running = false;
    std::vector<Entry> beneath;
  };

  void advance();
  void resolve(const Resolution& resolution);
  void branch(SliceWarp w, const Resolution& resolution, const PathView& from);
  void pop(SliceWarp w);
  void place(SliceWarp w, unsigned k, isa::Pc pc, isa::Lanes mask, bool is_redirected);
  unsigned free_slot(const Warp& warp) const;
  void note_blank(SliceWarp w);

  std::vector<Warp> warps_;
  const unsigned threshold_;
  SlotSet<MostPaths> valid_, redirected_;
  std::uint64_t blank_ = 0;  // warps whose TOS has no split: popped at the next edge
  OneSlot granted_;
  unsigned turn_ = 0;  // warp that is asked first; its paths in turn too
  unsigned turn_path_ = 0;
  unsigned popped_ = 0;  // last
  SliceDrive<MostPaths> driven_;
  std::array<std::array<isa::Pc, 64>, MostPaths> heads_{};
};

}  // namespace heddle
