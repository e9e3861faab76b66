// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/module.h"

#include <unordered_map>

namespace heddle::ptx {

namespace {

const Function* find_by_name(const std::vector<Function>& functions, const std::string& name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

}  // namespace

const Function* Module::find(const std::string& name) const {
  return find_by_name(entries, name);
}

const Function* Module::find_function(const std::string& name) const {
  return find_by_name(functions, name);
}

Error Module::error(Location where, const std::string& message) const {
  const bool known = where.line > 0 && where.line <= lines.size();
  return Error(file, where, message, known ? lines[where.line - 1] : std::string());
}

unsigned bytes_of_type(const std::string& type) {
  static const std::unordered_map<std::string, unsigned> bytes = {
      {"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2}, {"u16", 2}, {"s16", 2}, {"f16", 2}, {"b32", 4},
      {"u32", 4}, {"s32", 4}, {"f32", 4}, {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}, {"pred", 1}};
  const auto found = bytes.find(type);
  return found == bytes.end() ? 0 : found->second;
}

}  // namespace heddle::ptx
