# SPDX-License-Identifier: Apache-2.0
"""Tables of READMEs of rtl/ that come from area/baseline.json, between the marks `<!-- area: NAME -->` and
`<!-- end of area: NAME -->`. A figure that was not measured of the block as it stands is a dash."""
from area.model.report import table
from area.synth import SynthError, blocks, technology
from tools import design_points

from .facts import number

POINT = "hpca13"


def fo4(ns):
    return "-" if ns is None else f"{technology.fo4(ns):.0f} FO4"


def stage(twin, port):
    return fo4(twin.stages.get(port))


def issue_slice(facts):
    rows = []
    for kind in ("spe", "dpe", "dws", "barrier"):
        twin = facts.twin(f"issue_slice.{POINT}_{kind}")
        rows.append((f"`{kind}`", *["-"] * 5) if twin is None else
                    (f"`{kind}`", f"{twin.cells:,}", f"{number(twin.mm2, 3)}, {number(twin.memory_mm2, 3)}",
                     stage(twin, "hazard_o"), stage(twin, "grant_o"), fo4(twin.ns)))
    return table((f"one scheduler of {POINT}", "cells", "mm2, memories in it", "hazard known", "granted",
                  "next state: longest path"), rows, right=range(1, 6))


NAMES = 5  # of a head, 9 bits each: three sources, the guard, the destination


def comparators():
    """Comparators of a head's name with an entry's, by the shape of the scoreboard. At decode, one head behind a grant and
    one whose words came are compared with all entries of their warps, and a sibling with the entry that was allocated (R11,
    R12); a query compares every head with every entry of its warp."""
    point = design_points.load()[POINT]
    of_a_warp = NAMES * 2 * point["scoreboard_entries"]
    return {"shadow": 2 * of_a_warp + NAMES, "shadow_query": point["slots"] * 2 * of_a_warp}


def scoreboard(facts):
    rows, compared = [], comparators()
    for what, shape in (("at decode", "shadow"), ("query", "shadow_query")):
        twin = facts.twin(f"scoreboard.{POINT}_{shape}")
        rows.append((what, "-", f"{compared[shape]:,}", *["-"] * 3) if twin is None else
                    (what, f"{twin.bits:,}", f"{compared[shape]:,}", f"{twin.cells:,}", number(twin.mm2, 3), fo4(twin.ns)))
    return table(("", "bits", "9-bit comparators of heads", "cells", "mm2", "longest path"), rows, right=range(1, 6))


def instruction_buffer(facts):
    two, one = (facts.twin(f"instruction_buffer.{POINT}_paths{paths}") for paths in (2, 1))
    rows = [(f"`Paths = {paths}`", *(("-",) * 3 if twin is None else (f"{twin.bits:,}", number(twin.mm2, 3), fo4(twin.ns))))
            for paths, twin in ((2, two), (1, one))]
    if one and two:
        rows.append(("ratio", f"{two.bits / one.bits:.2f}", f"{two.mm2 / one.mm2:.2f}", ""))
    return table(("", "bits", "mm2", "longest path"), rows, right=range(1, 4))


TABLES = {"issue_slice": ("rtl/issue_slice/README.md", issue_slice), "scoreboard": ("rtl/scoreboard/README.md", scoreboard),
          "instruction_buffer": ("rtl/instruction_buffer/README.md", instruction_buffer)}


def marks(name):
    return f"<!-- area: {name} -->\n", f"<!-- end of area: {name} -->"


def renewed(facts, name):
    """(file, its text with the table as it would be now)"""
    place, make = TABLES[name]
    file = blocks.ROOT / place
    begin, end = marks(name)
    before, found, rest = file.read_text().partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SynthError(f"{place}: expected {begin.strip()} and {end} around its table")
    return file, f"{before}{begin}{make(facts)}\n{end}{after}"


def write(facts):
    files = []
    for name in TABLES:
        file, text = renewed(facts, name)
        file.write_text(text)
        files.append(file)
    return files


def check(facts):
    """What is wrong, or nothing."""
    wrong = [str(file.relative_to(blocks.ROOT)) for file, text in (renewed(facts, name) for name in TABLES)
             if file.read_text() != text]
    return f"{', '.join(wrong)}: not what area/baseline.json says: scripts/area_report" if wrong else ""
