#include "sim/isa/execution_error.h"

#include <fmt/format.h>

#include "sim/isa/address_space.h"
#include "sim/isa/disassemble.h"
#include "sim/isa/loops.h"

namespace heddle::isa {

std::string describe(const FaultSite& site) {
  return fmt::format("kernel {}, {}, block ({},{},{}) thread ({},{},{})", site.program->name,
                     describe_place(*site.program, site.pc), site.block.x, site.block.y, site.block.z, site.thread.x,
                     site.thread.y, site.thread.z);
}

std::string describe(MemoryFault fault, std::uint64_t address, const FaultSite& site) {
  const Instruction& instruction = site.program->code.at(site.pc);
  const bool misaligned = fault == MemoryFault::Misaligned;
  const Space space = resolve(instruction.space, address).space;
  std::string expected;
  if (misaligned) {
    expected = fmt::format("expected a multiple of {}", instruction.bytes);
  } else if (space == Space::Shared) {
    expected = fmt::format("expected an address inside the {} bytes of shared memory",
                           std::uint64_t{site.program->shared_bytes} + site.dynamic_shared);
  } else if (space == Space::Local) {
    expected = fmt::format("expected an address inside the {} bytes of local memory", site.program->local_bytes);
  } else {
    constexpr std::uint64_t NullPage = 4096;
    expected = address < NullPage ? "a null pointer" : "expected an address inside one allocation";
  }
  const char* error = misaligned ? "cudaErrorMisalignedAddress" : "cudaErrorIllegalAddress";
  const char* generic = instruction.space == Space::Generic ? "generic, " : "";
  return fmt::format("{}: {} {} of {} bytes at {:#x} ({}{}): {}; {}", error,
                     misaligned ? "misaligned" : "out-of-bounds", name_of(instruction.kind), instruction.bytes, address,
                     generic, name_of(space), describe(site), expected);
}

void throw_memory_fault(MemoryFault fault, std::uint64_t address, const FaultSite& site) {
  throw ExecutionError(describe(fault, address, site));
}

void throw_bad_target(std::uint64_t value, const FaultSite& site) {
  const bool is_call = site.program->code.at(site.pc).branch == BranchKind::Call;
  throw_execution_error(
      fmt::format("cudaErrorInvalidPc: indirect {} with {:#x}, which is no {}", is_call ? "call" : "branch", value,
                  is_call ? "function's address" : "index of its list of targets"),
      site);
}

void throw_execution_error(const std::string& what, const FaultSite& site) {
  throw ExecutionError(fmt::format("{}: {}", what, describe(site)));
}

}  // namespace heddle::isa
