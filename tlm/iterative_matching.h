// SPDX-License-Identifier: Apache-2.0
// The allocator of an input-queued switch: which inputs send to which outputs in a cycle, each at most once.
//
// Source: parallel iterative matching (Anderson et al., 1993; DWF Table 2: "a crossbar with a parallel iterative
// matching allocator"), with iSLIP's round-robin pointers in place of dice (McKeown, 1999; ours: a run must repeat).
// An iteration has three steps:
//   request  each unmatched input asks every output for which it has a packet;
//   grant    each unmatched output grants the first that asks, from its pointer on;
//   accept   each input accepts the first grant, from its pointer on.
// Pointers move only when a grant of the first iteration is accepted, to one past the partner. So a pair that keeps
// asking is served (at most inputs * outputs other matches go before it), outputs under full load fall out of step, and
// then each is matched in every cycle. Each iteration that matches nothing is the last: the matching is maximal.
// No clock and no SystemC here.
#pragma once

#include <vector>

#include "tlm/port_set.h"

namespace heddle {

struct Match {
  unsigned input = 0;
  unsigned output = 0;
};

class IterativeMatching {
 public:
  // 1 to 256 inputs and outputs, at least one iteration; else throws std::invalid_argument.
  IterativeMatching(unsigned inputs, unsigned outputs, unsigned iterations);

  // requests[o]: the inputs that ask output o. Only members of `inputs` and `outputs` take part. The answer stands
  // until the next call.
  const std::vector<Match>& match(const std::vector<PortSet>& requests, PortSet inputs, PortSet outputs);

 private:
  unsigned after(unsigned port, unsigned ports) const { return port + 1 == ports ? 0 : port + 1; }

  const unsigned iterations_;
  std::vector<unsigned> first_input_;   // of each output: where its grants start
  std::vector<unsigned> first_output_;  // of each input: where its acceptance starts
  std::vector<PortSet> grants_;         // of each input, within an iteration: the outputs that granted
  std::vector<Match> matches_;
};

}  // namespace heddle
