// SPDX-License-Identifier: Apache-2.0
#include "kernels/photon_transport/reference.h"

#include <algorithm>
#include <cmath>

namespace heddle::kernels::photon_transport {
namespace {

unsigned cell(float distance, unsigned cells) {
  return static_cast<unsigned>(std::min(distance * CellsPerCm, static_cast<float>(cells - 1)));
}

unsigned units(float weight) {
  return static_cast<unsigned>(weight * WeightUnits);
}

class Walk {
 public:
  Walk(const std::vector<Layer>& layers, const Stream& stream, Tallies& tallies)
      : layers_(layers), draws_(stream.draws), photon_(stream.photon), tallies_(tallies) {}

  bool is_over() const { return photon_.weight == 0; }
  void begin(float weight) { photon_ = {0, 0, 0, 0, 0, 1, weight, 0}; }

  void step() {
    const Layer& layer = layers_[photon_.layer];
    const float uz = photon_.z_direction, boundary = uz > 0 ? layer.bottom : layer.top;
    const float to_boundary = uz != 0 ? (boundary - photon_.z) / uz : VeryFar;
    const float length = -natural_logarithm(draws_.positive()) * layer.free_path;
    if (length < to_boundary) {
      move(length, photon_.z + uz * length);
      absorb(layer);
      scatter(layer.anisotropy);
    } else {
      move(to_boundary, boundary);
      cross(layer);
    }
    if (photon_.weight > 0 && photon_.weight < LightWeight)
      photon_.weight = draws_.uniform() < RouletteChance ? photon_.weight * (1 / RouletteChance) : 0;
  }

 private:
  void move(float length, float depth) {
    photon_.x += photon_.x_direction * length;
    photon_.y += photon_.y_direction * length;
    photon_.z = depth;
  }

  unsigned ring() const { return cell(std::sqrt(photon_.x * photon_.x + photon_.y * photon_.y), RadialCells); }

  void absorb(const Layer& layer) {
    const float share = photon_.weight * layer.absorbed_share;
    tallies_.absorbed[ring() * DepthCells + cell(photon_.z, DepthCells)] += units(share);
    photon_.weight -= share;
  }

  void scatter(float g) {
    float cosine = 0;
    if (g == 0) {
      cosine = draws_.symmetric();
    } else {
      const float part = (1 - g * g) / (1 - g + 2 * g * draws_.uniform());
      cosine = (1 + g * g - part * part) / (2 * g);
    }
    const float sine = std::sqrt(std::max(1 - cosine * cosine, 0.0F));
    float a = 0, b = 0, square = 0;
    while (square == 0 || square > 1) {
      a = draws_.symmetric();
      b = draws_.symmetric();
      square = a * a + b * b;
    }
    turn(cosine, sine, (a * a - b * b) / square, 2 * a * b / square);
  }

  void turn(float cosine, float sine, float azimuth_cosine, float azimuth_sine) {
    const float ux = photon_.x_direction, uy = photon_.y_direction, uz = photon_.z_direction;
    if (std::abs(uz) > AlmostVertical) {
      photon_.x_direction = sine * azimuth_cosine;
      photon_.y_direction = sine * azimuth_sine;
      photon_.z_direction = uz > 0 ? cosine : -cosine;
      return;
    }
    const float flat = std::sqrt(1 - uz * uz);
    photon_.x_direction = sine * (ux * uz * azimuth_cosine - uy * azimuth_sine) / flat + ux * cosine;
    photon_.y_direction = sine * (uy * uz * azimuth_cosine + ux * azimuth_sine) / flat + uy * cosine;
    photon_.z_direction = uz * cosine - sine * azimuth_cosine * flat;
  }

  /// Snell's and Fresnel's laws at the boundary that the photon has come to.
  void cross(const Layer& layer) {
    const bool down = photon_.z_direction > 0;
    const bool leaves = down ? photon_.layer + 1 == layers_.size() : photon_.layer == 0;
    const unsigned behind = down ? photon_.layer + 1 : photon_.layer - 1;
    const float n = layer.refraction, m = leaves ? Air : layers_[behind].refraction;
    const float ratio = n / m, c = std::abs(photon_.z_direction);
    const float sine_square = ratio * ratio * (1 - c * c);
    float mirrored = 1, d = 0;
    if (sine_square < 1) {
      d = std::sqrt(1 - sine_square);
      const float across = (n * c - m * d) / (n * c + m * d), along = (n * d - m * c) / (n * d + m * c);
      mirrored = 0.5F * (across * across + along * along);
    }
    if (draws_.uniform() < mirrored) {
      photon_.z_direction = -photon_.z_direction;
    } else if (leaves) {
      tallies_.escaped[(down ? RadialCells : 0) + ring()] += units(photon_.weight);
      photon_.weight = 0;
    } else {
      photon_.x_direction *= ratio;
      photon_.y_direction *= ratio;
      photon_.z_direction = down ? d : -d;
      photon_.layer = behind;
    }
  }

  const std::vector<Layer>& layers_;
  Draws draws_;
  Photon photon_;
  Tallies& tallies_;
};

}  // namespace

void follow_photons(const std::vector<Layer>& layers, Stream stream, unsigned steps, float first_weight,
                    Tallies& tallies) {
  Walk walk(layers, stream, tallies);
  for (unsigned step = 0; step < steps; ++step) {
    if (walk.is_over()) walk.begin(first_weight);
    walk.step();
  }
}

}  // namespace heddle::kernels::photon_transport
