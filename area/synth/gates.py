# SPDX-License-Identifier: Apache-2.0
"""The mapped netlist as one more twin of the block's own bench: in lockstep with the SystemC block, and both against
the reference model. Cells are simulated by osu018's own models, the black boxes by boxes.behaviour.

The netlist is Verilated under the name and with the ports of the twin that the bench was built with, and linked in its
place: the bench's object file is used as it is. That the two classes are laid out alike is checked.
"""
import fcntl
import hashlib
import pathlib
import re
import subprocess

from . import SynthError, blocks, flow, technology

# Verilator 5.006 takes no user-defined primitives. These two are all that the mapped cells use; udp_dff's clear and set
# are constant there.
PRIMITIVES = {"udp_dff": """module udp_dff (output reg out, input in, input clk, input clr, input set, input notifier);
  always @(posedge clk) out <= in;
endmodule
""", "udp_mux2": """module udp_mux2 (output out, input in0, input in1, input sel);
  assign out = sel ? in1 : in0;
endmodule
"""}
FLOPS = "DFFPOSX1"  # the only cell with state that the netlists have: its clear and set are constants


def cells_of(netlist):
    """Names of the library's cells that a netlist has."""
    return set(re.findall(r"^  (\w+) cell_\d+_ \(", netlist, re.M)) & set(technology.cell_areas())


def cell_models(netlist):
    """osu018's simulation models of the cells in a netlist, for Verilator."""
    text = technology.MODELS.read_text()
    used = cells_of(netlist)
    models = []
    for found in re.finditer(r"^module (\w+) .*?^endmodule\n", text, re.S | re.M):
        if found[1] in used:
            used.discard(found[1])
            if found[1].startswith(("DFF", "LATCH")) and found[1] != FLOPS:
                raise SynthError(f"the netlist has a {found[1]}, for which there is no simulation model here")
            models.append(re.sub(r"^(\s*udp_\w+) \(", r"\1 primitive_of_it (", found[0], flags=re.M))
    if used:
        raise SynthError(f"osu018 has no simulation model of {', '.join(sorted(used))}")
    return "".join(models) + "".join(PRIMITIVES.values())


def in_order(netlist, twin_header, block):
    """The netlist with its ports in the order of the twin's class: Yosys puts ports of a record type last."""
    order = re.findall(r"^    VL_(?:IN|OUT)\w*\(&(\w+),", pathlib.Path(twin_header).read_text(), re.M)
    head = re.search(rf"^module {block}\((.*?)\);$", netlist, re.M | re.S)
    if sorted(order) != sorted(head[1].replace(",", " ").split()):
        raise SynthError(f"{block}: the netlist has the ports {head[1]}, the twin {', '.join(order)}")
    return netlist.replace(head[0], f"module {block}({', '.join(order)});")


def run(command, folder, what):
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, capture_output=True)
    if done.returncode:
        raise SynthError(f"{what} failed:\n{' '.join(map(str, command))[:500]}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


# Verilator 5.006 makes wrong trees of XORs (a multiplier shows it); without that step, or with -O0, it does not.
SAFE = "-fno-const-bit-op-tree"


def wrong(netlist, nth):
    """A netlist with one wrong gate: an inverter that does not invert, by how much it is read the nth, so that a run is
    likely to need it. nth: from 1."""
    inverters = list(re.finditer(r"^  INVX1 [^;]*?\.Y\((.*?)\)\n", netlist, re.M))
    inverters.sort(key=lambda inverter: -netlist.count(f"({inverter[1]})"))
    at = inverters[nth - 1]
    return netlist[:at.start()] + at[0].replace("INVX1", "BUFX2") + netlist[at.end():]


def verilated(twin, folder, content, twin_header, mutant=0):
    """The netlist as a library with the name of the twin's, laid out as that is; the folder. mutant: a wrong one, as of
    wrong()."""
    out = folder / (f"mutant_{mutant}" if mutant else "verilated")
    content += hashlib.sha256(pathlib.Path(__file__).read_bytes() + pathlib.Path(twin_header).read_bytes()).hexdigest()
    out.mkdir(exist_ok=True)
    with open(out / "lock", "w") as lock:  # two tests may want the same netlist at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = out / "content"
        if not (stamp.exists() and stamp.read_text() == content):
            verilate(twin, folder, out, twin_header, mutant)
            if declaration(out / pathlib.Path(twin_header).name) != declaration(twin_header):
                raise SynthError(f"{out / pathlib.Path(twin_header).name} is laid out differently from {twin_header}")
            stamp.write_text(content)
    return out


def verilate(twin, folder, out, twin_header, mutant):
    netlist = (folder / "cells.v").read_text()
    if mutant:
        netlist = wrong(netlist, mutant)
    (out / "netlist.v").write_text(in_order(netlist, twin_header, twin.block))
    (out / "models.v").write_text(cell_models(netlist))
    run(["verilator", "--cc", "--build", "--flatten", SAFE, "--output-split", 0, "-Wno-fatal", "-Wno-lint",
         "--x-assign", "fast", "--top-module", twin.block, "models.v", "netlist.v", "../boxes.v", "--prefix",
         pathlib.Path(twin_header).stem, "--Mdir", ".", "-CFLAGS", "-std=c++17 -fPIC", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"], out,
        "Verilator")


def declaration(header):
    """The class of a Verilated model, for its layout. What it includes does not count: of a twin with a register that is
    public (tb/<block>/<block>.vlt) that is a file more."""
    text = pathlib.Path(header).read_text()
    return text[text.index("\nclass"):]


def outcome(stdout):
    """(comparisons, differences) that a bench printed, or its error."""
    counts = re.search(r", (\d+) comparisons, (\d+) differences,", stdout)
    if not counts:
        raise SynthError(f"the bench did not finish:\n{stdout[-2000:]}")
    return int(counts[1]), int(counts[2])


def compared(build, block, point, bench, twin_header, link, cycles, seed, mutant=0):
    """(figures, {"cases": (comparisons, differences, text), "random": ...}). bench: its object files."""
    twin = blocks.at_bench_point(build, block, point)
    figures = flow.figures_of(build, twin)
    prefix = pathlib.Path(twin_header).stem
    out = verilated(twin, flow.folder_of(build, twin), figures["content"], twin_header, mutant)
    run(["g++", "-o", "bench", *bench, out / f"{prefix}__ALL.a", "-Wl,--start-group", *link, "-Wl,--end-group"], out,
        "linking")
    said = {}
    kinds = [("random", ["--random", cycles, "--seed", seed])]
    if run([out / "bench", "--point", point, "--list"], out, "the bench"):  # a point may have no worked example
        kinds.insert(0, ("cases", []))
    for what, options in kinds:
        done = subprocess.run([str(word) for word in (out / "bench", "--point", point, *options)], text=True,
                              capture_output=True)
        said[what] = (*outcome(done.stdout), done.stdout)
    return figures, said


def check(build, block, point, *how):
    """Text that says what was compared; SynthError on a difference. Arguments as of compared()."""
    figures, said = compared(build, block, point, *how)
    for what, (comparisons, differences, text) in said.items():
        if differences:
            raise SynthError(f"{block} at {point}, {what}: {differences} differences\n{text[-3000:]}")
        if what == "random" and not comparisons:
            raise SynthError(f"{block} at {point}: nothing was compared")
    counts = ", ".join(f"{what} {comparisons:,} comparisons" for what, (comparisons, _, _) in said.items())
    return f"{block} at {point}: {figures['cells']:,} cells, {figures['flops']:,} flops, " \
           f"{len(figures['boxes'])} memories; {counts}, 0 differences"


def check_mutant(*where):
    """The same with a wrong gate; SynthError where nobody notices."""
    _, said = compared(*where, 1)
    found = sum(differences for _, differences, _ in said.values())
    if not found:
        raise SynthError("one wrong gate, and no difference")
    return f"one wrong gate: {found} differences"
