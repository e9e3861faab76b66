#include "sim/report/affine_storage.h"

#include <stdexcept>
#include <string>

#include "rtl/affine/affine_alu/affine_alu.h"
#include "rtl/affine/affine_expansion.h"
#include "rtl/affine/affine_stack/affine_stack.h"

namespace heddle::report {

namespace {

template <class P>
std::vector<std::unique_ptr<sc_core::sc_module>> elaborate() {
  using A = Affine<P::Warps, P::Lanes, P::Ctas, P::AffineBits>;
  using Expansion =
      affine_expansion<A, P::AtqEntries, P::WarpQueueEntries, P::L1Sets, P::L1Ways, P::LineBytes, P::LockBits>;
  std::vector<std::unique_ptr<sc_core::sc_module>> units;
  units.push_back(std::make_unique<Expansion>("affine_expansion"));
  units.push_back(std::make_unique<affine_stack<A, P::PcBits, P::AffineDepth, P::AffineLaneDepth>>("affine_stack"));
  units.push_back(std::make_unique<affine_alu<A>>("affine_alu"));
  return units;
}

}  // namespace

std::vector<std::unique_ptr<sc_core::sc_module>> elaborate_affine(const DesignPoint& point) {
#define HEDDLE_TRY(candidate) \
  if (point.name == std::string(#candidate)) return elaborate<point::candidate>();
  HEDDLE_DESIGN_POINTS(HEDDLE_TRY)
#undef HEDDLE_TRY
  throw std::invalid_argument("design point '" + std::string(point.name) + "' is not built");
}

}  // namespace heddle::report
