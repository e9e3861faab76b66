// SPDX-License-Identifier: Apache-2.0
// The suffixes of a memory opcode: "ld.volatile.global.v2.u32" -> volatile, global, 2 elements of u32.
//
// Most cache hints have no meaning on this machine and are accepted. `acquire` and `release` are a fence behind and
// before the access, of the access's scope. Anything that is not in the tables is refused by name.
#pragma once

#include <stdexcept>
#include <string>

#include "sim/isa/instruction.h"

namespace heddle::compiler {

struct MemoryForm {
  isa::Space space = isa::Space::Generic;  // if the opcode names none
  bool is_parameter = false;               // ld.param
  bool is_constant = false;                // ld.const
  bool is_volatile = false;
  bool is_coherent = false;  // .volatile, .relaxed, .acquire, .cg, .cv: sees what another SM has stored
  bool is_acquire = false, is_release = false;
  bool is_cta_scope = false;  // .cta; every other scope is the device's, and that of an atomic without one
  unsigned count = 1;         // elements of a vector
  std::string type;
  unsigned bytes = 0;  // of one element
  isa::AtomicOp atomic = isa::AtomicOp::None;

  bool is_signed() const { return type[0] == 's'; }
};

/// Is the last suffix of a fence the scope of a CTA? "fence.acq_rel.cta", "membar.cta".
bool is_cta_scope(const std::string& fence);

/// Throws std::invalid_argument with a message that names the suffix.
MemoryForm parse_memory_form(const std::string& opcode);

}  // namespace heddle::compiler
