// Vectors of three floats, for the device and for the CPU reference. cuda_device.h, included first, makes these device
// functions.
#pragma once

#include "shared_code.h"

namespace heddle::kernels {

struct Vector {
  float x, y, z;
};

HEDDLE_DEVICE inline Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HEDDLE_DEVICE inline Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HEDDLE_DEVICE inline Vector operator*(Vector a, Vector b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
HEDDLE_DEVICE inline Vector operator*(float factor, Vector a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
HEDDLE_DEVICE inline Vector operator*(Vector a, float factor) {
  return factor * a;
}
HEDDLE_DEVICE inline float dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace heddle::kernels
// SPDX-License-Identifier: Apache-2.0
