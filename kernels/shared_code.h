// For code that the device and the CPU reference share: on the CPU these say nothing. cuda_device.h, included first,
// gives them their meaning on the device.
#pragma once

#ifndef HEDDLE_DEVICE
#define HEDDLE_DEVICE
#define HEDDLE_ROLLED_LOOP
#endif
// SPDX-License-Identifier: Apache-2.0
