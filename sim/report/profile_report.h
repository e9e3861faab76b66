// SPDX-License-Identifier: Apache-2.0
// Where the time of a kernel went, for people: by line of the CUDA program, where PTX says it (.loc), and by
// instruction.
#pragma once

#include <string>

#include "sim/gpu/kernel_profile.h"

namespace heddle::report {

/// Two tables; every scheduler cycle is in one row of each.
/// \param run  what ran: "diverge under dpe/shadow"
std::string profile_tables(const std::string& run, const gpu::KernelProfile& profile);

}  // namespace heddle::report
