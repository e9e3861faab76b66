// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::black_scholes {
namespace {

constexpr float Rate = 0.02F;
constexpr unsigned OptionsPerThread = 4;

// What the device may be off, in units of money. Stock prices go to 30, strike prices X to 100, and a distance is below
// 6. Let u be half a unit in the last place of 1, 6e-8.
//  - An error that both distances share, such as that of lg2.approx, moves the price by nothing to first order, since
//    the price is at an extreme over the point of exercise; it is below 2e-5, so its square does not matter.
//  - The second distance is rounded on its own, by 3e-7, and the density is below 0.4:  X 0.4 3e-7           = 1.2e-5
//  - A share: 7.5e-8 by the polynomial, ten roundings of numbers up to 2 on the way to
//    one of at most 0.5, and ex2.approx to 2^-22 of it: 5e-7 for both shares:         (30 + X) 5e-7          = 6.5e-5
//  - The discount: ex2.approx to 2^-22 and two roundings:                              X (2^-22 + 2u)         = 3.6e-5
//  - Two products and their difference:                                                (30 + X + X) u         = 1.4e-5
constexpr double AllowedError = 1.3e-4;

struct Options {
  std::vector<float> stock_prices, strike_prices, years;
};

Options random_options(unsigned count, gpu::Random& random) {
  Options options;
  for (unsigned option = 0; option < count; ++option) {
    options.stock_prices.push_back(random.between(5, 30));
    options.strike_prices.push_back(random.between(1, 100));
    options.years.push_back(random.between(0.25F, 10));
  }
  return options;
}

/// All calls, then all puts: the formula itself, in double.
std::vector<float> prices(const Options& options, double rate, double volatility) {
  const auto cumulative_normal = [](double deviation) { return 0.5 * std::erfc(-deviation / std::sqrt(2.0)); };
  std::vector<float> calls, puts;
  for (std::size_t option = 0; option < options.years.size(); ++option) {
    const double stock = options.stock_prices[option], strike = options.strike_prices[option];
    const double time = options.years[option], spread = volatility * std::sqrt(time);
    const double first = (std::log(stock / strike) + (rate + volatility * volatility / 2) * time) / spread;
    const double discounted = strike * std::exp(-rate * time);
    const double call = stock * cumulative_normal(first) - discounted * cumulative_normal(first - spread);
    calls.push_back(static_cast<float>(call));
    puts.push_back(static_cast<float>(call + discounted - stock));
  }
  calls.insert(calls.end(), puts.begin(), puts.end());
  return calls;
}

class BlackScholes : public gpu::Workload {
 public:
  std::string name() const override { return "black_scholes"; }
  std::string summary() const override { return "prices of options by the formula of Black and Scholes"; }
  std::string branches() const override {
    return "none to interleave: the polynomial of the normal distribution stands against its tail, which is a constant";
  }
  std::string sizes() const override { return Volatilities.text("volatilities for 65536 options"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, 512, 8);
    const unsigned volatilities = Volatilities.at(options), count = shape.total() * OptionsPerThread;
    gpu::Random random(options.seed);
    const Options priced = random_options(count, random);
    const std::uint64_t stock_prices = gpu::upload(device, priced.stock_prices);
    const std::uint64_t strike_prices = gpu::upload(device, priced.strike_prices);
    const std::uint64_t years = gpu::upload(device, priced.years);
    const std::uint64_t calls = device.allocate(count * sizeof(float)), puts = device.allocate(count * sizeof(float));

    gpu::Outcome outcome{true, ""};
    for (unsigned step = 0; step < volatilities && outcome.ok; ++step) {
      const float volatility = 0.2F + 0.2F * static_cast<float>(step) / static_cast<float>(volatilities);
      gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, stock_prices, strike_prices, years,
                  calls, puts, Rate, volatility, count);
      std::vector<float> found = gpu::download<float>(device, calls, count);
      for (const float put : gpu::download<float>(device, puts, count)) found.push_back(put);
      outcome = gpu::compare_within(found, prices(priced, Rate, volatility), 0, AllowedError);
    }
    return {outcome.ok, fmt::format("{} options at {} volatilities: {}", count, volatilities, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Volatilities{4, 40, 240};
};

const gpu::RegisterWorkload<BlackScholes> Registered;

}  // namespace
}  // namespace heddle::kernels::black_scholes
