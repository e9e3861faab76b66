#include "sim/sm/issue_slice.h"

#include <fmt/format.h>
#include <stdexcept>

#include "sim/sm/issue_slice_of.h"

namespace heddle {

namespace {

void check(const Mechanism& mechanism) {
  if (mechanism.divergence != "spe" && mechanism.divergence != "dpe") {
    throw std::invalid_argument(fmt::format("no divergence mechanism '{}'; known: spe, dpe", mechanism.divergence));
  }
  if (mechanism.scoreboard != "baseline" && mechanism.scoreboard != "shadow") {
    throw std::invalid_argument(fmt::format("no scoreboard '{}'; known: baseline, shadow", mechanism.scoreboard));
  }
}

}  // namespace

std::unique_ptr<IssueSlice> make_issue_slice(const std::string& name, const DesignPoint& at, const Mechanism& mechanism,
                                             const sc_core::sc_signal<bool>& clk,
                                             const sc_core::sc_signal<bool>& rst_n) {
  check(mechanism);
#define HEDDLE_TRY(candidate)                                                                    \
  if (&at == &point::candidate::Values || at.name == std::string(#candidate)) {                  \
    return std::make_unique<issue_slice<point::candidate>>(name.c_str(), mechanism, clk, rst_n); \
  }
  HEDDLE_DESIGN_POINTS(HEDDLE_TRY)
#undef HEDDLE_TRY
  throw std::invalid_argument(fmt::format("design point '{}' is not built", at.name));
}

}  // namespace heddle
