#pragma once

namespace heddle::kernels::histogram {

constexpr unsigned Bins = 256;  // one for each value of a byte

}  // namespace heddle::kernels::histogram
// SPDX-License-Identifier: Apache-2.0
