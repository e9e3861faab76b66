// SPDX-License-Identifier: Apache-2.0
// The internal instruction set: what the compiler produces and what the SM and the oracle execute.
//
// A program counter is an instruction index. An instruction has at most one destination and three sources; what a
// PTX instruction does beyond that (vector loads, setp p|q) is lowered into several. `kind` decides its way through
// the machine, `unit` its latency, `evaluate` its value. A register is 32 bits wide; a 64-bit value takes an aligned
// even pair (low word first).
//
// Reading a source: registers and special registers zero-extend to 64 bits; a predicate is 0 or 1, after `negated`;
// an immediate is `value`; a parameter is `bytes` bytes at offset `index` of the launch's parameter block.
// A value is cut to the width of its destination when it is written.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/isa/global_data.h"
#include "tlm/atomic.h"

namespace heddle::isa {

using Pc = std::uint32_t;
constexpr Pc NoPc = 0xffffffffU;  // as an RPC: the paths meet only at the virtual exit

constexpr unsigned MaxLanes = 32;
using Lanes = std::uint32_t;  // bit l: lane l
using LaneValues = std::array<std::uint64_t, MaxLanes>;

constexpr unsigned MaxRegisters = 256, MaxPredicates = 32;
constexpr unsigned LeastRegisters = 16;  // with so many, any program can be compiled: the rest goes to local memory

/// Scoreboard names: 0..255 registers, 256..287 predicates, then the carry of extended-precision arithmetic. The carry
/// is a bit a thread like a predicate, and is read and written as the one after the last.
constexpr std::uint16_t FirstPredicate = 256, CarryPredicate = MaxPredicates, CarryId = 288, NoRegister = 511;
static_assert(CarryId == FirstPredicate + CarryPredicate);

/// What a branch is. On a stack, lanes that run together have one target but for Jump under a guard and Peel.
enum class BranchKind : std::uint8_t {
  Jump,    // to `target`
  Peel,    // lanes whose sources[0] equals that of the lowest active lane go to `target`, the others on: so an indirect
           // branch takes one target at a time (DESIGN sec. 5)
  Call,    // to `target`; without one, to targets[table][sources[0]]
  Return,  // to the PC in sources[0]
  Table,   // to targets[table][sources[0]]
  Pop      // to `target`, where the push that it ends said that lanes go on: of programs that manage the stack
};

struct RegisterName {
  std::uint16_t id = NoRegister;
  bool wide = false;  // an aligned even pair: id and id + 1

  bool is_none() const { return id == NoRegister; }
  bool is_predicate() const { return id >= FirstPredicate && id <= CarryId; }  // or the carry
};

enum class Kind : std::uint8_t {
  Compute,
  Load,
  Store,
  Atomic,
  Branch,
  Exit,
  Barrier,
  Fence,
  Trap,
  WarpWide,
  Host,
  Convergence,
  Enqueue  // of an affine stream alone
};

/// Latency class. Special: division, remainder, roots, reciprocals and approximate functions.
enum class Unit : std::uint8_t { Alu, Multiplier, Special, LoadStore, Control };

/// What an instruction computes, for who reads programs without running them: of those that keep a value affine in the
/// thread index (DAC sec. 2), on integers and without saturation or carry; and comparisons of 32-bit integers, one alone.
/// Other: anything else.
enum class Op : std::uint8_t { Other, Copy, Add, Subtract, Negate, Multiply, MultiplyAdd, ShiftLeft, Compare };

/// Memory of an access. Generic: each lane goes where its address says (address_space.h).
enum class Space : std::uint8_t { None, Global, Shared, Local, Generic };

using AtomicOp = heddle::AtomicOp;  // what it does: tlm/atomic.h

/// What lanes of a warp compute from each other's operands: warp_wide.h.
enum class WarpOp : std::uint8_t {
  None,  // bar.warp.sync: the lanes meet, nothing else
  ShuffleUp,
  ShuffleDown,
  ShuffleButterfly,
  ShuffleIndex,
  VoteAll,
  VoteAny,
  VoteUniform,
  Ballot,
  MatchAny,
  MatchAll,
  ActiveMask,
  Elect,
  Add,
  MinSigned,
  MaxSigned,
  MinUnsigned,
  MaxUnsigned,
  And,
  Or,
  Xor
};

/// What a thread does at a CTA barrier: cta_barriers.h. Popc, All and Any wait too, and get a value when it opens.
enum class BarrierOp : std::uint8_t { Sync, Arrive, Popc, All, Any };

/// What the compiler says where lanes of a warp meet by convergence barriers (SR Table 1). Meet is for the operands of
/// a .sync operation, which comes next: lanes wait for those of the mask in sources[0]. Push is for machines whose
/// programs manage the stack: its lanes go on at `target` when they have popped (DPE sec. 7.3). Arrive joins and gives
/// its destination whether more than sources[0] have (SR Fig. 6); Copy and Take make the participants those of
/// `barrier_source`, which Take empties.
enum class ConvergenceOp : std::uint8_t { Join, Wait, Yield, Meet, Push, Cancel, Arrive, Copy, Take };

/// The queues between the two streams of decoupled affine computation (DAC Fig. 7). Data: addresses of loads, whose lines
/// are requested at once; Address: of stores; Predicate: a bit a thread.
enum class QueueOp : std::uint8_t { None, Data, Address, Predicate };

/// What tells the affine warp where threads go from a branch (DAC sec. 4.4). Itself: its predicate is the same for the
/// whole batch. Predicates: the predicate expansion unit, from what was enqueued right before. Warps: those that execute
/// the branch, whose copy of it has this value too.
enum class OutcomeFrom : std::uint8_t { None, Itself, Predicates, Warps };

/// How an affine warp compares a tuple with what is the same for each CTA; Lo to Hs are unsigned.
enum class Comparison : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs };

/// What a thread tells the host, which prints for it: console.h.
enum class HostOp : std::uint8_t { Argument, Print, Assert, Next, Result };

enum class SpecialRegister : std::uint16_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  Laneid,
  Warpid,
  Nwarpid,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  Smid,
  Nsmid,
  DynamicSharedBytes,
  SharedBytes,
  ClockLow,
  ClockHigh,
  GlobaltimerLow,
  GlobaltimerHigh,
  // 64 bits wide from here on
  Clock,
  Globaltimer,
  Gridid,
  Count
};
constexpr unsigned SpecialRegisters = static_cast<unsigned>(SpecialRegister::Count);

constexpr bool is_wide(SpecialRegister which) {
  return which >= SpecialRegister::Clock;
}
/// Its value is another one each time it is read.
constexpr bool is_clock(SpecialRegister which) {
  return which >= SpecialRegister::ClockLow && which <= SpecialRegister::Globaltimer;
}

struct Source {
  /// Queue: of an address or a guard; the record that the warp dequeues says it.
  enum class Kind : std::uint8_t { None, Register, Predicate, Immediate, Special, Parameter, Queue };
  Kind kind = Kind::None;
  bool wide = false;        // of a register: read a pair; of a special register: all 64 bits
  bool negated = false;     // of a predicate
  std::uint16_t index = 0;  // register, predicate (0..31, carry), SpecialRegister, or byte offset of a parameter
  std::uint8_t bytes = 0;   // of a parameter
  std::uint64_t value = 0;  // of an immediate
};

/// One thread: 32-bit results are zero-extended, predicates are 0 or 1.
using Evaluate = std::uint64_t (*)(std::uint64_t a, std::uint64_t b, std::uint64_t c);
/// All lanes at once, active or not; the caller writes only the active ones.
using EvaluateLanes = void (*)(const LaneValues& a, const LaneValues& b, const LaneValues& c, LaneValues& d);

/// As `lane_limits`: a shuffle's operand c is in the bits of sources[1] from 8 up, for it was in a register.
constexpr std::uint16_t LimitsInSource = 0xffff, LimitBits = 0x1f1f;  // the bits of c that count: segments, clamp

struct Instruction {
  Kind kind = Kind::Compute;
  Unit unit = Unit::Alu;
  Op op = Op::Other;
  const char* mnemonic = "";  // the PTX opcode it comes from, in static storage; for people
  Evaluate evaluate = nullptr;
  EvaluateLanes evaluate_lanes = nullptr;
  RegisterName destination;
  bool half_rate = false;  // an integer multiplication, shift or conversion: busies lanes for longer on some machines
  std::uint8_t narrowest = 0;  // bits of the narrowest type that it computes with, predicates apart
  Source guard;                // None or Predicate; of a branch: taken
  std::array<Source, 3> sources;

  // Memory: address = sources[0] + offset; data or atomic operand = sources[1]; a compare-exchange compares with
  // sources[2] and stores sources[1].
  Space space = Space::None;
  std::uint8_t bytes = 0;
  bool sign_extend = false;  // of a load; of an atomic: signed minimum and maximum
  bool is_volatile = false;
  bool is_constant = false;  // of a load: nobody writes there while a kernel runs, and a constant cache may answer it
  bool is_coherent = false;  // of a load: sees what another SM has stored, no L1 may answer it; of a fence: fence.h
  AtomicOp atomic = AtomicOp::None;
  std::int64_t offset = 0;

  // Warp-wide: sources[0] and sources[1] are PTX's operands a and b, sources[2] the member mask if `meets`.
  WarpOp warp_op = WarpOp::None;
  bool meets = false;  // .sync: the live lanes of the mask take part; if not, the active lanes, whatever they are
  std::uint16_t lane_limits = 0;  // of a shuffle: PTX's operand c, or LimitsInSource

  // A barrier: sources[0] is its number, sources[1] how many threads it is for (none: all live threads of the CTA),
  // sources[2] the predicate of a reduction.
  BarrierOp barrier_op = BarrierOp::Sync;

  // Convergence: `barrier` is the register.
  ConvergenceOp convergence = ConvergenceOp::Join;
  std::uint8_t barrier = 0, barrier_source = 0;

  HostOp host_op = HostOp::Argument;  // sources[0] is what the thread hands over

  // Decoupled affine computation. Of a load, store or branch of the warps: its address or guard is dequeued. Of an
  // Enqueue: what it is for; Data and Address: sources[0] + offset, of `bytes` bytes; Predicate: sources[0] is the
  // predicate, negated as the branch has it.
  QueueOp queue = QueueOp::None;
  OutcomeFrom outcome = OutcomeFrom::None;  // of a branch in either stream
  Comparison comparison = Comparison::Eq;   // of a Compute with Op::Compare
  bool one_path =
      false;  // of the warps: on a machine with two paths it issues from the left one alone while there is one

  // Control.
  BranchKind branch = BranchKind::Jump;
  bool is_recursive = false;  // of a call or return: of a function that may be called again before it returns
  std::uint16_t table = 0;
  Pc target = NoPc;
  Pc rpc = NoPc;          // of a jump or peel: first instruction of the immediate post-dominator
  bool may_part = false;  // of a jump or peel: lanes that execute it together may go both ways, for all one knows
  bool is_post_dominator = false;  // of any: lanes that such a branch may part meet here, at the latest
  bool is_spill = false;           // of any: a value that found no register goes to local memory or comes back by it

  std::uint32_t line = 0;                          // of the PTX file
  std::uint32_t source_file = 0, source_line = 0;  // that PTX was made from: key of Program::sources; 0: not known

  /// Do the lanes compute it? A branch, an access and a warp-wide operation have hardware of their own.
  bool needs_lanes() const { return kind == Kind::Compute && unit != Unit::Special; }
  /// Does a register say where it goes?
  bool is_indirect() const {
    return kind == Kind::Branch && branch != BranchKind::Jump && branch != BranchKind::Peel &&
           branch != BranchKind::Pop && target == NoPc;
  }
};

struct Parameter {
  std::string name;
  unsigned offset = 0, bytes = 0;
  std::string type;  // of an element, as PTX spells it: "f32"
};

struct BasicBlock {
  Pc first = 0, last = 0;            // inclusive
  std::string name;                  // its PTX label, or one of ours ("entry", "after_12")
  Pc rpc = NoPc;                     // first instruction of its immediate post-dominator
  std::vector<unsigned> successors;  // in its function: after a call, the block behind it
};

/// The code of an .entry or a .func.
struct FunctionRange {
  std::string name;
  Pc first = 0, last = 0;  // inclusive
  bool is_recursive = false;
};

/// What an affine warp executes, once for a batch of CTAs, on tuples (DAC sec. 4.1). Its registers are its own, one a
/// value however wide (a tuple has 32 bits), its PCs count from 0; branches lead to PCs of this code.
struct AffineStream {
  std::vector<Instruction> code;
  std::vector<Pc> origin;  // by PC: the instruction of the whole program that it comes from
  unsigned registers = 0, predicates = 0;
};

/// What has to hold of a launch for its program to be run in two streams: the value of this parameter is a multiple.
struct LaunchCondition {
  unsigned offset = 0, bytes = 0;
  std::uint64_t multiple_of = 1;
  std::uint32_t line = 0;  // of the PTX file: the access that asks for it
};

struct Program {
  std::string name, file;  // entry, PTX file
  std::vector<Instruction> code;
  std::vector<FunctionRange> functions;     // in code order, the entry first
  std::vector<std::vector<Pc>> tables;      // of indirect branches; NoPc: not a target. Table 0: functions by handle
  std::map<unsigned, std::string> sources;  // files that PTX was made from, by the number of their .file
  std::vector<Parameter> parameters;
  // Entries that a program whose pushes are its own may need besides the lowest one: with two paths an entry, and one.
  unsigned stack_levels = 0, single_stack_levels = 0;
  unsigned parameter_bytes = 0;               // of the arguments
  std::vector<HiddenParameter> hidden;        // behind them, eight bytes each
  std::shared_ptr<const GlobalData> globals;  // of the module, shared by its entries; null: none
  unsigned registers = 0, predicates = 0;     // per thread, after allocation
  unsigned shared_bytes = 0;                  // per CTA
  unsigned local_bytes = 0;                   // per thread
  unsigned max_threads = 0;                   // a block, as .maxntid says; 0: not said
  std::array<unsigned, 3> block{};            // x, y and z of each launch, as .reqntid says; 0: not said
  std::vector<BasicBlock> blocks;             // in code order

  // Decoupled affine computation, where the machine has it.
  std::shared_ptr<const Program> split;        // the same kernel in two streams; null: it cannot be split
  std::string why_not_split;                   // then
  std::shared_ptr<const AffineStream> affine;  // of a program that is a split one: its other stream
  std::vector<LaunchCondition> conditions;     // of a split one

  /// Where the hidden parameters begin.
  unsigned hidden_offset() const { return (parameter_bytes + 7) / 8 * 8; }
  /// Bytes of a parameter block with all that a launch needs.
  std::size_t block_bytes() const { return hidden.empty() ? parameter_bytes : hidden_offset() + 8 * hidden.size(); }
};

}  // namespace heddle::isa
