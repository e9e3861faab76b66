# SPDX-License-Identifier: Apache-2.0
"""The figures of SR with our numbers, as SVG."""
from harness import figures
from harness.figures import in_percent

from . import grid, paper
from .grid import automatic, job, on_other_point, predicted


def fig07(m, figure):
    axes = figure.subplots()
    figures.bars(axes, grid.KERNELS, {what: [in_percent(m.efficiency(make(kernel))) for kernel in grid.KERNELS]
                                      for what, make in (("default", job), ("predicted", predicted))}, "SIMT efficiency, %")
    axes.legend()


def ratios(axes, names, series):
    figures.bars(axes, names, series, "over default")
    axes.axhline(1, color="black", linewidth=0.6)
    axes.legend()


def fig08(m, figure):
    ratios(figure.subplots(), grid.KERNELS, {"SIMT efficiency": [m.more_efficient(predicted(kernel)) for kernel in grid.KERNELS],
                                             "speed": [m.speed_up(predicted(kernel)) for kernel in grid.KERNELS]})


def fig09(m, figure):
    for axes, kernel in zip(figure.subplots(1, len(grid.SWEPT)), grid.SWEPT):
        points = [(grid.LANES if threshold is None else threshold, *pair) for threshold, pair in m.sweep(kernel).items()
                  if None not in pair]
        other = axes.twinx()
        axes.plot([point[0] for point in points], [100 * point[1] for point in points], "o-", color="tab:blue", markersize=3)
        other.plot([point[0] for point in points], [point[2] for point in points], "s-", color="tab:orange", markersize=3)
        other.axhline(1, color="grey", linewidth=0.6)
        axes.set_title(f"{kernel} ({paper.KERNELS[kernel][0]})", fontsize=9)
        axes.set_xlabel(f"lanes to exceed ({grid.LANES}: all that may come)")
        axes.set_ylabel("SIMT efficiency, %", color="tab:blue")
        other.set_ylabel("speed over default", color="tab:orange")


def fig10(m, figure):
    ratios(figure.subplots(), grid.KERNELS, {"annotated": [m.speed_up(predicted(kernel)) for kernel in grid.KERNELS],
                                             "automatic": [m.speed_up(automatic(kernel)) for kernel in grid.KERNELS]})


def against(axes, speeds, label):
    figures.bars(axes, grid.ALL, speeds, label)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.legend(ncols=3, fontsize=7)


def mechanisms(m, figure):
    left, right = figure.subplots(2, 1)
    series = {name: [m.speed_up(job(kernel, name), job(kernel, "SPE")) for kernel in grid.ALL] for name in [*grid.MECHANISMS][1:]}
    series["predicted"] = [m.speed_up(predicted(kernel), job(kernel, "SPE")) for kernel in grid.ALL]
    against(left, series, f"over SPE, {grid.POINT}")
    series = {name: [m.speed_up(on_other_point(kernel, name), on_other_point(kernel, "PDOM")) for kernel in grid.ALL]
              for name in [*grid.BARREL][1:]}
    series["predicted"] = [m.speed_up(on_other_point(kernel, "barriers", reconverge="predicted"), on_other_point(kernel, "PDOM"))
                           for kernel in grid.ALL]
    against(right, series, f"over PDOM, {grid.OTHER_POINT}")


FIGURES = {"fig07.svg": (fig07, (8, 4)), "fig08.svg": (fig08, (8, 4)), "fig09.svg": (fig09, (9, 3.5)), "fig10.svg": (fig10, (8, 4)),
           "mechanisms.svg": (mechanisms, (9, 8))}


def draw(m, folder):
    return figures.draw(m, FIGURES, folder)
