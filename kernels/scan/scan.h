#pragma once

namespace heddle::kernels::scan {

constexpr unsigned ScanThreads = 256, ScanValues = 2 * ScanThreads;  // of a block

}  // namespace heddle::kernels::scan
// SPDX-License-Identifier: Apache-2.0
