// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/affine_stack_room.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <vector>

namespace heddle::compiler {
namespace {

using isa::Kind;
using isa::OutcomeFrom;
using isa::Pc;

/// A path as one of its warps sees it: where it is, where it ends, and whether the warp holds a mask for it.
struct Place {
  Pc pc = 0, rpc = isa::NoPc;
  bool holds = false;
  bool operator<(const Place& other) const {
    return std::tie(pc, rpc, holds) < std::tie(other.pc, other.rpc, other.holds);
  }
};

/// Used so far, the path and its own mask included.
struct Used {
  unsigned paths = 0, masks = 0;
};

/// The most that each place may be reached with. Counts end one above the size, so that loops end too.
class Room {
 public:
  Room(const AffineStackSize& size, const VirtualCode& stream, const Divergence& lanes)
      : size_(size), stream_(stream), lanes_(lanes) {}

  std::string run() {
    reach({0, isa::NoPc, false}, {1, 0});
    while (!rest_.empty() && why_.empty()) {
      const Place place = rest_.back();
      rest_.pop_back();
      step(place, most_.at(place));
    }
    return why_;
  }

 private:
  void step(const Place& at, const Used& used) {
    if (at.pc == at.rpc || at.pc >= stream_.code.size()) return;  // popped
    const VirtualInstruction& instruction = stream_.code[at.pc];
    const isa::Instruction& body = instruction.body;
    if (body.kind == Kind::Exit) return;
    const bool is_jump = body.kind == Kind::Branch;
    const bool is_guarded = is_jump && (instruction.is_guarded() || body.guard.kind != isa::Source::Kind::None);
    if (is_jump) reach({body.target, at.rpc, at.holds}, used);
    if (!is_jump || is_guarded) reach({at.pc + 1, at.rpc, at.holds}, used);
    if (is_guarded && body.outcome != OutcomeFrom::Itself) part(at, used);
  }

  /// R5 and R6.
  void part(const Place& at, const Used& used) {
    const isa::Instruction& body = stream_.code[at.pc].body;
    const Pc meet = body.rpc, left = body.target, right = at.pc + 1;
    const bool left_there = left != meet, right_there = right != meet;
    if (!left_there && !right_there) return;
    const bool is_kept = meet != at.rpc, both = left_there && right_there;
    const bool may_part = lanes_.is_divergent(stream_.code[at.pc].origin);
    const unsigned paths = used.paths - (is_kept ? 0 : 1), masks = used.masks - (!is_kept && at.holds ? 1 : 0);
    if (is_kept) reach({meet, at.rpc, at.holds}, used);
    const auto side = [&](Pc first, unsigned above) {
      if (may_part) add({first, meet, true}, {paths + above, masks + above}, at.pc);
      add({first, meet, !is_kept && at.holds}, {paths + above, used.masks}, at.pc);
    };
    if (left_there) side(left, both ? 2 : 1);
    if (right_there) side(right, 1);
  }

  void add(const Place& to, const Used& used, Pc branch) {
    if (used.paths > size_.paths || used.masks > size_.masks) {
      const bool paths = used.paths > size_.paths;
      why_ = fmt::format("threads that part at the branch in line {} may need more than the {} {} of the affine stack",
                         stream_.code[branch].where.line, paths ? size_.paths : size_.masks,
                         paths ? "paths" : "masks a warp");
      return;
    }
    reach(to, used);
  }

  void reach(const Place& to, const Used& used) {
    Used& most = most_[to];
    if (used.paths <= most.paths && used.masks <= most.masks) return;
    most = {std::max(most.paths, used.paths), std::max(most.masks, used.masks)};
    rest_.push_back(to);
  }

  const AffineStackSize size_;
  const VirtualCode& stream_;
  const Divergence& lanes_;
  std::map<Place, Used> most_;
  std::vector<Place> rest_;
  std::string why_;
};

}  // namespace

std::string why_beyond(const AffineStackSize& size, const VirtualCode& stream, const Divergence& lanes) {
  return Room(size, stream, lanes).run();
}

}  // namespace heddle::compiler
