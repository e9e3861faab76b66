// SPDX-License-Identifier: Apache-2.0
#include "sim/report/build_commit.h"

#include "report/commit.h"

namespace heddle::report {

std::string build_commit() {
  return HEDDLE_COMMIT;
}

}  // namespace heddle::report
