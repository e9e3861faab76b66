#include "rtl/base/inventory.h"

namespace heddle {

bool PaperFields::has(const std::string& field) const {
  if (all) return true;
  std::istringstream list(names);
  for (std::string name; std::getline(list >> std::ws, name, ',');) {
    if (name == field) return true;
  }
  return false;
}

namespace {

unsigned sum(const std::vector<FieldRow>& fields, bool paper) {
  unsigned bits = 0;
  for (const FieldRow& field : fields) bits += field.paper == paper ? field.bits : 0;
  return bits;
}

}  // namespace

unsigned Structure::paper_bits_per_entry() const { return sum(fields, true); }
unsigned Structure::ours_bits_per_entry() const { return sum(fields, false); }

std::vector<Structure>& inventory() {
  static std::vector<Structure> all;
  return all;
}

}  // namespace heddle
