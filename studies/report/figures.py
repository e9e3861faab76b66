# SPDX-License-Identifier: Apache-2.0
"""What runs say beside each other: gains over the reference, shares of cycles, and what changed most."""
import math

from harness.measures import geometric_mean as mean

ISSUE = "an issue"
LEAST = 0.005  # of cycles: what gains less gains nothing


class Study:
    """Runs by kernel and mechanism. The reference of a kernel: the one that was asked for, else its first run."""

    def __init__(self, runs, reference=None):
        self.kernels = list(dict.fromkeys(run.kernel for run in runs))
        self.mechanisms = list(dict.fromkeys(run.mechanism for run in runs))
        self.runs = sorted(runs, key=lambda run: (self.kernels.index(run.kernel), self.mechanisms.index(run.mechanism)))
        self.by_name = {(run.kernel, run.mechanism): run for run in runs}
        self.reference = reference or self.mechanisms[0]

    def of(self, kernel):
        return [run for run in self.runs if run.kernel == kernel]

    def base(self, kernel):
        """What the kernel's gains are over; None where it has not ended."""
        ended = [run for run in self.of(kernel) if run.ended]
        return next((run for run in ended if run.mechanism == self.reference), None)

    def gain(self, run):
        """Cycles of the reference over its own."""
        base = self.base(run.kernel)
        return base["cycles"] / run["cycles"] if base and run.ended else None

    def others(self):
        return [name for name in self.mechanisms if name != self.reference]

    def gains(self, mechanism):
        """{kernel: gain}"""
        found = {kernel: self.gain(self.by_name[kernel, mechanism]) for kernel in self.kernels
                 if (kernel, mechanism) in self.by_name}
        return {kernel: gain for kernel, gain in found.items() if gain is not None}

    def best(self, kernel):
        """Of those beside the reference, the fastest; None where there is none."""
        others = [run for run in self.of(kernel) if run.mechanism != self.reference and self.gain(run) is not None]
        return max(others, key=self.gain, default=None)


def cycles_by_reason(run):
    """{reason: scheduler cycles}, issues first: all of them."""
    return {ISSUE: run["warp_instructions"], **run["stalls"]}


def share(run, reason):
    return cycles_by_reason(run).get(reason, 0) / run["scheduler_cycles"]


def idle_share(run):
    """Of the cycles of all its SMs."""
    cycles = run["cycles"] if run["sms"] == 1 else sum(one["cycles"] for one in run["of_each_sm"])
    return run["idle_cycles"] / cycles


def largest_stall(run):
    """(reason, share of the scheduler cycles); ("", 0) where it never stalls."""
    reason = max(run["stalls"], key=run["stalls"].get, default="")
    return (reason, share(run, reason)) if reason and run["stalls"][reason] else ("", 0)


def diverged(run):
    """Share of the branches whose lanes went both ways; None without branches."""
    return run["divergent_branches"] / run["branches"] if run["branches"] else None


def saved(base, run):
    """{reason: scheduler cycles that the run has less of}, most first."""
    before, now = cycles_by_reason(base), cycles_by_reason(run)
    less = {reason: before.get(reason, 0) - now.get(reason, 0) for reason in {**before, **now}}
    return dict(sorted(less.items(), key=lambda item: -item[1]))


# Statistics that can be the cause of a gain: key, name, how to read it, how to write it, whether more of it gains.
CAUSES = (("lane_utilisation", "lanes used", lambda run: run["lane_utilisation"], "{:.1%}", True),
          ("avg_path", "AvgPath", lambda run: run["avg_path"], "{:.2f}", True),
          ("idle_cycles", "idle cycles", idle_share, "{:.1%}", False),
          ("warp_instructions", "warp instructions", lambda run: run["warp_instructions"], "{:,}", False))


def largest_change(base, run):
    """(key, name, before, now) of the cause that changed most, in the way in which the cycles did, as texts; None where none
    did by a hundredth."""
    is_faster = run["cycles"] <= base["cycles"]

    def change(cause):
        before, now = cause[2](base), cause[2](run)
        return math.log(now / before) * (1 if cause[4] == is_faster else -1) if before > 0 and now > 0 else 0
    cause = max(CAUSES, key=change)
    if change(cause) < 0.01:
        return None
    key, name, read, form, _ = cause
    return key, name, form.format(read(base)), form.format(read(run))
