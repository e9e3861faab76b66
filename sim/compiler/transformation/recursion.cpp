// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/recursion.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/liveness.h"
#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

constexpr unsigned FrameAlignment = 8;

unsigned aligned(unsigned bytes, unsigned alignment = FrameAlignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

class SaveAndRestore {
 public:
  explicit SaveAndRestore(VirtualCode& code) : code_(code), edit_(code) {}

  void run() {
    const std::vector<std::set<VirtualId>> live = live_before(code_, find_blocks(code_));
    std::map<isa::Pc, std::vector<Slot>> saved;  // by call
    std::map<unsigned, unsigned> frames;         // of recursive functions: bytes with the saved registers
    for (const CallSite& call : code_.calls) {
      if (!is_inside_recursion(call)) continue;
      unsigned bytes = aligned(code_.functions[call.caller].frame_bytes);
      saved[call.branch] = slots(call, live[call.branch + 1], bytes);
      frames[call.caller] = std::max(frames[call.caller], aligned(bytes));
    }
    for (const auto& call : code_.calls)
      if (is_inside_recursion(call)) save_around(call, saved[call.branch], frames[call.caller]);
    edit_.apply();
    code_.local_bytes = aligned(code_.local_bytes);
    code_.code.front().body.sources[0].value = code_.local_bytes;
    code_.local_bytes += RecursionStackBytes;
  }

 private:
  struct Slot {
    VirtualId id;
    unsigned offset;
  };

  /// The caller may be entered again before this call returns.
  bool is_inside_recursion(const CallSite& call) const {
    return code_.functions[call.caller].is_recursive && code_.code[call.branch].body.is_recursive;
  }

  /// A place in the frame, from `bytes` on, for each register that is needed after the call.
  std::vector<Slot> slots(const CallSite& call, const std::set<VirtualId>& live, unsigned& bytes) const {
    std::vector<Slot> slots;
    for (const VirtualId id : live) {
      const bool is_result = std::count(call.results.begin(), call.results.end(), id) != 0;
      if (id == code_.stack_pointer || is_result) continue;
      const unsigned size = code_.registers[static_cast<std::size_t>(id)].width == Class::Wide ? 8 : 4;
      bytes = aligned(bytes, size);
      slots.push_back({id, bytes});
      bytes += size;
    }
    return slots;
  }

  void save_around(const CallSite& call, const std::vector<Slot>& slots, unsigned frame_bytes) {
    const ptx::Location where = code_.code[call.branch].where;
    InstructionList saves(code_, where), restores(code_, where);
    move_stack(restores, 0U - frame_bytes);
    for (const Slot& slot : slots) {
      saves.add_save(slot.id, code_.stack_pointer, slot.offset);
      restores.add_restore(slot.id, code_.stack_pointer, slot.offset);
    }
    move_stack(saves, frame_bytes);
    edit_.before(call.first, std::move(saves.instructions));
    edit_.at_return(call.branch + 1, std::move(restores.instructions));
  }

  void move_stack(InstructionList& list, unsigned bytes) const {
    VirtualInstruction& sum = list.add("add.u32");
    list.set_destination(sum, code_.stack_pointer);
    list.set_source(sum, 0, code_.stack_pointer);
    sum.set_immediate(1, bytes);
  }

  VirtualCode& code_;
  CodeEdit edit_;
};

}  // namespace

void add_recursion_stack(VirtualCode& code) {
  SaveAndRestore(code).run();
}

}  // namespace heddle::compiler
