// SPDX-License-Identifier: Apache-2.0
#include "rtl/base/record.h"

#include <cstring>
#include <ostream>
#include <sstream>

namespace heddle {

std::vector<std::string> names_of(const FieldList& list) {
  if (*list.names == '\0') return {""};
  std::vector<std::string> names;
  std::istringstream text(list.names);
  for (std::string name; std::getline(text >> std::ws, name, ',');) names.push_back(name);
  return names;
}

void print_fields(std::ostream& out, const FieldList& list, const std::uint64_t* values) {
  const char* gap = "{";
  const char* name = list.names;
  for (unsigned f = 0; f < list.count; ++f) {
    const std::size_t length = std::strcspn(name, ",");
    (out << gap).write(name, static_cast<std::streamsize>(length)) << '=' << values[f];
    gap = " ";
    name += length;
    name += std::strspn(name, ", ");
  }
  out << '}';
}

void trace_fields(sc_core::sc_trace_file* file, const FieldList& list, const sc_dt::sc_uint_base* const* fields,
                  const std::string& path) {
  for (const std::string& name : names_of(list)) sc_trace(file, **fields++, path + '.' + name);
}

}  // namespace heddle
