"""Cycles gained against what they cost; and kernel by kernel."""
from harness import figures
from harness.figures import in_percent

from . import cost, grid

MARKERS = "osD^v<>Pp*hXd"


def shown(m):
    """{mechanism: (cost, speed-ups)} of what has a cost and is known; serialisation is far below all."""
    for mechanism in [*grid.SINGLE, *grid.PAIRS]:
        added, found = cost.added(mechanism), m.ran(mechanism)
        if added is not None and found and mechanism != "serial":
            yield mechanism, added, list(found.values())


def against(axes, m, of, label):
    for number, (mechanism, added, speeds) in enumerate(shown(m)):
        mean, marker = m.mean(mechanism), MARKERS[number % len(MARKERS)]
        if of(added) is None:
            axes.plot([], [], marker)  # so that the next one has the colour that it has on the left
            continue
        least, most = (100 * (one - 1) for one in (min(speeds), max(speeds)))
        axes.errorbar(of(added), 100 * (mean - 1), yerr=[[100 * (mean - 1) - least], [most - 100 * (mean - 1)]], fmt=marker, markersize=7,
                      elinewidth=0.6, capsize=2, alpha=0.85, label=mechanism)
    axes.axhline(0, color="grey", linewidth=0.6)
    axes.axvline(0, color="grey", linewidth=0.6)
    axes.set_xlabel(label)


def gain_and_cost(m, figure):
    bits, mm2 = figure.subplots(1, 2, sharey=True)
    against(bits, m, lambda added: added.bits / 1024, "Kibit added to an SM")
    against(mm2, m, lambda added: added.mm2, f"mm2 added to an SM, at {cost.NODE} nm")
    bits.set_ylabel("cycles gained over SPE, %: mean, least, most")
    mm2.legend(*bits.get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8)


def kernel_by_kernel(m, figure):
    top, bottom = figure.subplots(2, 1)
    for axes, names in ((top, ("DPE", "DPE, forwarding", "DWS50", "barriers", "barriers, predicted")), (bottom, ("DAC", "MTA", "DPE + DAC"))):
        figures.bars(axes, grid.KERNELS, {one: [in_percent(m.gain(kernel, one)) if grid.runs(kernel, one) else None for kernel in grid.KERNELS]
                                          for one in names}, "over SPE, %")
        axes.legend(fontsize=8, ncols=3)


def formed(m, figure):
    axes = figure.subplots()
    names = [one for one in grid.ON_BARREL if one not in (grid.BASE, "serial")]
    figures.bars(axes, grid.KERNELS, {one: [in_percent(m.gain(kernel, one, point=grid.BARREL)) if grid.runs(kernel, one) else None
                                            for kernel in grid.KERNELS] for one in names}, f"over SPE, %, {grid.BARREL}")
    axes.legend(fontsize=8, ncols=3)


FIGURES = {"cost.svg": (gain_and_cost, (12, 5)), "kernels.svg": (kernel_by_kernel, (12, 8)), "formation.svg": (formed, (12, 4.5))}


def draw(m, folder):
    return figures.draw(m, FIGURES, folder)
