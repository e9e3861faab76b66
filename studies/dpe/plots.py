# SPDX-License-Identifier: Apache-2.0
"""The figures of DPE sec. 6 with our numbers, as SVG."""
from harness import figures
from harness.figures import in_percent

from . import grid, paper

PATHS = ("DPE", *grid.IDEAL_DWS)
SPEEDS = ("DPE", *grid.IDEAL_DWS, "constrained", "forwarding", "memory split")
IDLE, L1, L2 = "idle_cycles", "memory_system.l1_misses", "memory_system.l2_misses"


def bars(axes, kernels, series, label):
    figures.bars(axes, map(paper.name, kernels), series, label)
    if len(kernels) == len(paper.TABLE_2):
        axes.axvline(len(paper.INTERLEAVABLE) - 0.5, color="grey", linewidth=0.6, linestyle=":")


def of_14(m, mechanisms, of):
    return {mechanism: [of(kernel, mechanism) for kernel in paper.TABLE_2] for mechanism in mechanisms}


def fig10(m, figure):
    axes = figure.subplots()
    bars(axes, paper.TABLE_2, of_14(m, PATHS, lambda kernel, mechanism: m.value(kernel, mechanism, "avg_path")), "AvgPath")
    axes.legend(ncols=4)


def fig11(m, figure):
    axes = figure.subplots()
    used = of_14(m, ("SPE", *PATHS), lambda kernel, mechanism: in_percent(m.value(kernel, mechanism, "lane_utilisation")))
    bars(axes, paper.TABLE_2, used, "lanes used, %")
    axes.legend(ncols=5)


def fig12(m, figure):
    counts = [(key, label) for key, label in ((IDLE, "idle cycles"), (L1, "L1 misses"), (L2, "L2 misses"))
              if m.value("lu_decomposition", "SPE", key) is not None]
    all_axes = figure.subplots(max(1, len(counts)), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (key, label) in zip(all_axes, counts):
        changes = of_14(m, PATHS, lambda kernel, mechanism, key=key: in_percent(m.change(kernel, mechanism, key)))
        bars(axes, paper.TABLE_2, changes, f"{label}, %")
    all_axes[0].legend(ncols=4)


def fig13(m, figure):
    axes = figure.subplots()
    gains = of_14(m, SPEEDS, lambda kernel, mechanism: in_percent(m.gain(kernel, mechanism)))
    bars(axes, paper.TABLE_2, gains, "gain over SPE, %")
    axes.legend(ncols=4)


def fig14(m, figure):
    """(a) L2, where it can be set, (b) L1, (c) the scheduler."""
    sweeps = [("l1_bytes", paper.L1_BYTES, grid.L1_SWEEP, "L1")]
    if m.gain("lu_decomposition", "DPE", settings=f"l2_bytes={grid.L2_SWEEP[0]}") is not None:
        sweeps.insert(0, ("l2_bytes", paper.L2_BYTES, grid.L2_SWEEP, "L2"))
    panels = figure.subplots(1, len(sweeps) + 1, sharey=True)
    for axes, (key, usual, sizes, name) in zip(panels, sweeps):
        series = {}
        for size in sorted((*sizes, usual)):
            gains = [m.gain(kernel, "DPE", **grid.cache(key, size, usual)) for kernel in paper.INTERLEAVABLE]
            series[f"{size // grid.KIB} KB"] = list(map(in_percent, gains))
        bars(axes, paper.INTERLEAVABLE, series, "gain of DPE over SPE, %")
        axes.legend(title=name, fontsize=7)
    schedulers = {mechanism: [in_percent(m.gain(kernel, mechanism)) for kernel in paper.INTERLEAVABLE]
                  for mechanism in ("DPE", "constrained", "optimistic")}
    bars(panels[-1], paper.INTERLEAVABLE, schedulers, "")
    panels[-1].legend(title="DPE", fontsize=7)


FIGURES = {"fig10.svg": (fig10, (11, 4)), "fig11.svg": (fig11, (11, 4)), "fig12.svg": (fig12, (11, 8)),
           "fig13.svg": (fig13, (13, 4.5)), "fig14.svg": (fig14, (14, 4.5))}


def draw(m, folder):
    """Writes them; the files."""
    return figures.draw(m, FIGURES, folder)
