# SPDX-License-Identifier: Apache-2.0
"""The figures of DWF with our numbers, as SVG."""
from harness import figures
from harness.figures import in_percent

from . import grid, paper
from .measures import KERNELS
from .tables import SHARES

NAMES = tuple(map(paper.name, KERNELS))


def ipcs(m, figure, mechanisms, **changes):
    axes = figure.subplots()
    series = {}
    for mechanism in mechanisms:
        values = [m.ipc(kernel, mechanism, **changes) if grid.runs(kernel, mechanism) else None for kernel in KERNELS]
        series[mechanism] = [*values, m.mean_ipc(mechanism, **changes)]
    figures.bars(axes, (*NAMES, "harmonic mean"), series, f"IPC (peak {paper.PEAK})")
    axes.legend(ncols=5, fontsize=8)


def fig01(m, figure):
    ipcs(m, figure, ("serial", "PDOM", "DMaj", "MIMD"), memory="ideal")


def fig06(m, figure):
    axes = figure.subplots()
    series = {"ours": [in_percent(m.mean_of_width(lanes)) for lanes in paper.WIDTHS],
              "DWF": [in_percent(share) for share in paper.WIDTHS.values()]}
    figures.bars(axes, [f"{lanes} lanes" for lanes in paper.WIDTHS], series, "harmonic mean IPC, % of the peak")
    axes.legend()


def fig12(m, figure):
    ipcs(m, figure, ("serial", "PDOM", "DMaj", "MIMD"))


def fig15(m, figure):
    ipcs(m, figure, ("PDOM", *grid.POLICIES))


def fig16(m, figure):
    panels = figure.subplots(1, len(KERNELS), sharey=True)
    mechanisms = ("PDOM", *grid.POLICIES)
    from matplotlib import colormaps

    for axes, kernel in zip(panels, KERNELS):
        below = [0.0] * len(mechanisms)
        for place, what in enumerate(SHARES):
            shares = [100 * (m.sizes(kernel, mechanism) or {}).get(what, 0) for mechanism in mechanisms]
            colour = {"stall": "black", 0: "white"}.get(what) or colormaps["viridis"]((place - 2) / (len(SHARES) - 3))
            axes.bar(range(len(mechanisms)), shares, 0.8, bottom=below, color=colour, edgecolor="grey", linewidth=0.2,
                     label="Stall" if what == "stall" else f"W{what}")
            below = [low + share for low, share in zip(below, shares)]
        axes.set_xticks(range(len(mechanisms)), mechanisms, rotation=90)
        axes.set_title(paper.name(kernel), fontsize=9)
    panels[0].set_ylabel("cycles, %")
    panels[-1].legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))


def fig17(m, figure):
    ipcs(m, figure, ("PDOM", "DMaj", "DMaj, lane aware", "DMaj, naive", "DPdPri, lane aware"))


FIGURES = {"fig01.svg": (fig01, (11, 4)), "fig06.svg": (fig06, (5, 3.5)), "fig12.svg": (fig12, (11, 4)),
           "fig15.svg": (fig15, (11, 4)), "fig16.svg": (fig16, (13, 4.5)), "fig17.svg": (fig17, (11, 4))}


def draw(m, folder):
    """Writes them; the files."""
    return figures.draw(m, FIGURES, folder)
