// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/ptx_run.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "rtl/base/output_file.h"
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

/// Nothing if the text is no whole number. \throws std::invalid_argument if it does not fit in 64 bits
std::optional<std::uint64_t> read_integer(const std::string& what, const std::string& text) {
  const bool is_negative = text[0] == '-';
  if (std::isdigit(static_cast<unsigned char>(text[is_negative ? 1 : 0])) == 0) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = is_negative ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 0))
                                          : std::strtoull(text.c_str(), &end, 0);
  if (*end != 0) return std::nullopt;
  if (errno == ERANGE) throw std::invalid_argument(fmt::format("{}: {} does not fit in 64 bits", what, text));
  return value;
}

std::uint64_t parse_integer(const std::string& what, const std::string& text) {
  const auto value = read_integer(what, text);
  if (!value) throw std::invalid_argument(fmt::format("{}: '{}' is not a whole number", what, text));
  return *value;
}

template <class F>
F from_text(const char* text, char** end) {
  if constexpr (sizeof(F) == 4) return std::strtof(text, end);
  return static_cast<F>(std::strtod(text, end));
}

/// The bits of a number, rounded once: 1e-9, -.5, 0x1p-3, inf, nan, or PTX's own 0f3f800000 and 0d3ff0000000000000.
/// Nothing if the text is none. \throws std::invalid_argument if the type has nothing near it
template <class F>
std::optional<std::uint64_t> read_real(const std::string& text) {
  using Word = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  const char marker = sizeof(F) == 4 ? 'f' : 'd';
  char* end = nullptr;
  if (text.size() == 2 + 2 * sizeof(F) && text[0] == '0' && std::tolower(text[1]) == marker) {
    const std::uint64_t bits = std::strtoull(text.c_str() + 2, &end, 16);
    if (*end == 0) return bits;
  }
  errno = 0;
  const F value = from_text<F>(text.c_str(), &end);
  if (*end != 0 || std::isspace(static_cast<unsigned char>(text[0])) != 0) return std::nullopt;
  if (errno == ERANGE && (value == 0 || std::isinf(value)))
    throw std::invalid_argument(fmt::format("--arg {}: out of the range of an f{}", text, 8 * sizeof(F)));
  Word bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

Argument parse_argument(const std::string& text) {
  Argument argument;
  argument.text = text;
  if (text.rfind("zeros:", 0) == 0) {
    argument.is_buffer = true;
    argument.bytes.resize(parse_integer("--arg zeros:BYTES", text.substr(6)));
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
  const auto real = parameter.bytes == 4 ? read_real<float>(text) : read_real<double>(text);
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

}  // namespace

Dim3 parse_dim3(const std::string& option, const std::string& text) {
  unsigned sizes[3] = {1, 1, 1};
  std::size_t at = 0;
  for (unsigned i = 0; i < 3 && at <= text.size(); ++i) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::uint64_t value = parse_integer(option + " X[,Y[,Z]]", text.substr(at, comma - at));
    if (value == 0 || value > 0x7fffffff) {
      throw std::invalid_argument(fmt::format("{} {}: each size is from 1 to 2147483647", option, text));
    }
    sizes[i] = static_cast<unsigned>(value);
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
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw std::invalid_argument(fmt::format("--dump {}: expected INDEX=FILE", text));
    }
    const std::uint64_t index = parse_integer("--dump INDEX=FILE", text.substr(0, equals));
    if (index >= arguments->size() || !(*arguments)[index].is_buffer) {
      throw std::invalid_argument(fmt::format("--dump {}: argument {} is not a buffer (there are {} arguments, from 0)",
                                              text, index, arguments->size()));
    }
    dumps.push_back({index, text.substr(equals + 1)});
  }
  auto library = std::make_shared<ProgramLibrary>(run.file, run.compile);
  const isa::Program& program = library->find(run.entry);
  if (program.parameters.size() != arguments->size()) {
    std::string names;
    for (const isa::Parameter& p : program.parameters) names += fmt::format(" {} ({} bytes)", p.name, p.bytes);
    throw std::invalid_argument(fmt::format("kernel {} has {} parameters, {} --arg given; parameters:{}", program.name,
                                            program.parameters.size(), arguments->size(), names));
  }
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    Argument& argument = (*arguments)[i];
    const isa::Parameter& parameter = program.parameters[i];
    if (!argument.is_buffer) {
      argument.number = number_of(parameter, argument);
    } else if (parameter.bytes != 8) {
      throw std::invalid_argument(fmt::format("--arg {}: parameter {} has {} bytes, a buffer's address needs 8",
                                              argument.text, parameter.name, parameter.bytes));
    }
  }
  return [run, arguments, dumps, library](const std::string& dump_suffix) -> HostProgram {
    return [=](Device& device) {
      const isa::Program& compiled = library->find(run.entry, device.machine());
      const std::vector<std::uint64_t> addresses = launch(run, compiled, *arguments, device);
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
