#include "sim/compiler/recursion.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/compiler/control_flow.h"
#include "sim/compiler/live_ranges.h"

namespace heddle::compiler {
namespace {

using isa::Kind;
using isa::Source;

constexpr unsigned FrameAlignment = 8;

/// Code to put in front of an instruction, and where the stack pointer must get a constant.
struct Insertion {
  std::vector<VirtualInstruction> after_call;  // what a return comes to
  std::vector<VirtualInstruction> before;      // what a branch to the instruction comes to
};

class SaveAndRestore {
 public:
  explicit SaveAndRestore(VirtualCode& code) : code_(code) {}

  void run() {
    const std::vector<std::set<VirtualId>> live = live_before(code_, find_blocks(code_));
    std::map<unsigned, unsigned> frames;              // of recursive functions: bytes with the saved registers
    std::map<isa::Pc, std::vector<VirtualId>> saved;  // by call
    for (const CallSite& call : code_.calls) {
      if (!is_inside_recursion(call)) continue;
      std::vector<VirtualId>& registers = saved[call.branch];
      unsigned bytes = aligned(code_.functions[call.caller].frame_bytes);
      for (const VirtualId id : live[call.branch + 1]) {
        if (id == code_.stack_pointer || is_result(call, id)) continue;
        registers.push_back(id);
        bytes += width_of(id) == Class::Wide ? 8 : 4;
        bytes += bytes % (width_of(id) == Class::Wide ? 8 : 4);
      }
      frames[call.caller] = std::max(frames[call.caller], aligned(bytes));
    }
    for (const CallSite& call : code_.calls)
      if (is_inside_recursion(call)) save_around(call, saved[call.branch], frames[call.caller]);
    insert();
    code_.local_bytes = aligned(code_.local_bytes);
    code_.code.front().body.sources[0].value = code_.local_bytes;
    code_.local_bytes += RecursionStackBytes;
  }

 private:
  static unsigned aligned(unsigned bytes) { return (bytes + FrameAlignment - 1) / FrameAlignment * FrameAlignment; }

  /// The caller may be entered again before this call returns.
  bool is_inside_recursion(const CallSite& call) const {
    return code_.functions[call.caller].is_recursive && code_.code[call.branch].body.is_recursive;
  }

  static bool is_result(const CallSite& call, VirtualId id) {
    return std::count(call.results.begin(), call.results.end(), id) != 0;
  }

  Class width_of(VirtualId id) const { return code_.registers[static_cast<std::size_t>(id)].width; }

  void save_around(const CallSite& call, const std::vector<VirtualId>& registers, unsigned frame_bytes) {
    where_ = code_.code[call.branch].where;
    std::vector<VirtualInstruction>& saves = insertions_[call.first].before;
    std::vector<VirtualInstruction> restores;
    move_stack(restores, 0U - frame_bytes);
    unsigned offset = aligned(code_.functions[call.caller].frame_bytes);
    for (const VirtualId id : registers) {
      const unsigned bytes = width_of(id) == Class::Wide ? 8 : 4;
      offset += offset % bytes;
      save(saves, id, offset, bytes);
      restore(restores, id, offset, bytes);
      offset += bytes;
    }
    move_stack(saves, frame_bytes);
    insertions_[call.branch + 1].after_call = std::move(restores);
  }

  void save(std::vector<VirtualInstruction>& to, VirtualId id, unsigned offset, unsigned bytes) {
    if (width_of(id) == Class::Predicate) {
      const VirtualId word = new_word();
      VirtualInstruction& select = add(to, "selp.b32");
      set_destination(select, word);
      set_immediate(select, 0, 1);
      set_immediate(select, 1, 0);
      set_source(select, 2, id);
      id = word;
    }
    VirtualInstruction& store = access(to, "st", bytes == 8 ? "st.local.b64" : "st.local.b32", offset, bytes);
    set_source(store, 1, id);
  }

  void restore(std::vector<VirtualInstruction>& to, VirtualId id, unsigned offset, unsigned bytes) {
    const bool is_predicate = width_of(id) == Class::Predicate;
    VirtualInstruction& load = access(to, "ld", bytes == 8 ? "ld.local.b64" : "ld.local.b32", offset, bytes);
    const VirtualId into = is_predicate ? new_word() : id;
    set_destination(load, into);
    if (!is_predicate) return;
    VirtualInstruction& test = add(to, "setp.ne.u32");
    set_destination(test, id);
    set_source(test, 0, into);
    set_immediate(test, 1, 0);
  }

  void move_stack(std::vector<VirtualInstruction>& to, unsigned bytes) {
    VirtualInstruction& sum = add(to, "add.u32");
    set_destination(sum, code_.stack_pointer);
    set_source(sum, 0, code_.stack_pointer);
    set_immediate(sum, 1, bytes);
  }

  VirtualInstruction& access(std::vector<VirtualInstruction>& to, const char* row, const char* mnemonic,
                             unsigned offset, unsigned bytes) {
    VirtualInstruction& instruction = add(to, row);
    instruction.body.mnemonic = mnemonic;
    instruction.body.space = isa::Space::Local;
    instruction.body.bytes = static_cast<std::uint8_t>(bytes);
    instruction.body.offset = offset;
    set_source(instruction, 0, code_.stack_pointer);
    return instruction;
  }

  VirtualInstruction& add(std::vector<VirtualInstruction>& to, const char* opcode) {
    const Opcode& row = *find_opcode(opcode);
    VirtualInstruction instruction;
    instruction.where = where_;
    instruction.body.kind = row.kind;
    instruction.body.unit = row.unit;
    instruction.body.mnemonic = row.spelling.c_str();
    instruction.body.evaluate = row.evaluate.one;
    instruction.body.evaluate_lanes = row.evaluate.lanes;
    instruction.body.line = where_.line;
    to.push_back(instruction);
    return to.back();
  }

  void set_destination(VirtualInstruction& instruction, VirtualId id) const {
    instruction.destination = id;
    instruction.body.destination.wide = width_of(id) == Class::Wide;
  }

  void set_source(VirtualInstruction& instruction, unsigned index, VirtualId id) const {
    instruction.sources[index] = id;
    Source& source = instruction.body.sources[index];
    source.kind = width_of(id) == Class::Predicate ? Source::Kind::Predicate : Source::Kind::Register;
    source.wide = width_of(id) == Class::Wide;
  }

  static void set_immediate(VirtualInstruction& instruction, unsigned index, std::uint64_t value) {
    instruction.body.sources[index].kind = Source::Kind::Immediate;
    instruction.body.sources[index].value = value;
  }

  VirtualId new_word() {
    code_.registers.push_back({"saved predicate", Class::Narrow});
    return static_cast<VirtualId>(code_.registers.size() - 1);
  }

  /// Makes room for all of them at once, and moves everything that names an instruction.
  void insert() {
    std::vector<VirtualInstruction> code;
    std::vector<isa::Pc> by_return(code_.code.size() + 1), by_branch(code_.code.size() + 1);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const Insertion insertion = insertions_.count(pc) != 0 ? insertions_[pc] : Insertion();
      by_return[pc] = static_cast<isa::Pc>(code.size());
      code.insert(code.end(), insertion.after_call.begin(), insertion.after_call.end());
      by_branch[pc] = static_cast<isa::Pc>(code.size());
      code.insert(code.end(), insertion.before.begin(), insertion.before.end());
      moved_.push_back(static_cast<isa::Pc>(code.size()));
      code.push_back(code_.code[pc]);
    }
    for (VirtualInstruction& instruction : code) {
      isa::Instruction& body = instruction.body;
      if (body.kind == Kind::Branch && body.target != isa::NoPc) body.target = by_branch[body.target];
      if (instruction.code_address != isa::NoPc) instruction.code_address = by_return[instruction.code_address];
    }
    for (std::vector<isa::Pc>& table : code_.tables)
      for (isa::Pc& target : table)
        if (target != isa::NoPc) target = by_branch[target];
    for (FunctionCode& function : code_.functions) {
      function.first = by_branch[function.first];
      function.last = moved_[function.last];
    }
    for (CallSite& call : code_.calls) {
      call.first = by_branch[call.first];
      call.branch = moved_[call.branch];
    }
    std::map<isa::Pc, std::string> labels;
    for (const auto& [pc, label] : code_.labels) labels.emplace(by_branch[pc], label);
    code_.labels = std::move(labels);
    code_.code = std::move(code);
  }

  VirtualCode& code_;
  ptx::Location where_;
  std::map<isa::Pc, Insertion> insertions_;  // by the instruction they go in front of
  std::vector<isa::Pc> moved_;
};

}  // namespace

void add_recursion_stack(VirtualCode& code) {
  SaveAndRestore(code).run();
}

void resolve_code_addresses(VirtualCode& code) {
  for (VirtualInstruction& instruction : code.code)
    if (instruction.code_address != isa::NoPc) instruction.body.sources[0].value = instruction.code_address;
}

}  // namespace heddle::compiler
