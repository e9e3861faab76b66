// The mechanisms of the SM: a row each. What offers, lists, builds, tests or reports them reads these rows; to add one
// is to write its block and a row.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class single_path_stack;
template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class dual_path_stack;

/// A value of --divergence: what decides which lanes of a warp run.
struct DivergenceRow {
  const char* name;
  const char* what;
  const char* source;
  const char* block;       ///< of rtl/, which `heddle area` lists
  const char* scoreboard;  ///< of its paper, unless the user says another
  unsigned paths;          ///< of a warp that may issue
  bool reconverges;        ///< else no branch tells the block where its sides meet
};

/// A value of --scoreboard. Each may stand beside each divergence mechanism.
struct ScoreboardRow {
  const char* name;
  const char* what;
  const char* source;
  bool shadow;
};

namespace mechanism {

struct spe {
  static constexpr DivergenceRow Row{
      "spe", "single-path reconvergence stack", "DPE sec. 2.1, DWF sec. 3.2", "single_path_stack", "baseline", 1, true};
  template <class P>
  using Unit = single_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::SpeDepth>;
};

struct dpe {
  static constexpr DivergenceRow Row{
      "dpe", "dual-path stack: both sides of a branch interleave", "DPE sec. 3.1", "dual_path_stack", "shadow", 2,
      true};
  template <class P>
  using Unit = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth>;
};

/// Sides of a branch that never meet again run one after the other: the single-path stack with RPC `none` throughout,
/// of whose entries Lanes are then enough.
struct serial {
  static constexpr DivergenceRow Row{"serial",       "no reconvergence: lanes that parted run one after the other",
                                     "DWF sec. 3.1", "single_path_stack",
                                     "baseline",     1,
                                     false};
  template <class P>
  using Unit = single_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::SpeDepth>;
};

}  // namespace mechanism

using DivergenceMechanisms = std::tuple<mechanism::spe, mechanism::dpe, mechanism::serial>;

inline constexpr std::array<ScoreboardRow, 2> scoreboards{{
    {"baseline", "one set of pending registers a warp", "DPE sec. 3.2", false},
    {"shadow", "left and right sets with shadow bits", "DPE sec. 3.2", true},
}};

/// The rows of DivergenceMechanisms.
const std::vector<DivergenceRow>& divergences();
std::vector<std::string> divergence_names();
std::vector<std::string> scoreboard_names();

/// \throws std::invalid_argument naming those that there are.
const DivergenceRow& divergence_named(const std::string& name);
const ScoreboardRow& scoreboard_named(const std::string& name);

/// Which mechanisms an SM is built with, by the names of their rows.
struct Mechanism {
  std::string divergence = "spe";
  std::string scoreboard = "baseline";
};

/// Each divergence mechanism with the scoreboard of its paper.
Mechanism with_its_scoreboard(const std::string& divergence);

}  // namespace heddle
