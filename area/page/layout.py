# SPDX-License-Identifier: Apache-2.0
"""From cells to a layout: what was placed and routed once, and the factors that follow."""
from area.layout import committed, lef
from area.layout.floorplan import LAYERS
from area.model.report import table
from area.synth import blocks, technology

from .facts import NODE, number


def factors():
    """(area, time): the greatest of the blocks that were laid out, as the larger one has the longer wires."""
    rows = committed.load().values()
    return max(map(committed.area_factor, rows)), max(map(committed.time_factor, rows))


def sentence():
    area, time = factors()
    most = max(one["cells"] for one in committed.load().values())
    return (f"laid out, a block of {most:,} cells takes {area:.2f} times the area of its cells and {time:.2f} times the time "
            "(*From cells to a layout*); a larger one has longer wires")


def stale(facts, name, row):
    twin = blocks.named(facts.build, name)
    return " (of an earlier text)" if twin is None or twin.digest != row["of"] else ""


def other_areas():
    """Where the liberty file and the outlines differ, of the cells that were placed or could be."""
    drawn, said = lef.read().macros, technology.cell_areas()
    pairs = [(name, area, drawn[name].width * drawn[name].height) for name, area in said.items() if area]
    return " and ".join(f"{name} ({area:g} um2, drawn {outline:g})" for name, area, outline in pairs if abs(area - outline) > 0.1)


def area_rows(facts, known, factor):
    for name, one in known.items():
        yield (f"{name}{stale(facts, name, one)}", f"{one['cells']:,}", number(one["cells_um2"] * 1e-6 * factor, 4),
               number(one["outlines_um2"] * 1e-6 * factor, 4), number(one["core_um2"] * 1e-6 * factor, 4),
               number(one["die_um2"] * 1e-6 * factor, 4), f"{one['outlines_um2'] / one['core_um2']:.1%}",
               f"{committed.area_factor(one):.3f}")


def wire_rows(known):
    for name, one in known.items():
        total = sum(one["wire_um"].values())
        yield (name, f"{one['nets']:,}", f"{one['unrouted']}", f"{one['shorts']}", f"{total / 1000:,.1f}",
               *(f"{one['wire_um'].get(f'metal{i}', 0) / total:.0%}" for i in range(1, LAYERS + 1)), f"{one['vias']:,}",
               f"{one['wire_pf']:.2f}", f"{total / one['nets']:.0f}")


def time_rows(known):
    for name, one in known.items():
        yield (name, f"{one['ns']:.2f}", f"{technology.fo4(one['ns']):.0f}", f"{one['wired_ns']:.2f}",
               f"{technology.fo4(one['wired_ns']):.0f}", f"{committed.time_factor(one):.3f}", f"{one['twice_ns']:.2f}",
               one["wired_path"])


def text(facts):
    known = committed.load()
    area, time = factors()
    pictures = "\n\n".join(f"![{name}, placed and routed](layout/{committed.picture(name).name})" for name in known)
    seconds = ", ".join(f"{one['cpu_seconds']:,.0f}" for one in known.values())
    return f"""## From cells to a layout
Everywhere else on this page areas are sums of cells and times are without wires. {" and ".join(known)}, memories
as flops, {"was" if len(known) == 1 else "were"} placed by Graywolf and routed by qrouter in osu018 (`scripts/synth --layout`; area/layout/README.md; {seconds} CPU
seconds). The factor was measured once: **{area:.2f} times the area of the cells, {time:.2f} times the time without wires**{", the greatest of them" if len(known) > 1 else ""}.
Nothing on this page is multiplied by it but where that is said. Areas at {NODE} nm.

{table(("block", "cells", "cells, mm2", "their outlines", "core", "die, with rim", "outlines / core", "core / cells"),
       list(area_rows(facts, known, (NODE / technology.NODE) ** 2)), right=range(1, 8))}

*cells* is what area/baseline.json adds up, by the liberty file; it has other areas than the LEF's outlines for
{other_areas()}. *core*: rows one on the other, every second upside down, gaps filled.

{table(("block", "nets", "unrouted", "shorts", "wire, mm", *(f"metal{i}" for i in range(1, LAYERS + 1)), "vias", "wires, pF",
        "um a net"), list(wire_rows(known)), right=range(1, 9 + LAYERS))}

{table(("block", "ns of cells", "FO4", "ns with wires", "FO4", "ratio", "ns, wires twice as heavy", "longest path with wires"),
       list(time_rows(known)), right=range(1, 7))}

Resistance and capacitance to the substrate are the LEF's, each net's RC tree is in OpenSTA; what wires take from their neighbours
the LEF does not know, hence the column with twice the capacitance. The clock is ideal: no clock tree, no power grid above the rails,
cells not sized again for their wires, no DRC and no LVS (the package has no GDS).

{pictures}
"""
