// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/flight_window.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

#include "sim/sm/links/clock_gate.h"

namespace heddle::gpu {

namespace {

constexpr std::uint64_t Behind = 20;  // cycles that are shown after the last edge of an SM that is stuck

/// A path of a block, as blocks name themselves in errors: "sm0.slice0.scoreboard".
std::string block_in(const std::string& what) {
  std::smatch found;
  return std::regex_search(what, found, std::regex("\\bsm\\d+(\\.\\w+)+")) ? found[0].str() : "";
}

/// Paths of the ports of an SM's blocks, and of the state of the one that failed.
std::string paths(unsigned sm, const std::string& block) {
  std::string ports = fmt::format("sm{}\\..*_[io](_\\d+)*", sm);
  if (block.empty()) return ports;
  return ports + '|' + std::regex_replace(block, std::regex("\\."), "\\.") + "\\.[a-z_]+(_\\d+)*";
}

}  // namespace

TraceWindow flight_window(const FlightParameters& parameters, const std::string& what, unsigned sm,
                          std::uint64_t last) {
  const std::uint64_t now = sc_core::sc_time_stamp().value() / core_cycles(1).value();
  const std::uint64_t end = std::min(now, last + Behind) + 1;
  TraceWindow window;
  window.file = parameters.file;
  window.wanted = paths(sm, block_in(what));
  window.from = core_cycles(double(end - std::min(end, parameters.cycles)));
  window.to = core_cycles(double(end));
  return window;
}

}  // namespace heddle::gpu
