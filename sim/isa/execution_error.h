// SPDX-License-Identifier: Apache-2.0
// Errors of a running kernel, with one wording for the oracle and for the SM.
//
//   cudaErrorIllegalAddress: out-of-bounds load of 4 bytes at 0x100000400 (global): kernel k, file.ptx:123, block
//   (0,0,0) thread (5,0,0); expected an address inside one allocation
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "sim/isa/instruction.h"
#include "sim/isa/launch.h"

namespace heddle::isa {

/// What kind of failure ended a run: for programs, which must not search a message for words.
enum class ErrorCode : std::uint8_t {
  None,                  ///< nothing failed
  Internal,              ///< a fault of ours
  InvalidInput,          ///< an option or argument of the run itself
  InvalidProgram,        ///< PTX that is wrong or not supported
  InvalidConfiguration,  ///< grid or block
  InvalidArguments,      ///< of the kernel
  OutOfResources,        ///< registers, shared or local memory
  InvalidSymbol,
  InvalidTexture,
  InvalidTextureBinding,
  InvalidChannelDescriptor,
  InvalidValue,
  NotSupported,
  OutOfBounds,
  Misaligned,
  InvalidPc,  ///< an indirect branch or call to nowhere
  Trap,
  Assert,             ///< an assertion of the program does not hold
  InvalidBarrier,     ///< number or count of a CTA barrier
  BarrierNeverOpens,  ///< every thread of a block waits
  DivergentBarrier,   ///< threads wait at it for lanes that it masks
  InvalidWarpWide,    ///< a .sync operation whose mask does not fit the lanes at it
  WarpWideNeverMeets,
  CycleLimit,      ///< --max-cycles, or as many instructions on the oracle
  Deadlock,        ///< no thread can issue, or none makes progress
  Overflow,        ///< a structure of the hardware is full and cannot wait
  IllegalRequest,  ///< a block refuses what it was asked
};

/// "deadlock": the code as JSON and reports have it.
const char* name_of(ErrorCode code);

/// What the code is called in CUDA, "cudaErrorLaunchTimeout"; nullptr where CUDA has no name for it.
const char* cuda_name(ErrorCode code);

class ExecutionError : public std::runtime_error {
 public:
  /// The message begins with the code's CUDA name, where there is one.
  ExecutionError(ErrorCode code, const std::string& what);

  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// Where an error happened: coordinates, not counts.
struct FaultSite {
  const Program* program = nullptr;
  Pc pc = 0;
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  unsigned dynamic_shared = 0;  ///< of the launch
};

/// What `trap` says.
constexpr const char* TrapMessage = "trap executed";

enum class MemoryFault : std::uint8_t { OutOfBounds, Misaligned };

/// "kernel k, file.ptx:123 (file.cu:7), block (0,0,0) thread (5,0,0)"
std::string describe(const FaultSite& site);

/// The whole message for an access that is not allowed; operation and width come from the instruction at site.pc. The
/// address is the one that the program uses: in a window, for a generic access to shared or local memory.
std::string describe(MemoryFault fault, std::uint64_t address, const FaultSite& site);

[[noreturn]] void throw_memory_fault(MemoryFault fault, std::uint64_t address, const FaultSite& site);
/// An indirect call or branch whose operand names no target.
[[noreturn]] void throw_bad_target(std::uint64_t value, const FaultSite& site);
[[noreturn]] void throw_execution_error(ErrorCode code, const std::string& what, const FaultSite& site);

}  // namespace heddle::isa
