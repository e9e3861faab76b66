// SPDX-License-Identifier: Apache-2.0
// A register of a Verilated twin that tb/<block>/<name>.vlt makes public, for benches that preset it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <verilated.h>
#include <verilated_syms.h>

namespace heddle::bench {

/// Sets the bits of `mask` in a register of 33 to 64 bits. False where the model has none of that name, as a netlist.
/// \throws std::logic_error for a register of another width
inline bool preset(VerilatedContext& context, const char* name, std::uint64_t mask, std::uint64_t value) {
  bool found = false;
  for (const auto& [scope_name, scope] : *context.scopeNameMap()) {
    const VerilatedVar* const variable = scope->varFind(name);
    if (variable == nullptr) continue;
    if (variable->vltype() != VLVT_UINT64) throw std::logic_error(std::string(name) + " has not 33 to 64 bits");
    auto& bits = *static_cast<QData*>(variable->datap());
    bits = (bits & ~mask) | (value & mask);
    found = true;
  }
  return found;
}

}  // namespace heddle::bench
