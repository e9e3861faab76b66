// SPDX-License-Identifier: Apache-2.0
// Options that take a whole number: the help shows their range, and what lies outside is refused with range and unit.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "sim/gpu/numbers.h"

namespace heddle::cli {

/// \param set  gets the number \throws std::invalid_argument when the option is read, as gpu::whole_number does
CLI::Option* add_number(CLI::App& command, const std::string& name, const gpu::NumberRange& range,
                        const std::string& what, const std::function<void(std::uint64_t)>& set);

/// \param value  its default stands in the help
template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
CLI::Option* add_number(CLI::App& command, const std::string& name, Integer& value, const gpu::NumberRange& range,
                        const std::string& what) {
  CLI::Option* option =
      add_number(command, name, range, what, [&value](std::uint64_t number) { value = static_cast<Integer>(number); });
  if (value >= 0) option->default_str(std::to_string(value));
  return option;
}

/// Without a default.
template <class Integer>
CLI::Option* add_number(CLI::App& command, const std::string& name, std::optional<Integer>& value,
                        const gpu::NumberRange& range, const std::string& what) {
  return add_number(command, name, range, what,
                    [&value](std::uint64_t number) { value = static_cast<Integer>(number); });
}

constexpr std::uint64_t MostCycles = 1'000'000'000'000'000;  // of a run: years on the host
constexpr std::uint64_t MostWarps = 1U << 20;                // of a grid
constexpr std::uint64_t MostSharedBytes = 1U << 24;          // that a launch asks for
constexpr std::uint64_t MostJobs = 1024;

}  // namespace heddle::cli
