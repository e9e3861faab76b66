// SPDX-License-Identifier: Apache-2.0
#include "kernels/fft/fft.h"

#include <cmath>
#include <complex>

#include "kernels/batches.h"

namespace heddle::kernels::fft {
namespace {

using Complex = std::complex<float>;  // (re, im) in memory, as the kernel has it

std::vector<Complex> make_twiddles() {
  const double pi = std::acos(-1.0);
  std::vector<Complex> twiddles(FftPoints / 2);
  for (unsigned index = 0; index < twiddles.size(); ++index)
    twiddles[index] = Complex(std::polar(1.0, -2 * pi * index / FftPoints));
  return twiddles;
}

/// Recursive: the transforms of the even and of the odd points, then one butterfly a pair. The same operations on the
/// same values as in the kernel, so that the bits are the same.
std::vector<Complex> transform(const std::vector<Complex>& signal, const std::vector<Complex>& twiddles) {
  if (signal.size() == 1) return signal;
  const std::size_t half = signal.size() / 2;
  std::vector<Complex> even(half), odd(half), spectrum(signal.size());
  for (std::size_t index = 0; index < half; ++index) {
    even[index] = signal[2 * index];
    odd[index] = signal[2 * index + 1];
  }
  even = transform(even, twiddles);
  odd = transform(odd, twiddles);
  for (std::size_t index = 0; index < half; ++index) {
    const Complex turned = twiddles[index * (twiddles.size() / half)] * odd[index];
    spectrum[index] = even[index] + turned;
    spectrum[index + half] = even[index] - turned;
  }
  return spectrum;
}

class FastFourierTransform : public gpu::Workload {
 public:
  std::string name() const override { return "fft"; }
  std::string summary() const override { return "Fourier transforms of 512 points, radix 2, in shared memory"; }
  std::string branches() const override {
    return "none: the only branch is that of a loop which all threads leave together";
  }
  std::string sizes() const override { return Batches.text("batches of 200 signals of 512 points"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    constexpr unsigned Signals = 200;
    const std::vector<Complex> twiddles = make_twiddles();
    const std::uint64_t twiddle_table = gpu::upload(device, twiddles);
    const std::uint64_t from = device.allocate(Signals * FftPoints * sizeof(Complex));
    const std::uint64_t to = device.allocate(Signals * FftPoints * sizeof(Complex));
    gpu::Random random(options.seed);
    return run_in_batches(Batches.at(options), [&] {
      std::vector<Complex> signals, expected;
      for (unsigned signal = 0; signal < Signals; ++signal) {
        std::vector<Complex> values(FftPoints);
        for (Complex& value : values) value = {random.between(-1, 1), random.between(-1, 1)};
        const std::vector<Complex> spectrum = transform(values, twiddles);
        signals.insert(signals.end(), values.begin(), values.end());
        expected.insert(expected.end(), spectrum.begin(), spectrum.end());
      }
      device.write(from, signals.data(), signals.size() * sizeof(Complex));
      gpu::launch(device, find_program(name()), {Signals}, {FftPoints / 2}, from, twiddle_table, to);
      return gpu::compare_exactly(gpu::download<float>(device, to, 2 * expected.size()), parts_of(expected));
    });
  }

 private:
  static constexpr gpu::PerSize Batches{1, 10, 60};

  static std::vector<float> parts_of(const std::vector<Complex>& values) {
    std::vector<float> parts;
    for (const Complex& value : values) parts.insert(parts.end(), {value.real(), value.imag()});
    return parts;
  }
};

const gpu::RegisterWorkload<FastFourierTransform> Registered;

}  // namespace
}  // namespace heddle::kernels::fft
