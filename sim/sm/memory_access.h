// Address generation: from a memory instruction's operands to an access that the load/store unit may perform.
#pragma once

#include "sim/sm/sm_state.h"

namespace heddle {

/// Computes the addresses of flight.lanes (at least one), checks bounds and alignment of each, hands the access over.
/// A generic access whose lanes fall into shared and other memory becomes two accesses of the load/store unit.
/// \throws isa::ExecutionError naming kernel, PTX line, thread and address.
void issue_access(SmState& sm, Warp& warp, unsigned token);

}  // namespace heddle
