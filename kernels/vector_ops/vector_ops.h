#pragma once

namespace heddle::kernels::vector_ops {

constexpr unsigned MaxThreads = 256;  // of a block

}  // namespace heddle::kernels::vector_ops
// SPDX-License-Identifier: Apache-2.0
