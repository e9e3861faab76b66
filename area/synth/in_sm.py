# SPDX-License-Identifier: Apache-2.0
"""The netlists of the stacks and scoreboards in place of the blocks in the SM, while it runs a kernel: a library with the
issue slice of point tiny (tb/netlists/netlist_slice.cpp) that the simulator loads in place of its own."""
import json
import os
import pathlib
import subprocess

from tools import design_points
from tools.point_build import kit as kit_of

from . import SynthError, blocks, flow, gates, replay

POINT = "tiny"
WARPS = 2  # that are launched: as many as there are
MECHANISMS = {"spe": (("single_path_stack", POINT), ("scoreboard", f"{POINT}_baseline")),  # what is a netlist under it
              "dpe": (("dual_path_stack", POINT), ("scoreboard", f"{POINT}_shadow"))}
NETLISTS = [netlist for netlists in MECHANISMS.values() for netlist in netlists]
SOURCE = blocks.ROOT / "tb/netlists/netlist_slice.cpp"


def twins(build, mechanism):
    """{block: its twin} of the netlists under a mechanism."""
    return {block: blocks.at_bench_point(build, block, point) for block, point in MECHANISMS[mechanism]}


def library(build, folder, wrong=None, mutant=0):
    """Makes the library in `folder`; {(block, point): the Verilated netlist's folder}. wrong: the (block, point) that gets
    a wrong gate, as gates.verilated() has them."""
    made, headers = {}, {}
    for block, point in NETLISTS:
        twin = blocks.at_bench_point(build, block, point)
        figures = flow.figures_of(build, twin)
        headers[block, point] = build / f"twins/V{block}_{point}/V{block}_{point}.h"
        made[block, point] = gates.verilated(twin, flow.folder_of(build, twin), figures["content"], headers[block, point],
                                             mutant if (block, point) == wrong else 0)
    kit = kit_of(build)
    shape = design_points.slice_shape("Stacks", design_points.load()[POINT])
    folder.mkdir(parents=True, exist_ok=True)
    run_time = pathlib.Path(gates.run(["verilator", "--getenv", "VERILATOR_ROOT"], folder, "Verilator").strip()) / "include"
    includes = [f"-I{where}" for where in (blocks.ROOT, build / "generated", *(one.parent for one in headers.values()), run_time,
                                           run_time / "vltstd")]
    sources = (SOURCE, run_time / "verilated.cpp", run_time / "verilated_threads.cpp")
    for source in sources:
        gates.run([*kit["launcher"].split(), kit["compiler"], *kit["flags"].split(), "-O1", "-DNDEBUG", "-fPIC", *includes,
                   "-c", source, "-o", f"{source.stem}.o"], folder, "the compiler")
    netlists = [where / f"V{block}_{point}__ALL.a" for (block, point), where in made.items()]
    gates.run([kit["compiler"], "-shared", *kit["link"].split(), *(f"{source.stem}.o" for source in sources), *netlists,
               "-o", f"{shape}.so"], folder, "linking")
    return made


def run(build, kernel, mechanism, slices=None, ports=None):
    """What `heddle run` says of a kernel; SynthError if it says nothing. slices: a folder whose slices stand before the
    build's own; ports: where netlists record theirs."""
    surroundings = {**os.environ, **({"HEDDLE_SLICES": str(slices)} if slices else {}),
                    **({"HEDDLE_PORTS": str(ports)} if ports else {})}
    done = subprocess.run([build / "sim/heddle", "run", kernel, "--point", POINT, "--warps", str(WARPS), "--divergence", mechanism,
                           "--json", "-"],
                          text=True, capture_output=True, env=surroundings)
    if not done.stdout.startswith("["):
        raise SynthError(f"heddle run {kernel} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    (said,) = json.loads(done.stdout)
    return {key: value for key, value in said.items() if key != "host"}  # what the simulator itself took


def differences(blocks_say, netlists_say):
    """Keys in which two runs differ."""
    return sorted(key for key in {*blocks_say, *netlists_say} if blocks_say.get(key) != netlists_say.get(key))


def mechanisms_named(text):
    """Of a list with commas."""
    names = text.split(",")
    for name in names:
        if name not in MECHANISMS:
            raise SynthError(f"'{name}': expected {' or '.join(MECHANISMS)}, whose blocks are mapped here")
    return names


def check(build, kernel, mechanism, made, slices, ports):
    """What `heddle run` says of a run on netlists, which is what it says of one on blocks, and {block: edges of the clock that
    Icarus Verilog replayed in ports/<block>_replay}; SynthError on a difference. made, slices: of library(). ports: a
    folder for the records."""
    ports.mkdir(parents=True, exist_ok=True)
    with_blocks = run(build, kernel, mechanism)
    if not with_blocks["equals_oracle"]:
        raise SynthError(f"{kernel} under {mechanism} does not run at point {POINT}: {with_blocks['message']}")
    with_netlists = run(build, kernel, mechanism, slices, ports)
    if different := differences(with_blocks, with_netlists):
        raise SynthError(f"{kernel} under {mechanism}: blocks and netlists differ in " + ", ".join(
            f"{key} ({with_blocks.get(key)}; {with_netlists.get(key)})" for key in different))
    return with_netlists, {block: replay.check(block, made[block, point], record_of(ports, block), replay_of(ports, block))
                           for block, point in MECHANISMS[mechanism]}


def replay_of(ports, block):
    return ports / f"{block}_replay"


def record_of(ports, block):
    """What a netlist in the SM recorded; SynthError if it never ran."""
    (record, *others) = sorted(ports.glob(f"*.{block}.ports")) or [None]
    if record is None or others:
        raise SynthError(f"{ports}: expected one record of {block}, there are {len(others) + (record is not None)}")
    return record
