// SPDX-License-Identifier: Apache-2.0
// Writeback of one scheduler: results wait in the pipe of their latency, one a cycle is written to the registers.
//
//   expect(token, cycle, latency)   the result is there at cycle + latency
//   step(cycle)                     the oldest result that is there is written; its register may be read from then on
//   write_part(token, missing)      takes its place: lanes of a load that others are still missing of
//
// A pipe has one latency, so what enters it first is there first: a queue, as hardware has it. The result that is there
// longest goes first, of those that came in one cycle the one that was announced first.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/sm/lanes/register_file.h"
#include "sim/sm/links/in_flight.h"

namespace heddle {

/// An instruction whose result was written in this edge, or which had none and is done.
struct WrittenBack {
  bool valid = false;
  SliceWarp warp;
  unsigned k = 0;
  isa::Lanes path_lanes = 0;
  isa::RegisterName name;  ///< is_none(): nothing was written
  bool part = false;       ///< lanes of it are still under way
  unsigned token = 0;      ///< its record says what it was until another instruction is issued
};

class Writeback {
 public:
  Writeback(InFlightPool& in_flight, RegisterFile& registers) : in_flight_(in_flight), registers_(registers) {}

  void expect(unsigned token, std::uint64_t cycle, unsigned latency);
  WrittenBack step(std::uint64_t cycle);
  /// Instead, of a load that stays under way: all but its `missing` lanes.
  WrittenBack write_part(unsigned token, isa::Lanes missing);
  /// Results that are not written yet; an edge without one changes nothing.
  unsigned waiting() const { return waiting_; }

 private:
  struct Result {
    std::uint64_t ready, order;
    unsigned token;
  };
  struct Pipe {
    unsigned latency;
    std::deque<Result> results;
  };

  InFlightPool& in_flight_;
  RegisterFile& registers_;
  std::vector<Pipe> pipes_;
  std::uint64_t order_ = 0;
  unsigned waiting_ = 0;
};

}  // namespace heddle
