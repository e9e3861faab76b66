# SPDX-License-Identifier: Apache-2.0
"""Figures of the twins as a table for people."""
from area.model import accuracy
from area.model.report import table

from . import technology
from .flow import TARGET_NS


def count(value):
    return "-" if value is None else f"{value:,}"


def area(value):
    return "-" if value is None else f"{value:.4f}"


def path_text(path):
    return " -> ".join([path["from"], *(f"({name})" for name in path["through"]), path["to"]])


HEADER = ("block", "point", "bits", "paper", "ours", "in memories", "cells", "flops", "logic mm2", "memories mm2",
          "mm2", "ns", "FO4", "critical path")


def title(f):
    return f"{f['block']} ({f['shape']})" if f["shape"] else f["block"]


def row(f):
    return (title(f), f["at"], count(f["bits"]), count(f["paper_bits"]), count(f["ours_bits"]), count(f["memory_bits"]),
            count(f["cells"]), count(f["flops"]), area(f["logic_mm2"]), area(f["memory_mm2"]), area(f["mm2"]),
            f"{f['ns']:.2f}", f"{f['fo4']:.0f}", path_text(f["path"]))


def figures_table(figures):
    return table(HEADER, [row(f) for f in figures], right=range(2, 13))


def notes(node, target_ns=TARGET_NS, figures=()):
    """Below the table; figures: of which some memories may be read at once."""
    measured = technology.measured()
    arrays = sorted({f"{box['block']}.{box['structure']}" for f in figures for box in f["boxes"]
                     if box["at_once"] and box["built"] == "array"})
    at_once = f"; read at once, which no RAM does (area/synth/read_at_once.txt): {', '.join(arrays)}" if arrays else ""
    return f"""bits: state of the twin, = paper + ours of `heddle area` for one instance; -: no mechanism here has this shape.
in memories: of arrays that are black boxes, costed by the area model and not among the cells; small ones are flops.
mm2 at {node:g} nm: {technology.LIBERTY.stem} is {technology.NODE:g} nm, the papers' figures 90 nm; areas scale with the square of the feature size.
ns at {technology.NODE:g} nm, typical, without wires; abc aimed at {target_ns:g} ns; inputs arrive with the edge.
FO4 = {measured['fo4_ns']:.4f} ns: an inverter that drives four of its kind.
A memory shows its word an access time of the area model after the edge{at_once}.
{accuracy()}"""
