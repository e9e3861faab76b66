// SPDX-License-Identifier: Apache-2.0
// The small program behind `heddle area`: scripts/elaborate_point links it with a mechanism that was compiled for a
// design point. It elaborates the mechanism and prints its rows as JSON.
#include <systemc>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/report/storage_rows.h"

namespace heddle::report {
// As mechanism_storage.h has it, which is for one design point; this file is compiled once, for all.
std::vector<std::unique_ptr<sc_core::sc_module>> elaborate();
}  // namespace heddle::report

int sc_main(int, char**) {
  using namespace heddle;
  const auto units = report::elaborate();
  std::cout << report::to_json(report::rows_of(inventory())) << '\n';
  return 0;
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
