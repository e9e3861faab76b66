// SPDX-License-Identifier: Apache-2.0
// A texture fetch as ordinary instructions: no texture unit is modelled.
//
// The fields of the descriptor that the fetch needs are loaded (isa/texture.h), coordinates are brought into range, and
// the channels that the function reads anywhere are loaded one by one; what the texture has not is a move.
#pragma once

#include "sim/compiler/lowering/emitter.h"

namespace heddle::compiler {

/// tex.1d and tex.2d: {d, d, d, d}, [texture, {coordinates}], where `texture` is a texture reference or a register with
/// a handle.
void lower_texture(Emitter& emitter, const Opcode& opcode);

}  // namespace heddle::compiler
