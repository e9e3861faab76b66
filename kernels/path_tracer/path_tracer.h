// What host and device share of `path_tracer`. cuda_device.h, included first, makes these device functions.
#pragma once

#ifndef HEDDLE_DEVICE
#define HEDDLE_DEVICE
#endif

namespace heddle::kernels::path_tracer {

constexpr unsigned MaxBounces = 16;
constexpr unsigned FirstRoulette = 1;  // the bounce from which on a path may be ended by Russian roulette
constexpr float Nearest = 1e-3F;       // a hit nearer than this is the surface that the ray leaves
constexpr float RefractiveIndex = 1.5F;

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
HEDDLE_DEVICE inline Vector operator*(float a, Vector b) {
  return {a * b.x, a * b.y, a * b.z};
}
HEDDLE_DEVICE inline float dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

enum class Surface : unsigned { Diffuse, Mirror, Glass };

struct Sphere {
  Vector centre;
  float radius;
  Vector colour;
  float emission;  // a path ends where it is not 0
  Surface surface;
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(Vector) == 3 * sizeof(float));
static_assert(sizeof(Sphere) == 9 * sizeof(float));

}  // namespace heddle::kernels::path_tracer
