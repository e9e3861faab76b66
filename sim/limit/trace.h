// SPDX-License-Identifier: Apache-2.0
// Which way each thread of a launch went: DWF sec. 3.3, "dynamic instruction traces ... from only the first 128 threads".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/isa/oracle.h"

namespace heddle::limit {

constexpr unsigned TracedThreads = 128;  // DWF sec. 3.3; of each launch (ours: the paper does not speak of launches)
constexpr std::size_t MostTraceBlocks = 4096;  // a thread; ours

/// Instructions that a thread which begins them executes to their end: a basic block, cut behind barriers (ours, so that
/// a thread which waits in the middle of a block has executed whole pieces). The compiler ends blocks at exits.
struct Piece {
  isa::Pc first = 0, last = 0;  // inclusive
  bool waits = false;           // ends in a CTA barrier at which threads wait

  std::uint32_t instructions() const { return last - first + 1; }
};

using PieceIndex = std::uint32_t;
using Trace = std::vector<PieceIndex>;

struct LaunchTrace {
  std::string entry;
  std::vector<Piece> pieces;                      // of the program, in code order
  std::vector<isa::Instruction> last;             // of each piece: where it goes on
  std::vector<std::string> first_places, places;  // of each first and last instruction: "file.cu:12", or its PTX line
  std::vector<Trace> threads;                     // by thread number
  unsigned block_threads = 0;                     // threads a CTA: no warp reaches over two
  std::uint64_t launched_threads = 0, cut = 0;    // all threads; traces that ended at MostTraceBlocks
  bool has_warp_wide = false, has_indirect = false;
};

std::vector<Piece> pieces_of(const isa::Program& program);

/// Records launches, one after another.
class Tracer : public isa::PathObserver {
 public:
  std::vector<bool> begin(const isa::Launch& launch) override;
  void arrive(std::uint64_t thread, isa::Pc pc) override;

  const std::vector<LaunchTrace>& launches() const { return launches_; }

 private:
  std::vector<LaunchTrace> launches_;
  std::vector<PieceIndex> piece_at_;  // of the launch that runs: by the PC of a piece's first instruction
  std::vector<bool> is_cut_;
};

}  // namespace heddle::limit
