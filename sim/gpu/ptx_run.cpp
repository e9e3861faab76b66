#include "sim/gpu/ptx_run.h"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "sim/gpu/program_library.h"

namespace heddle::gpu {

namespace {

struct Argument {
  enum class Kind { Buffer, Integer, Real } kind = Kind::Integer;
  std::vector<char> bytes;  // of a buffer
  std::uint64_t integer = 0;
  double real = 0;
  std::string text;
};

struct Dump {
  std::size_t argument = 0;
  std::string file;
};

std::uint64_t parse_integer(const std::string& what, const std::string& text) {
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    value = text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text, &used, 0)) : std::stoull(text, &used, 0);
  } catch (const std::exception&) { used = 0; }
  if (used == 0 || used != text.size()) {
    throw std::invalid_argument(fmt::format("{}: '{}' is not a whole number", what, text));
  }
  return value;
}

Argument parse_argument(const std::string& text) {
  Argument argument;
  argument.text = text;
  if (text.rfind("zeros:", 0) == 0) {
    argument.kind = Argument::Kind::Buffer;
    argument.bytes.resize(parse_integer("--arg zeros:BYTES", text.substr(6)));
  } else if (text.rfind("file:", 0) == 0) {
    argument.kind = Argument::Kind::Buffer;
    std::ifstream file(text.substr(5), std::ios::binary);
    if (!file) throw std::invalid_argument(fmt::format("--arg {}: cannot read the file", text));
    argument.bytes.assign(std::istreambuf_iterator<char>(file), {});
  } else if (text.find('.') != std::string::npos) {
    argument.kind = Argument::Kind::Real;
    std::size_t used = 0;
    try {
      argument.real = std::stod(text, &used);
    } catch (const std::exception&) { used = 0; }
    if (used != text.size() || used == 0) {
      throw std::invalid_argument(fmt::format("--arg {}: expected zeros:BYTES, file:PATH or a number", text));
    }
  } else {
    if (text.empty()) throw std::invalid_argument("--arg: empty; expected zeros:BYTES, file:PATH or a number");
    argument.integer = parse_integer("--arg", text);
  }
  return argument;
}

void add(isa::ParameterBlock& parameters, const isa::Parameter& parameter, const Argument& argument) {
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument(
        fmt::format("--arg {}: parameter {} has {} bytes, {}", argument.text, parameter.name, parameter.bytes, why));
  };
  if (argument.kind == Argument::Kind::Real) {
    const float single = static_cast<float>(argument.real);
    if (parameter.bytes == 4)
      parameters.add(single);
    else if (parameter.bytes == 8)
      parameters.add(argument.real);
    else
      refuse("a real number needs 4 or 8");
  } else {
    if (argument.kind == Argument::Kind::Buffer && parameter.bytes != 8) refuse("a buffer's address needs 8");
    if (parameter.bytes > 8) refuse("a number fits in at most 8");
    const bool fits = parameter.bytes == 8 || argument.integer >> (8 * parameter.bytes) == 0 ||
                      static_cast<std::int64_t>(argument.integer) >> (8 * parameter.bytes - 1) == -1;
    if (!fits) refuse("the number does not fit");
    parameters.add_bytes(&argument.integer, parameter.bytes);
  }
}

/// All or nothing: a dump that cannot be finished leaves no file.
void write_file(const std::string& path, const std::vector<char>& bytes) {
  const std::string partial = path + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(partial.c_str(), path.c_str()) != 0) {
    std::remove(partial.c_str());
    throw std::runtime_error(fmt::format("--dump: cannot write {}", path));
  }
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

HostProgram ptx_program(const PtxRun& run) {
  auto arguments = std::make_shared<std::vector<Argument>>();
  for (const std::string& text : run.arguments) arguments->push_back(parse_argument(text));
  std::vector<Dump> dumps;
  for (const std::string& text : run.dumps) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw std::invalid_argument(fmt::format("--dump {}: expected INDEX=FILE", text));
    }
    const std::uint64_t index = parse_integer("--dump INDEX=FILE", text.substr(0, equals));
    if (index >= arguments->size() || (*arguments)[index].kind != Argument::Kind::Buffer) {
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
  return [run, arguments, dumps, library, &program](Device& device) {
    isa::ParameterBlock parameters(program);
    std::vector<std::uint64_t> addresses;
    for (std::size_t i = 0; i < arguments->size(); ++i) {
      Argument argument = (*arguments)[i];
      if (argument.kind == Argument::Kind::Buffer) {
        argument.integer = device.allocate(argument.bytes.size());
        device.write(argument.integer, argument.bytes.data(), argument.bytes.size());
      }
      addresses.push_back(argument.integer);
      add(parameters, program.parameters[i], argument);
    }
    Launch launch{&program, run.grid, run.block, parameters.finish()};
    launch.dynamic_shared = run.dynamic_shared;
    device.launch(launch);
    // The buffers of the timed device, not of the oracle that may run beside it.
    const bool is_timed = dynamic_cast<const TimedDevice*>(&device) != nullptr;
    for (const Dump& dump : dumps) {
      if (is_timed == run.functional) break;
      std::vector<char> bytes((*arguments)[dump.argument].bytes.size());
      device.read(addresses[dump.argument], bytes.data(), bytes.size());
      write_file(dump.file, bytes);
    }
    return Outcome{true, "no CPU reference for a user's kernel"};
  };
}

}  // namespace heddle::gpu
