# SPDX-License-Identifier: Apache-2.0
"""Every block: cells, area and longest path."""
import re

from area.model.report import table
from area.synth import SynthError

from tools.lint_words import CELL

from . import layout
from .facts import number

TARGET_FO4 = 60  # of a block, without wires; ours
FERMI_FO4 = 85  # 700 MHz; that it is 40 nm is ours

# Blocks that were not mapped at the point of their paper, and why; a block that has no figures there must stand here.
UNMAPPED = {
    "register_file.micro07": "not in `heddle area`, as an SM has one of its four kinds: area/register_files has them",
    "warp_formation.micro07": "assembled, of the parts above: DWF Table 1 has their sum",
    "affine_alu.isca17": "157,000 gates before mapping: abc does not end in the time of a test",
}

# Blocks that stand beside what a paper has: it does the work with hardware that the SM has anyway.
OPTIONS = {"affine_alu"}


def option(place):
    return " (an option of ours)" if place.split(".")[0] in OPTIONS else ""


SCOPES = re.compile(r"\b([ig]_\w+)(?:\.\w+(?:\[\d+\])?)+\.(?=\w)")


def short(path):
    """A path that a cell holds: where it is longer, scopes between the first and the name itself are left out."""
    return path if len(path) <= CELL else SCOPES.sub(r"\1..", path)


def rows_of(twins):
    for one in twins:
        stale = " (of an earlier text)" if one.stale else ""
        at_once = " (RAM read at once)" if one.at_once else ""
        yield (f"{one.name}{option(one.name)}{stale}{at_once}", f"{one.bits:,}", f"{one.memory_bits:,}", f"{one.cells:,}", f"{one.flops:,}",
               number(one.logic_mm2, 4), number(one.memory_mm2, 4), f"{one.ns:.2f}", f"{one.fo4:.0f}", short(one.path))


def table_of(rows):
    return table(("twin", "bits", "in memories", "cells", "flops", "cells, mm2", "memories, mm2", "ns", "FO4",
                  "longest path"), list(rows), right=range(1, 9))


def rows_at_papers_points(facts):
    """A row of each announced block in each shape that was mapped at its papers' points; one that says why, if none."""
    reasons = dict(UNMAPPED)
    for block, points in facts.papers_points():
        for point in points:
            place = f"{block}.{point}"
            found = [one for one in facts.other.values()
                     if one.name == place or one.name.startswith(f"{place}_") and "," not in one.name]
            reason = reasons.pop(place, None)
            if bool(found) == bool(reason):
                raise SynthError(f"{place} has {'figures and a reason for none' if found else 'no figures and no reason'}: "
                                 "scripts/synth --update, or UNMAPPED in area/page/twins.py")
            yield from rows_of(found) if found else [(f"{place}{option(place)}", *["-"] * 8, f"not mapped: {reason}")]
    if reasons:
        raise SynthError(f"UNMAPPED in area/page/twins.py names no block at its paper's point: {', '.join(reasons)}")


def text(facts):
    return f"""## Every block
At the points of the papers. Areas at 90 nm, of cells, times without wires: {layout.sentence()}.
At that factor {TARGET_FO4} FO4, our target, are {TARGET_FO4 * layout.factors()[1]:.0f} with wires. The clock of GPGPU-Sim's Fermi, which DPE sec. 4 cites, is about {FERMI_FO4} at 40 nm. `..` in a path: scopes that are left out.

{table_of(rows_at_papers_points(facts))}

At the small points, which the test run maps again and compares (area.baseline):

{table_of(rows_of(facts.small.values()))}
"""


def series(facts):
    """{(point, key): {block and shape: [(value, Twin)]}} of the rows that change one key, three values at least. A row of
    an earlier text is left out: it is another block."""
    found = {}
    for one in (row for row in facts.other.values() if not row.stale):
        head, *changed = one.name.split(",")
        if len(changed) == 1:
            block, _, place = head.partition(".")
            point, _, shape = place.partition("_")
            key, value = changed[0].split("=")
            title = f"{block} ({shape})" if shape else block
            found.setdefault((point, key), {}).setdefault(title, []).append((int(value), one))
    lines = {what: {title: sorted(samples, key=lambda s: s[0]) for title, samples in titles.items() if len(samples) > 2}
             for what, titles in sorted(found.items())}
    return {what: titles for what, titles in lines.items() if titles}
