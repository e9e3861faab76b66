// SPDX-License-Identifier: Apache-2.0
// The mechanisms of the SM: a row each. What offers, lists, builds, tests or reports them reads these rows. Those of
// --divergence are made of the descriptions of the control flow units, rtl/*/unit.yaml (scripts/units --help).
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "sim/sm/links/slot_set.h"
#include "sim/twin/twins.h"

namespace heddle {

/// What the SM has beside a control flow unit, for it alone. A unit without any is a Stack.
enum class SmSide : unsigned char {
  Stack,
  Rotation,       ///< the scheduler sees one path of a warp at a time (DPE sec. 3.3)
  MemorySplit,    ///< lanes that a load has served go on without those that it has not (DPE sec. 7.2)
  SoftwareStack,  ///< programs push and pop (DPE sec. 7.3)
  Subdivision,    ///< a path may be without a slot (DPE sec. 2.2)
  Barriers,       ///< threads have PCs of their own, and meet where the compiler says (SR)
  Formation,      ///< threads of all warps meet, and warps are made of them (DWF sec. 4)
  PerLane,        ///< no warps: each lane issues for threads of its own (DWF sec. 6, MIMD)
};

/// A value of --divergence: what decides which lanes of a warp run. scripts/units makes these rows of rtl/*/unit.yaml.
struct DivergenceRow {
  const char* name = "";
  const char* what = "";
  const char* source = "";
  const char* block = "";            ///< of rtl/, which `heddle area` lists; empty: none
  const char* family = "";           ///< blocks that are compiled together; empty: no blocks
  const char* scoreboard = "";       ///< of its paper, unless the user says another
  unsigned paths = 1;                ///< of a warp that may issue
  int slice_unit = -1;               ///< Unit of the twin rtl/issue_slice; -1: that twin does not hold it
  const char* twin_parameters = "";  ///< that its block's twin has beside those of the design point, as "Policy=0"
  bool reconverges = false;          ///< else no branch tells the block where its sides meet
  bool calls = true;                 ///< has call entries, which functions that call themselves need
  unsigned subdivides = 0;           ///< N of warp subdivision: the longest block that may run twice
  SmSide sm_side = SmSide::Stack;
  bool is_reference = false;        ///< no blocks and no limits: stands beside the scoreboard of its row only
  bool takes_affine = false;        ///< decoupled affine computation may stand beside it
  const char* register_files = "";  ///< on which it can stand, separated by spaces, that of its paper first
  const char* parts = "";           ///< blocks of rtl/ that stand in its slice and in no other, as register_files

  const char* variant_of = "";  ///< a mechanism with the same hardware, which pages show for both
  const char* storage = "";     ///< its unit as `heddle area` names it: the block, or "block (option)"

  constexpr bool has(SmSide side) const { return sm_side == side; }
  /// Can the twin of rtl/issue_slice stand in place of its slice, with all that is in it?
  constexpr bool has_whole_twin() const { return slice_unit >= 0 && *parts == '\0'; }
  /// Do the threads of a warp start together and stay one: do its lanes mean anything to a program?
  bool keeps_warps() const { return !has(SmSide::Formation) && !has(SmSide::PerLane); }
};

/// A value of --scoreboard. Each may stand beside each divergence mechanism.
struct ScoreboardRow {
  const char* name;
  const char* what;
  const char* source;
  bool shadow;
  bool is_reference = false;  ///< no block: the SM looks at the lanes of what is on its way, without limit
  bool is_barrel = false;     ///< none: a thread has one instruction on its way
  bool has_block() const { return !is_reference && !is_barrel; }
};

/// A value of --register-file: what lanes reach of the registers (DWF Fig. 10, rtl/register_file).
struct RegisterFileRow {
  const char* name;
  const char* what;
  const char* source;
  bool any_lane;     ///< a thread may run in any lane; else in its home lane
  bool takes_turns;  ///< threads of one home lane take turns at its bank
};

}  // namespace heddle

#include "sim/sm/mechanism_rows.h"

namespace heddle {

inline constexpr std::array<ScoreboardRow, 4> scoreboards{{
    {"baseline", "one set of pending registers a warp", "DPE sec. 3.2", false},
    {"shadow", "left and right sets with shadow bits", "DPE sec. 3.2", true},
    {"optimistic", "no false dependency, and never full: a reference, not hardware", "DPE sec. 4", false, true},
    {"barrel", "none, barrel processing: a thread issues when its last instruction is done", "DWF sec. 2.1", false,
     false, true},
}};

inline constexpr std::array<RegisterFileRow, 4> register_files{{
    {"ideal", "any lane reads any register at once: a bound", "DWF Fig. 10 (a)", true, false},
    {"naive", "a bank a lane behind a crossbar: threads of one home lane take turns", "DWF Fig. 10 (b)", true, true},
    {"static", "a bank a lane, one decoder: warps stay as they are", "DWF Fig. 10 (c)", false, false},
    {"lane_aware", "a bank and a decoder a lane: threads stay in their home lanes", "DWF Fig. 10 (d)", false, false},
}};

/// A value of --affine: what computes what is affine in the thread index (DAC).
struct AffineRow {
  const char* name;
  const char* what;
  const char* source;
  const char* block;  ///< of rtl/, which `heddle area` lists; empty: none
  bool decouples;     ///< an affine warp for all warps, with queues to them
  bool per_warp;      ///< an affine unit beside the lanes, for instructions of one warp

  bool is_some() const { return decouples || per_warp; }
};

inline constexpr std::array<AffineRow, 3> affine_units{{
    {"none", "every warp computes its own addresses and predicates", "", "", false, false},
    {"dac", "decoupled affine computation: one affine warp computes them once for a batch of CTAs", "DAC sec. 4",
     "affine_expansion", true, false},
    {"cae", "an affine unit beside the lanes takes instructions of one warp that are affine; none are saved",
     "DAC sec. 5", "", false, true},
}};

/// A value of --prefetch: what asks for lines before anybody loads them.
struct PrefetchRow {
  const char* name;
  const char* what;
  const char* source;
  bool prefetches;  ///< a prefetcher an SM, with a buffer below its L1
};

inline constexpr std::array<PrefetchRow, 2> prefetchers{{
    {"none", "lines are asked for by loads alone", "", false},
    {"mta", "many-thread-aware prefetching: strides of a warp, of all warps, and from warp to warp", "MTA", true},
}};

/// In the order of lists.
const std::vector<DivergenceRow>& divergences();
std::vector<std::string> divergence_names();
std::vector<std::string> scoreboard_names();
std::vector<std::string> register_file_names();

/// dws1 to dws255, and the same with _ideal; null: it is not the name of a subdivision.
const DivergenceRow* subdivision_named(const std::string& name);

/// \throws std::invalid_argument naming those that there are.
const DivergenceRow& divergence_named(const std::string& name);
const ScoreboardRow& scoreboard_named(const std::string& name);
const RegisterFileRow& register_file_named(const std::string& name);

/// \throws std::invalid_argument naming those that there are.
const AffineRow& affine_named(const std::string& name);
std::vector<std::string> affine_names();
const PrefetchRow& prefetcher_named(const std::string& name);
std::vector<std::string> prefetcher_names();

/// Which register files a divergence mechanism can stand on, by name, that of its paper first.
std::vector<std::string> register_files_of(const DivergenceRow& row);

/// How affine values are computed.
struct AffineChoice {
  std::string name = "none";  ///< of its row
  bool full_batches =
      true;            ///< the affine warp waits until the SM is empty for its next batch; else it takes what is free
  bool strict = true;  ///< no enq issues while a predicate queue is full (DAC sec. 4.1); else enq.pred alone waits
  /// It waits at branches that the warps decide (DAC sec. 4.4); else nothing that needs one is split.
  bool outcomes = true;
};

/// Which mechanisms an SM is built with, by the names of their rows.
struct Mechanism {
  std::string divergence = "spe";
  std::string scoreboard = "baseline";
  std::string register_file = "";  ///< empty: that of the divergence mechanism's paper
  Twins twins = {};
  AffineChoice affine = {};
  std::string prefetch = "none";  ///< of its row
};

/// The register file of a mechanism, also where none is named.
std::string register_file_of(const Mechanism& mechanism);

/// The family whose library its blocks are in (scripts/slice_point), which depends on a part of the point: Stacks,
/// Splits, Barriers or Formation; TwinStacks and the like, where twins stand in place of blocks; WholeTwinStacks, where
/// one stands in place of an issue slice; empty: it needs none.
std::string family_of(const Mechanism& mechanism);
/// The same of the blocks of decoupled affine computation: Affine or TwinAffine.
std::string affine_family_of(const Mechanism& mechanism);

/// Blocks whose Verilated twin can stand in the SM in their place.
std::vector<std::string> blocks_with_twins();

/// Blocks that stand in one of those. What their ports show can be recorded as well, but no twin stands there without the
/// rest.
std::vector<std::string> parts_of_blocks();

/// Has an SM of this mechanism that block? An issue slice, only where its twin has all that is in it.
bool has_block(const Mechanism& mechanism, const std::string& block);

/// The blocks that are part of this one.
std::vector<std::string> blocks_within(const Mechanism& mechanism, const std::string& block);

/// A block in which others stand that have twins of their own there: an issue slice.
bool holds_twins(const Mechanism& mechanism, const std::string& block);

/// Parameters of such a twin that its design point does not say, as {"Policy=0", "LaneAware=1", "Swizzle=1"}.
/// \param swizzles  of the point
std::vector<std::string> twin_parameters(const Mechanism& mechanism, const std::string& block, bool swizzles);

/// Each divergence mechanism with the scoreboard and the register file of its paper.
Mechanism with_its_scoreboard(const std::string& divergence);

}  // namespace heddle
