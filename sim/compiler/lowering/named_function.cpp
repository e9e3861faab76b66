// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/named_function.h"

#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>

namespace heddle::compiler {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : "";
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// "int (anonymous namespace)::box<int>::open<4>(int) const" without namespaces that have no name, template arguments,
/// and what is behind the name.
std::string without_arguments(std::string text) {
  const std::string anonymous = "(anonymous namespace)";
  for (std::size_t at = 0; (at = text.find(anonymous)) != std::string::npos;) text.erase(at, anonymous.size());
  std::string plain;
  unsigned depth = 0;
  for (const char c : text) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

}  // namespace

std::string unmangled_name(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return "";
  const std::string text = without_arguments(demangled(name));
  std::size_t begin = text.size();
  while (begin > 0 && is_part_of_name(text[begin - 1])) --begin;
  return text.substr(begin);
}

const ptx::Function& named_function(const ptx::Module& module, const std::string& name, ptx::Location where) {
  const ptx::Function* found = module.find_function(name);
  if (found == nullptr) {
    for (const ptx::Function& function : module.functions) {
      if (unmangled_name(function.name) != name) continue;
      if (found != nullptr)
        throw module.error(
            where, fmt::format("{} may be {} or {}: expected the name that PTX has", name, found->name, function.name));
      found = &function;
    }
  }
  if (found == nullptr)
    throw module.error(where, fmt::format("no function {} in this file; a compiler keeps it if it is noinline", name));
  if (!found->has_body)
    throw module.error(where, fmt::format("function {} has no body in this file, and there is no linker", found->name));
  return *found;
}

}  // namespace heddle::compiler
