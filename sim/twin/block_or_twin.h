// A block or its Verilated twin, behind ports that are said once.
//
// Ports<Block> has as members the ports of the block but for clock and reset, under their names, and says which they are:
//   inputs(), outputs()  std::tie of them
//   pass_to(core)        binds those of a block or of a twin to them
#pragma once

#include <systemc>

#include <memory>
#include <tuple>
#include <utility>

#include "sim/sm/slice_library.h"
#include "sim/twin/twin_module.h"

namespace heddle {

template <class Block, template <class> class Ports>
class twin_behind : public twin_module, public Ports<Block> {
 public:
  twin_behind(const sc_core::sc_module_name& name, std::unique_ptr<Twin> twin) : twin_module(name, std::move(twin)) {
    std::apply([this](auto&... its) { takes(its...); }, Ports<Block>::inputs());
    std::apply([this](auto&... its) { gives(its...); }, Ports<Block>::outputs());
  }
};

/// The twin, if `twins` has a library for a block of this name.
template <class Block, template <class> class Ports>
class block_or_twin : public sc_core::sc_module, public Ports<Block> {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  block_or_twin(const sc_core::sc_module_name& name, const Twins& twins) : sc_module(name) {
    if (auto twin = twin_of(basename(), twins))
      stand(std::make_unique<twin_behind<Block, Ports>>("twin", std::move(twin)));
    else
      stand(std::make_unique<Block>("block"));
  }

 private:
  template <class Core>
  void stand(std::unique_ptr<Core> core) {
    core->clk_i(clk_i), core->rst_ni(rst_ni);
    Ports<Block>::pass_to(*core);
    core_ = std::move(core);
  }

  std::unique_ptr<sc_core::sc_module> core_;
};

}  // namespace heddle
