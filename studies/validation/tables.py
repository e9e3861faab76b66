# SPDX-License-Identifier: Apache-2.0
"""Cycles of both simulators side by side, and what each parameter changes."""
import math

from harness.page import MISSING, number, percent, table

from . import grid, other

NEAR, NEAR_IN_THE_MEAN = 0.15, 0.05  # ours: what a ratio may be off, and their geometric mean


def ratio(results, kernel, sms, change=grid.AS_CONFIGURED):
    """Our cycles with this change / theirs as configured; None where the run is missing."""
    row = results.find(grid.job(kernel, sms, change))
    return row and row["cycles"] / other.load()[kernel, sms, grid.AS_CONFIGURED][0]


def ratios(results):
    """{(kernel, SMs): our cycles / theirs} of the runs that are there."""
    found = {(kernel, sms): ratio(results, kernel, sms) for kernel in grid.LAUNCHES for sms in grid.MACHINES}
    return {run: value for run, value in found.items() if value is not None}


def mean(values):
    """Geometric; None of nothing."""
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def is_near(ratio):
    return max(ratio, 1 / ratio) <= 1 + NEAR


def cycles(results):
    theirs, rows = other.load(), []
    for (kernel, sms), ratio in ratios(results).items():
        ours = results.find(grid.job(kernel, sms))
        cycles_there, instructions_there = theirs[kernel, sms, grid.AS_CONFIGURED]
        rows.append((kernel, sms, number(instructions_there), number(ours["warp_instructions"]), number(cycles_there),
                     number(ours["cycles"]), f"{number(ratio, 3)}{'' if is_near(ratio) else ' (!)'}"))
    return table(("kernel", "SMs", "warp instructions there", "here", "cycles there", "here", "here / there"), rows, range(1, 7))


def change(results, kernel, sms, change):
    """How many more cycles with it changed, as a share; None where a run is missing."""
    with_it, without = results.find(grid.job(kernel, sms, change)), results.find(grid.job(kernel, sms))
    return with_it["cycles"] / without["cycles"] - 1 if with_it and without else None


def changes(results, sms):
    """A row a parameter: how many more cycles with it changed, here and there."""
    theirs, rows = other.load(), []
    for name, (_, there) in grid.CHANGES.items():
        if name == grid.AS_CONFIGURED:
            continue
        cells = []
        for kernel in grid.LAUNCHES:
            measured = theirs.get((kernel, sms, there))
            other_side = measured[0] / theirs[kernel, sms, grid.AS_CONFIGURED][0] - 1 if measured else None
            cells.append(f"{percent(change(results, kernel, sms, name))} / {percent(other_side) if measured else MISSING}")
        rows.append((name, *cells))
    return table(("changed to", *grid.LAUNCHES), rows, range(1, 1 + len(grid.LAUNCHES)))
