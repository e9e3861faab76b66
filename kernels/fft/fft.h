#pragma once

namespace heddle::kernels::fft {

constexpr unsigned FftPoints = 512;  // of one transform; a power of two

}  // namespace heddle::kernels::fft
// SPDX-License-Identifier: Apache-2.0
