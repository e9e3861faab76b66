// SPDX-License-Identifier: Apache-2.0
// Issue slice: what decides, for the warps of one scheduler, which lanes of which warp run next. Control flow unit,
// instruction buffers, scoreboard, gate and warp scheduler, assembled (DESIGN 5); it holds no state of its own.
//
// What   eligible_i                  Slots    slots that may issue as far as the SM knows
//        held_i                      Slots    slots whose head is a branch or an exit                [not OfWords]
//        resolve_i                   Resolve  what an executed control instruction does, or a warp that starts
//        push_i, word_i[k]           Push     what fetch has for a slot; kept from it if it has a new PC or is gone
//        buffer_left_o[w], buffer_right_o[w]  heads of the buffers: what executes when it is granted
//        head_left_i[w], head_right_i[w]      registers of these heads, decoded as they become heads, for the
//                                             scoreboard                                             [not OfWords]
//        release_i                   Release  a writeback
//        grant_o                     Grant    the head that issues in this cycle
//        left_o[w], right_o[w], depth_o[w], status_o, idle_o  as the control flow unit shows them
//        hazard_o[w]                 Hazard   why the scoreboard refuses heads
//        and what only some units have, under its own names (own_ports.h)
// Kinds  Unit: any control flow unit (rtl/base/control_flow.h); Core: the same, or what has its ports. Board: scoreboard,
//        or what has its ports; Scheduler: warp_scheduler, or the same. Buffer: instruction_buffer. Paths: that the scheduler looks at, of a warp. Rotation:
//        rotating_status for DPE's constrained scheduler (DPE sec. 3.3): of two paths one is seen at a time; `rotation`
//        has its inputs. OfWords = true, the hardware: a word is a decoded instruction (decoded_word.h), which says its
//        registers and whether its path waits at it, and a slot without a word never issues. OfWords = false, the
//        simulator's: a word is any number, and who binds the slice says all this.
// Time   Combinational from status_o, eligible_i and hazard_o over the gate and the scheduler to grant_o; every block
//        acts on the grant at the next edge. So a path can issue in consecutive cycles.
// Idle   Without a request an edge changes nothing when idle_o says so: buffers, scoreboard and scheduler change with
//        one only.
// Cost   its blocks'.
// Twin   issue_slice.sv, OfWords, without rotation, for the single- and the dual-path stack, the split table and
//        convergence barriers.
#pragma once

#include <type_traits>

#include "rtl/base/link.h"
#include "rtl/instruction_buffer/instruction_buffer.h"
#include "rtl/issue_gate/issue_gate.h"
#include "rtl/issue_slice/decoded_word.h"
#include "rtl/issue_slice/own_ports.h"
#include "rtl/path_rotation/rotating_status.h"
#include "rtl/scoreboard/scoreboard.h"
#include "rtl/warp_scheduler/warp_scheduler.h"

namespace heddle {

/// In place of the rotation where all paths are seen.
struct no_rotation {
  explicit no_rotation(const char*) {}
};

template <class Unit, class Board, class Buffer, unsigned Paths, class Rotation = no_rotation, bool OfWords = false,
          class Core = Unit, class Scheduler = warp_scheduler<typename Unit::Flow, Paths>>
class issue_slice : public sc_core::sc_module, public own_ports<Unit> {
 public:
  using Flow = typename Unit::Flow;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Head = ScoreboardHead;
  using Hazard = ScoreboardHazard;
  using Release = ScoreboardRelease<Flow::WarpBits>;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>;
  /// What the words say, or who binds the slice.
  template <class Value>
  using Said = std::conditional_t<OfWords, Link<Value>, sc_in<Value>>;

  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  sc_in<Slots> eligible_i{"eligible_i"};
  Said<Slots> held_i{"held_i"};
  sc_in<Resolve> resolve_i{"resolve_i"};
  sc_core::sc_vector<Said<Head>> head_left_i{"head_left_i", Warps};
  sc_core::sc_vector<Said<Head>> head_right_i{"head_right_i", Warps};
  sc_in<Release> release_i{"release_i"};
  sc_in<typename Buffer::Push> push_i{"push_i"};
  sc_core::sc_vector<sc_in<typename Buffer::Word>> word_i{"word_i", Buffer::Words};
  sc_core::sc_vector<sc_out<typename Buffer::Head>> buffer_left_o{"buffer_left_o", Warps};
  sc_core::sc_vector<sc_out<typename Buffer::Head>> buffer_right_o{"buffer_right_o", Warps};
  sc_out<Grant> grant_o{"grant_o"};
  sc_core::sc_vector<sc_out<Path>> left_o{"left_o", Warps};
  sc_core::sc_vector<sc_out<Path>> right_o{"right_o", Warps};
  sc_core::sc_vector<sc_out<typename Unit::Count>> depth_o{"depth_o", Warps};
  sc_out<Status> status_o{"status_o"};
  sc_core::sc_vector<sc_out<Hazard>> hazard_o{"hazard_o", Warps};
  sc_out<bool> idle_o{"idle_o"};

  Core unit;
  Buffer buffer{"instruction_buffer"};
  Board scoreboard;
  issue_gate<Flow> gate{"issue_gate"};
  Scheduler scheduler;
  Rotation rotation{"rotating_status"};
  Link<Status> shown{"shown"};  // of the visible paths, where they rotate

  /// \param block  the control flow unit's name
  /// \param of     what unit, scoreboard and scheduler are made of besides their names: nothing, if they are the blocks
  template <class... Of>
  issue_slice(const sc_core::sc_module_name& name, const char* block, const Of&... of)
      : sc_module(name), unit(block, of...), scoreboard("scoreboard", of...), scheduler("warp_scheduler", of...) {
    unit.clk_i(clk_i), unit.rst_ni(rst_ni);
    unit.grant_i(grant_o), unit.held_i(held_i), unit.resolve_i(resolve_i);
    unit.left_o(left_o), unit.right_o(right_o), unit.depth_o(depth_o);
    unit.status_o(status_o), unit.idle_o(idle_o);
    own_ports<Unit>::pass_to(unit);
    buffer.clk_i(clk_i), buffer.rst_ni(rst_ni);
    buffer.push_i(kept), buffer.word_i(word_i), buffer.pop_i(grant_o), buffer.flush_i(stale);
    buffer.head_left_o(buffer_left_o), buffer.head_right_o(buffer_right_o), buffer.buffered_o(buffered);
    scoreboard.clk_i(clk_i), scoreboard.rst_ni(rst_ni);
    scoreboard.head_left_i(head_left_i), scoreboard.head_right_i(head_right_i);
    scoreboard.grant_i(grant_o), scoreboard.decode_i(decoded), scoreboard.flush_i(stale);
    scoreboard.release_i(release_i), scoreboard.status_i(status_o);
    scoreboard.hazard_o(hazard_o);
    gate.hazard_i(hazard_o), gate.ready_o(ready);
    if constexpr (OfWords) {
      gate.eligible_i(asked);
      SC_METHOD(decode);
      for (unsigned w = 0; w < Warps; ++w) sensitive << buffer_left_o[w] << buffer_right_o[w];
      SC_METHOD(ask);
      sensitive << eligible_i << buffered;
      probe(*this, "eligible_i", eligible_i);
    } else {
      gate.eligible_i(eligible_i);
    }
    if constexpr (!std::is_same_v<Rotation, no_rotation>) {
      rotation.clk_i(clk_i), rotation.rst_ni(rst_ni), rotation.status_i(status_o), rotation.shown_o(shown);
      gate.status_i(shown), status_i(shown);
    } else {
      gate.status_i(status_o), status_i(status_o);
    }
    scheduler.clk_i(clk_i), scheduler.rst_ni(rst_ni);
    scheduler.ready_i(ready), scheduler.grant_o(grant_o);
    if (by_process()) {
      SC_METHOD(keep_back);
      sensitive << status_i << push_i;
    }
  }

  SC_HAS_PROCESS(issue_slice);

  /// What stands in the buffer of a slot that has a new PC, or is gone, is stale, and what comes for it too. A
  /// scoreboard hears by the wires of the buffer when a slot may have another head.
  void keep_back() {
    Slots flush;
    typename Buffer::Push push = push_i.read();
    const Status status = status_i.read();
    flush.left = status.redirected_left | ~status.valid_left;
    flush.right = status.redirected_right | ~status.valid_right;
    const bool of_stale = ((push.right != 0 ? flush.right : flush.left) >> unsigned(push.warp) & 1) != 0;
    if (of_stale) push.count = 0;
    stale.write(flush);
    kept.write(push);
    if constexpr (Board::HearsOfHeads) {
      Grant decode;
      if (push.count != 0) {
        decode.valid = 1;
        decode.warp = push.warp;
        decode.right = push.right;
      }
      decoded.write(decode);
    }
  }

 private:
  sc_in<Status> status_i{"status_i"};  // of the paths that are seen
  Wire<Slots> ready{"ready"}, stale{"stale"};
  Link<Slots> buffered{"buffered"};
  Link<Slots> asked{"asked"};  // OfWords: eligible, and with a word
  Wire<typename Buffer::Push> kept{"kept"};
  Wire<Grant> decoded{"decoded"};  // the slot that gets words, for a scoreboard that hears of heads

  /// Reads registers of the words at the heads, and which paths wait at one. An empty slot shows zero.
  void decode() {
    if constexpr (OfWords) {
      using Fields = WordFields<bits_of<typename Buffer::Word>>;
      Slots held;
      std::uint64_t left = 0, right = 0;
      for (unsigned w = 0; w < Warps; ++w) {
        const typename Buffer::Head left_head = buffer_left_o[w].read(), right_head = buffer_right_o[w].read();
        const std::uint64_t left_word = left_head.word, right_word = right_head.word;
        head_left_i[w].write(Fields::head(left_word));
        head_right_i[w].write(Fields::head(right_word));
        if (Fields::control(left_word)) left |= std::uint64_t(1) << w;
        if (Fields::control(right_word)) right |= std::uint64_t(1) << w;
      }
      held.left = left;
      held.right = right;
      held_i.write(held);
    }
  }

  /// A slot without a word has no head.
  void ask() {
    if constexpr (OfWords) {
      Slots may;
      may.left = eligible_i.read().left & buffered.read().left;
      may.right = eligible_i.read().right & buffered.read().right;
      asked.write(may);
    }
  }
};

}  // namespace heddle
