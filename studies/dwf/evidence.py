# SPDX-License-Identifier: Apache-2.0
"""Why ours differs: the statistics and experiments of which causes.yaml chooses, as sentences with numbers from the results."""
import pathlib

from harness import causes as causes_of
from harness.causes import BadCauses, cause
from harness.page import listed, number, of_whole, percent

from . import grid, paper
from .measures import mean, share_of_peak

__all__ = ("BadCauses", "cause", "load", "EVIDENCE")
AS_LONG = "PDOM, as long"
CAUSES = pathlib.Path(__file__).resolve().parent / "causes.yaml"
WORDS = {"warp_instructions": "warp instructions", "lane_utilisation": "lanes used", "cycles": "cycles",
         "memory_system.l1_accesses": "L1 accesses", "memory_system.dram_row_hits": "DRAM row hits",
         "memory_system.dram_activations": "DRAM activations", "memory_system.dram_bytes": "bytes of DRAM",
         "memory_system.l1_misses": "L1 misses", "memory_system.line_requests": "requests of lines",
         "memory_system.shared_passes": "passes of shared memory", "commit_holds": "commit holds",
         "formation_evictions": "evictions", "formation_hits": "hits", "formation_conflicts": "lane conflicts"}
def in_words(key):
    return WORDS.get(key, key)


def named(kernels):
    return "all" if tuple(kernels) == tuple(paper.KERNELS) else listed(paper.name(kernel) for kernel in kernels)


def of_each(kernels, texts):
    return listed(f"{paper.name(kernel)} {text}" for kernel, text in zip(kernels, texts))


def experiment(words, **changes):
    """A sentence: the gain of the means with something taken away for both, and as it is."""
    def sentence(m, kernels, mechanism="DMaj", over="PDOM", apart=False):
        parts = []
        for some in ([[kernel] for kernel in kernels] if apart else [kernels]):
            with_it, as_it_is = (m.mean_gain(mechanism, over, some, **how) for how in (changes, {}))
            if None in (with_it, as_it_is):
                return None
            parts.append(f"{percent(with_it)} instead of {percent(as_it_is)} ({named(some)})")
        return f"{words} the gain of {mechanism} over {over} is {listed(parts)}"
    return sentence


def one_stage_less(m, kernels):
    """Of formation alone, as the paper has it for formation alone."""
    gains = [(m.with_one_stage_less(kernel), m.gain(kernel, "DMaj")) for kernel in kernels]
    if any(None in pair for pair in gains):
        return None
    words = [f"{percent(less)} instead of {percent(as_it_is)}" for less, as_it_is in gains]
    return f"with one stage less the gain of DMaj over PDOM is: {of_each(kernels, words)}"


def each(m, kernels, mechanism="DMaj", over="PDOM", **changes):
    """The gain of each program."""
    gains = [m.gain(kernel, mechanism, over, **changes) for kernel in kernels]
    return None if None in gains else f"the gain of {mechanism} over {over}: {of_each(kernels, map(percent, gains))}"


def statistic(m, kernels, key, mechanism="DMaj", over="PDOM"):
    """A count under one mechanism against another."""
    changes = [m.change(kernel, mechanism, key, over) for kernel in kernels]
    if None in changes:
        return None
    return f"{in_words(key)} under {mechanism} against {over}: {of_each(kernels, map(percent, changes))}"


def stall(m, kernels, reason, mechanism="DMaj"):
    """How much of the cycles one reason takes."""
    shares = [m.stall_share(kernel, mechanism, reason) for kernel in kernels]
    if None in shares:
        return None
    return f"of the cycles \"{reason}\" takes, under {mechanism}: {of_each(kernels, map(of_whole, shares))}"


def stalls(m, kernels, mechanism="PDOM"):
    """What most cycles without an issue wait for."""
    largest = [m.largest_stall(kernel, mechanism) for kernel in kernels]
    if None in largest:
        return None
    words = [f"{of_whole(share)} {reason}" for reason, share in largest]
    return f"the largest part of the cycles without an issue, under {mechanism}: {of_each(kernels, words)}"


def without(m, kernels, left_out, mechanism="DMaj", over="PDOM"):
    """The mean of the others."""
    rest = m.mean_gain(mechanism, over, [kernel for kernel in kernels if kernel not in left_out])
    return None if rest is None else f"without {named(left_out)} the gain of {mechanism} over {over} is {percent(rest)}"


def of_peak(m, kernels, mechanism="PDOM"):
    """Each program's IPC with ideal memory, as a share of the peak, at each width."""
    rows = []
    for kernel in kernels:
        shares = [m.results.find(grid.of_width(kernel, mechanism, width, memory="ideal")) for width in paper.WIDTHS]
        if None in shares:
            return None
        rows.append(listed(of_whole(share_of_peak(row, width)) for row, width in zip(shares, paper.WIDTHS)))
    return f"of the peak at {listed(map(str, paper.WIDTHS))} lanes: {of_each(kernels, rows)}"


def width_without(m, kernels, left_out):
    """The mean of the others at each width."""
    rest = [m.mean_of_width(width, [kernel for kernel in kernels if kernel not in left_out]) for width in paper.WIDTHS]
    if None in rest:
        return None
    return f"without {named(left_out)} it is {listed(map(of_whole, rest))} of the peak at {listed(map(str, paper.WIDTHS))} lanes"


def bodies(m, kernels):
    """The limit study of Fig. 7 with other bodies."""
    del kernels
    gains = {body: m.limit(grid.limit_of_pathological(body)) for body in grid.PATHOLOGICAL}
    if None in gains.values():
        return None
    return "the speed-up is " + listed(f"{percent(gain)} with {body} instructions in the body" for body, gain in gains.items())


def bounds(m, kernels):
    """What no order goes beyond."""
    rows = [m.results.find(grid.limit(kernel)) for kernel in kernels]
    if None in rows:
        return None
    most = [row["most_speed_up"] - 1 for row in rows]
    return f"no order gains more than: {of_each(kernels, map(percent, most))}"


def pairs(words, of, mechanisms=("PDOM", "DMaj"), digits=1):
    """A sentence: a share of each program, under each of some mechanisms. \param of  of (Measures, kernel, mechanism)"""
    def sentence(m, kernels, mechanisms=mechanisms):
        rows = [[of(m, kernel, mechanism) for mechanism in mechanisms] for kernel in kernels]
        if any(None in row for row in rows):
            return None
        return f"{words}, under {listed(mechanisms)}: " + of_each(kernels, (listed(of_whole(share, digits) for share in row)
                                                                         for row in rows))
    return sentence


def spills(m, kernels, mechanism="PDOM"):
    """With the registers of the paper's file."""
    words = []
    for kernel in kernels:
        row, wide = m.results.find(grid.spilled(kernel, mechanism)), m.row(kernel, mechanism)
        if None in (row, wide) or "spill_instructions" not in row:
            return None
        words.append(f"{number(share_of_peak(row) * paper.PEAK, 1)} instead of {number(m.ipc(kernel, mechanism), 1)}, where "
                     f"{of_whole(row['spill_instructions'] / row['warp_instructions'])} of the warp instructions spill")
    return f"with {grid.REGISTERS} registers a thread, what is more spilled, the IPC of {mechanism} is: {of_each(kernels, words)}"


def few_threads(m, kernels, mechanism="DMaj"):
    """Warps that the threads of a core are at most, as full as they are."""
    counts = [m.value(kernel, mechanism, "lane_utilisation") for kernel in kernels]
    if None in counts:
        return None
    warps = [number(paper.THREADS / (share * paper.LANES), 1) for share in counts]
    return f"{paper.THREADS} threads are, as full as warps are issued under {mechanism}, so many warps: {of_each(kernels, warps)}"


def mean_few(m, kernels, mechanisms=tuple(grid.POLICIES)):
    """Issues with few lanes, by policy."""
    shares = [mean(m.few_lanes(kernel, mechanism) for kernel in kernels) for mechanism in mechanisms]
    if None in shares:
        return None
    words = listed(f"{mechanism} {of_whole(share)}" for mechanism, share in zip(mechanisms, shares))
    return f"issues of 1 to {paper.FEW_LANES} lanes, mean: {words}"


def by_policy(m, kernels, mechanisms=tuple(grid.POLICIES), over="PDOM"):
    """The mean gain of each policy."""
    gains = [m.mean_gain(mechanism, over, kernels) for mechanism in mechanisms]
    if None in gains:
        return None
    return f"gain over {over}: " + listed(f"{mechanism} {percent(gain)}" for mechanism, gain in zip(mechanisms, gains))


def loop(m, kernels):
    """How long a warp takes to come round, and how many warps there are to fill the time."""
    del kernels
    cycles = [m.loop(mechanism) for mechanism in ("DMaj", "PDOM", AS_LONG)]
    if None in cycles:
        return None
    return (f"a warp issues an addition every {number(cycles[0])} cycles under formation and every {number(cycles[1])} under PDOM "
            f"({number(cycles[2])}: {AS_LONG}), and a core has {paper.THREADS // paper.LANES} full warps")


def loop_of_mimd(m, kernels):
    del kernels
    cycles = [m.loop(mechanism) for mechanism in ("MIMD", "DMaj")]
    if None in cycles:
        return None
    return f"a thread issues an addition every {number(cycles[0])} cycles under MIMD, and every {number(cycles[1])} under formation"


def as_long(m, kernels, mechanism="DMaj", apart=False):
    """Over PDOM whose warps come round as late as those of formation."""
    parts = []
    for some in ([[kernel] for kernel in kernels] if apart else [kernels]):
        pair = [m.mean_gain(mechanism, over, some) for over in (AS_LONG, "PDOM")]
        if None in pair:
            return None
        parts.append(f"{percent(pair[0])} instead of {percent(pair[1])} ({named(some)})")
    return f"over a PDOM whose warps come round as late, but for one stage, the gain of {mechanism} is {listed(parts)}"


def one_pipeline(m, kernels, apart=False):
    """... and in which no instruction waits for a unit, for both."""
    parts = []
    for some in ([[kernel] for kernel in kernels] if apart else [kernels]):
        pair = [m.mean_gain("DMaj", AS_LONG, some, **how) for how in ({"settings": grid.ONE_PIPELINE}, {})]
        if None in pair:
            return None
        parts.append(f"{percent(pair[0])} instead of {percent(pair[1])} ({named(some)})")
    return f"where no instruction waits for a unit the gain of DMaj over {AS_LONG} is {listed(parts)}"


def as_fig_2(m, kernels, mechanism="DMaj", apart=False):
    """Where the pipeline has the stages of Fig. 2, for both."""
    parts = []
    for some in ([[kernel] for kernel in kernels] if apart else [kernels]):
        pair = [m.mean_gain(mechanism, "PDOM", some, **how) for how in ({"settings": grid.AS_FIG_2}, {})]
        if None in pair:
            return None
        parts.append(f"{percent(pair[0])} instead of {percent(pair[1])} ({named(some)})")
    return f"with a pipeline of the stages of Fig. 2 the gain of {mechanism} over PDOM is {listed(parts)}"


EVIDENCE = {
    "ideal_memory": experiment("with a memory where a miss costs a hit", memory="ideal"),
    "one_stage_less": one_stage_less, "loop": loop, "loop_of_mimd": loop_of_mimd, "as_long": as_long, "as_fig_2": as_fig_2, "one_pipeline": one_pipeline,
    "lanes": pairs("lanes used", lambda m, kernel, mechanism: m.value(kernel, mechanism, "lane_utilisation")),
    "issues": pairs("cycles with an issue, of those in which a core has threads", lambda m, *which: m.issues(*which)),
    "open_rows": pairs("DRAM accesses that find their row open", lambda m, *which: m.open_rows(*which)),
    "miss_rates": pairs("L1 accesses that miss", lambda m, *which: m.misses(*which), digits=2),
    "bandwidths": pairs("bandwidth used", lambda m, *which: m.bandwidth(*which)),
    "shared": pairs("accesses of warps that go to shared memory", lambda m, *which: m.in_shared_memory(*which)),
    "each": each, "statistic": statistic, "stall": stall, "stalls": stalls, "without": without,
    "of_peak": of_peak, "width_without": width_without, "bodies": bodies, "bounds": bounds, "spills": spills, "few_threads": few_threads, "mean_few": mean_few,
    "by_policy": by_policy,
}


def load(claims, file=CAUSES):
    """{claim: [(evidence, its options, words)]}. \\throws BadCauses"""
    return causes_of.load(claims, EVIDENCE, file)
