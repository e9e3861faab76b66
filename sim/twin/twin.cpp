// SPDX-License-Identifier: Apache-2.0
#include "sim/twin/twin.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle {

namespace {

template <class Function>
Function* function_of(void* library, const std::string& path, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr)
    throw std::runtime_error(fmt::format("{} has no {}: expected a library of scripts/twin", path, name));
  return reinterpret_cast<Function*>(found);
}

/// As Verilator stores it.
unsigned bytes_of(unsigned width) {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  if (width <= 32) return 4;
  return width <= 64 ? 8 : (width + 31) / 32 * 4;
}

}  // namespace

Twin::Twin(const std::string& library, unsigned seed) : library_(library), model_(nullptr, nullptr) {
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // once opened it is found again
  if (opened == nullptr)
    throw std::runtime_error(fmt::format("the twin cannot be loaded, scripts/twin builds it: {}", dlerror()));
  const auto create = function_of<heddle_twin_create_t>(opened, library, "heddle_twin_create");
  evaluate_ = function_of<heddle_twin_evaluate_t>(opened, library, "heddle_twin_evaluate");
  model_ = {create(seed), function_of<heddle_twin_destroy_t>(opened, library, "heddle_twin_destroy")};
}

Twin::Port Twin::port(const std::string& name, unsigned width, bool is_output) const {
  for (unsigned i = 0; i < model_->port_count; ++i) {
    const heddle_twin_port& its = model_->ports[i];
    if (name != its.name) continue;
    if (its.width != width || (its.is_output != 0) != is_output)
      throw std::runtime_error(fmt::format("port {} of the twin {} is an {} of {} bits; expected an {} of {} bits",
                                           name, library_, its.is_output != 0 ? "output" : "input", its.width,
                                           is_output ? "output" : "input", width));
    Port port;
    port.bits_ = its.bits;
    port.bytes_ = bytes_of(width);
    return port;
  }
  throw std::runtime_error(fmt::format("the twin {} has no port {}", library_, name));
}

TwinStopped::TwinStopped(const std::string& text)
    : std::runtime_error(text.substr(text.find(": ") + 2)), label(text.substr(0, text.find(": "))) {}

void Twin::evaluate() {
  if (const char* const stopped = evaluate_(model_.get())) throw TwinStopped(stopped);
}

}  // namespace heddle
