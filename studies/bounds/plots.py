# SPDX-License-Identifier: Apache-2.0
"""Measured cycles over each bound, a panel a machine."""
from . import bounds, grid, kernels, tables

NAME = "bounds.svg"


def draw(results, folder):
    """Writes it; the files. The same bytes each time."""
    import matplotlib  # a second to load

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "heddle"
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(11, 7), layout="constrained")
    width = 0.8 / len(bounds.NAMES)
    for axes, machine in zip(figure.subplots(2, 2, sharey=True).flat, grid.MACHINES):
        rows = [tables.row_of(results, kernel, "SPE", machine) for kernel in kernels.WHY]
        for place, name in enumerate(bounds.NAMES):
            found = [bounds.bounds(row).get(name) if row else None for row in rows]
            ratios = [row["cycles"] / cycles if cycles else float("nan") for row, cycles in zip(rows, found)]
            at = [number + (place - (len(bounds.NAMES) - 1) / 2) * width for number in range(len(rows))]
            axes.bar(at, ratios, width, label=name)
        axes.set_yscale("log")
        axes.axhline(1, color="grey", linewidth=0.8)
        axes.set_ylim(0.8, 1000)
        axes.set_xticks(range(len(rows)), kernels.WHY)
        axes.set_title(tables.MACHINE_NAMES[machine], fontsize=10)
        axes.set_ylabel("cycles / bound, SPE")
    figure.axes[0].legend(fontsize=7, ncols=2)
    file = folder / NAME
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
    return [file]
