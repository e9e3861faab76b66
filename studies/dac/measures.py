# SPDX-License-Identifier: Apache-2.0
"""Numbers from results. What is missing is None."""
from harness import energy, measures
from harness.measures import geometric_mean, mean

from . import grid

__all__ = ("Measures", "geometric_mean", "mean")
MEMORY_BOUND = 1.5  # ours: so much faster with an ideal memory


class Measures(measures.Measures):
    def __init__(self, results):
        super().__init__(results, grid.job, "baseline")

    def speed_up(self, kernel, machine="DAC", over="baseline", **changes):
        gain = self.gain(kernel, machine, over, **changes)
        return None if gain is None else 1 + gain

    def of_jobs(self, job, base):
        """Speed of a job over that of another."""
        rows = self.results.find(job), self.results.find(base)
        return None if None in rows else rows[1]["cycles"] / rows[0]["cycles"]

    def variant(self, kernel, how):
        """Speed of DAC with a choice of ours the other way, over the baseline, which has none."""
        return self.of_jobs(grid.job(kernel, "DAC", **how), grid.job(kernel))

    def ideal_gain(self, kernel):
        return self.of_jobs(grid.job(kernel, **grid.IDEAL), grid.job(kernel))

    def bound(self, memory):
        """Kernels that are bound by memory, or the others; None if one is not known."""
        gains = {kernel: self.ideal_gain(kernel) for kernel in grid.PROGRAMS}
        if None in gains.values():
            return None
        return [kernel for kernel, gain in gains.items() if (gain >= MEMORY_BOUND) == memory]

    def is_regular(self, kernel):
        """Few of its branches part threads of a warp."""
        row = self.row(kernel, "baseline")
        return None if row is None else row["divergent_branches"] <= grid.MOST_PARTED * max(1, row["branches"])

    def kind(self, regular):
        kinds = {kernel: self.is_regular(kernel) for kernel in grid.PROGRAMS}
        return None if None in kinds.values() else [kernel for kernel, kind in kinds.items() if kind == regular]

    def mean_speed_up(self, kernels, machine="DAC", over="baseline", **changes):
        return None if kernels is None else geometric_mean(self.speed_up(kernel, machine, over, **changes) for kernel in kernels)

    def all_instructions(self, kernel, machine, **changes):
        """Of the warps and of the affine warp."""
        row = self.row(kernel, machine, **changes)
        return None if row is None else row["warp_instructions"] + (row.get("affine.affine_instructions") or 0)

    def fewer_instructions(self, kernel):
        pair = self.all_instructions(kernel, "DAC"), self.all_instructions(kernel, "baseline")
        return None if None in pair else pair[0] / pair[1] - 1

    def share(self, kernel, parts, wholes, machine="DAC"):
        """Of statistics of the machine with an affine warp."""
        row = self.row(kernel, machine)
        if row is None:
            return None
        whole = sum(row.get(key) or 0 for key in wholes)
        return sum(row.get(key) or 0 for key in parts) / whole if whole else None

    def decoupled_loads(self, kernel, of_all=False):
        """Of the loads of global and local memory, or of all."""
        loads = ["affine.global_loads"]
        if of_all:
            loads += ["affine.shared_loads", "memory_system.constant_accesses"]
        return self.share(kernel, ["affine.decoupled_loads"], loads)

    def mean_decoupled(self):
        """Of the programs that load from global or local memory."""
        rows = [self.row(kernel, "DAC") for kernel in grid.PROGRAMS]
        if None in rows:
            return None
        shares = (self.decoupled_loads(kernel) for kernel in grid.PROGRAMS)
        return mean(share for share in shares if share is not None)

    def sum_share(self, parts, wholes):
        """Of all kernels together."""
        rows = [self.row(kernel, "DAC") for kernel in grid.PROGRAMS]
        if None in rows:
            return None
        whole = sum(row.get(key) or 0 for row in rows for key in wholes)
        return sum(row.get(key) or 0 for row in rows for key in parts) / whole if whole else None

    def energy_change(self, kernel, static_share=None):
        rows = self.row(kernel, "DAC"), self.row(kernel, "baseline")
        return energy.change(*rows) if static_share is None else energy.total_change(*rows, static_share)

    def waits(self, kernel, key):
        """Of the affine warp, of the cycles."""
        row = self.row(kernel, "DAC")
        return None if row is None else (row.get(f"affine.{key}") or 0) / row["cycles"]

    def ran_whole(self, kernel):
        """Share of the launches that could not run in two streams."""
        row = self.row(kernel, "DAC")
        return None if row is None else (row.get("affine.whole_launches") or 0) / row["launches"]
