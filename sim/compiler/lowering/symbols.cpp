// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/symbols.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "sim/compiler/lowering/calling_convention.h"

namespace heddle::compiler {

Class class_of_type(const std::string& type) {
  if (type == "pred") return Class::Predicate;
  return ptx::bytes_of_type(type) == 8 ? Class::Wide : Class::Narrow;
}

std::uint64_t bytes_of(const ptx::Variable& variable) {
  return variable.elements * ptx::bytes_of_type(variable.type);
}

namespace {

unsigned aligned(unsigned offset, unsigned alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

unsigned alignment_of(const ptx::Variable& variable) {
  return std::max(variable.alignment, std::max(1U, ptx::bytes_of_type(variable.type)));
}

constexpr std::uint64_t MaxBytes = std::uint64_t{1} << 30;  // of shared or local variables; far above any limit
constexpr std::uint64_t MaxParameterBytes = 32764;          // PTX ISA, "Kernel Function Parameters"

}  // namespace

Symbols::Symbols(const ptx::Module& module, const ptx::Function& function, const isa::GlobalData& globals,
                 VirtualCode& code, Places& places, unsigned* frame_bytes)
    : module_(module), globals_(globals), code_(code), places_(places), frame_bytes_(frame_bytes) {
  if (function.is_entry) declare_parameters(function);
  declare_registers(function);
  declare_variables(module.variables);
  declare_variables(function.variables);
}

VirtualId Symbols::find_register(const std::string& name) const {
  const auto found = registers_.find(name);
  return found == registers_.end() ? NoVirtual : found->second;
}

const isa::Parameter* Symbols::find_parameter(const std::string& name) const {
  for (const isa::Parameter& parameter : code_.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

std::optional<VariableAddress> Symbols::address_of(const ptx::Operand& operand) {
  using isa::HiddenParameter;
  const auto found = variables_.find(operand.name);
  if (found == variables_.end()) return std::nullopt;
  const ptx::Variable& variable = *found->second;
  VariableAddress address;
  if (variable.space == "global" || variable.space == "const") {
    const unsigned index = globals_.find(variable.name);
    if (index == globals_.variables.size()) {
      throw module_.error(operand.where, variable.is_extern
                                             ? fmt::format("variable {} is not defined in this file", variable.name)
                                             : "variables in .global memory are supported outside of functions only");
    }
    address.source = hidden_parameter({HiddenParameter::Kind::Variable, index}, operand.where);
    address.is_texture = globals_.variables[index].is_texture;
    return address;
  }
  const bool is_shared = variable.space == "shared";
  address.space = is_shared ? isa::Space::Shared : isa::Space::Local;
  if (is_shared && variable.elements == 0) {
    places_.dynamic_alignment = std::max(places_.dynamic_alignment, alignment_of(variable));
    address.source = hidden_parameter({HiddenParameter::Kind::DynamicShared, 0}, operand.where);
  } else {
    address.source.kind = isa::Source::Kind::Immediate;
    address.source.value = place(variable, operand);
    address.is_in_frame = !is_shared && frame_bytes_ != nullptr;
  }
  return address;
}

VariableAddress Symbols::address_of_parameters(ptx::Location where) {
  return {isa::Space::Global, hidden_parameter({isa::HiddenParameter::Kind::Parameters, 0}, where)};
}

/// The place of a .shared or .local variable inside its memory: chosen at its first use.
std::uint64_t Symbols::place(const ptx::Variable& variable, const ptx::Operand& operand) {
  const auto placed = places_.offsets.find(&variable);
  if (placed != places_.offsets.end()) return placed->second;
  if (variable.space != "shared" && variable.space != "local")
    throw module_.error(operand.where, fmt::format("variables in .{} memory are not supported here", variable.space));
  unsigned& used = variable.space == "shared" ? code_.shared_bytes
                   : frame_bytes_ != nullptr  ? *frame_bytes_
                                              : code_.local_bytes;
  const unsigned place = aligned(used, alignment_of(variable));
  const std::uint64_t end = place + bytes_of(variable);
  if (end > MaxBytes)
    throw module_.error(variable.where,
                        fmt::format(".{} variables of {} bytes, expected at most {}", variable.space, end, MaxBytes));
  used = static_cast<unsigned>(end);
  places_.offsets.emplace(&variable, place);
  return place;
}

isa::Source Symbols::hidden_parameter(const isa::HiddenParameter& hidden, ptx::Location where) {
  const auto found = std::find(code_.hidden.begin(), code_.hidden.end(), hidden);
  const auto index = static_cast<unsigned>(found - code_.hidden.begin());
  if (found == code_.hidden.end()) code_.hidden.push_back(hidden);
  const unsigned offset = aligned(code_.parameter_bytes, 8) + 8 * index;
  if (offset > std::numeric_limits<std::uint16_t>::max())
    throw module_.error(where, "the entry uses too many variables");
  isa::Source source;
  source.kind = isa::Source::Kind::Parameter;
  source.index = static_cast<std::uint16_t>(offset);
  source.bytes = 8;
  return source;
}

void Symbols::finish(VirtualCode& code, const Places& places) {
  code.shared_bytes = aligned(code.shared_bytes, places.dynamic_alignment);
}

void Symbols::declare_registers(const ptx::Function& entry) {
  for (const ptx::Register& declared : entry.registers) {
    const auto declare = [&](const std::string& name) {
      const auto id = static_cast<VirtualId>(code_.registers.size());
      if (!registers_.emplace(name, id).second)
        throw module_.error(declared.where, fmt::format("register {} is declared twice", name));
      code_.registers.push_back({name, class_of_type(declared.type)});
    };
    if (declared.count == 0) declare(declared.name);
    for (unsigned index = 0; index < declared.count; ++index) declare(declared.name + std::to_string(index));
  }
}

void Symbols::declare_parameters(const ptx::Function& entry) {
  unsigned offset = 0;
  for (const ptx::Variable& variable : entry.parameters) {
    offset = aligned(offset, alignment_of(variable));
    if (offset + bytes_of(variable) > MaxParameterBytes)
      throw module_.error(variable.where, fmt::format("expected at most {} bytes of parameters", MaxParameterBytes));
    const auto bytes = static_cast<unsigned>(bytes_of(variable));
    code_.parameters.push_back({variable.name, offset, bytes, variable.type});
    offset += bytes;
  }
  code_.parameter_bytes = offset;
}

void Symbols::declare_variables(const std::vector<ptx::Variable>& variables) {
  for (const ptx::Variable& variable : variables) variables_[variable.name] = &variable;
}

}  // namespace heddle::compiler
