# SPDX-License-Identifier: Apache-2.0
"""SR's statements that have a number or an order, and ours. `why` is made of results: a statistic or an experiment."""
from harness.claims import Claim, at_least, at_most
from harness.page import MISSING, number, of_whole

from . import causes, grid, paper
from .grid import KERNELS, automatic, job, predicted
from .measures import GAINS, most

XSBENCH, PATHTRACER = "cross_section_lookup", "path_tracer"


def times(value):
    return MISSING if value is None else f"{number(value, 2)}x"


def some(values):
    """None if one is missing."""
    values = list(values)
    return None if None in values else values


def count_of(values, holds):
    values = some(values)
    return None if values is None else sum(map(holds, values))


def more_efficient(m):
    return [m.more_efficient(predicted(kernel)) for kernel in KERNELS]


def faster(m):
    return [m.speed_up(predicted(kernel)) for kernel in KERNELS]


def bounded(m):
    """Kernels that gain efficiency and whose speed-up is no larger than that."""
    pairs = some(pair for pair in zip(more_efficient(m), faster(m)) if None not in pair)
    gaining = [pair for pair in pairs if pair[0] > 1 + GAINS]
    return sum(speed <= efficiency * (1 + GAINS) for efficiency, speed in gaining) / len(gaining) if gaining else None


def threshold_of(kernel):
    def ours(m):
        best = m.best_threshold(kernel)
        return None if best is None else best[0]
    return ours


def lanes(threshold):
    return MISSING if threshold is None else "all" if threshold == grid.LANES else number(threshold)


def soft_gain(m):
    """Of the best threshold over a full barrier."""
    best, full = m.best_threshold(XSBENCH), m.speed_up(predicted(XSBENCH))
    return None if None in (best, full) else best[1] / full


def furthest_automatic(m):
    """The largest distance between the speed of automatic and of annotated."""
    ratios = some(m.speed_up(automatic(kernel), predicted(kernel)) for kernel in KERNELS)
    return None if ratios is None else max(abs(ratio - 1) for ratio in ratios)


def low(m):
    """Kernels under the paper's efficiency, of all."""
    values = some(m.efficiency(job(kernel)) for kernel in (*grid.ALL, *grid.OTHERS))
    return None if values is None else sum(value < paper.LOW_EFFICIENCY for value in values) / len(values)


def every_automatic():
    return [automatic(kernel) for kernel in (*KERNELS, *grid.OTHERS)]


def candidates(m):
    return count_of((m.is_candidate(one) for one in every_automatic()), bool)


def gaining(m):
    """Those that get faster, of the candidates."""
    faster_ones = count_of((m.speed_up(one) for one in every_automatic()), lambda speed: speed > 1 + GAINS)
    of = candidates(m)
    return faster_ones / of if of else None


def is_more(value):
    return value > 1 + GAINS


CLAIMS = [
    Claim("fig7.all", "abstract, Fig. 7", "programs of Table 2 whose SIMT efficiency rises by 10% or more", "all 9",
          lambda m: count_of(more_efficient(m), lambda ratio: ratio >= 1 + paper.LEAST_GAIN), at_least(len(KERNELS)), KERNELS, number),
    Claim("fig7.most", "abstract, Fig. 7", "most that efficiency rises", "3x", lambda m: most(more_efficient(m)),
          at_least(1 + paper.MOST_GAIN), KERNELS, times),
    Claim("fig8.all", "abstract, Fig. 8", "programs that get faster by 10% or more", "all 9",
          lambda m: count_of(faster(m), lambda ratio: ratio >= 1 + paper.LEAST_GAIN), at_least(len(KERNELS)), KERNELS, number),
    Claim("fig8.most", "sec. 8, Fig. 8", "largest speed-up", "3x", lambda m: most(faster(m)), at_least(1 + paper.MOST_GAIN), KERNELS,
          times),
    Claim("fig8.bound", "sec. 5.2", "of those that gain efficiency, whose speed-up is at most that", "most", bounded,
          at_least(0.5), KERNELS, of_whole),
    Claim("fig9.pathtracer", "sec. 5.3, Fig. 9", "path tracer: best threshold, lanes that must be exceeded",
          "all", threshold_of(PATHTRACER), at_least(grid.LANES - 1), (PATHTRACER,), lanes),
    Claim("fig9.xsbench", "sec. 5.3, Fig. 9", "table look-up: best threshold", "4", threshold_of(XSBENCH),
          lambda best: abs(best - paper.BEST_OF_XSBENCH) <= 1, (XSBENCH,), lanes),
    Claim("fig9.soft", "sec. 5.3, Fig. 9", "table look-up: best threshold over a full barrier", "faster", soft_gain, is_more,
          (XSBENCH,), times),
    Claim("fig9.xsbench.gain", "sec. 5.3, Fig. 9", "table look-up: best threshold over default", "faster",
          lambda m: (m.best_threshold(XSBENCH) or (None, None))[1], is_more, (XSBENCH,), times),
    Claim("fig10.same", "sec. 5.4", "largest distance of automatic's speed from annotated", "none", furthest_automatic,
          at_most(GAINS), KERNELS, of_whole),
    Claim("fig2c", "sec. 4.4, 5.1", "common function: speed-up", "faster",
          lambda m: m.speed_up(predicted(paper.MICRO_BENCHMARK)), is_more, (paper.MICRO_BENCHMARK,), times),
    Claim("sec5.4.low", "sec. 5.4", "programs with an efficiency under 80%", f"{of_whole(paper.LOW / paper.APPLICATIONS)}", low,
          lambda share: abs(share - paper.LOW / paper.APPLICATIONS) < 0.05, KERNELS, of_whole),
    Claim("sec5.4.candidates", "sec. 5.4", "programs that automatic detection changes", f"{paper.CANDIDATES} of {paper.APPLICATIONS}", candidates,
          lambda count: count / len(every_automatic()) <= 2 * paper.CANDIDATES / paper.APPLICATIONS, KERNELS, number),
    Claim("sec5.4.gain", "sec. 5.4", "of these, faster", of_whole(paper.GAINING / paper.CANDIDATES), gaining,
          lambda share: 0.5 <= share / (paper.GAINING / paper.CANDIDATES) <= 2, KERNELS, of_whole),
]


def cause(m):
    return lambda claim: causes.of(claim.name, m)
