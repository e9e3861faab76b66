// Fast Fourier transforms of complex signals, a block a signal, radix 2, decimation in time: the input goes into shared
// memory in bit-reversed order, then a thread computes one butterfly a stage. Twiddle factors come from a table, as in
// the SPLASH-2 program that DWF sec. 5 runs as "FFT": limited divergence, many strided accesses.
#include "../cuda_device.h"
#include "fft.h"

using namespace heddle::kernels::fft;

struct alignas(8) Complex {
  float re, im;
};

extern "C" __global__ void fft(const Complex* signals, const Complex* twiddles, Complex* spectra) {
  __shared__ float re[FftPoints], im[FftPoints];
  constexpr unsigned Threads = FftPoints / 2;
  const unsigned thread = threadIdx.x, first = blockIdx.x * FftPoints;
  for (unsigned turn = 0; turn < 2; ++turn) {
    const unsigned point = thread + turn * Threads;
    const Complex value = signals[first + point];
    const unsigned reversed = __brev(point) / (0x80000000U / FftPoints * 2);
    re[reversed] = value.re;
    im[reversed] = value.im;
  }
  HEDDLE_ROLLED_LOOP
  for (unsigned half = 1, stride = Threads; half < FftPoints; half *= 2, stride /= 2) {
    __syncthreads();
    const unsigned step = thread & (half - 1), low = 2 * thread - step, high = low + half;
    const Complex twiddle = twiddles[step * stride];
    const float turned_re = twiddle.re * re[high] - twiddle.im * im[high];
    const float turned_im = twiddle.re * im[high] + twiddle.im * re[high];
    re[high] = re[low] - turned_re;
    im[high] = im[low] - turned_im;
    re[low] += turned_re;
    im[low] += turned_im;
  }
  __syncthreads();
  for (unsigned turn = 0; turn < 2; ++turn) {
    const unsigned point = thread + turn * Threads;
    spectra[first + point] = {re[point], im[point]};
  }
}
// SPDX-License-Identifier: Apache-2.0
