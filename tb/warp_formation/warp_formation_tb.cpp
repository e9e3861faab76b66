// Bench of dynamic warp formation: the paper's worked examples, and random traffic, against the reference model.
// Other policies and design points are in warp_formation_points.cpp.
#include "Vwarp_formation_small.h"
#include "Vwarp_formation_small_naive.h"
#include "tb/warp_formation/warp_formation_cases.h"

int sc_main(int argc, char* argv[]) {
  using namespace heddle;
  using namespace heddle::bench;
  Points points{{"small", corner<16, 4, Policy::Majority, 2, 3, true, Vwarp_formation_small>},
                {"small_naive", corner<16, 4, Policy::Majority, 2, 3, false, Vwarp_formation_small_naive>}};
  points.insert(points.end(), more_points().begin(), more_points().end());
  return run_bench(argc, argv, "warp_formation", points);
}
