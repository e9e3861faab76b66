// SPDX-License-Identifier: Apache-2.0
#include "tlm/iterative_matching.h"

#include <algorithm>
#include <stdexcept>

namespace heddle {

IterativeMatching::IterativeMatching(unsigned inputs, unsigned outputs, unsigned iterations)
    : iterations_(iterations), first_input_(outputs, 0), first_output_(inputs, 0), grants_(inputs) {
  if (inputs == 0 || inputs > PortSet::most || outputs == 0 || outputs > PortSet::most)
    throw std::invalid_argument("a matching has 1 to 256 inputs and outputs");
  if (iterations == 0) throw std::invalid_argument("a matching needs at least one iteration");
  matches_.reserve(std::min(inputs, outputs));
}

const std::vector<Match>& IterativeMatching::match(const std::vector<PortSet>& requests, PortSet inputs,
                                                   PortSet outputs) {
  const unsigned input_count = static_cast<unsigned>(first_output_.size());
  const unsigned output_count = static_cast<unsigned>(first_input_.size());
  matches_.clear();
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    PortSet granted;
    outputs.for_each([&](unsigned output) {
      const unsigned input = (requests[output] & inputs).next(first_input_[output]);
      if (input == PortSet::none) {
        outputs.erase(output);  // inputs that are taken now stay so
        return;
      }
      grants_[input].insert(output);
      granted.insert(input);
    });
    if (granted.empty()) break;
    granted.for_each([&](unsigned input) {
      const unsigned output = grants_[input].next(first_output_[input]);
      grants_[input] = PortSet();
      matches_.push_back({input, output});
      inputs.erase(input);
      outputs.erase(output);
      if (iteration == 0) {
        first_input_[output] = after(input, input_count);
        first_output_[input] = after(output, output_count);
      }
    });
  }
  return matches_;
}

}  // namespace heddle
