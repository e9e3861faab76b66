// SPDX-License-Identifier: Apache-2.0
// heddle: runs CUDA kernels on the modelled SM, compares mechanisms, counts storage.
//
// Exit codes: 0 all as expected; 1 a run failed or its results are wrong; 2 wrong usage or input that cannot be read;
// 130 runs were interrupted.
#include <systemc>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "rtl/base/output_file.h"
#include "sim/cli/commands.h"
#include "sim/report/build_commit.h"
#include "sim/report/nearest.h"

namespace heddle::cli {

const DesignPoint& find_point(const std::string& name) {
  std::vector<std::string> known;
  for (const DesignPoint* point : design_points) {
    if (point->name == name) return *point;
    known.emplace_back(point->name);
  }
  throw CLI::ValidationError("--point", report::no_such("design point", name, known));
}

CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& known) {
  return {[kind, known](const std::string& name) {
            return std::count(known.begin(), known.end(), name) != 0 ? std::string()
                                                                     : report::no_such(kind, name, known);
          },
          fmt::format("{{{}}}", fmt::join(known, ","))};
}

namespace {

/// Whether the text stands in a file beside this one, which has its name as soon as it is whole.
bool write_partial(const std::string& path, const std::string& text) {
  std::ofstream file(with_folder(path) + ".partial");
  file << text;
  file.close();
  if (!file) std::remove((path + ".partial").c_str());
  return bool(file);
}

}  // namespace

void check_writable(const std::string& option, const std::string& path) {
  if (path.empty() || path == "-") return;
  if (!write_partial(path, "") || std::filesystem::is_directory(path))
    throw std::runtime_error(option + ": cannot write " + path);
  std::remove((path + ".partial").c_str());
}

void write_text(const std::string& option, const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  if (!write_partial(path, text) || std::rename((path + ".partial").c_str(), path.c_str()) != 0) {
    std::remove((path + ".partial").c_str());
    throw std::runtime_error(option + ": cannot write " + path);
  }
}

void write_json(const std::string& path, const nlohmann::json& json) {
  write_text("--json", path, json.dump(2) + '\n');
}

namespace {

/// Commit, compiler and SystemC of this program: what a bug report and a result need.
std::string version() {
  return fmt::format("heddle, commit {}, licence Apache-2.0\nbuilt by {}\nSystemC {}", report::build_commit(),
                     HEDDLE_COMPILER, sc_core::sc_release());
}

int run(int argc, char** argv) {
  CLI::App app{
      "Heddle: a cycle-accurate model of the hardware that decides which threads of a GPU warp run.\n\n"
      "Examples\n"
      "  heddle run diverge --divergence dpe --scoreboard shadow     one kernel under one mechanism\n"
      "  heddle compare diverge bfs                                  single against dual path, with speed-up\n"
      "  heddle run bfs --divergence dpe --trace dual_path_stack     a waveform of a block's ports\n"
      "  heddle report my.json -o my.html                            a page about the runs in my.json\n"
      "  heddle sweep studies/sweep/example.yaml                     the runs that a file names, here or on Slurm\n"
      "  heddle waves diverge --divergence spe,dpe --warp 0          the two side by side, of one warp\n"
      "  heddle run --ptx my.ptx --entry k --grid 4 --block 128 --arg zeros:4096 --arg 7 --dump 0=out.bin\n"
      "  heddle replay-traffic my.traffic                           a run's memory traffic, without the SM\n"
      "  heddle limit bitonic_sort                                   could threads meet earlier than they do?\n"
      "  heddle compile my.ptx                                       what the compiler makes of it\n"
      "  heddle area --point hpca13                                  storage of every structure\n"
      "  heddle export warp_pool DIR --point micro07                 a block as files for another project\n"
      "  heddle list kernels                                         what there is to run"};
  app.require_subcommand(1);
  app.set_version_flag("--version", version, "commit, compiler and SystemC of this program");
  app.get_formatter()->column_width(36);
  const Command commands[] = {add_run(app),     add_compare(app), add_report(app), add_doctor(app),
                              add_waves(app),   add_sweep(app),   add_replay(app), add_limit(app),
                              add_compile(app), add_area(app),    add_export(app), add_list(app)};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  try {
    if (argc > 1 && argv[1][0] != '-' && std::count(names.begin(), names.end(), argv[1]) == 0) {
      throw CLI::ValidationError(report::no_such("subcommand", argv[1], names));
    }
    app.parse(argc, argv);
    for (std::size_t i = 0; i < std::size(commands); ++i) {
      if (app.get_subcommands({})[i]->parsed()) return commands[i]();
    }
    return 2;
  } catch (const CLI::Error& error) { return app.exit(error) == 0 ? 0 : 2; } catch (const std::bad_alloc&) {
    std::cerr << "heddle: the host has not enough memory for this\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "heddle: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace

}  // namespace heddle::cli

int sc_main(int argc, char** argv) {
  return heddle::cli::run(argc, argv);
}

// Our own main, so that the library's banner does not stand above every table.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
