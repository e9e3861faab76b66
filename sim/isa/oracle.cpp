// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/oracle.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>

#include "sim/isa/address_space.h"
#include "sim/isa/branch_target.h"
#include "sim/isa/console.h"
#include "sim/isa/execution_error.h"
#include "sim/isa/lanes.h"
#include "sim/isa/loops.h"
#include "sim/isa/oracle_cta.h"
#include "sim/isa/waiting_branches.h"
#include "sim/isa/warp_wide.h"

namespace heddle::isa {
namespace {

/// A source, prepared: every register, predicate and special register of a thread is a 32-bit word of its frame.
struct Operand {
  enum class Access : std::uint8_t { Constant, Word, Pair, NegatedPredicate };
  Access access = Access::Constant;
  std::uint32_t word = 0;
  std::uint64_t constant = 0;

  std::uint64_t read(const std::uint32_t* frame) const {
    switch (access) {
      case Access::Constant:
        return constant;
      case Access::Word:
        return frame[word];
      case Access::Pair:
        return frame[word] | std::uint64_t{frame[word + 1]} << 32;
      case Access::NegatedPredicate:
        return frame[word] ^ 1U;
    }
    return 0;
  }
};

enum class Write : std::uint8_t { None, Word, Pair };

/// Words of a frame: one for a special register, two for a wide one.
constexpr unsigned special_word(SpecialRegister which) {
  const auto index = static_cast<unsigned>(which);
  constexpr auto FirstWide = static_cast<unsigned>(SpecialRegister::Clock);
  return index < FirstWide ? index : FirstWide + 2 * (index - FirstWide);
}
constexpr unsigned SpecialWords = special_word(SpecialRegister::Count);

struct Step {
  const Instruction* instruction = nullptr;
  Evaluate evaluate = nullptr;
  std::array<Operand, 3> sources;
  std::uint32_t destination = 0, guard = 0, guard_value = 0;
  Write write = Write::None;
  Kind kind = Kind::Compute;
  bool is_guarded = false, reads_clock = false, is_observed = false;
  bool may_wait = false;  // a branch at which a thread may wait for another one
  bool is_jump = false;   // a branch with one target, at which none waits
};

using Thread = OracleCta::Thread;

/// A thread that waits for another one gives up its turn after so many instructions, at the branch that leads back.
constexpr std::uint64_t WaitInstructions = 256;
/// A block of a kernel that may wait for another block gives up its turn after so many thread instructions, when each
/// thread has had a turn: a block may wait in a loop with a CTA barrier.
constexpr std::uint64_t BlockInstructions = 20'000;
/// Blocks that take turns hold at most so many bytes together, whatever the machine holds.
constexpr std::uint64_t ResidentBytes = std::uint64_t{256} << 20;

class Executor {
 public:
  Executor(const Launch& launch, BackingStore& memory, const OracleOptions& options)
      : launch_(launch), program_(*launch.program), memory_(memory), options_(options) {
    check(launch);
    if (launch.parameters.size() != program_.block_bytes())
      throw ExecutionError(ErrorCode::Internal,
                           fmt::format("kernel {}: the launch was not linked by a device", program_.name));
    carry_ = program_.registers + program_.predicates;
    first_special_ = carry_ + 1;
    frame_words_ = first_special_ + SpecialWords;
    for (const Instruction& instruction : program_.code) steps_.push_back(prepare(instruction));
    for (const Pc pc : waiting_branches(program_)) steps_[pc].may_wait = true;
    for (Step& step : steps_)
      step.is_jump = step.kind == Kind::Branch && !step.may_wait && !step.instruction->is_indirect();
    thread_count_ = static_cast<unsigned>(launch_.block.count());
    shared_size_ = shared_bytes(launch_);
    most_resident_ = most_resident();
    may_wait_ = std::any_of(program_.code.begin(), program_.code.end(), gives_what_others_write);
    if (options_.observer == nullptr) return;
    const std::vector<bool> observed = options_.observer->begin(launch_);
    for (std::size_t pc = 0; pc < steps_.size(); ++pc) steps_[pc].is_observed = observed[pc];
  }

  std::uint64_t run() {
    std::size_t at = 0;
    while (ended_ != launch_.grid.count()) {
      if (at == resident_.size()) resident_.push_back(start_block());
      resume(*resident_[at]);
      at = run_turns() ? replace_block(at) : next_block(at);
    }
    return executed_;
  }

 private:
  // ---- Preparation ----

  Step prepare(const Instruction& instruction) const {
    Step step;
    step.instruction = &instruction;
    step.evaluate = instruction.evaluate;
    step.kind = instruction.kind;
    for (unsigned index = 0; index < 3; ++index) {
      const Source& source = instruction.sources[index];
      step.sources[index] = prepare(source);
      if (source.kind == Source::Kind::Special && is_clock(static_cast<SpecialRegister>(source.index)))
        step.reads_clock = true;
    }
    if (instruction.guard.kind == Source::Kind::Predicate) {
      step.is_guarded = true;
      step.guard = predicate_word(instruction.guard.index);
      step.guard_value = instruction.guard.negated ? 0 : 1;
    }
    const RegisterName destination = instruction.destination;
    if (!destination.is_none()) {
      step.write = destination.wide ? Write::Pair : Write::Word;
      step.destination = destination.is_predicate() ? predicate_word(destination.id - FirstPredicate) : destination.id;
    }
    return step;
  }

  std::uint32_t predicate_word(unsigned index) const {
    return index == CarryPredicate ? carry_ : program_.registers + index;
  }

  Operand prepare(const Source& source) const {
    Operand operand;
    switch (source.kind) {
      case Source::Kind::None:
        break;
      case Source::Kind::Register:
        operand.access = source.wide ? Operand::Access::Pair : Operand::Access::Word;
        operand.word = source.index;
        break;
      case Source::Kind::Predicate:
        operand.access = source.negated ? Operand::Access::NegatedPredicate : Operand::Access::Word;
        operand.word = predicate_word(source.index);
        break;
      case Source::Kind::Immediate:
        operand.constant = source.value;
        break;
      case Source::Kind::Special:
        operand.access = source.wide ? Operand::Access::Pair : Operand::Access::Word;
        operand.word = first_special_ + special_word(static_cast<SpecialRegister>(source.index));
        break;
      case Source::Kind::Parameter:
        std::memcpy(&operand.constant, launch_.parameters.data() + source.index, source.bytes);
        break;
      case Source::Kind::Queue:
        throw std::logic_error("the oracle runs whole programs, not one of two streams");
    }
    return operand;
  }

  // ---- Blocks ----

  /// How many blocks may have begun and not ended.
  std::uint64_t most_resident() const {
    const std::uint64_t bytes =
        thread_count_ * (std::uint64_t{frame_words_} * sizeof(std::uint32_t) + program_.local_bytes) + shared_size_;
    const std::uint64_t machine = options_.resident ? options_.resident(launch_) : OracleOptions::ResidentBlocks;
    return std::max<std::uint64_t>(1, std::min(machine, ResidentBytes / std::max<std::uint64_t>(1, bytes)));
  }

  /// The first block that has not begun yet.
  std::unique_ptr<OracleCta> start_block() {
    auto block = std::make_unique<OracleCta>();
    start(*block);
    return block;
  }

  void start(OracleCta& cta) {
    cta.number = started_++;
    cta.index = coordinates(cta.number, launch_.grid);
    cta.frames.assign(std::size_t{thread_count_} * frame_words_, 0);
    cta.threads.assign(thread_count_, Thread());
    cta.shared.assign(shared_size_, 0);
    cta.local.assign(std::size_t{thread_count_} * program_.local_bytes, 0);
    resume(cta);
    for (unsigned index = 0; index < thread_count_; ++index) set_special_registers(index);
    cta.barriers.start(thread_count_, options_.lanes);
    cta.meetings.assign((thread_count_ + options_.lanes - 1) / options_.lanes, WarpMeeting());
    for (unsigned index = 0; index < thread_count_; ++index) cta.meetings[warp_of(index)].start(lane_of(index));
    cta.meeting_threads = 0;
    cta.without_progress = 0;
  }

  /// The block's turn begins.
  void resume(OracleCta& cta) {
    cta_ = &cta;
    threads_ = cta.threads.data();
    frames_ = cta.frames.data();
    shared_ = cta.shared.data();
    local_ = cta.local.data();
    first_thread_ = cta.number * thread_count_;
  }

  /// The block at this place has ended: another one begins there, if there is one. \return whose turn is next
  std::size_t replace_block(std::size_t at) {
    ++ended_;
    if (started_ != launch_.grid.count()) {
      start(*resident_[at]);
      return at;
    }
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(at));
    return at == resident_.size() ? 0 : at;
  }

  /// The block at this place has had its turn. \return the place of the next one, which may be one that begins
  std::size_t next_block(std::size_t at) const {
    const bool may_begin = started_ != launch_.grid.count() && resident_.size() < most_resident_;
    return at + 1 == resident_.size() && !may_begin ? 0 : at + 1;
  }

  /// Turns of the block's threads. \return whether all of them have exited; if not, the block gives up its turn
  bool run_turns() {
    const bool is_observed = options_.observer != nullptr;
    const std::uint64_t end = executed_ + BlockInstructions;
    for (;;) {
      bool any_ready = false;
      std::uint64_t longest_turn = 0;
      progresses_ = false;
      yields_ = false;
      for (unsigned index = 0; index < thread_count_; ++index) {
        if (threads_[index].state != Thread::State::Ready) continue;
        any_ready = true;
        longest_turn = std::max(longest_turn, is_observed ? run_turn<true>(index) : run_turn<false>(index));
        if (options_.max_thread_instructions != 0 && executed_ > options_.max_thread_instructions) throw_no_end(index);
      }
      check_progress(longest_turn);
      if (options_.watch && !options_.watch({launch_.grid_id, ended_, launch_.grid.count(), executed_}))
        throw_interrupted();
      const bool any_met = cta_->meeting_threads != 0 && settle_meetings();
      if (!any_ready && !any_met) {
        fail_if_any_waits();
        return true;
      }
      if (yields_ || (may_wait_ && executed_ > end)) return false;
    }
  }

  [[noreturn]] void throw_no_end(unsigned index) const {
    const std::string loop = describe_loops(program_, {threads_[index].pc});
    throw_execution_error(
        ErrorCode::CycleLimit,
        fmt::format("no end after {} thread instructions{}{}", executed_, loop.empty() ? "" : ", ", loop), site(index));
  }

  [[noreturn]] void throw_interrupted() const {
    throw Interrupted(fmt::format("kernel {} was interrupted after {} thread instructions; {} of {} blocks have ended",
                                  program_.name, executed_, ended_, launch_.grid.count()));
  }

  /// All threads of the block have had a turn: as the SM's watchdog, in instructions of a thread instead of cycles.
  void check_progress(std::uint64_t longest_turn) {
    if (progresses_) ++progress_;
    cta_->without_progress = cta_->progress_seen == progress_ ? cta_->without_progress + longest_turn : 0;
    cta_->progress_seen = progress_;
    if (options_.watchdog == 0 || cta_->without_progress <= options_.watchdog) return;
    std::vector<Pc> places;
    for (const Thread& thread : cta_->threads)
      if (thread.state == Thread::State::Ready) places.push_back(thread.pc);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const std::string loop = describe_loops(program_, places);
    const Dim3& block = cta_->index;
    throw ExecutionError(
        ErrorCode::Deadlock,
        fmt::format("kernel {} makes no progress{}{}: for {} instructions of a thread of block ({},{},{}) no thread of "
                    "the {} resident blocks exited, no barrier opened and nothing was stored{} (a thread waits for "
                    "ever, or a long computation: see --watchdog)",
                    program_.name, loop.empty() ? "" : ", ", loop, cta_->without_progress, block.x, block.y, block.z,
                    resident_.size(), describe_others()));
  }

  /// Blocks that the machine has no room for yet: a thread may wait for one of them.
  std::string describe_others() const {
    const std::uint64_t others = launch_.grid.count() - started_;
    return others == 0 ? "" : fmt::format("; {} more blocks begin only when one of these has ended", others);
  }

  void set_special_registers(unsigned index) {
    const Dim3 thread = coordinates(index, launch_.block);
    const Dim3& block = cta_->index;
    const unsigned lane = index % options_.lanes;
    const std::uint32_t at = 1U << lane;
    const auto warps = static_cast<std::uint32_t>((launch_.block.count() + options_.lanes - 1) / options_.lanes);
    const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const std::array<std::uint32_t, SpecialWords> values = {
        // one SM
        thread.x, thread.y, thread.z, launch_.block.x, launch_.block.y, launch_.block.z, block.x, block.y, block.z,
        launch_.grid.x, launch_.grid.y, launch_.grid.z, lane, index / options_.lanes, warps, at, at | (at - 1), at - 1,
        ~(at - 1), ~(at | (at - 1)), 0, 1, launch_.dynamic_shared, low(shared_size_),
        // clocks: written when they are read
        0, 0, 0, 0, 0, 0, 0, 0, low(launch_.grid_id), low(launch_.grid_id >> 32)};
    std::copy(values.begin(), values.end(), frame(index) + first_special_);
  }

  /// No thread can go on: good only if all have exited.
  void fail_if_any_waits() const {
    for (unsigned index = 0; index < thread_count_; ++index)
      if (threads_[index].state == Thread::State::AtMeeting) fail_meeting(index);
    for (unsigned index = 0; index < thread_count_; ++index) {
      if (threads_[index].state != Thread::State::AtBarrier) continue;
      throw_execution_error(ErrorCode::BarrierNeverOpens,
                            "all threads of a block wait, and no barrier opens: " + cta_->barriers.describe(),
                            site(index));
    }
  }

  // ---- Barriers and warp-wide operations ----

  unsigned warp_of(unsigned index) const { return index / options_.lanes; }
  unsigned lane_of(unsigned index) const { return index % options_.lanes; }

  void arrive_at_barrier(unsigned index, const Step& step, const std::uint32_t* words) {
    BarrierArrival arrival;
    arrival.barrier = static_cast<std::uint32_t>(step.sources[0].read(words));
    arrival.has_count = step.instruction->sources[1].kind != Source::Kind::None;
    arrival.threads = static_cast<std::uint32_t>(step.sources[1].read(words));
    arrival.op = step.instruction->barrier_op;
    arrival.warp = warp_of(index);
    arrival.lanes = Lanes{1} << lane_of(index);
    arrival.true_lanes = step.sources[2].read(words) != 0 ? arrival.lanes : 0;
    const std::string refusal = cta_->barriers.refusal(arrival);
    if (!refusal.empty()) throw_execution_error(ErrorCode::InvalidBarrier, refusal, site(index));
    if (arrival.op == BarrierOp::Arrive) {
      ++threads_[index].pc;
    } else {
      threads_[index].state = Thread::State::AtBarrier;
    }
    cta_->barriers.arrive(arrival);
    release_from_barriers();
  }

  void release_from_barriers() {
    while (cta_->barriers.has_opened()) {
      progresses_ = true;
      const BarrierOpening opening = cta_->barriers.take_opened();
      for (unsigned index = 0; index < thread_count_; ++index)
        if ((opening.waiting[warp_of(index)] >> lane_of(index) & 1) != 0) go_on(index, opening.value);
    }
  }

  /// A waiting thread gets its result and is ready again.
  void go_on(unsigned index, std::uint64_t result) {
    Thread& thread = threads_[index];
    write(steps_[thread.pc], frame(index), result);
    thread.state = Thread::State::Ready;
    ++thread.pc;
  }

  void exit(unsigned index) {
    threads_[index].state = Thread::State::Exited;
    progresses_ = true;
    cta_->meetings[warp_of(index)].exit(lane_of(index));
    cta_->barriers.exit(warp_of(index), Lanes{1} << lane_of(index));
    release_from_barriers();
  }

  /// The thread waits; if it is the last that the mask names, they all go on.
  void meet(unsigned index, const Step& step, const std::uint32_t* words) {
    const unsigned lane = lane_of(index);
    const auto mask = static_cast<Lanes>(step.sources[2].read(words));
    if (step.instruction->meets && (mask >> lane & 1) == 0)
      throw_execution_error(
          ErrorCode::InvalidWarpWide,
          fmt::format("{}: lane {} is not in its mask {:#010x}", step.instruction->mnemonic, lane, mask), site(index));
    threads_[index].state = Thread::State::AtMeeting;
    ++cta_->meeting_threads;
    WarpMeeting& meeting = cta_->meetings[warp_of(index)];
    meeting.arrive(lane, {step.instruction, mask});
    if (step.instruction->meets) perform(warp_of(index), meeting.complete_group(lane));
  }

  /// After a turn of every thread: groups that an exit completed, and operations that name no lanes. Those are for the
  /// lanes that stand at one when no lane of the warp can go on; the earliest in the code first (ours).
  bool settle_meetings() {
    const unsigned before = cta_->meeting_threads;
    for (unsigned warp = 0; warp < cta_->meetings.size(); ++warp) {
      WarpMeeting& meeting = cta_->meetings[warp];
      for (Lanes rest = meeting.take_unsettled(); rest != 0; rest &= rest - 1)
        perform(warp, meeting.complete_group(static_cast<unsigned>(__builtin_ctz(rest))));
      if (meeting.any_without_mask() && !any_ready(warp)) perform(warp, meeting.earliest_without_mask());
    }
    return cta_->meeting_threads != before;
  }

  bool any_ready(unsigned warp) const {
    const std::size_t first = std::size_t{warp} * options_.lanes;
    for (std::size_t index = first; index < std::min<std::size_t>(first + options_.lanes, thread_count_); ++index)
      if (threads_[index].state == Thread::State::Ready) return true;
    return false;
  }

  void perform(unsigned warp, Lanes group) {
    if (group == 0) return;
    LaneValues a{}, b{}, d{};
    const unsigned first = warp * options_.lanes;
    const Instruction* instruction = nullptr;
    for_each_lane(group, [&](unsigned lane) {
      const unsigned index = first + lane;
      const Step& step = steps_[threads_[index].pc];
      instruction = step.instruction;
      a[lane] = step.sources[0].read(frame(index));
      b[lane] = step.sources[1].read(frame(index));
    });
    exchange(*instruction, group, a, b, d);
    for_each_lane(group, [&](unsigned lane) { go_on(first + lane, d[lane]); });
    cta_->meetings[warp].leave(group);
    cta_->meeting_threads -= count_of(group);
  }

  [[noreturn]] void fail_meeting(unsigned index) const {
    const WarpMeeting& meeting = cta_->meetings[warp_of(index)];
    const unsigned lane = lane_of(index);
    throw_execution_error(
        ErrorCode::WarpWideNeverMeets,
        fmt::format("{} never meets: lanes {:#010x} of warp {} wait for lanes {:#010x} of the mask {:#010x}",
                    steps_[threads_[index].pc].instruction->mnemonic, meeting.group(lane), warp_of(index),
                    meeting.missing(lane), meeting.mask(lane)),
        site(index));
  }

  // ---- Threads ----

  /// How many instructions it executed. Twice in the program: without an observer the loop does not ask for one.
  template <bool IsObserved>
  std::uint64_t run_turn(unsigned index) {
    Thread& thread = threads_[index];
    std::uint32_t* const words = frame(index);
    Pc pc = thread.pc;
    std::uint64_t left = options_.quantum;
    while (left != 0 && thread.state == Thread::State::Ready) {
      const Step& step = steps_[pc];
      --left;
      if (IsObserved && step.is_observed) options_.observer->arrive(first_thread_ + index, pc);
      if (step.is_guarded && words[step.guard] != step.guard_value) {
        ++pc;
        continue;
      }
      switch (step.kind) {
        case Kind::Compute:
          if (step.reads_clock) set_clocks(words, executed_ + options_.quantum - left);
          write(step, words,
                step.evaluate(step.sources[0].read(words), step.sources[1].read(words), step.sources[2].read(words)));
          ++pc;
          break;
        case Kind::Branch:
          if (step.is_jump) {
            pc = step.instruction->target;
            break;
          }
          thread.pc = pc;
          pc = step.instruction->is_indirect() ? indirect_target(index, step, words) : step.instruction->target;
          if (step.may_wait && options_.quantum - left >= WaitInstructions) thread.state = Thread::State::Yields;
          break;
        case Kind::Load:
        case Kind::Store:
        case Kind::Atomic:
          thread.pc = pc;
          if (IsObserved && step.is_observed)
            options_.observer->access(first_thread_ + index, pc, address_of(step, words));
          access(index, step, words);
          ++pc;
          break;
        case Kind::Exit:
          thread.pc = pc;
          exit(index);
          break;
        case Kind::Barrier:
          thread.pc = pc;
          arrive_at_barrier(index, step, words);
          pc = thread.pc;
          break;
        case Kind::WarpWide:
          thread.pc = pc;
          meet(index, step, words);
          pc = thread.pc;
          break;
        case Kind::Fence:
        case Kind::Enqueue:
        case Kind::Convergence:  // each thread goes its own way
          ++pc;
          break;
        case Kind::Host:
          thread.pc = pc;
          write(step, words,
                launch_.console->call(step.instruction->host_op, step.sources[0].read(words), site(index)));
          progresses_ = progresses_ || step.instruction->host_op == HostOp::Print;
          ++pc;
          break;
        case Kind::Trap:
          thread.pc = pc;
          throw_execution_error(ErrorCode::Trap, TrapMessage, site(index));
      }
    }
    thread.pc = pc;
    if (thread.state == Thread::State::Yields) thread.state = Thread::State::Ready;
    yields_ = yields_ || thread.state == Thread::State::Ready;
    executed_ += options_.quantum - left;
    return options_.quantum - left;
  }

  Pc indirect_target(unsigned index, const Step& step, const std::uint32_t* words) const {
    const std::uint64_t value = step.sources[0].read(words);
    const Pc target = isa::indirect_target(program_, *step.instruction, value);
    if (target == NoPc) throw_bad_target(value, site(index));
    return target;
  }

  /// Time is what the threads of the launch have executed (ours).
  void set_clocks(std::uint32_t* words, std::uint64_t now) const {
    const auto set = [&](SpecialRegister which, std::uint64_t value) {
      std::uint32_t* const word = words + first_special_ + special_word(which);
      word[0] = static_cast<std::uint32_t>(value);
      if (is_wide(which)) word[1] = static_cast<std::uint32_t>(value >> 32);
    };
    for (const SpecialRegister which : {SpecialRegister::ClockLow, SpecialRegister::Clock,
                                        SpecialRegister::GlobaltimerLow, SpecialRegister::Globaltimer})
      set(which, now);
    for (const SpecialRegister which : {SpecialRegister::ClockHigh, SpecialRegister::GlobaltimerHigh})
      set(which, now >> 32);
  }

  static void write(const Step& step, std::uint32_t* words, std::uint64_t value) {
    if (step.write == Write::None) return;
    words[step.destination] = static_cast<std::uint32_t>(value);
    if (step.write == Write::Pair) words[step.destination + 1] = static_cast<std::uint32_t>(value >> 32);
  }

  // ---- Memory ----

  static std::uint64_t address_of(const Step& step, const std::uint32_t* words) {
    return step.sources[0].read(words) + static_cast<std::uint64_t>(step.instruction->offset);
  }

  void access(unsigned index, const Step& step, std::uint32_t* words) {
    const Instruction& instruction = *step.instruction;
    const std::uint64_t address = address_of(step, words);
    std::uint8_t* const bytes = locate(index, instruction, address);
    if (step.kind == Kind::Load) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes, instruction.bytes);
      write(step, words, extend(value, instruction.bytes, instruction.sign_extend));
    } else if (step.kind == Kind::Store) {
      const std::uint64_t value = step.sources[1].read(words);
      std::memcpy(bytes, &value, instruction.bytes);
      progresses_ = true;
    } else {
      // A thread that spins reads what it waits for; an atomic whose result nobody reads is work.
      progresses_ = progresses_ || step.write == Write::None;
      const bool on_chip = isa::resolve(instruction.space, address).space == Space::Shared;
      const AtomicOp op = !on_chip ? in_global_memory(instruction.atomic, instruction.bytes) : instruction.atomic;
      write(step, words,
            apply_at(bytes, op, instruction.sign_extend, instruction.bytes, step.sources[1].read(words),
                     step.sources[2].read(words)));
    }
  }

  /// The host's bytes behind an address.
  std::uint8_t* locate(unsigned index, const Instruction& instruction, std::uint64_t address) {
    const unsigned bytes = instruction.bytes;
    const Place place = resolve(instruction.space, address);
    const auto fail = [&](MemoryFault fault) {
      throw_memory_fault(fault, as_seen(instruction.space, place), site(index));
    };
    if (place.address % bytes != 0) fail(MemoryFault::Misaligned);
    if (place.space == Space::Global) {
      // Most accesses fall into the allocation of the one before.
      if (address - cached_.address < cached_.bytes && cached_.bytes - (address - cached_.address) >= bytes)
        return cached_bytes_ + (address - cached_.address);
      return locate_in_memory(index, address, bytes);
    }
    const bool is_shared = place.space == Space::Shared;
    const std::uint64_t size = is_shared ? shared_size_ : program_.local_bytes;
    if (place.address + bytes > size) fail(MemoryFault::OutOfBounds);
    return (is_shared ? shared_ : local_ + index * size) + place.address;
  }

  std::uint8_t* locate_in_memory(unsigned index, std::uint64_t address, unsigned bytes) {
    if (!memory_.contains(address, bytes)) throw_memory_fault(MemoryFault::OutOfBounds, address, site(index));
    for (const Allocation& allocation : memory_.allocations()) {
      if (address - allocation.address >= allocation.bytes) continue;
      cached_ = allocation;
      cached_bytes_ = memory_.at(allocation.address);
    }
    return memory_.at(address);
  }

  std::uint32_t* frame(unsigned index) { return frames_ + std::size_t{index} * frame_words_; }

  FaultSite site(unsigned index) const {
    return {&program_, threads_[index].pc, cta_->index, coordinates(index, launch_.block), launch_.dynamic_shared};
  }

  const Launch& launch_;
  const Program& program_;
  BackingStore& memory_;
  const OracleOptions& options_;
  std::vector<Step> steps_;
  std::uint32_t carry_ = 0, first_special_ = 0, frame_words_ = 0;
  std::uint64_t executed_ = 0;

  unsigned thread_count_ = 0;                         // of a block
  std::uint64_t shared_size_ = 0;                     // bytes of a block
  std::uint64_t most_resident_ = 1;                   // blocks
  bool may_wait_ = false;                             // the kernel reads what threads of another block may write
  std::uint64_t started_ = 0, ended_ = 0;             // blocks
  std::vector<std::unique_ptr<OracleCta>> resident_;  // take turns, in this order
  std::uint64_t progress_ = 0;                        // turns of a block in which a thread of it made progress

  // The block whose turn it is, and what is read of it at each instruction.
  OracleCta* cta_ = nullptr;
  Thread* threads_ = nullptr;
  std::uint32_t* frames_ = nullptr;
  std::uint8_t *shared_ = nullptr, *local_ = nullptr;
  std::uint64_t first_thread_ = 0;  // in the launch
  bool progresses_ = false;         // in this turn of all its threads
  bool yields_ = false;             // a thread of it has used its turn up, or may wait for another one
  Allocation cached_;
  std::uint8_t* cached_bytes_ = nullptr;
};

}  // namespace

std::uint64_t run_oracle(const Launch& launch, BackingStore& memory, const OracleOptions& options) {
  return Executor(launch, memory, options).run();
}

}  // namespace heddle::isa
