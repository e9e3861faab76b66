// SPDX-License-Identifier: Apache-2.0
// Kernels that fetch from textures, for the oracle and for the timed SM beside it. What they should read is computed on
// the host, texel by texel.
#pragma once

#include <string>

#include "sim/gpu/workload.h"

namespace heddle::tests {

/// Entry k(h, from, to) with this body between registers and ret, and a texture reference `t`: %h is the handle, %x and
/// %y are the thread's two words of `from`, %to is the address of its four words of `to`.
isa::Program fetch_program(const std::string& body);

/// One and two dimensions, result types, coordinate types, channels, address modes, pitches, references and handles:
/// with coordinates inside and far outside: 252 launches.
gpu::Outcome run_fetch_cases(gpu::Device& device);

/// Each thread follows a list of its own length through a texture.
gpu::Outcome run_list_walk(gpu::Device& device);

}  // namespace heddle::tests
