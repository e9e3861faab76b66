# SPDX-License-Identifier: Apache-2.0
"""Cuts of a twin's comparators and adders (cut_bits.py) in the block's own bench, beside the SystemC block.

For blocks whose properties a solver does not decide at full width. All cuts stand in one model, which is Verilated once
under the name and with the ports of the twin and linked in its place; HEDDLE_CUT=N makes the N-th.
"""
import json
import os
import pathlib
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tb/bench")]
from area.synth import gates  # noqa: E402
from cut_bits import INPUT, Cutter  # noqa: E402

CYCLES = 20_000  # of a random run
FEW, MANY = range(1, 4), range(4, 61)  # seeds with which a cut runs until one differs; many where it changes a value
KEEP = """module cut_source (output reg [WIDTH-1:0] keep);
  parameter WIDTH = 1;
  import "DPI-C" function int heddle_cut();
  integer cut;
  initial begin
    keep = {WIDTH{1'b1}};
    cut = heddle_cut();
    if (cut >= 0) keep[cut] = 1'b0;
  end
endmodule
"""
CHOSEN = """#include <cstdlib>
extern "C" int heddle_cut() {
  const char* const cut = std::getenv("HEDDLE_CUT");
  return cut == nullptr ? -1 : std::atoi(cut);
}
"""


def with_a_source(text, count):
    """The input of the cuts becomes a wire that a cell of its own drives: the bench knows no such port."""
    wire = f"wire width {max(1, count)} input 99999 \\{INPUT}"
    cell = [f"  wire width {max(1, count)} \\{INPUT}", "  cell \\cut_source $cut_source", f"    parameter \\WIDTH {max(1, count)}",
            f"    connect \\keep \\{INPUT}", "  end"]
    assert text.count(wire) == 1
    return text.replace("  " + wire, "\n".join(cell))


class Bench:
    """The bench of a block with all cuts of the shape's own sources."""

    def __init__(self, build, block, shape, seed, work):
        said = json.loads((build / f"bench_of_cuts/{block}.json").read_text())
        self.point, self.folder = said["point"], work / "bench"
        self.folder.mkdir(parents=True, exist_ok=True)
        header = build / said["header"]
        include = build / "points" / block / self.point
        none = self.folder / "no_properties.sv"
        none.write_text("")
        self.shape = types.SimpleNamespace(  # for the values of its comparators and adders, in any state
            name=block, top=block, include=include, packages=said["packages"], props=none, twin=shape.twin, own=shape.own,
            wide=shape.wide)
        sources = " ".join([*said["packages"], *shape.twin])
        gates.run(["yosys", "-q", "-p", f"read_verilog -sv -noassert -I{include} {sources}; hierarchy -check -top {block}; proc; "
                                        "flatten; opt_clean; memory_collect; opt_clean; write_rtlil words.il"], self.folder, "Yosys")
        cutter = Cutter(shape.twin, shape.own, shape.wide, seed)
        text = cutter.edit((self.folder / "words.il").read_text())
        self.cuts = cutter.cuts
        if not self.cuts:  # an assembled unit may have no wide comparator of its own
            return
        (self.folder / "cut.il").write_text(with_a_source(text, len(self.cuts)))
        gates.run(["yosys", "-q", "-p", "read_rtlil cut.il; write_verilog -noattr cut.v"], self.folder, "Yosys")
        (self.folder / "twin.v").write_text(gates.in_order((self.folder / "cut.v").read_text(), header, block))
        (self.folder / "keep.sv").write_text(KEEP)
        (self.folder / "chosen.cpp").write_text(CHOSEN)
        gates.run(["verilator", "--cc", "--build", gates.SAFE, "--output-split", 0, "-Wno-fatal", "-Wno-lint", "--x-assign",
                   "fast", "--top-module", block, "twin.v", "keep.sv", "--prefix", header.stem, "--Mdir", ".", "-CFLAGS",
                   "-std=c++17 -fPIC", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"], self.folder, "Verilator")
        if gates.declaration(self.folder / header.name) != gates.declaration(header):
            sys.exit(f"{self.folder / header.name} is laid out differently from {header}")
        gates.run(["g++", "-o", "bench", *said["objects"], "chosen.cpp", f"{header.stem}__ALL.a", "-Wl,--start-group",
                   *said["link"], "-Wl,--end-group"], self.folder, "linking")

    def difference(self, seed, cut=None):
        """What the bench says of the first difference from the block, with that cut or with none; or nothing."""
        environment = {**os.environ, **({} if cut is None else {"HEDDLE_CUT": str(cut)})}
        done = subprocess.run([self.folder / "bench", "--point", self.point, "--random", str(CYCLES), "--seed", str(seed)],
                              env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if cut is not None and done.returncode and done.stdout.rstrip().endswith("FAIL"):
            return "the bench ends with an error"  # what a wrong twin issues, the blocks beside it need not bear
        comparisons, differences = gates.outcome(done.stdout)
        if not comparisons:
            sys.exit(f"the bench at {self.point} compared nothing:\n{done.stdout[-2000:]}")
        return next(line.strip() for line in done.stdout.splitlines() if line.strip()) if differences else ""

    def notices(self, cut, seeds):
        """How the bench notices it in a run with one of these seeds, or nothing."""
        for seed in seeds:
            if self.difference(seed, cut):
                return f"the bench at {self.point}, random run {seed}"
        return ""
