// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/execution_error.h"

#include <fmt/format.h>

#include "sim/isa/address_space.h"
#include "sim/isa/disassemble.h"
#include "sim/isa/loops.h"

namespace heddle::isa {

namespace {

struct CodeNames {
  const char* name;
  const char* cuda;
};

CodeNames names_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::None:
      return {"none", nullptr};
    case ErrorCode::Internal:
      return {"internal", nullptr};
    case ErrorCode::InvalidInput:
      return {"invalid_input", nullptr};
    case ErrorCode::InvalidProgram:
      return {"invalid_program", nullptr};
    case ErrorCode::InvalidConfiguration:
      return {"invalid_configuration", "cudaErrorInvalidConfiguration"};
    case ErrorCode::InvalidArguments:
      return {"invalid_arguments", nullptr};
    case ErrorCode::OutOfResources:
      return {"out_of_resources", "cudaErrorLaunchOutOfResources"};
    case ErrorCode::InvalidSymbol:
      return {"invalid_symbol", "cudaErrorInvalidSymbol"};
    case ErrorCode::InvalidTexture:
      return {"invalid_texture", "cudaErrorInvalidTexture"};
    case ErrorCode::InvalidTextureBinding:
      return {"invalid_texture_binding", "cudaErrorInvalidTextureBinding"};
    case ErrorCode::InvalidChannelDescriptor:
      return {"invalid_channel_descriptor", "cudaErrorInvalidChannelDescriptor"};
    case ErrorCode::InvalidValue:
      return {"invalid_value", "cudaErrorInvalidValue"};
    case ErrorCode::NotSupported:
      return {"not_supported", "cudaErrorNotSupported"};
    case ErrorCode::OutOfBounds:
      return {"out_of_bounds", "cudaErrorIllegalAddress"};
    case ErrorCode::Misaligned:
      return {"misaligned", "cudaErrorMisalignedAddress"};
    case ErrorCode::InvalidPc:
      return {"invalid_pc", "cudaErrorInvalidPc"};
    case ErrorCode::Trap:
      return {"trap", "cudaErrorLaunchFailure"};
    case ErrorCode::Assert:
      return {"assert", "cudaErrorAssert"};
    case ErrorCode::InvalidBarrier:
      return {"invalid_barrier", nullptr};
    case ErrorCode::BarrierNeverOpens:
      return {"barrier_never_opens", nullptr};
    case ErrorCode::DivergentBarrier:
      return {"divergent_barrier", nullptr};
    case ErrorCode::InvalidWarpWide:
      return {"invalid_warp_wide", nullptr};
    case ErrorCode::WarpWideNeverMeets:
      return {"warp_wide_never_meets", nullptr};
    case ErrorCode::CycleLimit:
      return {"cycle_limit", "cudaErrorLaunchTimeout"};
    case ErrorCode::Deadlock:
      return {"deadlock", "cudaErrorLaunchTimeout"};
    case ErrorCode::Overflow:
      return {"overflow", nullptr};
    case ErrorCode::IllegalRequest:
      return {"illegal_request", nullptr};
  }
  return {"internal", nullptr};
}

std::string with_cuda_name(ErrorCode code, const std::string& what) {
  const char* const cuda = cuda_name(code);
  return cuda == nullptr ? what : fmt::format("{}: {}", cuda, what);
}

}  // namespace

const char* name_of(ErrorCode code) {
  return names_of(code).name;
}

const char* cuda_name(ErrorCode code) {
  return names_of(code).cuda;
}

ExecutionError::ExecutionError(ErrorCode code, const std::string& what)
    : std::runtime_error(with_cuda_name(code, what)), code_(code) {}

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
  const char* generic = instruction.space == Space::Generic ? "generic, " : "";
  return fmt::format("{} {} of {} bytes at {:#x} ({}{}): {}; {}", misaligned ? "misaligned" : "out-of-bounds",
                     name_of(instruction.kind), instruction.bytes, address, generic, name_of(space), describe(site),
                     expected);
}

void throw_memory_fault(MemoryFault fault, std::uint64_t address, const FaultSite& site) {
  throw ExecutionError(fault == MemoryFault::Misaligned ? ErrorCode::Misaligned : ErrorCode::OutOfBounds,
                       describe(fault, address, site));
}

void throw_bad_target(std::uint64_t value, const FaultSite& site) {
  const bool is_call = site.program->code.at(site.pc).branch == BranchKind::Call;
  throw_execution_error(ErrorCode::InvalidPc,
                        fmt::format("indirect {} with {:#x}, which is no {}", is_call ? "call" : "branch", value,
                                    is_call ? "function's address" : "index of its list of targets"),
                        site);
}

void throw_execution_error(ErrorCode code, const std::string& what, const FaultSite& site) {
  throw ExecutionError(code, fmt::format("{}: {}", what, describe(site)));
}

}  // namespace heddle::isa
