# SPDX-License-Identifier: Apache-2.0
"""Numbers from results, against PDOM."""
from harness import measures
from harness.measures import harmonic_mean, least, mean, most

from . import grid, paper

__all__ = ("Measures", "harmonic_mean", "least", "mean", "most")
KERNELS = tuple(paper.KERNELS)


class Measures(measures.Measures):
    def __init__(self, results):
        super().__init__(results, grid.job, "PDOM")

    def of_peak(self, kernel, mechanism, **changes):
        """Thread instructions a cycle and core, as a share of the lanes."""
        return share_of_peak(self.row(kernel, mechanism, **changes))

    def ipc(self, kernel, mechanism, **changes):
        """Thread instructions a cycle of 8 cores; of one core, eight times."""
        share = self.of_peak(kernel, mechanism, **changes)
        return None if share is None else share * paper.PEAK

    def mean_ipc(self, mechanism, kernels=KERNELS, **changes):
        return harmonic_mean(self.ipc(kernel, mechanism, **changes) for kernel in kernels)

    def mean_gain(self, mechanism, over="PDOM", kernels=KERNELS, **changes):
        """Of the harmonic means of IPC."""
        pair = [self.mean_ipc(one, kernels, **changes) for one in (mechanism, over)]
        return None if None in pair else pair[0] / pair[1] - 1

    def mean_of_width(self, lanes, kernels=KERNELS):
        """PDOM with 256 threads in warps of so many lanes, ideal memory: harmonic mean as a share of the peak."""
        return harmonic_mean(share_of_peak(self.results.find(grid.of_width(kernel, "PDOM", lanes, memory="ideal")), lanes)
                             for kernel in kernels)

    def bandwidth(self, kernel, mechanism):
        """Used part of the bandwidth of the memory modules that fall to the cores."""
        row = self.row(kernel, mechanism)
        return None if row is None else row["memory_system.dram_bytes_per_cycle"] / paper.MODULE_BYTES / row["sms"]

    def misses(self, kernel, mechanism, **changes):
        """Of the accesses to the L1: lines that it has asked for, and those that wait for one that is under way."""
        row = self.row(kernel, mechanism, **changes)
        if row is None or not row["memory_system.l1_accesses"]:
            return None
        return row["memory_system.l1_misses"] / row["memory_system.l1_accesses"]

    def open_rows(self, kernel, mechanism):
        """DRAM accesses that find their row open, of all."""
        row = self.row(kernel, mechanism)
        if row is None:
            return None
        accesses = row["memory_system.dram_row_hits"] + row["memory_system.dram_activations"]
        return row["memory_system.dram_row_hits"] / accesses if accesses else None

    def in_shared_memory(self, kernel, mechanism):
        """Of the accesses of warps."""
        row = self.row(kernel, mechanism)
        if row is None:
            return None
        shared, others = row["memory_system.shared_accesses"], row["memory_system.global_accesses"]
        return shared / (shared + others)

    def issues(self, kernel, mechanism):
        """Of the cycles of the cores that have threads."""
        row = self.row(kernel, mechanism)
        return None if row is None else row["warp_instructions"] / (row["scheduler_cycles"] - row["stalls.no warp"])

    def with_one_stage_less(self, kernel):
        """Gain over PDOM of formation (Majority) whose pipeline is a stage shorter; PDOM's is as it is."""
        pair = [self.ipc(kernel, "DMaj", settings=grid.ONE_STAGE_LESS), self.ipc(kernel, "PDOM")]
        return None if None in pair else pair[0] / pair[1] - 1

    def limit(self, job):
        """Speed-up of the limit study, less one."""
        row = self.results.find(job)
        return None if row is None else row["speed_up"] - 1

    def limit_of_real(self):
        """PDOM slots over aligned ones, of all programs together by their harmonic mean."""
        gains = [self.limit(grid.limit(kernel)) for kernel in KERNELS]
        pairs = None if None in gains else harmonic_mean(1 + gain for gain in gains)
        return None if pairs is None else pairs - 1

    def loop(self, mechanism, **changes):
        """Cycles from an addition of a warp to its next one."""
        rows = [self.results.find(grid.chain(length, mechanism, **changes)) for length in grid.CHAINS]
        if None in rows:
            return None
        first, second = grid.CHAINS
        return (rows[1]["cycles"] - rows[0]["cycles"]) / (second - first)

    def gains_of_appendix(self, over="PDOM"):
        """{kernel: gain of Majority} of all other kernels, or None where one is missing."""
        gains = {}
        for kernel in grid.APPENDIX:
            rows = [self.results.find(grid.of_appendix(kernel, mechanism)) for mechanism in (over, "DMaj")]
            gains[kernel] = None if None in rows else rows[0]["cycles"] / rows[1]["cycles"] - 1
        return gains

    def sizes(self, kernel, mechanism, **changes):
        """Fig. 16: {what: share of the cycles of all cores}, for "stall" and 0 to 16 lanes."""
        row = self.row(kernel, mechanism, **changes)
        if row is None:
            return None
        cycles, issues = row["scheduler_cycles"], row["active_lanes"]
        stall = row["commit_holds"]
        shares = {lanes: count / cycles for lanes, count in enumerate(issues)}
        shares[0] = (cycles - sum(issues[1:]) - stall) / cycles
        return {"stall": stall / cycles, **shares}

    def few_lanes(self, kernel, mechanism):
        """Issues of 1 to 4 threads as a share of all."""
        row = self.row(kernel, mechanism)
        if row is None:
            return None
        issues = row["active_lanes"][1:]
        return sum(issues[:paper.FEW_LANES]) / sum(issues)


def share_of_peak(row, lanes=paper.LANES):
    """Of the program's own instructions: convergence barriers execute some beside."""
    return None if row is None else row["oracle_thread_instructions"] / row["cycles"] / row["sms"] / lanes
