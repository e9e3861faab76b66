# SPDX-License-Identifier: Apache-2.0
"""Our cycles over theirs, a bar a launch."""
from . import grid, tables

NAME = "cycles.svg"


def draw(results, folder):
    """Writes it; the files. The same bytes each time."""
    import matplotlib  # a second to load

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "heddle"
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    ratios, width = tables.ratios(results), 0.8 / len(grid.MACHINES)
    for place, sms in enumerate(grid.MACHINES):
        at = [number + (place - (len(grid.MACHINES) - 1) / 2) * width for number in range(len(grid.LAUNCHES))]
        axes.bar(at, [ratios.get((kernel, sms), float("nan")) for kernel in grid.LAUNCHES], width,
                 label=f"{sms} SM{'s' if sms > 1 else ''}")
    axes.axhspan(1 / (1 + tables.NEAR), 1 + tables.NEAR, color="grey", alpha=0.15)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(grid.LAUNCHES)), grid.LAUNCHES)
    axes.set_ylabel("cycles, ours / GPGPU-Sim's")
    axes.legend()
    file = folder / NAME
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
    return [file]
