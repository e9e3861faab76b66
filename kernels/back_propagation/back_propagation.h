// What kernel and driver of `back_propagation` agree on.
#pragma once

namespace heddle::kernels::back_propagation {

constexpr unsigned BackTile = 16;  // hidden units, and inputs that a block takes: its threads are one for each pair

}  // namespace heddle::kernels::back_propagation
// SPDX-License-Identifier: Apache-2.0
