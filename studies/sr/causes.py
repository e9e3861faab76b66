# SPDX-License-Identifier: Apache-2.0
"""Why ours differs, from results: statistics of the runs, and the experiments of the grid."""
from harness.page import listed, of_whole

from . import grid, paper
from .grid import KERNELS, automatic, job, predicted
from .measures import GAINS

UNKNOWN = "not yet explained"


def times(value):
    return f"{value:.2f}x"


def is_same(m, kernel):
    """Whether automatic reconvergence runs as fast as annotated."""
    ratio = m.speed_up(automatic(kernel), predicted(kernel))
    return ratio is not None and abs(ratio - 1) <= GAINS


def losers(m):
    """Kernels that do not get more efficient, and how many times the issues they have."""
    ratios = {kernel: m.more_efficient(predicted(kernel)) for kernel in KERNELS}
    less = [kernel for kernel, ratio in ratios.items() if ratio is not None and ratio < 1 + paper.LEAST_GAIN]
    words = listed(f"`{kernel}` {times(1 / m.fewer_issues(predicted(kernel)))}" for kernel in less)
    return f"what is around the predicted point is run by fewer lanes at a time: issues over default {words}" if less else None


def of_items(m):
    """The tail of a loop merge: nobody comes any more who could fill the warp."""
    words = []
    for kernel in grid.COARSENED:
        few, many = (m.more_efficient(predicted(kernel, coarsen=count), job(kernel, coarsen=count))
                     for count in (grid.ITEMS_SWEPT[1], grid.ITEMS_SWEPT[-1]))
        if None in (few, many):
            return None
        words.append(f"`{kernel}` {times(few)} and {times(many)}")
    return (f"the fewer work items a thread has, the more of the run is its end, for which nobody comes who could fill the warp: "
            f"efficiency with {grid.ITEMS_SWEPT[1]} and {grid.ITEMS_SWEPT[-1]} items {listed(words)}")


def of_rate(m):
    """Fewer issues, but no more of them a cycle."""
    best = max(KERNELS, key=lambda kernel: m.speed_up(predicted(kernel)) or 0)
    one = predicted(best)
    found = m.stall(one)
    if found is None:
        return None
    return (f"largest is `{best}`: {times(m.fewer_issues(one))} fewer issues, {times(m.rate(one))} issues a cycle; then the schedulers wait "
            f"for {found[0]} {of_whole(found[1], 0)} of the time")


def of_difference(m):
    other = [kernel for kernel in KERNELS if not is_same(m, kernel)]
    words = listed(f"`{kernel}` {times(m.speed_up(automatic(kernel)))}, not {times(m.speed_up(predicted(kernel)))}" for kernel in other)
    return f"it takes another point, which its guesses of costs favour: {words}; the other {len(KERNELS) - len(other)} are the same" if other else None


def of_limit(m):
    """The best that any place to meet could do."""
    rows = {kernel: m.find(grid.limit(kernel)) for kernel in grid.LIMITED}
    if None in rows.values():
        return None
    words = listed(f"`{kernel}` {times(m.fewer_issues(predicted(kernel, coarsen=grid.LIMIT_ITEMS), job(kernel, coarsen=grid.LIMIT_ITEMS)))} "
                   f"of at most {times(row['most_speed_up'])}" for kernel, row in rows.items())
    return f"with {grid.LIMIT_ITEMS} items the issues saved by the prediction, and by whatever order of a warp's instructions: {words}"


def of_picker(m):
    """Who goes first when several groups can."""
    kernel = grid.SWEPT[0]
    speeds = {picker: m.speed_up(predicted(kernel, mechanism=picker), job(kernel, picker)) for picker in grid.PICKERS}
    if None in speeds.values():
        return None
    words = listed(f"{picker} {times(speed)}" for picker, speed in speeds.items() if picker != "barriers")
    return f"which group goes first matters as much; `{kernel}` {times(speeds['barriers'])}, with other pickers {words}"


def of_who_waits(m):
    """What waiting at the point costs where lanes met until then."""
    kernel = grid.SWEPT[1]
    none, four = (predicted(kernel, soft_threshold=threshold) for threshold in (0, 4))
    speeds, lanes = [m.speed_up(job) for job in (none, four)], [m.efficiency(job) for job in (none, four, predicted(kernel))]
    if None in speeds + lanes:
        return None
    return (f"whoever has to wait leaves the default barrier, as in SR Fig. 6, and starts the next look-up apart from the others: efficiency "
            f"{of_whole(lanes[0])} with 0, {of_whole(lanes[1])} with 4, {of_whole(lanes[2])} where all wait; with 0, where nobody does, "
            f"{times(speeds[0])}, as the barrier's own instructions are issues too ({times(1 / m.fewer_issues(none))} as many)")


def of_outside(m):
    """How much there is around the inner loop."""
    kernel = grid.SWEPT[1]
    before, after = m.efficiency(job(kernel)), m.efficiency(predicted(kernel))
    return None if None in (before, after) else (
        f"the binary search of its prolog and the reactions of its epilog are then run by few lanes, and cost more than the inner loop gains: "
        f"efficiency {of_whole(before)} by default, {of_whole(after)} predicted")


def of_equal_pcs(m):
    """The picker issues all lanes with one PC."""
    kernel = paper.MICRO_BENCHMARK
    stack, barriers, both = m.efficiency(job(kernel, "SPE")), m.efficiency(job(kernel)), m.speed_up(job(kernel), job(kernel, "SPE"))
    if None in (stack, barriers, both):
        return None
    return (f"lanes of both sides meet at the function's first instruction without a prediction too, as the picker issues all that stand at one PC: "
            f"efficiency {of_whole(stack)} on the stack, {of_whole(barriers)} with barriers, which are {times(both)} as fast")


def of_choice(m):
    """Ours are chosen."""
    values = [m.efficiency(job(kernel)) for kernel in grid.OTHERS]
    if None in values:
        return None
    low = sum(value < paper.LOW_EFFICIENCY for value in values)
    return f"ours are the papers' divergent programs, not a collection of applications; of those that are not of SR Table 2 {low} of {len(values)}"


CAUSES = {
    "fig7.all": (losers,),
    "fig7.most": (of_items, of_limit),
    "fig8.all": (losers,),
    "fig8.most": (of_rate, of_items, of_limit, of_picker),
    "fig9.xsbench": (of_who_waits,),
    "fig9.xsbench.gain": (of_who_waits, of_outside),
    "fig10.same": (of_difference,),
    "fig2c": (of_equal_pcs,),
    "sec5.4.low": (of_choice,),
    "sec5.4.candidates": (of_choice,),
}


def of(name, m):
    said = [text for sentence in CAUSES.get(name, ()) if (text := sentence(m)) is not None]
    return "; ".join(said) if said else UNKNOWN
