#include "sim/sm/issue_slice.h"

#include <fmt/format.h>
#include <stdexcept>

namespace heddle {

namespace point {
#define HEDDLE_DECLARE(name)                                                                                         \
  std::unique_ptr<IssueSlice> slice_at_##name(const std::string&, const Mechanism&, const sc_core::sc_signal<bool>&, \
                                              const sc_core::sc_signal<bool>&);
HEDDLE_DESIGN_POINTS(HEDDLE_DECLARE)  // issue_slice_at_point.cpp
#undef HEDDLE_DECLARE
}  // namespace point

std::unique_ptr<IssueSlice> make_issue_slice(const std::string& name, const DesignPoint& at, const Mechanism& mechanism,
                                             const sc_core::sc_signal<bool>& clk,
                                             const sc_core::sc_signal<bool>& rst_n) {
  divergence_named(mechanism.divergence);  // refuse a name before a point
  scoreboard_named(mechanism.scoreboard);
#define HEDDLE_TRY(candidate, compiled)                                         \
  if (&at == &point::candidate::Values || at.name == std::string(#candidate)) { \
    return point::slice_at_##compiled(name, mechanism, clk, rst_n);             \
  }
  HEDDLE_SLICES(HEDDLE_TRY)
#undef HEDDLE_TRY
  throw std::invalid_argument(fmt::format("design point '{}' is not built", at.name));
}

}  // namespace heddle
