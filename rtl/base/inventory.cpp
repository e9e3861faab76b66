#include "rtl/base/inventory.h"

#include <algorithm>

namespace heddle {

unsigned PaperFields::share(const std::string& field, unsigned bits) const {
  if (all) return bits;
  std::istringstream list(names);
  for (std::string name; std::getline(list >> std::ws, name, ',');) {
    if (name == field) return bits;
    const std::size_t colon = name.find(':');
    if (colon != std::string::npos && name.compare(0, colon, field) == 0) {
      return std::min(bits, static_cast<unsigned>(std::stoul(name.substr(colon + 1))));
    }
  }
  return 0;
}

namespace {

unsigned sum(const std::vector<FieldRow>& fields, bool paper) {
  unsigned bits = 0;
  for (const FieldRow& field : fields) bits += field.paper == paper ? field.bits : 0;
  return bits;
}

}  // namespace

unsigned Structure::paper_bits_per_entry() const {
  return sum(fields, true);
}
unsigned Structure::ours_bits_per_entry() const {
  return sum(fields, false);
}

std::vector<Structure>& inventory() {
  static std::vector<Structure> all;
  return all;
}

}  // namespace heddle
