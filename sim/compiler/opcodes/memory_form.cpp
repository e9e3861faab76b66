// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/opcodes/memory_form.h"

#include <fmt/format.h>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "sim/ptx/module.h"

namespace heddle::compiler {
namespace {

const std::unordered_set<std::string> Coherent = {"volatile", "relaxed", "acquire", "acq_rel", "cg", "cv"};

const std::unordered_set<std::string> WithoutMeaning = {"ca",
                                                        "cg",
                                                        "cs",
                                                        "cv",
                                                        "lu",
                                                        "nc",
                                                        "wb",
                                                        "wt",  // caches
                                                        "L1::evict_normal",
                                                        "L1::evict_unchanged",
                                                        "L1::evict_first",
                                                        "L1::evict_last",  //
                                                        "L1::no_allocate",
                                                        "L2::64B",
                                                        "L2::128B",
                                                        "L2::256B",  //
                                                        "cta",
                                                        "cluster",
                                                        "gpu",
                                                        "sys",
                                                        "weak",
                                                        "relaxed"};  // order
const std::unordered_map<std::string, isa::Space> Spaces = {{"global", isa::Space::Global},
                                                            {"shared", isa::Space::Shared},
                                                            {"shared::cta", isa::Space::Shared},
                                                            {"local", isa::Space::Local}};
const std::unordered_map<std::string, unsigned> Vectors = {{"v2", 2}, {"v4", 4}};
const std::unordered_map<std::string, isa::AtomicOp> Atomics = {
    {"add", isa::AtomicOp::Add},       {"min", isa::AtomicOp::Min},
    {"max", isa::AtomicOp::Max},       {"and", isa::AtomicOp::And},
    {"or", isa::AtomicOp::Or},         {"xor", isa::AtomicOp::Xor},
    {"exch", isa::AtomicOp::Exchange}, {"cas", isa::AtomicOp::CompareExchange},
    {"inc", isa::AtomicOp::Increment}, {"dec", isa::AtomicOp::Decrement}};

template <class Table, class Value>
bool look_up(const Table& table, const std::string& key, Value& value) {
  const auto found = table.find(key);
  if (found == table.end()) return false;
  value = found->second;
  return true;
}

void read_suffix(const std::string& suffix, bool is_atomic, const std::string& opcode, MemoryForm& form) {
  if (Coherent.count(suffix) != 0) form.is_coherent = true;
  if (suffix == "cta") form.is_cta_scope = true;
  if (WithoutMeaning.count(suffix) != 0) return;
  if (look_up(Spaces, suffix, form.space)) return;
  if (suffix == "const") {
    if (opcode.compare(0, 3, "ld.") != 0)
      throw std::invalid_argument(fmt::format("opcode {} is not supported: .const memory is not written", opcode));
    form.space = isa::Space::Global;  // where constants lie
    form.is_constant = true;
    return;
  }
  if (suffix == "acquire" || suffix == "release" || suffix == "acq_rel") {
    form.is_acquire = suffix != "release";
    form.is_release = suffix != "acquire";
    return;
  }
  if (is_atomic && look_up(Atomics, suffix, form.atomic)) return;
  if (!is_atomic && look_up(Vectors, suffix, form.count)) return;
  if (!is_atomic && suffix == "volatile") {
    form.is_volatile = true;
  } else if (!is_atomic && (suffix == "param" || suffix == "param::entry" || suffix == "param::func")) {
    form.is_parameter = true;
    form.space = isa::Space::Global;  // where a copy lies, for kernels that take an address of it
  } else if (ptx::bytes_of_type(suffix) != 0 && suffix != "pred" && suffix != "f16") {
    form.type = suffix;
    form.bytes = ptx::bytes_of_type(suffix);
  } else {
    throw std::invalid_argument(fmt::format("opcode {} is not supported: suffix .{}", opcode, suffix));
  }
}

}  // namespace

bool is_cta_scope(const std::string& fence) {
  return fence.size() > 4 && fence.compare(fence.size() - 4, 4, ".cta") == 0;
}

MemoryForm parse_memory_form(const std::string& opcode) {
  MemoryForm form;
  std::istringstream words(opcode);
  std::string word;
  std::getline(words, word, '.');
  const bool is_atomic = word == "atom" || word == "red";
  while (std::getline(words, word, '.')) read_suffix(word, is_atomic, opcode, form);
  if (form.type.empty()) throw std::invalid_argument(fmt::format("opcode {}: expected a type", opcode));
  if (is_atomic) {
    if (form.atomic == isa::AtomicOp::None)
      throw std::invalid_argument(fmt::format("opcode {}: expected an operation such as .add", opcode));
    const bool is_float = form.type[0] == 'f', adds = form.atomic == isa::AtomicOp::Add;
    if (is_float && adds) form.atomic = isa::AtomicOp::AddFloat;
    const bool swaps = form.atomic == isa::AtomicOp::CompareExchange;
    if ((is_float && !adds) || form.bytes < (swaps ? 2U : 4U)) {
      throw std::invalid_argument(fmt::format(
          "opcode {} is not supported: only 32- and 64-bit integers, .add of f32 and f64, .cas of b16", opcode));
    }
  }
  return form;
}

}  // namespace heddle::compiler
