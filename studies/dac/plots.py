# SPDX-License-Identifier: Apache-2.0
"""The speed-ups of sec. 1 kernel by kernel, as SVG."""
from harness import figures
from harness.figures import in_percent

from . import grid


def speed(m, figure):
    axes = figure.subplots()
    machines = list(grid.MACHINES)[1:]
    figures.bars(axes, grid.KERNELS, {machine: [m.speed_up(kernel, machine) for kernel in grid.KERNELS] for machine in machines},
                 f"speed over the baseline, {grid.POINT}")
    axes.axhline(1, color="black", linewidth=0.6)
    axes.legend(ncols=3)


def instructions(m, figure):
    top, bottom = figure.subplots(2, 1, sharex=True)
    figures.bars(top, grid.KERNELS, {"warp instructions": [in_percent(m.fewer_instructions(kernel)) for kernel in grid.KERNELS],
                                     "dynamic energy (estimate)": [in_percent(m.energy_change(kernel)) for kernel in grid.KERNELS]}, "change, %")
    top.legend()
    figures.bars(bottom, grid.KERNELS, {"global and local": [in_percent(m.decoupled_loads(kernel)) for kernel in grid.KERNELS],
                                        "all": [in_percent(m.decoupled_loads(kernel, of_all=True)) for kernel in grid.KERNELS]},
                 "loads decoupled, %")
    bottom.legend()


def waits(m, figure):
    """Against speed: what the affine warp waits for."""
    axes = figure.subplots()
    for key, label in (("affine_outcome_cycles", "outcomes of branches"), ("affine_full_cycles", "room in a queue")):
        points = [(in_percent(m.waits(kernel, key)), m.speed_up(kernel)) for kernel in grid.KERNELS]
        points = [point for point in points if None not in point]
        axes.plot([x for x, _ in points], [y for _, y in points], "o", label=label, markersize=4)
    axes.axhline(1, color="grey", linewidth=0.6)
    axes.set_xlabel("affine warp waits, % of the cycles")
    axes.set_ylabel("speed of DAC over the baseline")
    axes.legend()


def dual_path(m, figure):
    axes = figure.subplots()
    figures.bars(axes, grid.KERNELS, {name: [m.of_jobs(grid.job(kernel, machine, divergence), grid.job(kernel)) for kernel in grid.KERNELS]
                                      for name, machine, divergence in (("DAC", "DAC", "spe"), ("DPE", "baseline", "dpe"), ("both", "DAC", "dpe"))},
                 "speed over SPE")
    axes.axhline(1, color="black", linewidth=0.6)
    axes.legend(ncols=3)


FIGURES = {"speed.svg": (speed, (13, 4.5)), "instructions.svg": (instructions, (13, 7)), "waits.svg": (waits, (6, 4)),
           "dual_path.svg": (dual_path, (13, 4.5))}


def draw(m, folder):
    return figures.draw(m, FIGURES, folder)
