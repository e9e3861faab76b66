// Bench of dynamic warp formation: the paper's worked examples, and random traffic, against the reference model.
// Other policies and design points are in warp_formation_points.cpp.
#include "Vwarp_formation_small.h"
#include "Vwarp_formation_small_naive.h"
#include "tb/warp_formation/warp_formation_cases.h"

int sc_main(int argc, char* argv[]) {
  using namespace heddle;
  using namespace heddle::bench;
  using F = Formation<16, 4, 32, 2, 8>;
  using Small = Cases<UnitOf<F, Policy::Majority, 2, 3, true, true>, Vwarp_formation_small>;
  using SmallNaive = Cases<UnitOf<F, Policy::Majority, 2, 3, false, false>, Vwarp_formation_small_naive>;
  Points points{{"small", bench_of<Small, built("small")>()},
                {"small_naive", bench_of<SmallNaive, built("small_naive")>()}};
  points.insert(points.end(), more_points().begin(), more_points().end());
  return run_bench(argc, argv, "warp_formation", points);
}
