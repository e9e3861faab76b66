// SPDX-License-Identifier: Apache-2.0
// Fetch under dynamic warp formation: warps in the order in which they were issued, one a cycle, each with one
// instruction. It comes after the fetch latency and one more stage, which the paper has for formation alone (DWF sec.
// 6: "an extra stage"), if the instruction cache has its line; else all wait for that.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/sm/slice/fetch.h"
#include "tlm/instruction_cache.h"

namespace heddle {

class FormationFetch {
 public:
  /// \param stages  cycles from issue to operand read
  FormationFetch(unsigned stages, const CodeMemory& memory) : stages_(stages), memory_(memory) {
    if (memory_.cache != nullptr) memory_.cache->add_listener([this](std::uint64_t line) { line_arrived(line); });
  }
  FormationFetch(const FormationFetch&) = delete;  // the cache knows it
  FormationFetch& operator=(const FormationFetch&) = delete;

  /// \param code  address of the first instruction, at a line's start
  void load(std::uint64_t code) { code_ = code; }

  /// Room for one more warp at the next edge, though none leaves there.
  bool has_room() const { return warps_.size() <= stages_; }
  bool empty() const { return warps_.empty(); }
  std::size_t size() const { return warps_.size(); }

  void enter(unsigned token, isa::Pc pc, std::uint64_t cycle) { warps_.push_back({token, pc, cycle + stages_}); }
  /// Whether the instruction of the first warp has come. \pre not empty
  bool ready(std::uint64_t cycle) {
    const Warp& first = warps_.front();
    return first.ready <= cycle && has_line(first.pc);
  }
  /// Does the first warp wait for a line of code?
  bool awaits_line() const { return awaits_; }
  unsigned first() const { return warps_.front().token; }
  void leave() {
    warps_.pop_front();
    served_ = false;
  }

 private:
  struct Warp {
    unsigned token;
    isa::Pc pc;
    std::uint64_t ready;
  };

  bool has_line(isa::Pc pc) {
    if (memory_.cache == nullptr || served_) return true;
    if (awaits_ && !arrived_) return false;
    if (awaits_ && !any_) {  // who was told of a line may use it once without a look
      awaits_ = arrived_ = false;
      return served_ = true;
    }
    line_ = code_ + std::uint64_t{pc / memory_.words_per_line} * memory_.line_bytes;
    const instruction_cache::Look found = memory_.cache->look(line_);
    served_ = found == instruction_cache::Look::Hit;
    awaits_ = !served_;
    any_ = found == instruction_cache::Look::Full;
    arrived_ = false;
    return served_;
  }
  void line_arrived(std::uint64_t line) { arrived_ = arrived_ || (awaits_ && (any_ || line == line_)); }

  const unsigned stages_;
  const CodeMemory memory_;
  std::uint64_t code_ = 0;
  std::deque<Warp> warps_;
  // The line of the first warp was here; it waits for that line, or for any; it has come.
  bool served_ = false, awaits_ = false, any_ = false, arrived_ = false;
  std::uint64_t line_ = 0;
};

}  // namespace heddle
