# SPDX-License-Identifier: Apache-2.0
"""area/layout.json: figures of the blocks that were laid out once, and the factor from cells to a layout.

The test area.layout lays the smaller one out again and compares; what changed of the larger one's text, the report says.
"""
import json

from area.synth import SynthError, baseline, blocks

FILE = blocks.ROOT / "area/layout.json"
PICTURES = blocks.ROOT / "area/layout"
SMALLER, LARGER = "warp_update_register.tiny_aware", "dual_path_stack.tiny"
HOW = "scripts/synth --layout --update writes this; the test area.layout and scripts/area_report read it. osu018, 180 nm"
COUNTS = ("cells", "nets", "ports", "unrouted", "shorts")  # must be the same
GUARDED = ("outlines_um2", "core_um2", "die_um2", "ns")  # within LIMIT
LIMIT = baseline.LIMIT
# What hangs on where each cell lies: Graywolf anneals in floating point, and a processor on which libm rounds a bit otherwise
# may accept another move. On one machine the layout repeats to the byte, which the test area.layout looks at.
PLACED = ("vias", "wire_pf", "wired_ns", "twice_ns")
PLACED_LIMIT = 0.1  # ours


def load():
    if not FILE.exists():
        raise SynthError(f"{FILE.name} is missing: scripts/synth --layout --update")
    return json.loads(FILE.read_text())["blocks"]


def twin(build, name):
    found = blocks.named(build, name)
    if found is None:
        raise SynthError(f"{FILE.name} has {name}, but there is no such twin any more: LARGER, SMALLER in committed.py")
    return found


def area_factor(row):
    """Core of the layout over the area of its cells, as area/baseline.json adds them up."""
    return row["core_um2"] / row["cells_um2"]


def time_factor(row):
    return row["wired_ns"] / row["ns"]


def picture(name):
    return PICTURES / f"{name}.png"


def differences(name, old, new):
    """A line for each figure that is another one."""
    lines = [f"{name}: {key} was {old[key]:,}, is {new[key]:,}" for key in COUNTS if old[key] != new[key]]
    totals = [sum(row["wire_um"].values()) for row in (old, new)]
    values = [(key, old[key], new[key], LIMIT) for key in GUARDED] + [("wire_um", *totals, PLACED_LIMIT)]
    values += [(key, old[key], new[key], PLACED_LIMIT) for key in PLACED]
    return lines + [f"{name}: {key} was {before:,}, is {after:,}" for key, before, after, limit in values
                    if abs(after - before) > limit * before]


def write(rows):
    """rows: {twin's name: figures}; those of others stay."""
    known = {**(load() if FILE.exists() else {}), **rows}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in known.items())
    FILE.write_text(f'{{\n "how": {json.dumps(HOW)},\n "blocks": {{\n{lines}\n }}\n}}\n')
