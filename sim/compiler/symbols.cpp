#include "sim/compiler/symbols.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/compiler/calling_convention.h"

namespace heddle::compiler {

Class class_of_type(const std::string& type) {
  if (type == "pred") return Class::Predicate;
  return ptx::bytes_of_type(type) == 8 ? Class::Wide : Class::Narrow;
}

unsigned bytes_of(const ptx::Variable& variable) {
  return static_cast<unsigned>(variable.elements) * ptx::bytes_of_type(variable.type);
}

namespace {

unsigned aligned(unsigned offset, unsigned alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

unsigned alignment_of(const ptx::Variable& variable) {
  return std::max(variable.alignment, std::max(1U, ptx::bytes_of_type(variable.type)));
}

}  // namespace

Symbols::Symbols(const ptx::Module& module, const ptx::Function& function, VirtualCode& code, Places& places,
                 unsigned* frame_bytes)
    : module_(module), code_(code), places_(places), frame_bytes_(frame_bytes) {
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

std::optional<std::uint64_t> Symbols::address_of(const ptx::Operand& operand) {
  const auto found = variables_.find(operand.name);
  if (found == variables_.end()) return std::nullopt;
  const ptx::Variable& variable = *found->second;
  const auto placed = places_.find(&variable);
  if (placed != places_.end()) return placed->second;
  if (variable.space != "shared" && variable.space != "local")
    throw module_.error(operand.where, fmt::format("variables in .{} memory are not supported", variable.space));
  if (variable.elements == 0)
    throw module_.error(operand.where, "shared memory whose size is given at launch is not supported");
  unsigned& used = variable.space == "shared"  ? code_.shared_bytes
                   : is_in_frame(operand.name) ? *frame_bytes_
                                               : code_.local_bytes;
  const unsigned place = aligned(used, alignment_of(variable));
  used = place + bytes_of(variable);
  places_.emplace(&variable, place);
  return place;
}

bool Symbols::is_in_frame(const std::string& name) const {
  const auto found = variables_.find(name);
  return frame_bytes_ != nullptr && found != variables_.end() && found->second->space == "local";
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
    code_.parameters.push_back({variable.name, offset, bytes_of(variable)});
    offset += bytes_of(variable);
  }
  code_.parameter_bytes = offset;
}

void Symbols::declare_variables(const std::vector<ptx::Variable>& variables) {
  for (const ptx::Variable& variable : variables) variables_[variable.name] = &variable;
}

}  // namespace heddle::compiler
