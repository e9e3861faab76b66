// SPDX-License-Identifier: Apache-2.0
// The .global and .const variables of a module, before a device has loaded them: their addresses are the device's.
//
// So code reads such an address from a hidden parameter: eight bytes of the launch's parameter block behind the
// arguments, which the device fills. Users of a program do not see them (Launch, ParameterBlock).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::isa {

/// Eight bytes at `offset` become the address of a variable plus `addend`.
struct Relocation {
  std::uint64_t offset = 0;
  unsigned variable = 0;  // of the same module
  std::uint64_t addend = 0;
};

struct GlobalVariable {
  std::string name;
  std::uint64_t bytes = 0;
  bool is_texture = false;         // a texture reference: a TextureDescriptor
  std::vector<std::byte> initial;  // the first bytes; the others are zeros
  std::vector<Relocation> relocations;
};

struct GlobalData {
  std::vector<GlobalVariable> variables;

  /// The index of the variable of that name, or variables.size().
  unsigned find(const std::string& name) const;
};

/// What a hidden parameter holds.
struct HiddenParameter {
  enum class Kind : std::uint8_t {
    Variable,       // the address of variables[variable]
    DynamicShared,  // the offset in shared memory of what is sized at launch
    Parameters      // the address of a copy of the arguments in device memory
  };
  Kind kind = Kind::Variable;
  unsigned variable = 0;

  bool operator==(const HiddenParameter& other) const { return kind == other.kind && variable == other.variable; }
};

}  // namespace heddle::isa
