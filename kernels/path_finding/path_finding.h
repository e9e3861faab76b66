// What kernel and driver of `path_finding` agree on.
#pragma once

namespace heddle::kernels::path_finding {

constexpr int PathBlockColumns = 256;  // threads a block: the columns that it owns and its ghost zones
constexpr int PathRowsPerLaunch = 16;  // at most; a ghost zone is as wide

}  // namespace heddle::kernels::path_finding
// SPDX-License-Identifier: Apache-2.0
