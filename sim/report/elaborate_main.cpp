// The small program behind `heddle area --set`: built by scripts/elaborate_point with a design point of its own, it
// elaborates one mechanism there (HEDDLE_ELABORATE) and prints its rows as JSON.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/report/mechanism_storage.h"
#include "sim/report/storage_rows.h"

int sc_main(int, char**) {
  using namespace heddle;
  const auto units = report::HEDDLE_ELABORATE(*design_points.front());
  std::cout << report::to_json(report::rows_of(inventory())) << '\n';
  return 0;
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
