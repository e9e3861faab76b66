#include "sim/report/elaborate.h"

#include "sim/report/mechanism_storage.h"

namespace heddle::report {

std::vector<MechanismRows> elaborate_all(const DesignPoint& point) {
  const std::pair<const char*, Modules (*)(const DesignPoint&)> mechanisms[] = {{"stacks", elaborate_stacks},
                                                                                {"splits", elaborate_splits},
                                                                                {"barriers", elaborate_barriers},
                                                                                {"formation", elaborate_formation},
                                                                                {"affine", elaborate_affine}};
  std::vector<MechanismRows> all;
  for (const auto& [name, elaborate] : mechanisms) {
    inventory().clear();
    const Modules units = elaborate(point);
    all.push_back({name, rows_of(inventory())});
  }
  inventory().clear();
  return all;
}

}  // namespace heddle::report
