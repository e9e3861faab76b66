// SPDX-License-Identifier: Apache-2.0
// The register files of micro07 and hpca13 in their four organisations, elaborated for their storage inventory and
// never run: prints their rows as JSON, the block of a row being POINT_KIND. area/register_files reads it.
#include <systemc>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "rtl/config/design_points.h"
#include "rtl/register_file/register_file.h"
#include "sim/report/storage_rows.h"

namespace {

using namespace heddle;

template <class Point, RegisterAccess Access>
using File = register_file<Registers<Point::Lanes, Point::RegisterRows, 32>, Access>;

/// All kinds at a point.
template <class Point>
struct Files {
  explicit Files(const std::string& point)
      : ideal((point + "_ideal").c_str()),
        naive((point + "_naive").c_str()),
        fixed((point + "_static").c_str()),
        aware((point + "_aware").c_str()) {}
  File<Point, RegisterAccess::Ideal> ideal;
  File<Point, RegisterAccess::Naive> naive;
  File<Point, RegisterAccess::Static> fixed;
  File<Point, RegisterAccess::LaneAware> aware;
};

}  // namespace

int sc_main(int, char**) {
  const auto micro07 = std::make_unique<Files<point::micro07>>("micro07");
  const auto hpca13 = std::make_unique<Files<point::hpca13>>("hpca13");
  std::cout << nlohmann::json{{"structures", report::to_json(report::rows_of(inventory()))}} << '\n';
  return 0;
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
