// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/device.h"

#include <cstring>
#include <fmt/format.h>
#include <iostream>

namespace heddle::gpu {

using isa::HiddenParameter;

Device::Device()
    : print_to_(&std::cout), console_([this](const std::string& text) {
        printed_ += text;
        if (print_to_ != nullptr) *print_to_ << text << std::flush;
      }) {}

void Device::launch(const Launch& launch) {
  isa::check(launch);
  execute(launch.is_linked ? launch : link(launch));  // linked already by a device that stands before this one
}

std::uint64_t Device::address_of(const isa::Program& program, const std::string& variable) {
  const unsigned index = program.globals ? program.globals->find(variable) : 0;
  if (!program.globals || index == program.globals->variables.size()) {
    throw ExecutionError(ErrorCode::InvalidSymbol,
                         fmt::format("{} has no variable {} in .global or .const memory", program.file, variable));
  }
  return load(program)[index];
}

void Device::bind_texture(const isa::Program& program, const std::string& reference, const Texture& texture) {
  const unsigned index = program.globals ? program.globals->find(reference) : 0;
  if (!program.globals || index == program.globals->variables.size() || !program.globals->variables[index].is_texture)
    throw ExecutionError(ErrorCode::InvalidTexture,
                         fmt::format("{} has no texture reference {}", program.file, reference));
  const isa::TextureDescriptor descriptor = descriptor_of(texture);
  const std::uint64_t address = load(program)[index];
  write(address, &descriptor, sizeof descriptor);
  bound_textures_.insert(address);
}

std::uint64_t Device::make_texture(const Texture& texture) {
  const isa::TextureDescriptor descriptor = descriptor_of(texture);
  const std::uint64_t handle = allocate(sizeof descriptor);
  write(handle, &descriptor, sizeof descriptor);
  return handle;
}

const std::vector<std::uint64_t>& Device::load(const isa::Program& program) {
  const auto found = modules_.find(program.globals);
  if (found != modules_.end()) return found->second;
  return modules_.emplace(program.globals, place(program)).first->second;
}

std::vector<std::uint64_t> Device::place(const isa::Program& program) {
  std::vector<std::uint64_t> addresses;
  for (const isa::GlobalVariable& variable : program.globals->variables) addresses.push_back(allocate(variable.bytes));
  for (std::size_t index = 0; index < addresses.size(); ++index) {
    const isa::GlobalVariable& variable = program.globals->variables[index];
    write(addresses[index], variable.initial.data(), variable.initial.size());
    for (const isa::Relocation& relocation : variable.relocations) {
      const std::uint64_t value = addresses[relocation.variable] + relocation.addend;
      write(addresses[index] + relocation.offset, &value, sizeof value);
    }
  }
  return addresses;
}

void Device::check_texture(const isa::Program& program, unsigned variable, std::uint64_t address) const {
  const isa::GlobalVariable& texture = program.globals->variables[variable];
  if (!texture.is_texture || bound_textures_.count(address) != 0) return;
  throw ExecutionError(
      ErrorCode::InvalidTextureBinding,
      fmt::format("kernel {} of {} reads texture {}, which is not bound", program.name, program.file, texture.name));
}

std::uint64_t Device::copy_parameters(const Launch& launch) {
  if (launch.parameters.size() > parameter_bytes_) {
    parameter_bytes_ = launch.parameters.size();
    parameters_ = allocate(parameter_bytes_);
  }
  write(parameters_, launch.parameters.data(), launch.parameters.size());
  return parameters_;
}

Launch Device::link(const Launch& launch) {
  const isa::Program& program = *launch.program;
  Launch linked = launch;
  linked.is_linked = true;
  linked.grid_id = ++grids_;
  linked.console = &console_;
  console_.start();
  if (program.globals) load(program);
  if (program.hidden.empty()) return linked;
  linked.parameters.resize(program.block_bytes());
  for (std::size_t index = 0; index < program.hidden.size(); ++index) {
    const HiddenParameter& hidden = program.hidden[index];
    std::uint64_t value = 0;
    switch (hidden.kind) {
      case HiddenParameter::Kind::Variable:
        value = load(program)[hidden.variable];
        check_texture(program, hidden.variable, value);
        break;
      case HiddenParameter::Kind::DynamicShared:
        value = program.shared_bytes;
        break;
      case HiddenParameter::Kind::Parameters:
        value = copy_parameters(launch);
        break;
    }
    std::memcpy(linked.parameters.data() + program.hidden_offset() + 8 * index, &value, sizeof value);
  }
  return linked;
}

}  // namespace heddle::gpu
