#include "kernels/multipole_lookup/multipole_lookup.h"

#include <cmath>
#include <complex>

#include "kernels/hash.h"
#include "kernels/materials.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels {
namespace {

using Number = std::complex<float>;

constexpr unsigned Nuclides = 24;

struct Data {
  Materials materials;
  std::vector<Nuclide> nuclides;
  std::vector<Window> windows;
  std::vector<Pole> poles;
  std::vector<float> weideman;
};

/// Weideman's coefficients (SIAM J. Numer. Anal. 31, 1994): cosine sums of exp(-t^2) (L^2 + t^2) at t = L tan(angle /
/// 2).
std::vector<float> weideman_coefficients() {
  constexpr int Steps = 2 * WeidemanTerms;
  const double scale = std::sqrt(WeidemanTerms / std::sqrt(2.0)), pi = std::acos(-1.0);
  std::vector<float> coefficients;
  for (unsigned term = 1; term <= WeidemanTerms; ++term) {
    double sum = 0;
    for (int step = 1 - Steps; step < Steps; ++step) {
      const double angle = step * pi / Steps, t = scale * std::tan(angle / 2);
      sum += std::exp(-t * t) * (scale * scale + t * t) * std::cos(term * angle);
    }
    coefficients.push_back(static_cast<float>(sum / (2 * Steps)));
  }
  coefficients.push_back(static_cast<float>(scale));
  return coefficients;
}

Complex random_residue(gpu::Random& random) {
  return {random.between(0, 1), random.between(-1, 1)};
}

Data generate(gpu::Random& random) {
  Data data;
  // One material with many nuclides, most with few: trip counts between 2 and 12.
  data.materials = make_materials(random, Nuclides, {12, 2, 3, 3, 8, 6, 6, 5, 5, 4, 4, 2});
  for (unsigned nuclide = 0; nuclide < Nuclides; ++nuclide) {
    data.nuclides.push_back({random.between(0.1F, 0.6F), random.between(50, 400)});
    for (unsigned window = 0; window < Windows; ++window) {
      const auto first = static_cast<unsigned>(data.poles.size()), count = random.below(4);
      for (unsigned pole = 0; pole < count; ++pole) {
        const float energy = (static_cast<float>(window) + random.between(0, 1)) / static_cast<float>(Windows);
        data.poles.push_back({{std::sqrt(energy), random.between(-0.01F, -0.0005F)},
                              random_residue(random),
                              random_residue(random),
                              random.below(AngularMomenta)});
      }
      data.windows.push_back({first, first + count, random.between(1, 10), random.between(0, 1)});
    }
  }
  data.weideman = weideman_coefficients();
  return data;
}

Number number(const Complex& value) {
  return {value.re, value.im};
}

/// As in the kernel, so that the bits are the same; the library's quotient is computed another way.
Number reciprocal(Number value) {
  const float norm = value.real() * value.real() + value.imag() * value.imag();
  return {value.real() / norm, -value.imag() / norm};
}

Number turn(float a, float b) {
  return Number(a, b) * reciprocal({a, -b});
}

Number phase_factor(float x, unsigned angular_momentum) {
  const Number first = turn(1 - x * x / 3, -x);
  switch (angular_momentum) {
    case 0:
      return first;
    case 1:
      return first * turn(1, x);
    case 2:
      return first * turn(3 - x * x, 3 * x);
    default:
      return first * turn(15 - 6 * (x * x), x * (15 - x * x));
  }
}

Number faddeeva(Number z, const std::vector<float>& weideman) {
  if (z.real() * z.real() + z.imag() * z.imag() >= 36) {
    const Number square = z * z;
    return Number(-z.imag(), z.real()) *
           (0.5124242F * reciprocal(square - 0.2752551F) + 0.05176536F * reciprocal(square - 2.724745F));
  }
  const Number inverse = reciprocal({weideman.back() + z.imag(), -z.real()});
  const Number variable = Number(weideman.back() - z.imag(), z.real()) * inverse;
  Number series = 0;
  for (unsigned term = WeidemanTerms; term-- > 0;) series = series * variable + weideman[term];
  return (2.0F * series * inverse + 0.56418958F) * inverse;
}

struct Micro {
  float total, absorption;
};

Micro microscopic(const Data& data, unsigned nuclide, float energy) {
  const float root = std::sqrt(energy);
  const Window& window = data.windows[nuclide * Windows + static_cast<unsigned>(energy * Windows)];
  Micro sum = {window.total * energy, window.absorption * energy};
  for (unsigned index = window.first_pole; index < window.end_pole; ++index) {
    const Pole& pole = data.poles[index];
    const Number z = data.nuclides[nuclide].broadening * Number(root - pole.position.re, -pole.position.im);
    const Number broadened = faddeeva(z, data.weideman);
    const Number factor = phase_factor(data.nuclides[nuclide].radius * root, pole.angular_momentum);
    sum.total += (number(pole.total) * broadened * factor).real();
    sum.absorption += (number(pole.absorption) * broadened).real();
  }
  return sum;
}

class MultipoleLookup : public gpu::Workload {
 public:
  std::string name() const override { return "multipole_lookup"; }
  std::string summary() const override { return "cross sections of materials from poles and windows (RSBench)"; }
  std::string branches() const override {
    return "near or far in the Faddeeva function: a series against two poles; the loops' exits have an empty side";
  }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    constexpr unsigned Lookups = 2;
    const gpu::Shape shape = gpu::shape_for(options, gpu::by_size(options, 48U, 480U, 2880U), MaxThreads / 32);
    gpu::Random random(options.seed);
    const Data data = generate(random);

    std::vector<float> expected;
    for (unsigned thread = 0; thread < shape.total(); ++thread) {
      unsigned state = hash(thread);
      Micro sum = {0, 0};
      for (unsigned lookup = 0; lookup < Lookups; ++lookup) {
        const float energy = draw(state);
        Micro macro = {0, 0};
        data.materials.for_each_nuclide(draw(state), [&](unsigned nuclide, float density) {
          const Micro micro = microscopic(data, nuclide, energy);
          macro.total += density * micro.total;
          macro.absorption += density * micro.absorption;
        });
        sum.total += macro.total;
        sum.absorption += macro.absorption;
      }
      expected.insert(expected.end(), {sum.total, sum.absorption});
    }

    const std::uint64_t sums = device.allocate(expected.size() * sizeof(float));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads},
                gpu::upload(device, data.materials.first), gpu::upload(device, data.materials.nuclides),
                gpu::upload(device, data.materials.densities), gpu::upload(device, data.materials.share),
                gpu::upload(device, data.nuclides), gpu::upload(device, data.windows), gpu::upload(device, data.poles),
                gpu::upload(device, data.weideman), sums, Lookups);
    return gpu::compare_exactly(gpu::download<float>(device, sums, expected.size()), expected);
  }
};

const gpu::RegisterWorkload<MultipoleLookup> Registered;

}  // namespace
}  // namespace heddle::kernels
