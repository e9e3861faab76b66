# SPDX-License-Identifier: Apache-2.0
"""Why ours differs: causes.yaml names, for a claim, statistics and experiments that take something away; here they become
sentences, with numbers from the results. A claim that differs and has no cause there is not yet explained."""
import pathlib

from harness import causes as causes_of
from harness.causes import BadCauses, cause
from harness.page import listed, number, of_whole, percent

from . import grid, paper
from .measures import least, mean, most

CAUSES = pathlib.Path(__file__).resolve().parent / "causes.yaml"
WORDS = {"avg_path": "AvgPath", "idle_cycles": "idle cycles", "lane_utilisation": "lanes used", "cycles": "cycles",
         "warp_instructions": "warp instructions", "stack_depth.max": "deepest stack",
         "memory_system.l1_accesses": "L1 accesses", "memory_system.l1_hits": "L1 hits",
         "memory_system.l1_misses": "L1 misses", "memory_system.l2_misses": "L2 misses",
         "memory_system.dram_bytes": "bytes of DRAM"}
SWEEPS = {"L1": ("l1_bytes", paper.L1_BYTES, grid.L1_SWEEP), "L2": ("l2_bytes", paper.L2_BYTES, grid.L2_SWEEP)}


def named(kernels):
    return listed(paper.name(kernel) for kernel in kernels)


def in_words(key):
    return WORDS.get(key, key)


def of_each(kernels, texts):
    return listed(f"{paper.name(kernel)} {text}" for kernel, text in zip(kernels, texts))


def mean_of(m, kernels, mechanism, over, key, **how):
    """The mean gain of speed, or with a key the mean change of a statistic."""
    return mean(m.change(kernel, mechanism, key, over, **how) if key else m.gain(kernel, mechanism, over, **how)
                for kernel in kernels)


def comparison(key, mechanism, over):
    """What such a mean is of."""
    return f"the gain of {mechanism} over {over}" if not key else f"the change of {in_words(key)} under {mechanism} against {over}"


def experiment(words, **changes):
    """A sentence: a mean with something taken away, and as it is."""
    def sentence(m, kernels, mechanism="DPE", over="SPE", key="", apart=False):
        """\\param apart  each kernel by itself"""
        parts = []
        for some in ([[kernel] for kernel in kernels] if apart else [kernels]):
            with_it, as_it_is = (mean_of(m, some, mechanism, over, key, **how) for how in (changes, {}))
            if None in (with_it, as_it_is):
                return None
            parts.append(f"{percent(with_it)} instead of {percent(as_it_is)} ({named(some)})")
        return f"{words} {comparison(key, mechanism, over)} is {listed(parts)}"
    return sentence


def other_reference(m, kernels, to, mechanism="DPE", over="SPE", key=""):
    """The same against another mechanism."""
    pair = [mean_of(m, kernels, mechanism, one, key) for one in (to, over)]
    if None in pair:
        return None
    return f"{comparison(key, mechanism, to)} is {percent(pair[0])}, over {over} {percent(pair[1])} ({named(kernels)})"


def without(m, kernels, left_out, mechanism="DPE", over="SPE", key=""):
    """The mean of the others."""
    others = [kernel for kernel in kernels if kernel not in left_out]
    those, rest = (mean_of(m, some, mechanism, over, key) for some in (left_out, others))
    if None in (those, rest):
        return None
    return f"{comparison(key, mechanism, over)} is {percent(rest)} without {named(left_out)}, of which it is {percent(those)}"


def best_without(m, kernels, left_out, mechanism="DPE", over="SPE"):
    """The best of the others."""
    best = most(m.gain(kernel, mechanism, over) for kernel in kernels if kernel not in left_out)
    return None if best is None else f"without {named(left_out)} the best gain of {mechanism} over {over} is {percent(best)}"


def statistic(m, kernels, key, mechanism="DPE", over="SPE"):
    """A count under one mechanism against another."""
    changes = [m.change(kernel, mechanism, key, over) for kernel in kernels]
    if None in changes:
        return None
    return f"{in_words(key)} under {mechanism} against {over}: {of_each(kernels, map(percent, changes))}"


def each(m, kernels, mechanism="DPE", over="SPE"):
    """The gain of each program."""
    gains = [m.gain(kernel, mechanism, over) for kernel in kernels]
    return None if None in gains else f"the gain of {mechanism} over {over}: {of_each(kernels, map(percent, gains))}"


def implied(m, kernels):
    """DPE alone, where the paper says what DWS50 gains over SPE and over DPE."""
    gains = [m.gain(kernel, "DPE") for kernel in kernels]
    if None in gains:
        return None
    theirs = [(1 + over_spe) / (1 + over_dpe) - 1 for over_spe, over_dpe in map(paper.DWS50_GAINS.get, kernels)]
    words = [f"{percent(gain)} and {percent(their)}" for gain, their in zip(gains, theirs)]
    return f"the gain of DPE over SPE here, and there from the paper's two numbers: {of_each(kernels, words)}"


def nesting(m, kernels):
    """A divergent branch takes an entry for each side of it in SPE's stack, and one of DPE's."""
    depths = {kernel: [m.value(kernel, one, "stack_depth.max") for one in ("SPE", "DPE")] for kernel in kernels}
    if any(None in pair for pair in depths.values()):
        return None
    kernel = max(depths, key=depths.get)
    spe, dpe = depths[kernel]
    return (f"{paper.name(kernel)} is deepest under SPE, with {spe} entries, and has {dpe} under DPE, where a divergent branch "
            f"takes one: {dpe - 1} are inside one another; {paper.SPE_DEPTH} entries of SPE are at least "
            f"{paper.SPE_DEPTH // 2} branches, as one takes at most two")


def value(m, kernels, key, mechanism="SPE", level="O2"):
    """A count as it is, or with the programs compiled otherwise."""
    values = [m.value(kernel, mechanism, key, level=level) for kernel in kernels]
    if None in values:
        return None
    compiled = "" if level == "O2" else f", compiled at -{level}"
    return f"{in_words(key)} under {mechanism}{compiled}: {of_each(kernels, map(number, values))}"


def share(m, kernels, key, of, mechanism="SPE"):
    """What part one count is of another."""
    pairs = [[m.value(kernel, mechanism, one) for one in (key, of)] for kernel in kernels]
    if any(None in pair or not pair[1] for pair in pairs):
        return None
    shares = [of_whole(part / whole) for part, whole in pairs]
    return f"{in_words(key)} of {in_words(of)} under {mechanism}: {of_each(kernels, shares)}"


def stalls(m, kernels, mechanism="SPE"):
    """What most cycles without an issue wait for."""
    largest = [m.largest_stall(kernel, mechanism) for kernel in kernels]
    if None in largest:
        return None
    words = [f"{of_whole(share)} {reason}" for reason, share in largest]
    return f"the largest part of the schedulers' cycles without an issue, under {mechanism}: {of_each(kernels, words)}"


def stall(m, kernels, reason, mechanism="DPE", over="SPE"):
    """How much of the schedulers' cycles one reason takes, under two mechanisms."""
    shares = [[m.stall_share(kernel, one, reason) for one in (mechanism, over)] for kernel in kernels]
    if any(None in pair for pair in shares):
        return None
    words = [f"{of_whole(here)} and {of_whole(there)}" for here, there in shares]
    return f"of the schedulers' cycles without an issue for \"{reason}\", under {mechanism} and {over}: " + of_each(kernels, words)


def no_warp(m, kernels, mechanism="SPE"):
    """How much of the machine the data set fills."""
    shares = [mean(m.stall_share(kernel, mechanism, "no warp", **how) for kernel in kernels) for how in ({}, {"sms": 1})]
    if None in shares:
        return None
    whole, one = shares
    return (f"schedulers have no warp at all in {of_whole(whole)} of their cycles with all SMs and in {of_whole(one)} with one, "
            f"as the data sets are small ({named(kernels)}, {mechanism})")


def full(m, kernels, mechanism="DPE", over="SPE", key=""):
    """With as many warps as the limit of thread instructions allows, where a program takes any number."""
    before, after = ([mean_of(m, [kernel], mechanism, over, key, **how(kernel)) for kernel in kernels]
                     for how in (lambda kernel: {}, lambda kernel: grid.FULL[kernel]))
    if None in before + after:
        return None
    warps = [number(grid.FULL[kernel]["warps"] / grid.SMS) for kernel in kernels]
    return (f"with {listed(warps)} warps a SM {comparison(key, mechanism, over)} is {percent(mean(after))} instead of "
            f"{percent(mean(before))} ({named(kernels)})")


def sizes(m, kernels, cache, left_out=(), over="SPE"):
    """How far the gain moves over the sizes of a cache, without some kernels or over another reference; one kernel's gains."""
    key, usual, sweep = SWEEPS[cache]
    some = [kernel for kernel in kernels if kernel not in left_out]
    all_sizes = sorted((usual, *sweep))
    gains = {kernel: [m.gain(kernel, "DPE", over, **grid.cache(key, size, usual)) for size in all_sizes] for kernel in some}
    if any(None in row for row in gains.values()):
        return None
    if len(some) == 1:
        words = [f"{percent(gain)} at {size // grid.KIB} KB" for gain, size in zip(gains[some[0]], all_sizes)]
        return f"the gain of DPE over {over} is {listed(words)} ({paper.name(some[0])})"
    here = all_sizes.index(usual)
    farthest, kernel = max((max(abs(gain - row[here]) for gain in row), kernel) for kernel, row in gains.items())
    return f"the farthest is {percent(farthest)} without {named(left_out)} ({paper.name(kernel)})"


def jitter(m, kernels, mechanism="DPE", over="SPE"):
    """Between what the gain lies when the machine is changed a little, for both."""
    words = []
    for kernel in kernels:
        gains = [m.gain(kernel, mechanism, over, settings=settings) for settings in ("", *grid.JITTER)]
        if None in gains:
            return None
        words.append(f"{percent(least(gains))} to {percent(most(gains))}")
    return (f"with {len(grid.JITTER)} latencies of the crossbar that are a cycle or two from ours, and with ours, the gain of "
            f"{mechanism} over {over} is between: {of_each(kernels, words)}")


EVIDENCE = {
    "ideal_memory": experiment("with a memory where a miss costs a hit", memory="ideal"),
    "one_sm": experiment("with all warps on one SM and its share of the memory", sms=1),
    "one_sm_chip": experiment("with all warps on one SM and the memory of all", sms=1, memory="chip"),
    "other_data": experiment("with other data", seed=2),
    "fast_fetch": experiment("with a fetch of a cycle", settings="fetch_latency=1"),
    "less_optimised": experiment("compiled at -O1", level="O1"),
    "more_optimised": experiment("compiled at -O3", level="O3"),
    "other_reference": other_reference,
    "without": without,
    "best_without": best_without,
    "full": full,
    "sizes": sizes,
    "jitter": jitter,
    "statistic": statistic,
    "each": each,
    "implied": implied,
    "nesting": nesting,
    "value": value,
    "share": share,
    "stalls": stalls,
    "stall": stall,
    "no_warp": no_warp,
}


def load(claims, file=CAUSES):
    """{claim: [(evidence, its options, words)]}. \\throws BadCauses"""
    return causes_of.load(claims, EVIDENCE, file)
