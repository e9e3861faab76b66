// SPDX-License-Identifier: Apache-2.0
#include "tests/random/traps.h"

#include <fmt/format.h>
#include <string>

#include "sim/gpu/workload.h"

namespace heddle::tests {
namespace {

const std::string Registers = "  .reg .pred %never;\n  .reg .b32 %who, %turns;\n";

const char* const Functions =
    ".func throws() .noreturn\n{\n  trap;\n  exit;\n}\n"
    ".func leaves() .noreturn\n{\n  exit;\n}\n"
    ".func throws_somehow()\n{\n  .reg .pred %odd;\n  .reg .b32 %who;\n  mov.u32 %who, %tid.x;\n"
    "  setp.eq.u32 %odd, %who, 7000;\n  @%odd bra OTHER;\n  call throws;\n  OTHER:\n  trap;\n}\n\n";

/// The body of one function.
class TrapSides {
 public:
  /// \param calls  functions too
  TrapSides(gpu::Random& random, bool calls) : random_(random), calls_(calls) {}

  /// \param body  behind the declarations, up to the last brace
  std::string run(const std::string& body) {
    std::string text = Registers;
    unsigned depth = 0;  // of the braces around a call's arguments
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t end = body.find('\n', at) + 1;
      const std::string line = body.substr(at, end - at);
      if (depth == 0 && random_.below(8) == 0) text += side();
      const bool opens = line.find('{') != std::string::npos, closes = line.find('}') != std::string::npos;
      if (opens && !closes) ++depth;
      if (closes && !opens) --depth;
      text += line;
      at = end;
    }
    return text + at_the_end_;
  }

 private:
  std::string new_label() { return fmt::format("TRAP_{}", labels_++); }

  /// Ends the launch, or does not come back.
  std::string end() {
    constexpr const char* Ends[] = {"trap;", "trap;", "call throws;", "call leaves;", "call throws_somehow;"};
    return fmt::format("  {}\n", Ends[random_.below(calls_ ? 5 : 1)]);
  }

  /// What stands on a side.
  std::string code() {
    const std::string name = new_label();
    switch (random_.below(4)) {
      case 0:
        return "  st.global.u32 [%scratch], %who;\n" + end();
      case 1:
        return fmt::format(
            "  mov.u32 %turns, 0;\n{0}:\n  add.u32 %turns, %turns, 1;\n  setp.lt.u32 %never, %turns, %who;\n"
            "  @%never bra {0};\n{1}",
            name, end());
      case 2:
        return fmt::format("  setp.eq.u32 %never, %who, 6000;\n  @%never bra {0};\n{1}{0}:\n{2}", name, end(), end());
      default:
        return end();
    }
  }

  /// A branch to such code: by the thread's number, or by data.
  std::string side() {
    std::string text = random_.below(2) == 0 ? "  mov.u32 %who, %tid.x;\n  setp.ge.u32 %never, %who, 2000;\n"
                                             : "  and.b32 %who, %v0, 0;\n  setp.ne.u32 %never, %who, 0;\n";
    if (random_.below(3) == 0) {
      const std::string over = new_label();
      return text + fmt::format("  @!%never bra {0};\n{1}{0}:\n", over, code());
    }
    if (shared_.empty() || random_.below(2) == 0) {
      shared_ = new_label();
      at_the_end_ += shared_ + ":\n" + code();
    }
    return text + fmt::format("  @%never bra {};\n", shared_);
  }

  gpu::Random& random_;
  const bool calls_;
  unsigned labels_ = 0;
  std::string shared_, at_the_end_;  // the block that the next branches may share; all such blocks
};

/// Where the body of the function that begins at `from` begins: behind its declarations stands an empty line.
std::size_t body_of(const std::string& ptx, std::size_t from) {
  return ptx.find("\n\n", from) + 2;
}

std::size_t entry_of(const std::string& ptx) {
  return ptx.find(".visible .entry");
}

}  // namespace

RandomProgram with_trap_sides(RandomProgram program) {
  if (max_nesting(*program.point) < 4 || program.uses_full_stack) return program;
  gpu::Random random(program.seed ^ 0x7261'7073);
  // A kernel that calls functions has one stream.
  const bool calls = program.flavour != Flavour::Affine && random.below(2) == 0;
  const std::string ptx = program.ptx;
  std::string text;
  std::size_t done = 0;
  for (std::size_t from = ptx.find(".func"); done < ptx.size();) {
    const bool is_entry = from == std::string::npos || from > entry_of(ptx);
    if (is_entry) from = entry_of(ptx);
    const std::size_t begin = body_of(ptx, from), end = is_entry ? ptx.rfind('}') : ptx.find("\n}\n", begin) + 1;
    if (text.empty() && calls) text = ptx.substr(0, from) + Functions, done = from;
    text += ptx.substr(done, begin - done) + TrapSides(random, calls).run(ptx.substr(begin, end - begin));
    done = is_entry ? ptx.size() : end;
    if (is_entry) text += ptx.substr(end);
    from = ptx.find(".func", end);
  }
  program.ptx = text;
  return program;
}

bool is_of_trap_sides(const std::string& function) {
  return function == "throws" || function == "leaves" || function == "throws_somehow";
}

RandomProgram with_taken_trap(RandomProgram program) {
  const std::size_t begin = body_of(program.ptx, entry_of(program.ptx));
  program.ptx.insert(program.ptx.rfind('}'), "TAKEN:\n  trap;\n");
  program.ptx.insert(begin,
                     "  .reg .pred %doom;\n  .reg .b32 %doomed;\n  and.b32 %doomed, %tid.x, 3;\n"
                     "  setp.gt.u32 %doom, %doomed, 1;\n  @%doom bra SPARED;\n  setp.eq.u32 %doom, %tid.x, 1;\n"
                     "  @%doom bra TAKEN;\n  add.u32 %doomed, %doomed, 1;\nSPARED:\n");
  return program;
}

}  // namespace heddle::tests
