// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/global_data.h"

#include <cstring>
#include <fmt/format.h>

#include "sim/compiler/lowering/call_graph.h"
#include "sim/isa/texture.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t MaxBytes = std::uint64_t{1} << 30;  // of a variable, ours

bool lies_in_memory(const ptx::Variable& variable) {
  return (variable.space == "global" || variable.space == "const") && !variable.is_extern;
}

isa::GlobalVariable declare(const ptx::Module& module, const ptx::Variable& variable, const isa::GlobalData& before) {
  isa::GlobalVariable result;
  result.name = variable.name;
  result.is_texture = variable.type == "texref";
  result.bytes =
      result.is_texture ? sizeof(isa::TextureDescriptor) : variable.elements * ptx::bytes_of_type(variable.type);
  if (result.bytes > MaxBytes) {
    throw module.error(variable.where,
                       fmt::format("{} has {} bytes, expected at most {}", variable.name, result.bytes, MaxBytes));
  }
  // Allocations start at multiples of 256.
  if (variable.alignment > 256) throw module.error(variable.where, "expected an alignment of at most 256");
  if (before.find(variable.name) != before.variables.size())
    throw module.error(variable.where, fmt::format("variable {} is defined twice", variable.name));
  return result;
}

void initialise(const ptx::Module& module, const ptx::Variable& variable, const isa::GlobalData& data,
                isa::GlobalVariable& result) {
  const unsigned bytes = ptx::bytes_of_type(variable.type);
  result.initial.resize(variable.initial.size() * bytes);
  for (std::size_t index = 0; index < variable.initial.size(); ++index) {
    const ptx::Initial& initial = variable.initial[index];
    if (initial.symbol.empty()) {
      std::memcpy(result.initial.data() + index * bytes, &initial.value, bytes);
      continue;
    }
    if (const std::uint64_t handle = function_handle(module, initial.symbol); handle != 0) {
      std::memcpy(result.initial.data() + index * bytes, &handle, bytes);
      continue;
    }
    const unsigned target = data.find(initial.symbol);
    if (target == data.variables.size()) {
      throw module.error(initial.where,
                         fmt::format("expected a number, a function, or a variable in .global or .const memory, "
                                     "found {}",
                                     initial.symbol));
    }
    if (data.variables[target].is_texture)
      throw module.error(initial.where, fmt::format("the address of texture {} is not supported here", initial.symbol));
    if (bytes != 8) throw module.error(initial.where, "an address needs an element of 64 bits");
    // A generic address of these variables is the address itself.
    result.relocations.push_back({index * bytes, target, initial.value});
  }
}

}  // namespace

std::shared_ptr<const isa::GlobalData> global_data(const ptx::Module& module) {
  auto data = std::make_shared<isa::GlobalData>();
  for (const ptx::Variable& variable : module.variables)
    if (lies_in_memory(variable)) data->variables.push_back(declare(module, variable, *data));
  // An initial value may name a variable that is defined later.
  unsigned index = 0;
  for (const ptx::Variable& variable : module.variables)
    if (lies_in_memory(variable)) initialise(module, variable, *data, data->variables[index++]);
  return data;
}

}  // namespace heddle::compiler
