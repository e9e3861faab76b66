// SPDX-License-Identifier: Apache-2.0
// Which commit this program was built from.
#pragma once

#include <string>

namespace heddle::report {

/// Its hash, with "+" behind it if the tree had changes; "unknown" without git. As of when the program was linked.
std::string build_commit();

}  // namespace heddle::report
