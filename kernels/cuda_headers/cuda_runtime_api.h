// For programs that include it: what there is of CUDA without its SDK (scripts/ptx).
#pragma once

#include "../cuda_device.h"
// SPDX-License-Identifier: Apache-2.0
