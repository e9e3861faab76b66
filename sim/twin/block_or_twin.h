// SPDX-License-Identifier: Apache-2.0
// A block or its Verilated twin, behind ports that are said once.
//
// Ports<Block> has as members the ports of the block but for clock and reset, under their names, and says which they are:
//   inputs(), outputs()  std::tie of them
//   pass_to(core)        binds those of a block or of a twin to them
// and, if blocks in it can be recorded:
//   each_part(block, visit)  static; visit(part, inputs, outputs) of each of them
#pragma once

#include <systemc>

#include <memory>
#include <tuple>
#include <utility>

#include "sim/twin/beside_block.h"
#include "sim/twin/recorded_parts.h"
#include "sim/twin/recorded_ports.h"
#include "sim/twin/twin_module.h"
#include "sim/twin/twins.h"

namespace heddle {

template <class Block, template <class> class Ports>
class twin_behind : public twin_module, public Ports<Block> {
 public:
  twin_behind(const sc_core::sc_module_name& name, std::unique_ptr<Twin> twin) : twin_module(name, std::move(twin)) {
    std::apply([this](auto&... its) { takes(its...); }, Ports<Block>::inputs());
    std::apply([this](auto&... its) { gives(its...); }, Ports<Block>::outputs());
  }
};

/// The twin, if `twins` has a library for a block of this name, and the block beside it if they are to be compared; what
/// its ports show is recorded if they say so.
template <class Block, template <class> class Ports>
class block_or_twin : public sc_core::sc_module, public Ports<Block> {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  block_or_twin(const sc_core::sc_module_name& name, const Twins& twins) : sc_module(name) {
    if (const RecordingTo* to = recording_of(this->name(), twins)) {
      recorded_ = std::make_unique<recorded_ports>("recorded", this->inputs(), this->outputs(), *to);
      recorded_->clk_i(clk_i), recorded_->rst_ni(rst_ni);
    }
    auto twin = twin_of(basename(), twins);
    if (twin == nullptr) {
      auto block = std::make_unique<Block>("block");
      parts_.record<Ports<Block>>(*block, twins);
      stand(std::move(block));
      return;
    }
    stand(std::make_unique<twin_behind<Block, Ports>>("twin", std::move(twin)));
    if (!twins.compare) return;
    beside_ = std::make_unique<beside_block<Block, Ports>>("beside", *this);
    beside_->clk_i(clk_i), beside_->rst_ni(rst_ni);
  }

 private:
  template <class Core>
  void stand(std::unique_ptr<Core> core) {
    core->clk_i(clk_i), core->rst_ni(rst_ni);
    Ports<Block>::pass_to(*core);
    core_ = std::move(core);
  }

  std::unique_ptr<sc_core::sc_module> core_;
  std::unique_ptr<beside_block<Block, Ports>> beside_;
  std::unique_ptr<recorded_ports> recorded_;
  recorded_parts parts_;
};

}  // namespace heddle
