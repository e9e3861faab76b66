// Prices of European call and put options by the formula of Black and Scholes, in the style of NVIDIA's CUDA sample
// (DWF sec. 5). A thread takes every so-many-th option.
#include "../cuda_device.h"

// Beyond it the normal distribution is 0 or 1 but for 1e-9.
static constexpr float Tail = 6.0F;

// The cumulative normal distribution: Abramowitz and Stegun 26.2.17, off by at most 7.5e-8.
static __device__ __forceinline__ float cumulative_normal(float deviation) {
  const float distance = fabsf(deviation);
  float upper = 0;  // what lies beyond the distance
  if (distance < Tail) {
    const float k = 1.0F / (1.0F + 0.2316419F * distance);
    const float polynomial =
        k * (0.319381530F + k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F))));
    upper = 0.39894228040143267794F * __expf(-0.5F * distance * distance) * polynomial;
  }
  return deviation > 0 ? 1.0F - upper : upper;
}

extern "C" __global__ void black_scholes(const float* stock_prices, const float* strike_prices, const float* years,
                                         float* calls, float* puts, float rate, float volatility, unsigned options) {
  HEDDLE_ROLLED_LOOP
  for (unsigned option = global_thread(); option < options; option += gridDim.x * blockDim.x) {
    const float stock = stock_prices[option], strike = strike_prices[option], time = years[option];
    const float spread = volatility * sqrtf(time);
    const float first = (__logf(stock / strike) + (rate + 0.5F * volatility * volatility) * time) / spread;
    const float first_share = cumulative_normal(first), second_share = cumulative_normal(first - spread);
    const float discounted = strike * __expf(-rate * time);
    calls[option] = stock * first_share - discounted * second_share;
    puts[option] = discounted * (1.0F - second_share) - stock * (1.0F - first_share);
  }
}
// SPDX-License-Identifier: Apache-2.0
