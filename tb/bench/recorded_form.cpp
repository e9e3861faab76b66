// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/recorded_form.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <stdexcept>

#include "tb/bench/bench.h"

namespace heddle::bench {

namespace {

constexpr const char* Reset = "rst_ni";  // the first port of every recording

/// A combinational form has neither clock nor reset.
bool is_clocked(const Twin& twin) {
  try {
    twin.input("clk_i", 1);
    return true;
  } catch (const std::runtime_error&) { return false; }
}

/// An element of a port, as a hexadecimal number.
struct Element {
  const PortBits& bits;
  unsigned first, width;

  friend bool operator==(const Element& a, const Element& b) {
    for (unsigned done = 0; done < a.width; done += 32)
      if (a.part(done) != b.part(done)) return false;
    return true;
  }
  friend std::ostream& operator<<(std::ostream& out, const Element& e) {
    for (unsigned done = (e.width + 31) / 32 * 32; done > 0; done -= 32)
      out << fmt::format("{:08x}", e.part(done - 32));
    return out;
  }

 private:
  std::uint32_t part(unsigned done) const { return bits.bits(first + done, std::min(32U, width - done)); }
};

// As the SystemC block does: what a port shows before it means anything is recorded too. That nothing rests on such state
// is seen with `heddle run --twin-seed`.
constexpr unsigned FromZero = 0;

}  // namespace

RecordedForm::RecordedForm(const std::string& form, const RecordedBlock& of)
    : name_(form.substr(0, form.find('='))), twin_(form.substr(form.find('=') + 1), FromZero) {
  const bool clocked = is_clocked(twin_);
  if (clocked) clk_ = twin_.input("clk_i", 1);
  for (unsigned i = 0; i < of.ports.size(); ++i) {
    const RecordedPort& its = of.ports[i];
    if (!clocked && its.name == Reset) continue;
    const unsigned width = its.width * its.count;
    std::vector<std::string> names;
    for (unsigned k = 0; k < its.count; ++k)
      names.push_back(its.count == 1 ? its.name : fmt::format("{}[{}]", its.name, k));
    if (its.is_output)
      outputs_.push_back({i, its.width, its.count, twin_.output(its.name, width), names});
    else
      inputs_.push_back({i, its.width, its.count, twin_.input(its.name, width), names});
  }
}

void RecordedForm::evaluate(Checker& check) {
  try {
    twin_.evaluate();
  } catch (const TwinStopped& stopped) {
    check.equal_recorded("an assertion", name_, std::string(stopped.what()), "none failed");
  }
}

void RecordedForm::cycle(const RecordingReader& edge, bool resets, Checker& check) {
  if (differs_) return;
  const unsigned long before = check.differences();
  const bool clocked = inputs_.front().names.front() == Reset;
  for (const Port& input : inputs_) input.port.write_bits(edge.port(input.index));
  if (clocked) clk_.write(false);
  evaluate(check);
  for (const Port& output : outputs_) {
    if (resets) continue;  // what it shows means nothing
    const PortBits shown = output.port.bits(), recorded = edge.port(output.index);
    for (unsigned i = 0; i < output.count; ++i) {
      const unsigned first = i * output.width;
      check.equal_recorded(output.names[i].c_str(), name_, Element{shown, first, output.width},
                           Element{recorded, first, output.width});
    }
  }
  if (clocked) clk_.write(true);
  evaluate(check);
  differs_ = check.differences() != before;
}

}  // namespace heddle::bench
