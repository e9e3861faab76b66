# SPDX-License-Identifier: Apache-2.0
"""A picture of a layout: the outlines of its cells, and its wires over them."""
from area.synth import technology

from . import exchange, floorplan, lef

CELLS = (("flops", "#4e79a7"), ("logic", "#f2cf8c"), ("buffers, inverters", "#e0873b"), ("fillers", "#ffffff"))
WIRES = {"metal1": "#3b6fd4", "metal2": "#d43b3b", "metal3": "#2c9c4b", "metal4": "#8e44ad",
         "metal5": "#d9a400", "metal6": "#555555"}
DOTS = 1500  # across a picture of two panels
COLOURS = 192  # in the file: a palette, so that it stays small


def kind_of(cell):
    """Which of CELLS a cell is."""
    if cell == "FILL":
        return 3
    if technology.is_flop(cell):
        return 0
    return 2 if cell.startswith(("BUF", "INV", "CLKBUF")) else 1


def draw_cells(axes, plan):
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Patch, Rectangle

    for kind, (_, colour) in enumerate(CELLS):
        boxes = [Rectangle(plan.corner_um(place), lef.read().macro(place.kind).width, lef.read().macro(place.kind).height)
                 for place in (*plan.cells, *plan.fillers) if kind_of(place.kind) == kind]
        axes.add_collection(PatchCollection(boxes, facecolor=colour, edgecolor="#444444", linewidth=0.25))
    axes.legend(handles=[Patch(facecolor=colour, edgecolor="#444444", label=name) for name, colour in CELLS],
                loc="upper center", bbox_to_anchor=(0.5, -0.05), ncol=4, fontsize=8, frameon=False)


def draw_wires(axes, laid, pixel_um):
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    points_a_um = 72 / 100 / pixel_um  # a figure of 100 dots an inch
    for layer in lef.read().layers[:floorplan.LAYERS]:
        lines = [[[c / exchange.PER_UM for c in end] for end in (wire.a, wire.b)]
                 for route in laid.routes.values() for wire in route.wires if wire.layer == layer.name]
        axes.add_collection(LineCollection(lines, colors=WIRES[layer.name], linewidths=max(0.3, layer.width * points_a_um)))
    ports = [laid.plan.port_um(port) for port in laid.plan.ports]
    axes.plot([x for x, _ in ports], [y for _, y in ports], "s", color="black", markersize=1.5)
    axes.legend(handles=[Line2D([], [], color=colour, label=name) for name, colour in WIRES.items()]
                + [Line2D([], [], color="black", marker="s", linestyle="", markersize=3, label="ports")],
                loc="upper center", bbox_to_anchor=(0.5, -0.05), ncol=7, fontsize=8, frameon=False)


def draw(name, figures, laid, target):
    import matplotlib  # a second to load

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from PIL import Image

    width, height = laid.plan.die_um
    figure, panels = pyplot.subplots(1, 2, figsize=(DOTS / 100, DOTS / 200 * height / width + 1.1), dpi=100,
                                     layout="constrained")
    draw_cells(panels[0], laid.plan)
    draw_wires(panels[1], laid, width / (DOTS / 2 - 60))
    for axes in panels:
        axes.set(xlim=(0, width), ylim=(0, height), aspect="equal", xlabel="um")
        axes.tick_params(labelsize=8)
    panels[0].set_title(f"{figures['cells']:,} cells in {figures['rows']} rows", fontsize=10)
    panels[1].set_title(f"{figures['nets']:,} nets, {sum(figures['wire_um'].values()) / 1000:,.1f} mm of wire, "
                        f"{figures['vias']:,} vias, {figures['unrouted']} unrouted", fontsize=10)
    figure.suptitle(f"{name}, osu018 (180 nm), placed by Graywolf, routed by qrouter", fontsize=11)
    figure.savefig(target)
    pyplot.close(figure)
    with Image.open(target) as image:
        image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(target, optimize=True)
