// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/scope.h"

#include <cctype>
#include <string>
#include <unordered_map>

namespace heddle::ptx {
namespace {

/// New names by old ones; of `%r<5>`, the prefix stands for %r0 to %r4.
class Renaming {
 public:
  explicit Renaming(unsigned number) : mark_('@' + std::to_string(number)) {}

  void declare(std::string& name, unsigned count = 0) {
    const std::string renamed = name + mark_ + (count == 0 ? "" : ".");
    if (count == 0)
      names_[name] = renamed;
    else
      prefixes_[name] = {renamed, count};
    name = renamed;
  }

  void apply(std::string& name) const {
    const auto found = names_.find(name);
    if (found != names_.end()) {
      name = found->second;
      return;
    }
    std::size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) --digits;
    if (prefixes_.empty() || digits == name.size() || name.size() - digits > 9) return;
    const auto prefix = prefixes_.find(name.substr(0, digits));
    if (prefix == prefixes_.end() || std::stoul(name.substr(digits)) >= prefix->second.count) return;
    name = prefix->second.name + name.substr(digits);
  }

  void apply(Operand& operand) const {
    apply(operand.name);
    for (Operand& element : operand.elements) apply(element);
  }

  bool empty() const { return names_.empty() && prefixes_.empty(); }

 private:
  struct Prefix {
    std::string name;
    unsigned count = 0;
  };
  std::string mark_;
  std::unordered_map<std::string, std::string> names_;
  std::unordered_map<std::string, Prefix> prefixes_;
};

}  // namespace

void close_scope(Function& function, const Scope& scope, unsigned number) {
  Renaming renaming(number);
  const auto is_ours = [](const std::string& name) { return name.find('@') == std::string::npos; };
  for (std::size_t i = scope.registers; i < function.registers.size(); ++i)
    if (is_ours(function.registers[i].name)) renaming.declare(function.registers[i].name, function.registers[i].count);
  for (std::size_t i = scope.variables; i < function.variables.size(); ++i)
    if (is_ours(function.variables[i].name)) renaming.declare(function.variables[i].name);
  for (std::size_t i = scope.tables; i < function.tables.size(); ++i)
    if (is_ours(function.tables[i].name)) renaming.declare(function.tables[i].name);
  for (std::size_t i = scope.statements; i < function.body.size(); ++i)
    if (function.body[i].is_label() && is_ours(function.body[i].label)) renaming.declare(function.body[i].label);
  if (renaming.empty()) return;
  for (std::size_t i = scope.tables; i < function.tables.size(); ++i)
    for (std::string& target : function.tables[i].targets) renaming.apply(target);
  for (std::size_t i = scope.statements; i < function.body.size(); ++i) {
    renaming.apply(function.body[i].guard);
    for (Operand& operand : function.body[i].operands) renaming.apply(operand);
  }
}

}  // namespace heddle::ptx
