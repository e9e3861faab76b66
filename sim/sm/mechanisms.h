// SPDX-License-Identifier: Apache-2.0
// The mechanisms of the SM: a row each. What offers, lists, builds, tests or reports them reads these rows; to add one
// is to write its block and a row.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "sim/sm/slot_set.h"
#include "sim/twin/twins.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class single_path_stack;
template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth, bool Forwarding, bool Deals>
class dual_path_stack;
template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class software_stack;
template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth, unsigned Entries>
class warp_split_table;
enum class Picker : unsigned;
enum class Policy : unsigned;
template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Barriers, Picker Policy>
class convergence_barrier;

/// A value of --divergence: what decides which lanes of a warp run.
struct DivergenceRow {
  const char* name;
  const char* what;
  const char* source;
  const char* block;          ///< of rtl/, which `heddle area` lists; empty: none
  const char* scoreboard;     ///< of its paper, unless the user says another
  unsigned paths;             ///< of a warp that may issue
  bool reconverges;           ///< else no branch tells the block where its sides meet
  bool calls = true;          ///< has call entries, which functions that call themselves need
  unsigned subdivides = 0;    ///< N of warp subdivision: the longest block that may run twice; 0: none
  bool barriers = false;      ///< threads have PCs of their own, and meet where the compiler says (SR)
  bool rotates = false;       ///< the scheduler sees one path of a warp at a time
  bool is_reference = false;  ///< no blocks and no limits: stands beside the scoreboard of its row only
  bool splits_loads = false;  ///< lanes that a load has served go on without those that it has not
  bool software = false;      ///< programs push and pop
  bool forms = false;         ///< threads of all warps meet, and warps are made of them (DWF sec. 4)
  bool per_lane = false;      ///< no warps: each lane issues for threads of its own (DWF sec. 6, MIMD)

  /// Do the threads of a warp start together and stay one: do its lanes mean anything to a program?
  bool keeps_warps() const { return !forms && !per_lane; }
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
  using Unit = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth, false, false>;
};

struct dpe_forwarding {
  static constexpr DivergenceRow Row{
      "dpe_forwarding", "dual-path stack with path forwarding", "DPE sec. 7.1", "dual_path_stack", "shadow", 2, true};
  template <class P>
  using Unit = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth, true, false>;
};

/// DPE's constrained scheduler: as many entries as with one path.
struct dpe_constrained {
  static constexpr DivergenceRow Row{"dpe_constrained",
                                     "dual-path stack of which the scheduler sees one path a warp, in turn",
                                     "DPE sec. 3.3, 6.4",
                                     "dual_path_stack",
                                     "shadow",
                                     2,
                                     true,
                                     true,
                                     0,
                                     false,
                                     true};
  template <class P>
  using Unit = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth, false, false>;
};

struct dpe_memory_split {
  static constexpr DivergenceRow Row{"dpe_memory_split",
                                     "dual-path stack: lanes that hit go on beside those that miss",
                                     "DPE sec. 7.2",
                                     "dual_path_stack",
                                     "shadow",
                                     2,
                                     true,
                                     true,
                                     0,
                                     false,
                                     false,
                                     false,
                                     true};
  template <class P>
  using Unit = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth, false, true>;
};

struct dpe_software {
  static constexpr DivergenceRow Row{"dpe_software",
                                     "dual-path stack that programs push and pop",
                                     "DPE sec. 7.3",
                                     "software_stack",
                                     "shadow",
                                     2,
                                     true,
                                     true,
                                     0,
                                     false,
                                     false,
                                     false,
                                     false,
                                     true};
  template <class P>
  using Unit = software_stack<P::SlotWarps, P::Lanes, P::PcBits, P::SoftwareDepth>;
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

/// Dynamic warp subdivision: the sides of a branch become warp splits if the block at its post-dominator, which they
/// would run twice, has at most N instructions. DPE compares N of 10, 50 and 100, which are listed; N is an input of
/// the block, and subdivision_named() has a row for any other.
template <unsigned N>
struct dws {
  template <class P>
  using Unit = warp_split_table<P::SlotWarps, P::Lanes, P::PcBits, P::SpeDepth, P::SplitEntries>;
  static constexpr DivergenceRow row(const char* name) {
    return {name,
            "dynamic warp subdivision: sides of a branch become splits, issued side by side",
            "DPE sec. 2.2",
            "warp_split_table",
            "shadow",
            2,
            true,
            false,
            N};
  }
};
struct dws10 : dws<10> {
  static constexpr DivergenceRow Row = row("dws10");
};
struct dws50 : dws<50> {
  static constexpr DivergenceRow Row = row("dws50");
};
struct dws100 : dws<100> {
  static constexpr DivergenceRow Row = row("dws100");
};

/// The same without limits: any number of splits issues. N of 50, DPE's choice, is listed; subdivision_named() has the
/// others.
template <unsigned N>
struct ideal_dws {
  static constexpr DivergenceRow row(const char* name) {
    return {name,
            "subdivision as DPE compares with it: any number of splits issues; a reference",
            "DPE sec. 2.2, 4",
            "warp_split_table",
            "optimistic",
            MostPaths,
            true,
            false,
            N,
            false,
            false,
            true};
  }
};
struct dws50_ideal : ideal_dws<50> {
  static constexpr DivergenceRow Row = row("dws50_ideal");
};

/// A scalar pipeline a lane: what warps are compared with.
struct mimd {
  static constexpr DivergenceRow Row{"mimd",
                                     "MIMD: each lane issues for its own threads, whatever the others do; a reference",
                                     "DWF sec. 6",
                                     "",
                                     "barrel",
                                     1,
                                     false,
                                     true,
                                     0,
                                     false,
                                     false,
                                     true,
                                     false,
                                     false,
                                     false,
                                     true};
};

/// Convergence barriers, by whose turn it is among the groups of ready threads with equal PC.
template <unsigned Policy>
struct barriers {
  template <class P>
  using Unit = convergence_barrier<P::SlotWarps, P::Lanes, P::PcBits, P::BarrierRegisters, Picker(Policy)>;
  static constexpr DivergenceRow row(const char* name, const char* what) {
    return {name, what, "SR sec. 2", "convergence_barrier", "baseline", 1, false, true, 0, true};
  }
};
struct barrier : barriers<0> {
  static constexpr DivergenceRow Row =
      row("barrier", "convergence barriers; of the groups that are ready, the one that waited longest");
};
struct barrier_largest : barriers<1> {
  static constexpr DivergenceRow Row = row("barrier_largest", "convergence barriers; the largest group first");
};
struct barrier_lowest_pc : barriers<2> {
  static constexpr DivergenceRow Row = row("barrier_lowest_pc", "convergence barriers; the lowest PC first");
};
struct barrier_round_robin : barriers<3> {
  static constexpr DivergenceRow Row = row("barrier_round_robin", "convergence barriers; by lane, in turn");
};

/// Dynamic warp formation, by what goes first.
template <unsigned Order>
struct formations {
  static constexpr Policy IssueOrder = Policy(Order);
  static constexpr DivergenceRow row(const char* name, const char* what) {
    return {name,  what,  "DWF sec. 4", "warp_formation", "barrel", 1, false, true, 0, false, false, false,
            false, false, true};
  }
};
struct formation : formations<0> {
  static constexpr DivergenceRow Row =
      row("formation", "dynamic warp formation: threads at one PC meet; the PC of most threads goes first");
};
struct formation_minority : formations<1> {
  static constexpr DivergenceRow Row =
      row("formation_minority", "dynamic warp formation; the PC of fewest threads first");
};
struct formation_time_stamp : formations<2> {
  static constexpr DivergenceRow Row = row("formation_time_stamp", "dynamic warp formation; the oldest warp first");
};
struct formation_pdpri : formations<3> {
  static constexpr DivergenceRow Row =
      row("formation_pdpri", "dynamic warp formation; who has passed fewest post-dominators first");
};
struct formation_program_counter : formations<4> {
  static constexpr DivergenceRow Row = row("formation_program_counter", "dynamic warp formation; the lowest PC first");
};

/// Those that are compiled together for a design point (scripts/slice_point).
using Stacks = std::tuple<spe, dpe, dpe_constrained, dpe_forwarding, dpe_memory_split, dpe_software, serial>;
using Splits = std::tuple<dws10, dws50, dws100>;
using Barriers = std::tuple<barrier, barrier_largest, barrier_lowest_pc, barrier_round_robin>;
using Formation =
    std::tuple<formation, formation_minority, formation_time_stamp, formation_pdpri, formation_program_counter>;
/// The blocks of decoupled affine computation, which stand beside any of these: no divergence mechanism.
using Affine = std::tuple<>;
/// Those without blocks, which the SM has itself.
using References = std::tuple<dws50_ideal, mimd>;

}  // namespace mechanism

using DivergenceMechanisms = decltype(std::tuple_cat(mechanism::Stacks(), mechanism::Splits(), mechanism::Barriers(),
                                                     mechanism::Formation(), mechanism::References()));

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

/// The rows of DivergenceMechanisms.
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
  bool told =
      true;  ///< it waits at branches that the warps decide (DAC sec. 4.4); else nothing that needs one is split
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

/// Whose library its blocks are in (scripts/slice_point), and what of a point that depends on: Stacks, Splits, Barriers or
/// Formation; TwinStacks and the like, where twins stand in place of blocks; WholeTwinStacks, where one stands in place of
/// an issue slice; empty: it needs none.
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
