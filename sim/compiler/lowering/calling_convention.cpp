// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/calling_convention.h"

#include <fmt/format.h>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t MaxBytes = 4 * isa::MaxRegisters;  // of one parameter

}  // namespace

CallingConvention::CallingConvention(const ptx::Module& module, const CallGraph& graph, VirtualCode& code)
    : module_(module), code_(code) {
  if (graph.has_indirect_calls)
    shared_return_address_ = make_register("return address of indirect calls", Class::Narrow);
  for (const ReachedFunction& reached : graph.functions) {
    const ptx::Function& function = *reached.function;
    if (function.is_entry) {
      inside_.emplace_back();
      outside_.emplace_back();
      continue;
    }
    inside_.push_back(make_interface(function, ""));
    if (reached.has_address_taken)
      outside_.push_back(indirect(function.parameters, function.results));
    else
      outside_.push_back(reached.is_recursive ? make_interface(function, " from outside") : inside_.back());
  }
}

FunctionInterface CallingConvention::indirect(const std::vector<ptx::Variable>& parameters,
                                              const std::vector<ptx::Variable>& results) {
  return {shared_places(shared_parameters_, "argument", parameters), shared_places(shared_results_, "result", results),
          shared_return_address_};
}

ParameterPlace CallingConvention::make_words(const std::string& name, const ptx::Variable& variable) {
  ParameterPlace place;
  const unsigned bytes = place.bytes = checked_bytes(variable);
  for (unsigned word = 0; 4 * word < bytes; ++word)
    place.registers.push_back(make_register(fmt::format("{} word {}", name, word), Class::Narrow));
  return place;
}

FunctionInterface CallingConvention::make_interface(const ptx::Function& function, const std::string& suffix) {
  const std::string owner = function.name + suffix;
  return {make_places(owner, function.parameters), make_places(owner, function.results),
          make_register("return address of " + owner, Class::Narrow)};
}

std::vector<ParameterPlace> CallingConvention::make_places(const std::string& owner,
                                                           const std::vector<ptx::Variable>& variables) {
  std::vector<ParameterPlace> places;
  for (const ptx::Variable& variable : variables) {
    const std::string name = fmt::format("{} of {}", variable.name, owner);
    if (variable.space != "reg") {
      places.push_back(make_words(name, variable));
      continue;
    }
    const Class width = class_of_type(variable.type);
    places.push_back({checked_bytes(variable), width, {make_register(name, width)}});
  }
  return places;
}

std::vector<ParameterPlace> CallingConvention::shared_places(std::vector<VirtualId>& words, const char* what,
                                                             const std::vector<ptx::Variable>& variables) {
  std::vector<ParameterPlace> places;
  std::size_t next = 0;
  for (const ptx::Variable& variable : variables) {
    places.push_back({checked_bytes(variable), Class::None, {}});
    for (unsigned word = 0; 4 * word < places.back().bytes; ++word, ++next) {
      if (next == words.size())
        words.push_back(make_register(fmt::format("{} word {} of indirect calls", what, next), Class::Narrow));
      places.back().registers.push_back(words[next]);
    }
  }
  return places;
}

unsigned CallingConvention::checked_bytes(const ptx::Variable& variable) const {
  if (bytes_of(variable) > MaxBytes) {
    throw module_.error(variable.where,
                        fmt::format("{} has {} bytes, expected at most {}: functions pass them in registers",
                                    variable.name, bytes_of(variable), MaxBytes));
  }
  return static_cast<unsigned>(bytes_of(variable));
}

VirtualId CallingConvention::make_register(const std::string& name, Class width) {
  code_.registers.push_back({name, width});
  return static_cast<VirtualId>(code_.registers.size() - 1);
}

}  // namespace heddle::compiler
