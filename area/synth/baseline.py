# SPDX-License-Identifier: Apache-2.0
"""area/baseline.json: figures of the twins, which a change may not move by more than LIMIT without saying so.

small  every twin at its small point: the test area.baseline maps them again (with HEDDLE_SEED a part, tools/part.py)
       and compares
other  points of the papers and scaled ones, which take longer: each row says of which text of the twin it is (`of`), and
       by which ruler its memories were measured (flow.RULER), so that the report can tell what is of an earlier one
"""
import json

from . import SynthError, blocks, flow, report

from tools.part import part_of, said

FILE = blocks.ROOT / "area/baseline.json"
HOW = ("scripts/synth --update writes this; the test area.baseline and scripts/area_report read it. "
       "mm2 at 180 nm: logic are cells, memories by the area model")
GUARDED = ("bits", "cells", "ns")
LIMIT = 0.02


def row(twin, figures):
    """figures: at the library's node."""
    memory = figures["memory_mm2"]
    return {"bits": figures["bits"], "memory_bits": figures["memory_bits"], "cells": figures["cells"],
            "flops": figures["flops"], "logic_mm2": round(figures["logic_mm2"], 6),
            "memory_mm2": None if memory is None else round(memory, 6), "ns": round(figures["ns"], 3),
            "path": report.path_text(figures["path"]), "of": twin.digest,
            **({"stages": figures["stages"]} if figures.get("stages") else {}),
            **({"ruler": flow.RULER} if figures["memory_bits"] else {}),
            **({"at_once": True} if any(box["at_once"] and box["built"] == "array" for box in figures["boxes"]) else {})}


def load():
    if not FILE.exists():
        raise SynthError(f"{FILE.name} is missing: scripts/synth --update")
    return json.loads(FILE.read_text())


def differences(old, new):
    """A line for each figure that moved by more than LIMIT, and for each row that came or went."""
    lines = [f"{name}: not in {FILE.name}" for name in new if name not in old]
    lines += [f"{name}: in {FILE.name}, but there is no such twin any more" for name in old if name not in new]
    for name in (n for n in new if n in old):
        for key in GUARDED:
            before, after = old[name][key], new[name][key]
            if abs(after - before) > LIMIT * before:
                change = f"{100 * (after / before - 1):+.1f}%" if before else "from nothing"
                lines.append(f"{name}: {key} was {before:,}, is {after:,} ({change})")
    return lines


def small(build, twins):
    """The rows of twins at their small points."""
    return {twin.name: row(twin, flow.figures_of(build, twin)) for twin in twins}


def stale(build, rows):
    """Names of rows whose twin has another text now, or is gone, or whose memories were measured by an earlier ruler."""
    def text_of(name):
        twin = blocks.named(build, name)
        return twin and twin.digest
    return [name for name, one in rows.items() if text_of(name) != one["of"] or
            one["memory_bits"] and one.get("ruler") != flow.RULER]


def check(build):
    """What to say when all is well; SynthError with every row that moved."""
    known, twins = load(), blocks.twins(build, [])
    chosen = part_of(twins)
    left = {twin.name for twin in twins} - {twin.name for twin in chosen}
    new = small(build, chosen)
    if moved := differences({name: one for name, one in known["small"].items() if name not in left}, new):
        raise SynthError("\n".join([*moved, f"more than {100 * LIMIT:g}%: if that is meant, scripts/synth --update and "
                                            f"commit area/{FILE.name} with it"]))
    old = stale(build, known["other"])
    text = f"{said(chosen, twins, 'twins')}: bits, cells and path within {100 * LIMIT:g}% of area/{FILE.name}"
    return text + (f"\nof an earlier text, not compared: {', '.join(old)}; scripts/synth --stale --update maps them" if old
                   else "")


def update(build, twins, names=(), only=False):
    """Writes the small rows of these blocks (all, without names; none with `only`) anew, and beside them those of other
    twins: (twin, figures at the library's node)."""
    known = load() if FILE.exists() else {"small": {}, "other": {}}
    renewed = {} if only else small(build, blocks.twins(build, names))
    every = [twin.name for twin in blocks.twins(build, [])]
    rows = {name: renewed.get(name) or known["small"].get(name) for name in every}
    if missing := [name for name, one in rows.items() if one is None]:
        raise SynthError(f"no row of {', '.join(missing)}: scripts/synth --update without a block writes them all")
    other = {name: one for name, one in known["other"].items() if blocks.named(build, name)}
    other.update({twin.name: row(twin, figures) for twin, figures in twins if twin.name not in rows})
    parts = [f' "how": {json.dumps(HOW)}']
    for title, part in (("small", rows), ("other", dict(sorted(other.items())))):  # a line a row, as a diff is read
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in part.items())
        parts.append(f' "{title}": {{\n{lines}\n }}')
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n")
