// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/links/slice_library.h"

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

}  // namespace heddle
