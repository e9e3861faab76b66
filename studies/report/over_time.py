# SPDX-License-Identifier: Apache-2.0
"""A run's timeline, made as coarse as a page needs."""
MOST = 96  # samples of a chart: it is no wider
KEPT_IF_MANY = 48
MANY = 60  # runs
SHOWN = 8  # columns of the table beside it
COUNTS = ("warp_instructions", "thread_instructions", "paths", "issue_cycles")


def coarser(samples, most):
    """At most so many: neighbours become one, whose counts are added; what holds at the end is the last one's."""
    each = -(-len(samples["cycle"]) // most)
    groups = [range(first, min(first + each, len(samples["cycle"]))) for first in range(0, len(samples["cycle"]), each)]
    return {key: [sum(values[i] for i in group) if key in COUNTS else values[group[-1]] for group in groups]
            for key, values in samples.items()}


def rates(samples, sms):
    """What charts and tables show, sample by sample: numbers a cycle or an issue."""
    ends = samples["cycle"]
    lengths = [end - begin for begin, end in zip([0, *ends], ends)]
    issues = samples["warp_instructions"]

    def an_issue(key):
        return [round(count / issued, 3) if issued else None for count, issued in zip(samples[key], issues)]
    return {"cycle": ends, "warps": samples["resident_warps"], "at_barrier": samples["barrier_warps"],
            "ipc": [round(issued / length, 3) for issued, length in zip(issues, lengths)],
            "paths": an_issue("paths"), "lanes": an_issue("thread_instructions"),
            "idle": [round(max(0, 100 * (1 - busy / length / sms)), 1)
                     for busy, length in zip(samples["issue_cycles"], lengths)]}


def of(run, most):
    """None where the run has none."""
    samples = run.data.get("timeline")
    return rates(coarser(samples, most), run["sms"]) if samples and samples["cycle"] else None
