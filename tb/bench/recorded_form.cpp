#include "tb/bench/recorded_form.h"

#include <fmt/format.h>

#include "tb/bench/bench.h"

namespace heddle::bench {

namespace {

/// Bits as a hexadecimal number.
std::string digits(const std::vector<unsigned char>& bytes) {
  std::string text;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) text += fmt::format("{:02x}", *byte);
  return text;
}

std::vector<unsigned char> bytes_of(const PortBits& bits, unsigned size) {
  std::vector<unsigned char> bytes(size);
  bits.copy_to(bytes.data(), size);
  return bytes;
}

}  // namespace

RecordedForm::RecordedForm(const std::string& library, const RecordedBlock& of)
    : twin_(library, 1), clk_(twin_.input("clk_i", 1)) {
  for (unsigned i = 0; i < of.ports.size(); ++i) {
    const RecordedPort& its = of.ports[i];
    const unsigned width = its.width * its.count;
    (its.is_output ? outputs_ : inputs_)
        .push_back({i, (width + 7) / 8, its.is_output ? twin_.output(its.name, width) : twin_.input(its.name, width),
                    its.name + " of " + library + ", against the recording"});
  }
}

void RecordedForm::evaluate(Checker& check) {
  try {
    twin_.evaluate();
  } catch (const TwinStopped& stopped) { check.equal("an assertion", std::string(stopped.what()), "none that fails"); }
}

void RecordedForm::cycle(const RecordingReader& edge, bool resets, Checker& check) {
  for (const Port& input : inputs_) input.port.write_bits(edge.port(input.index));
  clk_.write(false);
  evaluate(check);
  for (const Port& output : outputs_) {
    if (resets) continue;  // what it shows means nothing
    check.equal(output.label.c_str(), digits(bytes_of(output.port.bits(), output.bytes)),
                digits(bytes_of(edge.port(output.index), output.bytes)));
  }
  clk_.write(true);
  evaluate(check);
}

}  // namespace heddle::bench
