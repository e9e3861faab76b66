# SPDX-License-Identifier: Apache-2.0
"""Why ours differs, from results: statistics of the runs, and the experiments of the grid."""
from harness.page import listed, of_whole

from . import grid
from .grid import PROGRAMS
from .measures import geometric_mean, mean

UNKNOWN = "not yet explained"
WORST = 4  # kernels that a sentence names


def times(value):
    return f"{value:.2f}x"


def worst(m, of, kernels=PROGRAMS):
    """[(value, kernel)], the largest first; empty if one is missing."""
    values = [(of(kernel), kernel) for kernel in kernels]
    return [] if any(value is None for value, _ in values) else sorted(values, reverse=True)[:WORST]


def named(pairs, text=of_whole):
    return listed(f"`{kernel}` {text(value)}" for value, kernel in pairs)


def of_outcomes(m):
    """The affine warp stands until threads have gone their ways."""
    most = worst(m, lambda kernel: m.waits(kernel, "affine_outcome_cycles"))
    if not most:
        return None
    slow = [kernel for kernel in PROGRAMS if m.speed_up(kernel) < 1]
    shares = [mean(m.waits(kernel, "affine_outcome_cycles") for kernel in some)
              for some in (slow, [kernel for kernel in PROGRAMS if kernel not in slow])]
    if None in shares:
        return None
    return (f"at a branch that parts threads the affine warp waits for where they go, and the warps then wait for it: {of_whole(shares[0])} of the cycles "
            f"on average of the {len(slow)} that lose, {of_whole(shares[1])} of the others; most {named(most)}")


def of_lanes(m):
    """Predicates that are compared a lane at a time."""
    def cycles(kernel):
        row = m.row(kernel, "DAC")
        return None if row is None else (row.get("affine.affine_lane_compares") or 0) / row["cycles"]
    most = [pair for pair in worst(m, cycles) if pair[0] > 0]
    return f"comparisons that the lanes make, a cycle: {named(most, lambda value: f'{value:.3f}')}" if most else None


def of_locks(m):
    most = [pair for pair in worst(m, lambda kernel: m.waits(kernel, "affine_lock_refusals")) if pair[0] > 0.01]
    return f"lines that cannot be locked, as too many of their set are: {named(most)} of the cycles" if most else None


def of_batches(m):
    """What the two choices of ours cost."""
    means = {name: geometric_mean(m.variant(kernel, how) for kernel in PROGRAMS) for name, how in grid.VARIANTS.items()}
    if None in means.values():
        return None
    return "with choices of ours the other way: " + listed(f"{name} {times(value)}" for name, value in means.items() if name != "as it is")


def of_own_branches(m):
    """The same without branches for which the affine warp waits."""
    value = geometric_mean(m.variant(kernel, grid.OWN) for kernel in PROGRAMS)
    if value is None:
        return None
    best = worst(m, lambda kernel: m.variant(kernel, grid.OWN) / m.speed_up(kernel))
    return (f"where accesses that depend on such branches stay in the warps, the mean is {times(value)}; most changed "
            f"{named(best, lambda more: f'{times(more)} as fast')}")


def of_whole_kernels(m):
    shares = {kernel: m.ran_whole(kernel) for kernel in PROGRAMS}
    whole = [kernel for kernel, share in shares.items() if share]
    return f"not split, for the reason that a run names: {listed(f'`{kernel}`' for kernel in whole)}" if whole else None


def of_queues(m):
    """Larger queues."""
    words = []
    for kernel in grid.QUEUED:
        speed = m.of_jobs(grid.job(kernel, "DAC", settings=grid.QUEUES["both of these"]), grid.job(kernel, "DAC"))
        if speed is None:
            return None
        words.append(f"`{kernel}` {times(speed)}")
    return f"with a tuple queue of 64 and warp queues of 16, over ours: {listed(words)}"


def of_ideal(m):
    """What is left of the gain when memory costs nothing."""
    kernels = m.bound(memory=True)
    if not kernels:
        return None
    values = geometric_mean(m.of_jobs(grid.job(kernel, "DAC", **grid.IDEAL), grid.job(kernel, **grid.IDEAL)) for kernel in kernels)
    return None if values is None else f"with ideal memory, where early requests gain nothing, the same are {times(values)}"


def of_issue(m):
    """Fewer instructions help where the schedulers had no time for them."""
    rows = [m.row(kernel, "baseline") for kernel in PROGRAMS]
    if None in rows:
        return None
    busy = [row["warp_instructions"] / row["scheduler_cycles"] for row in rows]
    return (f"schedulers of the baseline issue in {of_whole(mean(busy))} of their cycles on average (at most {of_whole(max(busy))}): fewer instructions "
            "gain only where that is their limit")


def of_tail(m):
    """Address arithmetic that stays."""
    kept = worst(m, lambda kernel: m.fewer_instructions(kernel))
    return f"nothing or little goes away in {named(kept, lambda value: f'{100 * value:+.1f}%')}" if kept else None


def of_lane_rate(m):
    rows = [m.row(kernel, "CAE") for kernel in m.bound(memory=False) or ()]
    if not rows or None in rows:
        return None
    stall = mean(m.stall_share(row["kernel"], "baseline", "structural: lanes") or 0 for row in rows)
    return f"lanes are the baseline's reason to wait in {of_whole(stall)} of its schedulers' cycles"


def of_loads(m):
    least = worst(m, lambda kernel: None if m.decoupled_loads(kernel) is None else 1 - m.decoupled_loads(kernel))
    return (f"addresses that come from memory or from what threads find: least decoupled {named([(1 - value, kernel) for value, kernel in least])}"
            if least else None)


def of_share(m):
    of = ["affine.affine_instructions"], ["affine.affine_instructions", "warp_instructions"]
    most = worst(m, lambda kernel: m.share(kernel, *of))
    return f"most in {named(most)}, of few warps a batch" if most else None


def of_prefetches(m):
    kernels = m.bound(memory=True)
    if not kernels:
        return None
    asked, useful = (sum(m.value(kernel, "MTA", f"prefetch.{key}") or 0 for kernel in kernels) for key in ("asked", "useful"))
    return f"of the lines that it asked for {of_whole(useful / asked)} were read" if asked else "it asked for no line"


SPEED = (of_outcomes, of_own_branches, of_lanes, of_locks, of_batches, of_queues, of_whole_kernels)
CAUSES = {
    "speed": SPEED,
    "speed.compute": (of_outcomes, of_issue),
    "speed.compute.cae": (of_lane_rate,),
    "speed.memory": (of_ideal, of_outcomes, of_locks),
    "speed.memory.mta": (of_prefetches,),
    "instructions": (of_tail, of_whole_kernels),
    "loads": (of_loads, of_whole_kernels),
    "affine.share": (of_share,),
    "predicates.scalar": (of_lanes,),
    "predicates.cheap": (of_lanes,),
    "energy.dynamic": (of_tail, of_lanes),
    "energy.20%": (of_outcomes,),
    "energy.40%": (of_outcomes,),
}


def of(name, m):
    sentences = [said for cause in CAUSES.get(name, ()) if (said := cause(m)) is not None]
    return "; ".join(sentences) if sentences else UNKNOWN
