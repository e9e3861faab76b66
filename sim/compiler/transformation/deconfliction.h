// SPDX-License-Identifier: Apache-2.0
// What keeps lanes from waiting for each other at two places (SR sec. 4.1, 4.3).
//
// They do where who waits for one barrier may be in a second one, who waits for that perhaps in a third, and that way leads
// back. One of the ring has to make way: dynamically, lanes break out of it in front of the other one's Wait, which costs
// nothing where nobody comes there (Fig. 5(c)); statically, it is not in the code (Fig. 5(b)).
//
// A prediction has priority over the compiler's own barriers. Of two predictions (ours; the paper says nothing) the one
// whose point is in more loops has. Where neither is, both make way, each in front of the other's Wait, and both become
// soft: lanes that wait elsewhere will not come. One that nobody wrote is not in the code then.
#pragma once

#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

/// The threshold of two predictions that make way for each other and say none (ours): a quarter of a warp of 32.
constexpr unsigned ThresholdInConflict = 7;

class Deconfliction {
 public:
  Deconfliction(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                const std::vector<NaturalLoop>& loops, BarrierList& list, bool is_static)
      : code_(code), blocks_(blocks), loops_(loops), list_(list), is_static_(is_static) {}

  /// \throws std::invalid_argument  static, two predictions that somebody wrote, neither in more loops
  void between_predictions();

  /// Those of the program and behind their regions, in front of the compiler's own in the list. Says who may be in which.
  void with_defaults(std::size_t first_orthogonal, std::size_t first_default);

 private:
  const Prediction& prediction_of(std::size_t index) const;
  void remove(std::size_t index, Place place, std::string why);
  std::size_t depth_of(const Barrier& barrier) const;

  bool holds_up(std::size_t index, isa::Pc wait, std::size_t other) const;
  bool may_be_in(std::size_t index, std::size_t other) const;
  bool leads_to(std::size_t from, std::size_t to) const;
  std::set<isa::Pc> conflicts(std::size_t index, std::size_t other) const;
  bool who_waits_leaves(std::size_t index, isa::Pc way) const;
  void settle(std::size_t index, std::size_t other);
  void find_ranges();
  void break_out(std::size_t index, std::size_t of, const std::set<isa::Pc>& places, const std::string& why);
  void make_way(std::size_t index, std::size_t other);

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const std::vector<NaturalLoop>& loops_;
  BarrierList& list_;
  bool is_static_;
  std::vector<BarrierRange> ranges_;  // by barrier
};

}  // namespace heddle::compiler
