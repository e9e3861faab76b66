// SPDX-License-Identifier: Apache-2.0
// Blocks that stand in another one, recorded at the ports that they have in it.
#pragma once

#include <systemc>

#include <fmt/format.h>
#include <memory>
#include <type_traits>
#include <vector>

#include "sim/twin/recorded_ports.h"
#include "sim/twin/twins.h"

namespace heddle {

class recorded_parts {
 public:
  /// Those that `twins` names. \param Ports  says which there are: each_part() as in block_or_twin.h, or none
  template <class Ports, class Block>
  void record(Block& block, const Twins& twins) {
    if constexpr (has_parts<Ports, Block>::value)
      Ports::each_part(block, [&](auto& part, const auto& inputs, const auto& outputs) {
        const RecordingTo* to = recording_of(part.name(), twins);
        if (to == nullptr) return;
        recorded_.push_back(std::make_unique<recorded_ports>(fmt::format("recorded_{}", part.basename()).c_str(),
                                                             inputs, outputs, *to));
        recorded_.back()->clk_i(block.clk_i), recorded_.back()->rst_ni(block.rst_ni);
      });
  }

 private:
  struct visitor {
    template <class Part, class Inputs, class Outputs>
    void operator()(Part&, const Inputs&, const Outputs&) const;
  };
  template <class Ports, class Block, class = void>
  struct has_parts : std::false_type {};
  template <class Ports, class Block>
  struct has_parts<Ports, Block, std::void_t<decltype(Ports::each_part(std::declval<Block&>(), visitor()))>>
      : std::true_type {};

  std::vector<std::unique_ptr<recorded_ports>> recorded_;
};

}  // namespace heddle
