// SPDX-License-Identifier: Apache-2.0
// Instruction buffers of one issue scheduler: for each path slot (warp, side) a small FIFO of decoded instructions
// (DPE sec. 3.3, 6.5). It holds words and no PCs: which slot is fetched next, from where and how long that takes is the
// business of the fetch beside it.
//
// What   push_i         Push    fetch delivers `count` words to this slot, word_i[0] first; count 0: none
//        word_i[k]      Word    the words
//        pop_i          Grant   the head of this slot was issued
//        flush_i        Slots   slots that got a new PC or are gone: what they hold is stale
//        head_left_o[w], head_right_o[w]  Head   how many words the slot holds, and the oldest of them; blank: none
//        buffered_o     Slots   slots that hold a word
// Kinds  Paths = 2: a left and a right slot a warp (dual path, subdivision), twice the storage of the baseline.
//        Paths = 1: the left one alone; the right mask of flush_i is not looked at, what is right of the outputs is
//        blank.
// Rules  Within one edge, in this order:
//        R1 A flush empties its slots.  R2 The pop takes the head; the word behind it, if any, is the head from now on.
//        R3 The push appends its words, in their order: also to a slot that is flushed in this edge, whose words they
//        then are. Fetch keeps back what it got for an older PC.
//        R4 A slot that is not named by flush, pop or push stays as it is.
//        R5 Refused by name (instruction_buffer/illegal) and without effect: a pop of a slot that holds nothing, after
//        this edge's flush; a push of more words than then fit, or than word_i has; either of a slot that is not there.
// Time   flush_i, pop_i and push_i of cycle n are in the heads and in buffered_o in cycle n+1. Always idle: it changes
//        only with one of these three.
// Cost   asked from the inventory: a slot has Depth words and a count, and a bit of buffered_o.
// Twin   instruction_buffer.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// Words that are delivered to one slot.
template <unsigned WarpBits, unsigned Width>
struct InstructionPush {
  sc_uint<count_bits(Width)> count;
  sc_uint<WarpBits> warp;
  sc_uint<1> right;  // Side
  HEDDLE_RECORD(InstructionPush, count, warp, right)
};

/// What a slot shows: the number of its words, and the oldest.
template <unsigned Depth, unsigned WordBits>
struct InstructionHead {
  sc_uint<count_bits(Depth)> count;
  sc_uint<WordBits> word;
  HEDDLE_RECORD(InstructionHead, count, word)
};

template <class Flow, unsigned Paths, unsigned Depth, unsigned Width, unsigned WordBits>
class instruction_buffer : public sc_core::sc_module {
 public:
  static_assert(Paths == 1 || Paths == 2, "a warp shows one or two paths");
  static_assert(WordBits >= 1 && WordBits <= 64, "a word is one field");
  static_assert(Width >= 1 && Width <= Depth, "what is fetched at once fits into an empty slot");
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Push = InstructionPush<Flow::WarpBits, Width>;
  using Head = InstructionHead<Depth, WordBits>;
  using Word = sc_uint<WordBits>;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>, Words = Width;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Push> push_i{"push_i"};
  sc_core::sc_vector<sc_core::sc_in<Word>> word_i{"word_i", Width};
  sc_core::sc_in<Grant> pop_i{"pop_i"};
  sc_core::sc_in<Slots> flush_i{"flush_i"};
  sc_core::sc_vector<sc_core::sc_out<Head>> head_left_o{"head_left_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Head>> head_right_o{"head_right_o", Warps};
  sc_core::sc_out<Slots> buffered_o{"buffered_o"};

  SC_CTOR(instruction_buffer) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "push_i", push_i);
    probe(*this, "word_i", word_i);
    probe(*this, "pop_i", pop_i);
    probe(*this, "flush_i", flush_i);
    declare(*this, "head_left_o", head_left_o,
            {Storage::Flop, paper_none(), "DPE sec. 6.5, the oldest word of a slot; ours, how many there are"});
    if constexpr (Paths == 2) {
      declare(*this, "head_right_o", head_right_o,
              {Storage::Flop, paper_none(), "DPE sec. 6.5, the oldest word of a slot; ours, how many there are"});
    } else {
      probe(*this, "head_right_o", head_right_o);
    }
    if constexpr (Depth > 1) {
      declare(*this, "behind_q", behind_q,
              {Storage::Flop, paper_none(), "DPE sec. 6.5, the other words of a slot, the older first"});
    }
    declare(*this, "buffered_o", buffered_o,
            {Storage::Flop, paper_none(), "ours, slots that hold a word", "", Paths == 2 ? "" : "right"});
  }

 private:
  static constexpr unsigned Behind = Depth > 1 ? Depth - 1 : 1;

  /// Words behind the head of slot (w, side), from (Paths * w + side) * Behind on; those that count are valid. Not
  /// reset.
  Word behind_q[Paths * Warps * Behind];

  HEDDLE_REPORT(void refuse(unsigned warp, const char* why) {
    SC_REPORT_ERROR("instruction_buffer/illegal", refusal(name(), warp, why).c_str());
  })

  static bool exists(unsigned warp, bool right) { return warp < Warps && (Paths == 2 || !right); }

  static bool has(const Slots& buffered, unsigned warp, bool right) {
    return exists(warp, right) && ((right ? buffered.right : buffered.left) >> warp & 1) != 0;
  }

  static void mark(Slots& buffered, unsigned warp, bool right, bool holds) {
    const std::uint64_t bit = std::uint64_t(1) << warp, set = holds ? bit : 0;
    if (right)
      buffered.right = (buffered.right & ~bit) | set;
    else
      buffered.left = (buffered.left & ~bit) | set;
  }

  Head head_of(unsigned warp, bool right) {
    Head head = head_left_o[warp].read();
    if constexpr (Paths == 2) {
      if (right) head = head_right_o[warp].read();
    }
    return head;
  }

  void show(unsigned warp, bool right, const Head& head) {
    if (Paths == 2 && right)
      head_right_o[warp].write(head);
    else
      head_left_o[warp].write(head);
  }

  HEDDLE_CLOCKED(step) {
    Head blank;
    Slots buffered;
    if (!rst_ni.read()) {
      for (unsigned w = 0; w < Warps; ++w) {
        show(w, false, blank);
        if constexpr (Paths == 2) show(w, true, blank);
      }
    } else {
      buffered = buffered_o.read();

      // R1
      Slots flush = flush_i.read();
      flush.left = flush.left & buffered.left;
      flush.right = flush.right & buffered.right;
      if ((flush.left | flush.right) != 0) {
        for (unsigned w = 0; w < Warps; ++w) {
          if ((flush.left >> w & 1) != 0) show(w, false, blank);
          if ((flush.right >> w & 1) != 0) show(w, true, blank);
        }
        buffered.left = buffered.left & ~std::uint64_t(flush.left);
        buffered.right = buffered.right & ~std::uint64_t(flush.right);
      }

      // R2
      const Grant pop = pop_i.read();
      bool pops = pop.valid != 0;
      if (pops) pops = has(buffered, pop.warp, pop.right != 0);
      Head popped;
      if (pops) {
        popped = head_of(pop.warp, pop.right != 0);
        popped.count = popped.count - 1;
        popped.word = 0;
        const unsigned at = (Paths * unsigned(pop.warp) + unsigned(pop.right)) * Behind;
        if (popped.count != 0) popped.word = behind_q[at];
        for (unsigned e = 0; e + 1 < Behind; ++e) behind_q[at + e] = behind_q[at + e + 1];
        show(pop.warp, pop.right != 0, popped);
        mark(buffered, pop.warp, pop.right != 0, popped.count != 0);
      }

      // R3
      const Push push = push_i.read();
      const unsigned wanted = push.count;
      bool pushes = false;
      if (wanted != 0) {
        Head pushed;
        if (pops && pop.warp == push.warp && pop.right == push.right) {
          pushed = popped;
        } else if (has(buffered, push.warp, push.right != 0)) {
          pushed = head_of(push.warp, push.right != 0);
        }
        const unsigned kept = pushed.count;
        pushes = exists(push.warp, push.right != 0) && wanted <= Width && kept + wanted <= Depth;
        if (pushes) {
          const unsigned at = (Paths * unsigned(push.warp) + unsigned(push.right)) * Behind;
          for (unsigned k = 0; k < Width; ++k) {
            if (k < wanted) {
              if (kept + k == 0)
                pushed.word = word_i[k].read();
              else
                behind_q[at + kept + k - 1] = word_i[k].read();
            }
          }
          pushed.count = kept + wanted;
          show(push.warp, push.right != 0, pushed);
          mark(buffered, push.warp, push.right != 0, true);
        }
      }

      // R5
      if (pop.valid != 0 && !pops) { HEDDLE_REPORT(refuse(pop.warp, "pop of a slot that holds nothing");) }
      if (wanted != 0 && !pushes) {
        HEDDLE_REPORT(refuse(push.warp, "push of more words than fit, or to a slot that is not there");)
      }
    }
    buffered_o.write(buffered);
  }
};

}  // namespace heddle
