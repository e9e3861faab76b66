// Expansion of affine tuples, and what the affine warp needs besides, its stack and ALU.
#include "elaborated_point.h"
#include "rtl/affine/affine_alu/affine_alu.h"
#include "rtl/affine/affine_expansion.h"
#include "rtl/affine/affine_stack/affine_stack.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

Modules elaborate() {
  using A = Affine<P::Warps, P::Lanes, P::Ctas, P::AffineBits>;
  using Expansion =
      affine_expansion<A, P::AtqEntries, P::WarpQueueEntries, P::L1Sets, P::L1Ways, P::LineBytes, P::LockBits>;
  Modules units;
  units.push_back(std::make_unique<Expansion>("affine_expansion"));
  units.push_back(std::make_unique<affine_stack<A, P::PcBits, P::AffineDepth, P::AffineLaneDepth>>("affine_stack"));
  units.push_back(std::make_unique<affine_alu<A>>("affine_alu"));
  return units;
}

}  // namespace heddle::report
