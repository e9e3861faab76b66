# SPDX-License-Identifier: Apache-2.0
"""Speed against what it costs; and kernel by kernel."""
import math

from harness import figures

from . import cost, grid

MARKERS = "osD^v<>Pp*hXd"
SPREAD = 0.015  # of the axis: mechanisms whose cost is nearer than that stand beside each other
TICKS = (0.125, 0.25, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2)


def shown(m):
    """[(mechanism, cost, speed-ups)] of what has a cost and is known; serialisation is far below all."""
    found = [(name, cost.added(name), m.ran(name)) for name in (*grid.SINGLE, *grid.PAIRS) if name != "serial"]
    return [(name, added, list(speeds.values())) for name, added, speeds in found if added is not None and speeds]


def beside(places):
    """Places on an axis, moved apart where they would lie on each other. \param places  {name: place}"""
    width = SPREAD * (max(places.values(), default=0) - min(places.values(), default=0))
    moved, last = {}, -math.inf
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = moved[name] = max(place, last + width)
    return moved


def against(axes, m, of, label):
    known = shown(m)
    places = beside({name: of(added) for name, added, _ in known if of(added) is not None})
    for number, (name, _, speeds) in enumerate(known):
        if name not in places:
            continue
        colour, marker, at = f"C{number % 10}", MARKERS[number % len(MARKERS)], places[name]
        axes.plot([at] * len(speeds), speeds, ".", color=colour, markersize=3, alpha=0.6)
        axes.plot(at, m.mean(name), marker, color=colour, markersize=8, markeredgecolor="black", markeredgewidth=0.6, label=name)
    axes.axhline(1, color="grey", linewidth=0.6)
    axes.axvline(0, color="grey", linewidth=0.6)
    axes.set_xlabel(label)


def gain_and_cost(m, figure):
    bits, mm2 = figure.subplots(1, 2, sharey=True)
    against(bits, m, lambda added: added.bits / 1024, "Kibit added to an SM")
    against(mm2, m, lambda added: added.mm2, f"mm2 added to an SM, at {cost.NODE} nm")
    bits.set_ylabel("speed over SPE: geometric mean, and each program")
    bits.set_yscale("log")
    bits.set_yticks(TICKS, [f"{tick:g}x" for tick in TICKS])
    bits.minorticks_off()
    mm2.legend(*bits.get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8)


def map_of(m, figure, point, mechanisms):
    """A field a kernel and mechanism; kernels by their speed under the best."""
    from matplotlib import colors  # of what draw() has loaded

    def speed(kernel, one):
        return m.speed_up(kernel, one, point) if grid.runs(kernel, one) else None

    def best(kernel):
        return max((speed(kernel, one) or 0 for one in mechanisms), default=0)
    kernels = sorted(grid.KERNELS, key=best, reverse=True)
    speeds = [[speed(kernel, one) for one in mechanisms] for kernel in kernels]
    axes = figure.subplots()
    image = axes.imshow([[math.nan if value is None else math.log2(value) for value in row] for row in speeds], cmap="RdBu", aspect="auto",
                        norm=colors.TwoSlopeNorm(0, -1.5, 1))
    for y, row in enumerate(speeds):
        for x, value in enumerate(row):
            if value is not None:
                dark = not -0.9 < math.log2(value) < 0.6
                axes.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=7, color="white" if dark else "black")
    axes.set_xticks(range(len(mechanisms)), mechanisms, rotation=35, ha="left")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(kernels)), [f"{kernel} *" if kernel in grid.MICRO else kernel for kernel in kernels])
    bar = figure.colorbar(image, ax=axes, shrink=0.4, extend="both")
    ticks = [tick for tick in TICKS if -1.5 <= math.log2(tick) <= 1]
    bar.set_ticks([math.log2(tick) for tick in ticks], labels=[f"{tick:g}x" for tick in ticks])
    bar.set_label(f"speed over SPE, {point}")


def kernel_by_kernel(m, figure):
    map_of(m, figure, grid.WIDE, [one for one in grid.ON_WIDE if one != grid.BASE])


def formed(m, figure):
    map_of(m, figure, grid.BARREL, [one for one in grid.ON_BARREL if one != grid.BASE])


FIGURES = {"cost.svg": (gain_and_cost, (12, 5.5)), "kernels.svg": (kernel_by_kernel, (14, 11)), "formation.svg": (formed, (9, 11))}


def draw(m, folder):
    return figures.draw(m, FIGURES, folder)
