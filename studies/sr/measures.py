# SPDX-License-Identifier: Apache-2.0
"""Numbers from results. What is missing is None."""
from harness import measures
from harness.measures import geometric_mean, mean, most

from . import grid

__all__ = ("Measures", "mean", "most", "geometric_mean")
GAINS = 0.02  # ours: from so much on a difference of speed is one


def efficiency_of(row):
    """SIMT efficiency (sec. 2): lanes that are active in an issue, of all lanes; barriers' own instructions are issues too."""
    if row is None:
        return None
    lanes = row["active_lanes"]
    return sum(active * issues for active, issues in enumerate(lanes)) / sum(lanes) / (len(lanes) - 1)


class Measures(measures.Measures):
    def __init__(self, results):
        super().__init__(results, grid.job, "barriers")

    def find(self, job):
        return self.results.find(job)

    def efficiency(self, job):
        return efficiency_of(self.find(job))

    def over(self, key, job, other):
        """Of a statistic of two runs."""
        rows = self.find(job), self.find(other)
        return None if None in rows or not rows[1][key] else rows[0][key] / rows[1][key]

    def speed_up(self, job, base=None):
        """\\param base  without it: the same kernel at its size by default reconvergence"""
        return self.over("cycles", base or grid.job(job.kernel), job)

    def fewer_issues(self, job, base=None):
        return self.over("warp_instructions", base or grid.job(job.kernel), job)

    def rate(self, job, base=None):
        """Issues a cycle over those of the base: speed-up = fewer issues x this."""
        speed, issues = self.speed_up(job, base), self.fewer_issues(job, base)
        return None if speed is None else speed / issues

    def more_efficient(self, job, base=None):
        after, before = self.efficiency(job), self.efficiency(base or grid.job(job.kernel))
        return None if None in (after, before) else after / before

    def of_barriers(self, job):
        """Thread instructions that barriers execute, over those of the program."""
        row = self.find(job)
        return None if row is None else row["thread_instructions"] / row["oracle_thread_instructions"] - 1

    def stall(self, job):
        """(reason, share of the schedulers' cycles) of the largest."""
        row = self.find(job)
        if row is None:
            return None
        shares = [(value / row["scheduler_cycles"], key.removeprefix("stalls.")) for key, value in row.items()
                  if key.startswith("stalls.")]
        share, reason = max(shares)
        return reason, share

    def misses(self, job):
        """Of the L1, in a thousand thread instructions of the program."""
        row = self.find(job)
        return None if row is None else 1000 * row["memory_system.l1_misses"] / row["oracle_thread_instructions"]

    def sweep(self, kernel):
        """{threshold: (efficiency, speed-up over default)}; None: all that may come."""
        jobs = {threshold: grid.predicted(kernel, soft_threshold=threshold) for threshold in grid.THRESHOLDS}
        jobs[None] = grid.predicted(kernel)
        return {threshold: (self.efficiency(job), self.speed_up(job)) for threshold, job in jobs.items()}

    def best_threshold(self, kernel):
        """(threshold, speed-up) where it is fastest; of those as fast as that, but for what is no difference, the largest
        number of lanes."""
        speeds = {grid.LANES if threshold is None else threshold: speed for threshold, (_, speed) in self.sweep(kernel).items()}
        if None in speeds.values():
            return None
        best = max(speeds.values())
        return max(threshold for threshold, speed in speeds.items() if speed >= best * (1 - GAINS)), best

    def is_candidate(self, job):
        """Whether automatic reconvergence has put barriers into the code: the run is another one."""
        rows = self.find(job), self.find(grid.job(job.kernel))
        return None if None in rows else rows[0]["warp_instructions"] != rows[1]["warp_instructions"]
