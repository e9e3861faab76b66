// heddle run, heddle compare
#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/run_options.h"

namespace heddle::cli {

namespace {

const std::vector<std::string> Divergences{"spe", "dpe"}, Scoreboards{"baseline", "shadow"};

}  // namespace

Command add_run(CLI::App& app) {
  struct Options {
    RunOptions run;
    std::vector<std::string> divergence{"spe"}, scoreboard;
  };
  auto options = std::make_shared<Options>();
  CLI::App* run = app.add_subcommand("run", "Run kernels on one SM and compare their memory with the untimed oracle");
  add_options(*run, options->run);
  run->add_option("--divergence", options->divergence, "spe or dpe; several with a comma: a run each")
      ->delimiter(',')
      ->check(CLI::IsMember(Divergences))
      ->capture_default_str()
      ->group("Machine");
  run->add_option("--scoreboard", options->scoreboard,
                  "baseline or shadow; several with a comma: a run each (default: baseline for spe, shadow for dpe)")
      ->delimiter(',')
      ->check(CLI::IsMember(Scoreboards))
      ->group("Machine");
  return [options] {
    std::vector<Mechanism> mechanisms;
    for (const std::string& divergence : options->divergence) {
      if (options->scoreboard.empty()) {
        mechanisms.push_back({divergence, divergence == "spe" ? "baseline" : "shadow"});
      }
      for (const std::string& scoreboard : options->scoreboard) mechanisms.push_back({divergence, scoreboard});
    }
    return run_and_report(options->run, requests(options->run, mechanisms));
  };
}

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* compare = app.add_subcommand("compare", "Run kernels under every mechanism; speed-up is over the first");
  add_options(*compare, *options);
  return [options] {
    const std::vector<Mechanism> mechanisms{{"spe", "baseline"}, {"dpe", "baseline"}, {"dpe", "shadow"}};
    return run_and_report(*options, requests(*options, mechanisms));
  };
}

}  // namespace heddle::cli
