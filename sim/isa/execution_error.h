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

class ExecutionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where an error happened: coordinates, not counts.
struct FaultSite {
  const Program* program = nullptr;
  Pc pc = 0;
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  unsigned dynamic_shared = 0;  ///< of the launch
};

/// What `trap` says.
constexpr const char* TrapMessage = "cudaErrorLaunchFailure: trap executed";

enum class MemoryFault : std::uint8_t { OutOfBounds, Misaligned };

/// "kernel k, file.ptx:123 (file.cu:7), block (0,0,0) thread (5,0,0)"
std::string describe(const FaultSite& site);

/// The whole message for an access that is not allowed; operation and width come from the instruction at site.pc. The
/// address is the one that the program uses: in a window, for a generic access to shared or local memory.
std::string describe(MemoryFault fault, std::uint64_t address, const FaultSite& site);

[[noreturn]] void throw_memory_fault(MemoryFault fault, std::uint64_t address, const FaultSite& site);
/// An indirect call or branch whose operand names no target.
[[noreturn]] void throw_bad_target(std::uint64_t value, const FaultSite& site);
[[noreturn]] void throw_execution_error(const std::string& what, const FaultSite& site);

}  // namespace heddle::isa
