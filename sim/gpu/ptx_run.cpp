// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/ptx_run.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>

#include "rtl/base/output_file.h"
#include "sim/gpu/numbers.h"
#include "sim/gpu/program_library.h"

namespace heddle::gpu {

namespace {

struct Argument {
  std::string text;
  bool is_buffer = false;
  std::vector<char> bytes;   // of a buffer
  std::uint64_t number = 0;  // as the parameter has it; of a buffer its address
};

struct Dump {
  std::size_t argument = 0;
  std::string file;
};

/// A buffer larger than the memory of the machines that are modelled is a mistake, and would end in the host's memory.
constexpr std::uint64_t MostBufferBytes = std::uint64_t{4} << 30;

Argument parse_argument(const std::string& text) {
  Argument argument;
  argument.text = text;
  if (text.rfind("zeros:", 0) == 0) {
    argument.is_buffer = true;
    argument.bytes.resize(whole_number("--arg zeros:BYTES", text.substr(6), {0, MostBufferBytes, "bytes"}));
  } else if (text.rfind("file:", 0) == 0) {
    argument.is_buffer = true;
    std::ifstream file(text.substr(5), std::ios::binary);
    if (!file) throw std::invalid_argument(fmt::format("--arg {}: cannot read the file", text));
    argument.bytes.assign(std::istreambuf_iterator<char>(file), {});
  } else if (text.empty()) {
    throw std::invalid_argument("--arg: empty; expected zeros:BYTES, file:PATH or a number");
  }
  return argument;
}

/// Which argument an option names, which must be a buffer.
std::size_t buffer_index(const std::string& option, const std::string& text, const std::vector<Argument>& arguments) {
  if (arguments.empty()) throw std::invalid_argument(fmt::format("{} {}: there are no arguments", option, text));
  const std::size_t index = whole_number(option, text, {0, arguments.size() - 1, "arguments, from 0"});
  if (!arguments[index].is_buffer)
    throw std::invalid_argument(fmt::format("{} {}: argument {} is '{}', expected a buffer (zeros:BYTES or file:PATH)",
                                            option, text, index, arguments[index].text));
  return index;
}

/// A number as its parameter's type and width say: a parameter without a type (.b32, .b64) takes whole numbers as they
/// are and others as the float of its width.
std::uint64_t number_of(const isa::Parameter& parameter, const Argument& argument) {
  const std::string& text = argument.text;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(
        fmt::format("--arg {}: parameter {} has {} bytes, {}", text, parameter.name, parameter.bytes, why));
  };
  if (parameter.bytes > 8) refuse("a number fits in at most 8");
  const bool is_real = parameter.type == "f32" || parameter.type == "f64";
  const auto integer = is_real ? std::nullopt : read_integer("--arg", text);
  if (integer) {
    const bool fits = parameter.bytes == 8 || *integer >> (8 * parameter.bytes) == 0 ||
                      static_cast<std::int64_t>(*integer) >> (8 * parameter.bytes - 1) == -1;
    if (!fits) refuse("the number does not fit");
    return *integer;
  }
  if (!is_real && (parameter.type[0] != 'b' || parameter.bytes < 4))
    throw std::invalid_argument(fmt::format("--arg: '{}' is not a whole number, which parameter {} (.{}) needs", text,
                                            parameter.name, parameter.type));
  const auto real = read_real("--arg", text, parameter.bytes);
  if (!real) throw std::invalid_argument(fmt::format("--arg {}: expected zeros:BYTES, file:PATH or a number", text));
  return *real;
}

/// All or nothing: a dump that cannot be finished leaves no file.
void write_file(const std::string& path, const std::vector<char>& bytes) {
  const std::string partial = with_folder(path) + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(partial.c_str(), path.c_str()) != 0) {
    std::remove(partial.c_str());
    throw std::runtime_error(fmt::format("--dump: cannot write {}", path));
  }
}

/// \return the arguments as the kernel sees them: of a buffer its address
std::vector<std::uint64_t> launch(const PtxRun& run, const isa::Program& compiled,
                                  const std::vector<Argument>& arguments, Device& device) {
  isa::ParameterBlock parameters(compiled);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    std::uint64_t value = argument.number;
    if (argument.is_buffer) {
      value = device.allocate(argument.bytes.size());
      device.write(value, argument.bytes.data(), argument.bytes.size());
    }
    values.push_back(value);
    parameters.add_bytes(&value, compiled.parameters[i].bytes);
  }
  Launch launch{&compiled, run.grid, run.block, parameters.finish()};
  launch.dynamic_shared = run.dynamic_shared;
  device.launch(launch);
  return values;
}

/// Checks their number; numbers become what their parameters say.
void match_parameters(const isa::Program& program, std::vector<Argument>& arguments) {
  if (program.parameters.size() != arguments.size()) {
    std::string names;
    for (const isa::Parameter& p : program.parameters) names += fmt::format(" {} ({} bytes)", p.name, p.bytes);
    throw std::invalid_argument(fmt::format("kernel {} has {} parameters, {} --arg given; parameters:{}", program.name,
                                            program.parameters.size(), arguments.size(), names));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments[i];
    const isa::Parameter& parameter = program.parameters[i];
    if (!argument.is_buffer) {
      argument.number = number_of(parameter, argument);
    } else if (parameter.bytes != 8) {
      throw std::invalid_argument(fmt::format("--arg {}: parameter {} has {} bytes, a buffer's address needs 8",
                                              argument.text, parameter.name, parameter.bytes));
    }
  }
}

/// "KEY=VALUE", both not empty.
std::pair<std::string, std::string> key_and_value(const std::string& option, const std::string& text,
                                                  const std::string& expected) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw std::invalid_argument(fmt::format("{} {}: expected {}", option, text, expected));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// How a buffer is compared: of an argument, or of a .global variable of the module.
struct Check {
  std::string key;
  BufferOrder order = BufferOrder::Exact;
};

std::vector<Check> read_checks(const std::vector<std::string>& texts, const isa::Program& program,
                               const std::vector<Argument>& arguments) {
  std::vector<Check> checks;
  for (const std::string& text : texts) {
    const auto [key, word] = key_and_value("--check", text, "INDEX=sorted, INDEX=none, or a .global variable's name");
    const unsigned variable = program.globals ? program.globals->find(key) : 0;
    const bool is_variable = program.globals && variable != program.globals->variables.size();
    const std::string index = is_variable ? "" : std::to_string(buffer_index("--check", key, arguments));
    checks.push_back({is_variable ? key : index, parse_order("--check " + key, word)});
  }
  return checks;
}

/// All buffers among the arguments, and the variables of the module, where this device has them.
Buffers buffers_of(const isa::Program& program, const std::vector<Argument>& arguments,
                   const std::vector<std::uint64_t>& addresses, const std::vector<Check>& checks, Device& device) {
  Buffers buffers;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].is_buffer)
      buffers.push_back({std::to_string(i), fmt::format("argument {} ({})", i, program.parameters[i].name),
                         addresses[i], arguments[i].bytes.size(), BufferOrder::Exact});
  if (program.globals)
    for (const isa::GlobalVariable& variable : program.globals->variables)
      buffers.push_back({variable.name, "variable " + variable.name, device.address_of(program, variable.name),
                         variable.bytes, BufferOrder::Exact});
  for (const Check& check : checks)
    for (Buffer& buffer : buffers)
      if (buffer.key == check.key) buffer.order = check.order;
  return buffers;
}

}  // namespace

Dim3 parse_dim3(const std::string& option, const std::string& text, const std::string& unit) {
  const NumberRange range{1, isa::MaxGrid.x, unit + ", X[,Y[,Z]]"};
  unsigned sizes[3] = {1, 1, 1};
  std::size_t at = 0;
  for (unsigned i = 0; i < 3 && at <= text.size(); ++i) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    sizes[i] = static_cast<unsigned>(whole_number(option, text.substr(at, comma - at), range));
    at = comma + 1;
    if (i == 2 && comma != text.size())
      throw std::invalid_argument(fmt::format("{} {}: at most three sizes", option, text));
  }
  return {sizes[0], sizes[1], sizes[2]};
}

PtxProgram read_ptx_program(const PtxRun& run) {
  auto arguments = std::make_shared<std::vector<Argument>>();
  for (const std::string& text : run.arguments) arguments->push_back(parse_argument(text));
  std::vector<Dump> dumps;
  for (const std::string& text : run.dumps) {
    const auto [key, file] = key_and_value("--dump", text, "INDEX=FILE");
    dumps.push_back({buffer_index("--dump", key, *arguments), file});
  }
  auto library = std::make_shared<ProgramLibrary>(run.file, run.compile);
  const isa::Program& program = library->find(run.entry);
  match_parameters(program, *arguments);
  const std::vector<Check> checks = read_checks(run.checks, program, *arguments);
  return [run, arguments, dumps, checks, library](const std::string& dump_suffix,
                                                  const std::shared_ptr<Buffers>& buffers) -> HostProgram {
    return [=](Device& device) {
      const isa::Program& compiled = library->find(run.entry, device.machine());
      const std::vector<std::uint64_t> addresses = launch(run, compiled, *arguments, device);
      if (buffers) *buffers = buffers_of(compiled, *arguments, addresses, checks, device);
      // The buffers of the timed device, not of the oracle that may run beside it.
      const bool is_timed = dynamic_cast<const TimedDevice*>(&device) != nullptr;
      for (const Dump& dump : dumps) {
        if (is_timed == run.functional) break;
        std::vector<char> bytes((*arguments)[dump.argument].bytes.size());
        device.read(addresses[dump.argument], bytes.data(), bytes.size());
        write_file(dump.file + dump_suffix, bytes);
      }
      return Outcome{true, "no CPU reference for a user's kernel"};
    };
  };
}

}  // namespace heddle::gpu
