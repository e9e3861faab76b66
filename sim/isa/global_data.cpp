// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/global_data.h"

#include <algorithm>

namespace heddle::isa {

unsigned GlobalData::find(const std::string& name) const {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const GlobalVariable& variable) { return variable.name == name; });
  return static_cast<unsigned>(found - variables.begin());
}

}  // namespace heddle::isa
