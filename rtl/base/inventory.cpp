// SPDX-License-Identifier: Apache-2.0
#include "rtl/base/inventory.h"

#include <algorithm>
#include <sstream>

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

void add_to_inventory(const sc_core::sc_module& block, const char* name, const DeclaredState& found,
                      const Declared& as) {
  const std::string path = std::string(block.name()) + '.' + name;
  Structure row{path, block.name(), name, as.storage, found.entries, {}, as.ports, as.source, {}};
  const unsigned* widths = found.fields.bits;
  for (const std::string& field : names_of(found.fields)) {
    const unsigned bits = *widths++;
    if (paper_fields(as.wired).has(field)) continue;
    const unsigned paper = as.paper.share(field, bits);
    if (paper != 0) row.fields.push_back({field, paper, true});
    if (paper != bits) row.fields.push_back({field, bits - paper, false});
  }
  row.trace = [path, found](sc_core::sc_trace_file* file, const PathFilter& wanted) {
    found.trace(file, found.state, path, wanted);
  };
  inventory().push_back(std::move(row));
}

}  // namespace heddle
