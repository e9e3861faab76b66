// SPDX-License-Identifier: Apache-2.0
#include "sim/report/affine_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/compiler/code/virtual_listing.h"
#include "sim/report/table.h"

namespace heddle::report {

namespace {

using compiler::AffineExplanation;
using compiler::Decoupled;
using compiler::Decoupling;

/// What stands in the affine stream.
const char* name_of(Decoupled how) {
  switch (how) {
    case Decoupled::No:
      return "";
    case Decoupled::Tuple:
      return "tuple";
    case Decoupled::Data:
      return "enq.data";
    case Decoupled::Address:
      return "enq.addr";
    case Decoupled::Predicate:
      return "enq.pred";
  }
  return "";
}

/// "1 of 2 loads" of instructions of a kind.
std::string share(const AffineExplanation& e, isa::Kind kind, bool guarded, const char* what) {
  unsigned all = 0, decoupled = 0;
  for (isa::Pc pc = 0; pc < e.code.code.size(); ++pc) {
    const compiler::VirtualInstruction& instruction = e.code.code[pc];
    if (instruction.body.kind != kind || (guarded && !instruction.is_guarded())) continue;
    ++all;
    decoupled += e.decoupling.instructions[pc].how != Decoupled::No ? 1 : 0;
  }
  return fmt::format("{} of {} {}", decoupled, all, what);
}

bool is_potentially_affine(const Decoupling& one) {
  return one.kind != compiler::AffineKind::None && one.kind != compiler::AffineKind::Other;
}

/// An instruction with its PC in its stream.
struct Placed {
  isa::Pc pc = 0;
  std::string text;
};

/// By the instruction of the whole kernel that they come from.
std::vector<std::vector<Placed>> by_origin(const compiler::VirtualCode& stream, std::size_t instructions) {
  std::vector<std::vector<Placed>> placed(instructions);
  const std::vector<std::string> texts = compiler::texts_of(stream);
  for (isa::Pc pc = 0; pc < texts.size(); ++pc) placed[stream.code[pc].origin].push_back({pc, texts[pc]});
  return placed;
}

/// Both streams side by side, in the order of the whole kernel.
std::string streams_text(const AffineExplanation& e) {
  const std::size_t count = e.code.code.size();
  const auto affine = by_origin(e.streams->affine, count), warps = by_origin(e.streams->warps, count);
  Table table({"line", "  pc", "affine stream", "  pc", "warps"});
  for (std::size_t origin = 0; origin < count; ++origin)
    for (std::size_t row = 0; row < std::max(affine[origin].size(), warps[origin].size()); ++row) {
      const auto cell = [row](const std::vector<Placed>& of, bool pc) {
        if (row >= of.size()) return std::string();
        return pc ? fmt::format("{:>4}", of[row].pc) : of[row].text;
      };
      table.add({std::to_string(e.code.code[origin].where.line), cell(affine[origin], true),
                 cell(affine[origin], false), cell(warps[origin], true), cell(warps[origin], false)});
    }
  return fmt::format("\nthe two streams, {} and {} of {} instructions (DAC Fig. 7)\n\n", e.streams->affine.code.size(),
                     e.streams->warps.code.size(), count) +
         table.text(TerminalWidth);
}

nlohmann::json stream_json(const compiler::VirtualCode& stream) {
  nlohmann::json json = nlohmann::json::array();
  const std::vector<std::string> texts = compiler::texts_of(stream);
  for (isa::Pc pc = 0; pc < texts.size(); ++pc)
    json.push_back({{"pc", pc}, {"from_pc", stream.code[pc].origin}, {"instruction", texts[pc]}});
  return json;
}

}  // namespace

std::string affine_text(const AffineExplanation& e) {
  const auto& instructions = e.decoupling.instructions;
  const auto affine = std::count_if(instructions.begin(), instructions.end(), is_potentially_affine);
  std::string text = fmt::format(
      "affine instructions of {}: {} of {} are potentially affine (DAC Fig. 6); decoupled are {}, {} and {}\n",
      e.code.functions.front().name, affine, instructions.size(), share(e, isa::Kind::Load, false, "loads"),
      share(e, isa::Kind::Store, false, "stores"), share(e, isa::Kind::Branch, true, "branches"));
  if (!e.decoupling.why_not.empty()) text += fmt::format("the kernel is not split: {}\n", e.decoupling.why_not);
  text += '\n';
  Table table({"  pc", "line", "value", "affine stream", "instruction", "why not"});
  const std::vector<std::string> texts = compiler::texts_of(e.code);
  for (isa::Pc pc = 0; pc < instructions.size(); ++pc)
    table.add({fmt::format("{:>4}", pc), std::to_string(e.code.code[pc].where.line), to_string(instructions[pc].kind),
               name_of(instructions[pc].how), texts[pc], instructions[pc].why});
  text += table.text(TerminalWidth);
  return e.streams ? text + streams_text(e) : text;
}

nlohmann::json affine_json(const AffineExplanation& e) {
  nlohmann::json instructions = nlohmann::json::array();
  const std::vector<std::string> texts = compiler::texts_of(e.code);
  for (isa::Pc pc = 0; pc < texts.size(); ++pc) {
    const Decoupling& one = e.decoupling.instructions[pc];
    instructions.push_back({{"pc", pc},
                            {"line", e.code.code[pc].where.line},
                            {"source_line", e.code.code[pc].body.source_line},
                            {"instruction", texts[pc]},
                            {"value", to_string(one.kind)},
                            {"affine_stream", name_of(one.how)},
                            {"why_not", one.why}});
  }
  nlohmann::json json{{"why_not_split", e.decoupling.why_not}, {"instructions", instructions}};
  if (e.streams) {
    json["affine_stream"] = stream_json(e.streams->affine);
    json["warps_stream"] = stream_json(e.streams->warps);
  }
  return json;
}

}  // namespace heddle::report
