# SPDX-License-Identifier: Apache-2.0
"""Storage as the SystemC blocks declare it, from `heddle area`: what is a RAM or a CAM, how many bits a paper counts."""
import functools
import json
import subprocess

from . import SynthError


@functools.lru_cache
def report(build, point, overrides=(), block=None):
    """The JSON of `heddle area` at a point. With overrides its blocks are compiled for that size, which takes seconds:
    only this block's, unless it is an assembled unit, of which only the parts are declared."""
    program = build / "sim/heddle"
    if not program.exists():
        raise SynthError(f"{program} is missing: build first (scripts/build)")
    command = [str(program), "area", "--point", point, "--json", "-"]
    if overrides:
        command += ["--set", ",".join(f"{key}={value}" for key, value in overrides)]
        if block and rows_of(report(build, point), block):
            command += ["--block", block]
    run = subprocess.run(command, text=True, capture_output=True)
    if run.returncode:
        raise SynthError(f"{' '.join(command)}: {run.stdout[-500:]}{run.stderr[-500:]}")
    return json.loads(run.stdout)


def rows_of(found, block):
    """Rows of a block, whatever mechanism has it: 'scoreboard (shadow)' is of scoreboard."""
    return [row for row in found["structures"] if row["block"].split(" ")[0] == block]


def row_of(found, block, state):
    """The row of a twin's state, or None. What is an output in SystemC (left_o) is a register with the same name in
    the twin (left_q)."""
    names = (state, state[:-2] + "_o") if state.endswith("_q") else (state, state[:-2] + "_q")
    return next((row for row in rows_of(found, block) if row["structure"] in names), None)


def bits(row):
    return row["paper_bits"] + row["ours_bits"]


def storage(found, block, twin_bits):
    """(paper, ours) bits of one instance, or None where no mechanism of the point has the block in this shape."""
    titles = {}
    for row in rows_of(found, block):
        titles.setdefault(row["block"], []).append(row)
    for rows in titles.values():
        if sum(bits(row) for row in rows) == twin_bits * rows[0]["instances"]:
            return (sum(row["paper_bits"] for row in rows) // rows[0]["instances"],
                    sum(row["ours_bits"] for row in rows) // rows[0]["instances"])
    return None
