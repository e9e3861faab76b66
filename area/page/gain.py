# SPDX-License-Identifier: Apache-2.0
"""What a mechanism gains, and what it costs: cycles of our kernels against bits and mm2 beside the single-path stack."""
import dataclasses
import math

from area.model.report import table
from area.synth import blocks
from tools.kernel_statistics import runs as runs_of_kernels

from . import cost
from .cost import POINT, UNITS

BASE = "spe"


@dataclasses.dataclass(frozen=True)
class Gain:
    """One mechanism; bits and mm2 of the slices of an SM beyond those of the base."""
    name: str
    mean: float  # cycles of the base over its own, geometric mean over the kernels that end under both
    least: float
    most: float
    bits: int
    mm2: float  # None where not all of its blocks, as they stand, were mapped at the point


def ratios(runs, name, board):
    """{kernel: cycles of the base over those of the mechanism}."""
    def cycles(mechanism):
        return {key.split()[0]: run["cycles"] for key, run in runs.items()
                if key.split()[1] == mechanism and "cycles" in run}
    base, own = cycles(f"{BASE}/{UNITS[BASE][2]}"), cycles(f"{name}/{board}")
    return {kernel: base[kernel] / count for kernel, count in own.items() if kernel in base}


def gains(facts):
    runs = runs_of_kernels()
    base = cost.of_divergence(facts, BASE)
    for name, (_, _, board, _) in UNITS.items():
        of = ratios(runs, name, board)
        added = cost.of_divergence(facts, name).beyond(base)
        yield Gain(name, math.exp(sum(map(math.log, of.values())) / len(of)), min(of.values()), max(of.values()), added.bits, added.mm2)


def text(facts):
    known = list(gains(facts))
    depth = blocks.point_values(POINT)
    spe, dpe = (facts.figure(POINT, f"{block}: bits an entry")["here"] for block in ("single_path_stack", "dual_path_stack"))
    rows = [(f"`{one.name}`", f"{one.mean:.3f}x", f"{one.least:.3f}x", f"{one.most:.3f}x", f"{one.bits:+,}",
             "-" if one.mm2 is None else f"{one.mm2:+.3f}") for one in known]
    unmapped = [f"`{one.name}`" for one in known if one.mm2 is None]
    return f"""## What is gained, and what it costs
Cycles of our kernels under `spe` over those under the mechanism (kernels/statistics.json: {POINT}, all warps, size small),
against what the slices of an SM have beyond those of `spe`: control flow unit, scoreboard, instruction buffers, scheduler and
gate. Stacks are as deep as never overflows: {depth["spe_depth"]} entries of {spe} bits under SPE, {depth["dpe_depth"]} of {dpe} under DPE. Not all mapped at {POINT}, and so
without mm2: {', '.join(unmapped) or 'none'}. `dws50` and `barrier` stand for the rows with the same blocks. Programs
alone, more mechanisms, and why they gain: [all mechanisms side by side](../studies/all/README.md).

{table(("mechanism", "speed-up, geometric mean", "least", "most", "bits", "mm2"), rows, right=range(1, 6))}

![cycles gained against bits and mm2 added, without serial](plots/gain.svg)
"""


def plot(facts, target):
    import matplotlib  # a second to load

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "heddle"  # the same plot, byte for byte, each time
    from matplotlib import pyplot

    known = [one for one in gains(facts) if one.name != "serial"]  # far below, at the cost of spe
    figure, (bits, mm2) = pyplot.subplots(1, 2, figsize=(11, 4.5), sharey=True, layout="constrained")
    for axes, of, label in ((bits, lambda one: one.bits / 1024, "Kibit added to an SM"),
                            (mm2, lambda one: one.mm2, "mm2 added to an SM, at 90 nm (of those that were mapped)")):
        for one, marker in zip(known, "osD^v<>P"):
            if of(one) is not None:
                axes.plot(of(one), 100 * (one.mean - 1), marker, markersize=8, alpha=0.8, label=one.name)
            else:
                axes.plot([], [], marker)  # so that the next one has the colour that it has on the left
        axes.axhline(0, color="grey", linewidth=0.6)
        axes.axvline(0, color="grey", linewidth=0.6)
        axes.margins(x=0.15, y=0.1)
        axes.set_xlabel(label)
    mm2.legend(*bits.get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=9)
    bits.set_ylabel("cycles gained over SPE, %")
    figure.suptitle(f"What is gained, and what it costs ({POINT}, geometric mean of our kernels)", fontsize=11)
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(figure)
