// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/reconverge_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/number_option.h"
#include "sim/gpu/kernel_profile.h"
#include "sim/sm/links/mechanisms.h"

namespace heddle::cli {

using compiler::Reconverge;

namespace {

/// An option with one of these words, in their order those of an enum.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value, const std::vector<std::string>& words,
                        const std::string& what) {
  const auto set = [&value, words](const std::string& word) {
    value = Enum(std::find(words.begin(), words.end(), word) - words.begin());
  };
  return command.add_option_function<std::string>(name, set, what)
      ->check(one_of(name.substr(2), words))
      ->default_str(words.front());
}

/// The profile of each kernel in what run --profile --json wrote, of all its runs together.
std::shared_ptr<const compiler::ExecutionProfile> profile_from(const std::string& file) {
  const auto fail = [&file](const std::string& what) {
    throw CLI::ValidationError(
        "--profile-from", fmt::format("{}: {}; expected what heddle run --profile --json FILE writes", file, what));
  };
  std::ifstream stream(file);
  if (!stream) throw CLI::ValidationError("--profile-from", fmt::format("{}: cannot be read", file));
  auto profile = std::make_shared<compiler::ExecutionProfile>();
  try {
    for (const nlohmann::json& run : nlohmann::json::parse(stream))
      for (const nlohmann::json& json : run.value("profile", nlohmann::json::array())) {
        const gpu::KernelProfile kernel = gpu::kernel_profile(json);
        for (const gpu::KernelProfile::Row& row : kernel.rows) {
          std::uint64_t& threads = profile->threads[kernel.kernel][row.line];
          threads = std::max(threads, row.counts.active_lanes);
        }
      }
  } catch (const nlohmann::json::exception& error) { fail(error.what()); }
  if (profile->threads.empty()) fail("no run in it has a profile");
  return profile;
}

}  // namespace

void add_reconverge_options(CLI::App& command, compiler::CompileOptions& options, const std::string& group) {
  add_choice(command, "--reconverge", options.reconverge, {"default", "predicted", "automatic"},
             "Where lanes meet by convergence barriers: default, at immediate post-dominators; predicted, also where "
             "the program says (HEDDLE_PREDICT in CUDA, heddle.predict in PTX); automatic, also where the compiler "
             "finds that it pays")
      ->group(group);
  add_choice(command, "--deconfliction", options.deconfliction, {"dynamic", "static"},
             "Of a prediction and a default barrier that overlap: dynamic, lanes cancel the default one on the way; "
             "static, there is none")
      ->group(group);
  add_number(command, "--soft-threshold", options.soft_threshold, {0, isa::MaxLanes - 1, "lanes"},
             "Lanes go on from a prediction's point when more than so many are there: 0 never waits. Of "
             "predictions that say none themselves")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--profile-from", [&options](const std::string& file) { options.profile = profile_from(file); },
          "With --reconverge automatic: how often each line ran, from what heddle run --profile --json FILE wrote of "
          "the "
          "same PTX, instead of guesses")
      ->group(group);
}

void check_reconverge(const compiler::CompileOptions& options) {
  if (options.profile && options.reconverge != Reconverge::Automatic)
    throw CLI::ValidationError("--profile-from", "of what the compiler predicts: expected --reconverge automatic");
  if (options.reconverge != Reconverge::Default) return;
  const bool is_static = options.deconfliction != compiler::Deconfliction::Dynamic;
  if (is_static || options.soft_threshold)
    throw CLI::ValidationError(is_static ? "--deconfliction" : "--soft-threshold",
                               "of predictions, and there are none without --reconverge predicted or automatic");
}

void check_reconverge(const compiler::CompileOptions& options, const std::vector<std::string>& mechanisms) {
  check_reconverge(options);
  if (options.reconverge == Reconverge::Default) return;
  std::vector<std::string> known;
  for (const DivergenceRow& row : divergences())
    if (row.has(SmSide::Barriers)) known.emplace_back(row.name);
  for (const std::string& name : mechanisms)
    if (!divergence_named(name).has(SmSide::Barriers))
      throw CLI::ValidationError(
          "--reconverge", fmt::format("there are no convergence barriers under --divergence {}, but under {}", name,
                                      fmt::join(known, ", ")));
}

}  // namespace heddle::cli
