#include "sim/sm/issue_slice.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

#include "rtl/config/slice_shape.h"
#include "sim/sm/formation_slice.h"
#include "sim/sm/ideal_splits.h"
#include "sim/twin/twin.h"

namespace heddle {

namespace {

/// Where libraries of slices may stand; HEDDLE_SLICES names a folder that is looked at first.
std::string library_of(const DesignPoint& point, const DivergenceRow& mechanism) {
  const std::string file = slice_shape(family_of(mechanism), point) + ".so";
  if (const char* first = std::getenv("HEDDLE_SLICES")) {
    if (std::string path = std::string(first) + '/' + file; std::filesystem::exists(path)) return path;
  }
  return std::string(HEDDLE_SLICES_DIR) + '/' + file;
}

/// What the library of a point's slice has under this name.
void* factory_of(const DesignPoint& point, const DivergenceRow& mechanism, const char* factory) {
  const std::string path = library_of(point, mechanism);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // once opened it is found again
  if (library == nullptr) {
    throw std::runtime_error(
        fmt::format("the issue slice of design point '{}' cannot be loaded, scripts/slice_point builds it: {}",
                    point.name, dlerror()));
  }
  return dlsym(library, factory);
}

}  // namespace

template <>
std::unique_ptr<IssueSlice<2>> make_issue_slice<2>(const std::string& name, const DesignPoint& point,
                                                   const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                   const sc_core::sc_signal<bool>& rst_n) {
  const DivergenceRow& row = divergence_named(mechanism.divergence);
  scoreboard_named(mechanism.scoreboard);
  const auto make = reinterpret_cast<SliceFactory*>(factory_of(point, row, SliceFactoryName));
  return std::unique_ptr<IssueSlice<2>>(make(name.c_str(), mechanism, clk, rst_n));
}

template <>
std::unique_ptr<IssueSlice<MostPaths>> make_issue_slice<MostPaths>(const std::string&, const DesignPoint& point,
                                                                   const Mechanism& mechanism,
                                                                   const sc_core::sc_signal<bool>&,
                                                                   const sc_core::sc_signal<bool>&) {
  return std::make_unique<IdealSplits>(point.warps / point.schedulers,
                                       divergence_named(mechanism.divergence).subdivides);
}

std::unique_ptr<FormationSlice> make_formation_slice(const std::string& name, const DesignPoint& point,
                                                     const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                     const sc_core::sc_signal<bool>& rst_n) {
  const DivergenceRow& row = divergence_named(mechanism.divergence);
  const auto make = reinterpret_cast<FormationSliceFactory*>(factory_of(point, row, FormationSliceFactoryName));
  std::unique_ptr<Twin> twin;
  const Twins& twins = mechanism.twins;
  if (const auto its = twins.libraries.find(row.block); its != twins.libraries.end())
    twin = std::make_unique<Twin>(its->second, twins.seed);
  return std::unique_ptr<FormationSlice>(make(name.c_str(), mechanism, std::move(twin), clk, rst_n));
}

}  // namespace heddle
