# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys: a twin to words and memories, and then to cells of the library."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import signal
import subprocess

from . import SynthError, technology
from .blocks import ROOT


# Yosys's own script for -constr with one step more, `if -g`, which balances the logic for delay (a stack of 2 warps takes
# 6.9 ns instead of 9.3, and 8% more area), and with a limit on the search of `&dch`, which else takes most of the time.
ABC = ("strash; &get -n; &fraig -x; &put; dc2; strash; if -g -K 6; strash; &get -n; &dch -f -C 10; &nf {D}; &put; "
       "buffer -c; topo; upsize {D}; dnsize {D}; stime -p").replace(" ", ",").replace(";,", ";")


def run(script, folder, seconds, what):
    """Yosys on a script, with its log beside it; past `seconds` it and its abc are ended."""
    (folder / f"{what}.ys").write_text(script)
    with open(folder / f"{what}.log", "w") as log:
        child = subprocess.Popen(["yosys", "-q", "-l", f"{what}.full.log", "-s", f"{what}.ys"], cwd=folder, text=True,
                                 stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise SynthError(f"{folder.name}: {what} took longer than {seconds:g} s; --timeout gives it more, a "
                             f"smaller --point needs less") from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
    if code:
        raise SynthError(f"{folder.name}: {what}: Yosys says\n{(folder / f'{what}.log').read_text()[-2000:]}")


def state_bits(statistics):
    """Bits of state in what `stat -width` printed, counted as the tests <block>.flops count them."""
    loader = importlib.machinery.SourceFileLoader("flops", str(ROOT / "tb/bench/flops"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module.state_bits(statistics)


def elaborate(twin, folder, seconds):
    """The twin as words; its bits of state, and its memories as Yosys has them: cell name -> cell."""
    for name, text in twin.texts():
        (folder / name).write_text(text)
    run(f"""read_verilog -sv -noassert -I. {' '.join(pathlib.Path(source).name for source in twin.sources)}
hierarchy -check -top {twin.block}
proc
flatten
opt_clean
tee -q -o state.stat stat -width
opt
opt_mem
opt_mem_priority
opt_mem_feedback
memory_share -nosat -nowiden
memory_collect
opt_clean
write_rtlil words.il
json -o memories.json t:$mem_v2
""", folder, seconds, "elaborate")
    return state_bits((folder / "state.stat").read_text()), memories_in(folder / "memories.json", twin)


def memories_in(file, twin):
    module = json.loads(file.read_text())["modules"].get(twin.block, {"cells": {}})
    return {name: cell for name, cell in module["cells"].items() if cell["type"] == "$mem_v2"}


def clock_reads(twin, folder, names, seconds):
    """The registers behind the read ports of these arrays become part of them, where Yosys can; the memories as they are
    then. Replaces words.il."""
    patterns = " ".join("c:" + name.replace("[", "?").replace("]", "?") for name in names)
    run(f"""read_rtlil words.il
memory_dff {patterns}
opt_clean
write_rtlil words.il
json -o memories.json t:$mem_v2
""", folder, seconds, "clock_reads")
    return memories_in(folder / "memories.json", twin)


def to_cells(twin, boxes, folder, target_ns, seconds):
    """Onto the library's cells, for a delay of target_ns; the netlist as Verilog and as JSON. boxes: of module boxes."""
    (folder / "constraints").write_text(f"set_driving_cell {technology.DRIVER}\nset_load {technology.LOAD_FF}\n")
    boxed = ""
    if boxes:
        boxed = "read_verilog -lib boxes_empty.v\n" + "".join(f"techmap -map box_{box.module}.v c:{box.pattern}\n"
                                                              for box in boxes)
    run(f"""read_rtlil words.il
{boxed}wreduce
peepopt
opt_clean
alumacc
opt
memory_map
opt -undriven -fine
techmap
opt -fast
dfflegalize -cell $_DFF_P_ x
dfflibmap -liberty {technology.LIBERTY}
opt -fast
setundef -zero
abc -liberty {technology.LIBERTY} -constr constraints -D {1000 * target_ns:.0f} -script "+{ABC}"
opt_clean -purge
rename -hide t:*
rename -enumerate -pattern cell_%_ t:*
splitnets
read_liberty -lib {technology.LIBERTY}
check -assert -mapped
write_json cells.json
write_verilog -noattr -noexpr -simple-lhs cells.v
""", folder, seconds, "map")
    return json.loads((folder / "cells.json").read_text())["modules"][twin.block]
