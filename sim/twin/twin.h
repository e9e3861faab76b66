// SPDX-License-Identifier: Apache-2.0
// A Verilated twin that was loaded from its library (scripts/twin), for a module that stands in place of a block.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "rtl/base/port_bits.h"
#include "sim/twin/twin_interface.h"

namespace heddle {

/// An assertion of a twin failed.
struct TwinStopped : std::runtime_error {
  /// \param text  "overflow: FILE:LINE: ..."
  explicit TwinStopped(const std::string& text);
  std::string label;  ///< of the assertion, such as overflow or illegal
};

class Twin {
 public:
  /// A port whose records are of this design point. Element i of an array lies at i times its width.
  class Port {
   public:
    template <class Value>
    void write(const Value& value) const {
      PortBits bits(bits_of<Value>);
      bits.put(0, value);
      bits.copy_to(bits_, bytes_);
    }
    template <class Value>
    Value read() const {
      return bits().template get<Value>(0);
    }
    template <class Value, class Inputs>
    void write_all(const Inputs& inputs) const {
      PortBits bits(bits_of<Value> * static_cast<unsigned>(inputs.size()));
      for (unsigned i = 0; i < inputs.size(); ++i) bits.put(i * bits_of<Value>, inputs[i].read());
      bits.copy_to(bits_, bytes_);
    }
    template <class Value, class Outputs>
    void read_all(Outputs& outputs) const {
      const PortBits all = bits();
      for (unsigned i = 0; i < outputs.size(); ++i) outputs[i].write(all.template get<Value>(i * bits_of<Value>));
    }

    void write_bits(const PortBits& bits) const { bits.copy_to(bits_, bytes_); }
    PortBits bits() const { return PortBits::of_bytes(bits_, bytes_); }

   private:
    friend class Twin;
    void* bits_ = nullptr;
    unsigned bytes_ = 0;
  };

  /// seed: of the state that reset leaves alone, 0: it is 0. \throws std::runtime_error if the library cannot be loaded
  Twin(const std::string& library, unsigned seed);

  /// \throws std::runtime_error, naming it, if there is no such port, or if it has another width or direction
  Port input(const std::string& name, unsigned width) const { return port(name, width, false); }
  Port output(const std::string& name, unsigned width) const { return port(name, width, true); }

  /// After input ports were written. \throws TwinStopped
  void evaluate();

 private:
  Port port(const std::string& name, unsigned width, bool is_output) const;

  std::string library_;
  heddle_twin_evaluate_t* evaluate_ = nullptr;
  std::unique_ptr<heddle_twin, heddle_twin_destroy_t*> model_;
};

}  // namespace heddle
