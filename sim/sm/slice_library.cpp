#include "sim/sm/slice_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

#include "rtl/config/slice_shape.h"

namespace heddle {

namespace {

/// Where libraries of slices may stand; HEDDLE_SLICES names a folder that is looked at first.
std::string library_of(const std::string& family, const DesignPoint& point) {
  const std::string file = slice_shape(family, point) + ".so";
  if (const char* first = std::getenv("HEDDLE_SLICES")) {
    if (std::string path = std::string(first) + '/' + file; std::filesystem::exists(path)) return path;
  }
  return std::string(HEDDLE_SLICES_DIR) + '/' + file;
}

}  // namespace

void* slice_factory(const std::string& family, const DesignPoint& point, const char* factory) {
  const std::string path = library_of(family, point);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // once opened it is found again
  if (library == nullptr) {
    throw std::runtime_error(
        fmt::format("the issue slice of design point '{}' cannot be loaded, scripts/slice_point builds it: {}",
                    point.name, dlerror()));
  }
  return dlsym(library, factory);
}

std::unique_ptr<Twin> twin_of(const std::string& block, const Twins& twins) {
  const auto its = twins.libraries.find(block);
  return its == twins.libraries.end() ? nullptr : std::make_unique<Twin>(its->second, twins.seed);
}

const RecordingTo* recording_of(const std::string& name, const Twins& twins) {
  std::string block = name.substr(name.rfind('.') + 1);
  if (block.size() > 2 && block.compare(block.size() - 2, 2, "_0") == 0) block.resize(block.size() - 2);
  const auto its = twins.recorded.find(block);
  if (its == twins.recorded.end() || name.rfind("sm0.", 0) != 0) return nullptr;
  const std::size_t slice = name.find(".slice");
  const bool is_first = slice == std::string::npos || name.compare(slice, 8, ".slice0.") == 0;
  return is_first ? &its->second : nullptr;
}

}  // namespace heddle
