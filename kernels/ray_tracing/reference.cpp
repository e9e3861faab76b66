// SPDX-License-Identifier: Apache-2.0
#include "kernels/ray_tracing/reference.h"

#include <algorithm>
#include <cmath>

namespace heddle::kernels::ray_tracing {
namespace {

struct Ray {
  Vector origin, direction;
};

/// What a ray hits: where, and how the surface is there.
struct Hit {
  float distance = FarthestDistance;
  Vector normal = {}, colour = {};
  float reflection = 0;
};

Vector unit(Vector v) {
  return v * (1 / std::sqrt(dot(v, v)));
}

Vector at(const Ray& ray, float distance) {
  return ray.origin + ray.direction * distance;
}

void meet_floor(const Ray& ray, Hit& hit) {
  const float distance = ray.origin.y / -ray.direction.y;
  if (!(ray.direction.y < 0 && distance > NearestDistance && distance < hit.distance)) return;
  const Vector point = at(ray, distance);
  const bool bright = (static_cast<int>(std::floor(point.x)) + static_cast<int>(std::floor(point.z))) % 2 != 0;
  const float shade = (bright ? 0.875F : 0.25F) * (20 / (20 + distance));
  hit = {distance, {0, 1, 0}, {shade, shade, shade}, FloorReflection};
}

void meet(const Ray& ray, const Sphere& sphere, Hit& hit) {
  const Vector to_centre = sphere.centre - ray.origin;
  const float along = dot(to_centre, ray.direction);
  const float beside = dot(to_centre, to_centre) - along * along;
  const float inside = sphere.radius * sphere.radius - beside;
  if (inside <= 0) return;
  const float distance = along - std::sqrt(inside);
  if (distance <= NearestDistance || distance >= hit.distance) return;
  hit = {distance, (at(ray, distance) - sphere.centre) * (1 / sphere.radius), sphere.colour, sphere.reflection};
}

Hit nearest_hit(const std::vector<Sphere>& spheres, const Ray& ray) {
  Hit hit;
  for (const Sphere& sphere : spheres) meet(ray, sphere, hit);
  meet_floor(ray, hit);
  return hit;
}

bool in_shadow(const std::vector<Sphere>& spheres, const Ray& to_light, float light_distance) {
  return std::any_of(spheres.begin(), spheres.end(), [&](const Sphere& sphere) {
    Hit hit;
    meet(to_light, sphere, hit);
    return hit.distance < light_distance;
  });
}

Vector light_from(const std::vector<Sphere>& spheres, const Hit& hit, Vector point, Vector mirrored) {
  const Vector ambient = hit.colour * Ambient, to_light = Light - point;
  const float distance = std::sqrt(dot(to_light, to_light));
  const Ray shadow = {point, to_light * (1 / distance)};
  const float slope = dot(hit.normal, shadow.direction);
  if (slope <= 0 || in_shadow(spheres, shadow, distance)) return ambient;
  float highlight = std::max(dot(mirrored, shadow.direction), 0.0F);
  for (unsigned square = 0; square < 4; ++square) highlight *= highlight;
  highlight *= 0.5F;
  return ambient + hit.colour * slope + Vector{highlight, highlight, highlight};
}

Vector trace(const std::vector<Sphere>& spheres, Ray ray) {
  Vector colour = {0, 0, 0};
  float weight = 1;
  for (unsigned bounce = 0; bounce < MaxBounces && weight > LeastWeight; ++bounce) {
    const Hit hit = nearest_hit(spheres, ray);
    if (hit.distance >= FarthestDistance) {
      const float up = ray.direction.y * 0.5F + 0.5F;
      return colour + Vector{1 - 0.5F * up, 1 - 0.25F * up, 1} * weight;
    }
    const Vector point = at(ray, hit.distance);
    const Vector mirrored = ray.direction - hit.normal * (2 * dot(ray.direction, hit.normal));
    colour = colour + light_from(spheres, hit, point, mirrored) * (weight * (1 - hit.reflection));
    weight *= hit.reflection;
    ray = {point, mirrored};
  }
  return colour;
}

unsigned quantised(float channel) {
  return static_cast<unsigned>(std::min(channel, 1.0F) * 255);
}

}  // namespace

std::vector<unsigned> traced_image(const std::vector<Sphere>& spheres, unsigned width, unsigned height) {
  std::vector<unsigned> image;
  const float wide = static_cast<float>(width), high = static_cast<float>(height);
  for (unsigned row = 0; row < height; ++row) {
    for (unsigned column = 0; column < width; ++column) {
      const Vector through = {(static_cast<float>(column) + 0.5F - wide / 2) / high,
                              (high / 2 - 0.5F - static_cast<float>(row)) / high, 1};
      const Vector colour = trace(spheres, {Camera, unit(through)});
      image.push_back(quantised(colour.x) | quantised(colour.y) << 8 | quantised(colour.z) << 16);
    }
  }
  return image;
}

}  // namespace heddle::kernels::ray_tracing
