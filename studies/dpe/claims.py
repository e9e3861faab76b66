# SPDX-License-Identifier: Apache-2.0
"""Each statement of the paper that has a number, and the same number of ours."""
import dataclasses

from harness import claims
from harness.claims import at_least, at_most, near
from harness.page import number, percent

from . import grid, paper
from .measures import least, mean, most

@dataclasses.dataclass(frozen=True)
class Claim(claims.Claim):
    kernels: tuple = tuple(paper.INTERLEAVABLE)


def equal_share(what, source, name, share, ours, **more):
    return Claim(name, source, what, percent(share), ours, near(share), **more)


def mean_of(key, mechanism, kernels):
    """The mean change of a statistic over that under SPE."""
    return lambda m: mean(m.change(kernel, mechanism, key) for kernel in kernels)


def mean_gain(mechanism, kernels, **changes):
    return lambda m: mean(m.gain(kernel, mechanism, **changes) for kernel in kernels)


def farthest(mechanism, key, base, sizes, left_out=()):
    """How far from its gain at the usual size a kernel's gain is at most, at any of these sizes."""
    def ours(m):
        return most(None if None in (here := m.gain(kernel, mechanism, settings=f"{key}={size}"), m.gain(kernel, mechanism))
                    else abs(here - m.gain(kernel, mechanism))
                    for kernel in paper.INTERLEAVABLE for size in sizes if size != base and (kernel, size) not in left_out)
    return ours


INTER, OTHERS, ALL = tuple(paper.INTERLEAVABLE), tuple(paper.OTHERS), tuple(paper.TABLE_2)
INTER_LOSE = tuple(kernel for kernel in INTER if kernel not in paper.KEEP_LANES)
OTHERS_LOSE = tuple(kernel for kernel in OTHERS if kernel not in paper.KEEP_LANES)
IDLE, LANES, L1 = "idle_cycles", "lane_utilisation", "memory_system.l1_misses"
LUD, QSORT = (paper.DWS50_GAINS[kernel] for kernel in ("lu_decomposition", "quicksort"))
SMALL_L1 = 4 * grid.KIB


def both_more(m, key):
    """Of the four programs that the paper names, those whose count grows under each ideal DWS."""
    changes = [[m.change(kernel, mechanism, key) for mechanism in grid.IDEAL_DWS] for kernel in paper.MISS_MORE]
    return None if None in sum(changes, []) else sum(min(of) > 0 for of in changes)


def depth(mechanism):
    return lambda m: most(m.value(kernel, mechanism, "stack_depth.max") for kernel in ALL)


CLAIMS = (
    equal_share("AvgPath, DPE, interleavable", "Fig. 10", "fig10.dpe", 0.20, mean_of("avg_path", "DPE", INTER)),
    equal_share("AvgPath, DWS100, interleavable", "Fig. 10", "fig10.dws100", 0.71, mean_of("avg_path", "DWS100", INTER)),
    Claim("fig11.dpe", "Fig. 11", "lanes used, DPE, the one of the 14 that loses most", "no loss",
          lambda m: least(m.change(kernel, "DPE", LANES) for kernel in ALL), at_least(-0.0005), ALL),
    equal_share("lanes used, DWS50, interleavable without LUD, QSort, MCML", "Fig. 11", "fig11.dws50.interleavable", -0.481,
                mean_of(LANES, "DWS50", INTER_LOSE), kernels=INTER_LOSE),
    equal_share("lanes used, DWS100, the same", "Fig. 11", "fig11.dws100.interleavable", -0.485,
                mean_of(LANES, "DWS100", INTER_LOSE), kernels=INTER_LOSE),
    equal_share("lanes used, DWS50, non-interleavable without DXTC, BACKP", "Fig. 11", "fig11.dws50.others", -0.186,
                mean_of(LANES, "DWS50", OTHERS_LOSE), kernels=OTHERS_LOSE),
    equal_share("lanes used, DWS100, the same", "Fig. 11", "fig11.dws100.others", -0.271,
                mean_of(LANES, "DWS100", OTHERS_LOSE), kernels=OTHERS_LOSE),
    equal_share("lanes used, DWS10, all 14", "Fig. 11", "fig11.dws10", -0.246, mean_of(LANES, "DWS10", ALL), kernels=ALL),
    equal_share("idle cycles, DPE, interleavable", "Fig. 12", "fig12.idle", -0.19, mean_of(IDLE, "DPE", INTER)),
    equal_share("idle cycles, DPE, non-interleavable", "Fig. 12", "fig12.idle.others", 0.0, mean_of(IDLE, "DPE", OTHERS),
                kernels=OTHERS),
    equal_share("idle cycles, DPE, MUMpp", "Fig. 12", "fig12.idle.mumpp", 0.05,
                lambda m: m.change("suffix_match", "DPE", IDLE), kernels=("suffix_match",)),
    equal_share("L1 misses, DPE, MUMpp", "Fig. 12", "fig12.l1.mumpp", 0.02, lambda m: m.change("suffix_match", "DPE", L1),
                kernels=("suffix_match",)),
    Claim("fig12.idle.dws", "Fig. 12", "of RAY, LPS, PathFind, HOTSPOT: more idle cycles under DWS", "4",
          lambda m: both_more(m, IDLE), at_least(4), paper.MISS_MORE, number),
    Claim("fig12.l1.dws", "Fig. 12", "... more L1 misses under DWS", "4", lambda m: both_more(m, L1), at_least(4),
          paper.MISS_MORE, number),
    Claim("fig12.l2.dws", "Fig. 12", "... more L2 misses under DWS", "4",
          lambda m: both_more(m, "memory_system.l2_misses"), at_least(4), paper.MISS_MORE, number),
    equal_share("speed, DPE, interleavable, mean", "Fig. 13", "fig13.mean", 0.149, mean_gain("DPE", INTER)),
    Claim("fig13.best", "Fig. 13", "speed, DPE, best", "+42.0% (abstract: over 30%)",
          lambda m: most(m.gain(kernel, "DPE") for kernel in INTER), near(0.42)),
    equal_share("speed, DPE, MUMpp", "Fig. 13", "fig13.mumpp", -0.011, lambda m: m.gain("suffix_match", "DPE"),
                kernels=("suffix_match",)),
    Claim("fig13.others", "Fig. 13", "speed, DPE, the non-interleavable one that does worst", "never slower",
          lambda m: least(m.gain(kernel, "DPE") for kernel in OTHERS), at_least(-0.0005), OTHERS),
    equal_share("speed, DWS50, LUD", "Fig. 13", "fig13.dws50.lud", LUD[0], lambda m: m.gain("lu_decomposition", "DWS50"),
                kernels=("lu_decomposition",)),
    equal_share("speed, DWS50, QSort", "Fig. 13", "fig13.dws50.qsort", QSORT[0], lambda m: m.gain("quicksort", "DWS50"),
                kernels=("quicksort",)),
    equal_share("speed, DWS50 over DPE, LUD", "Fig. 13", "fig13.dws50.lud.dpe", LUD[1],
                lambda m: m.gain("lu_decomposition", "DWS50", "DPE"), kernels=("lu_decomposition",)),
    equal_share("speed, DWS50 over DPE, QSort", "Fig. 13", "fig13.dws50.qsort.dpe", QSORT[1],
                lambda m: m.gain("quicksort", "DWS50", "DPE"), kernels=("quicksort",)),
    Claim("fig14.l2", "Fig. 14 (a)", "gain of DPE over the L2 sizes, farthest from that at the usual one", "within 2%",
          farthest("DPE", "l2_bytes", paper.L2_BYTES, grid.L2_SWEEP), at_most(0.02)),
    Claim("fig14.l1", "Fig. 14 (b)", "gain of DPE over the L1 sizes, farthest, without Stencil at 4 KB", "within 4%",
          farthest("DPE", "l1_bytes", paper.L1_BYTES, grid.L1_SWEEP, {("stencil_3d", SMALL_L1)}), at_most(0.04)),
    Claim("fig14.stencil", "Fig. 14 (b)", "gain of DPE, Stencil: at an L1 of 4 KB less that at 16 KB", "farther than 4%, less",
          lambda m: None if None in (pair := (m.gain("stencil_3d", "DPE", settings=f"l1_bytes={SMALL_L1}"),
                                              m.gain("stencil_3d", "DPE"))) else pair[0] - pair[1],
          at_most(-0.04), ("stencil_3d",)),
    equal_share("speed, DPE with the constrained scheduler, interleavable", "Fig. 14 (c)", "fig14.constrained", 0.117,
                mean_gain("constrained", INTER)),
    Claim("sec6.4.optimistic", "Sec. 6.4", "speed, optimistic scoreboard over DPE's, best", "at most +1%",
          lambda m: most(m.gain(kernel, "optimistic", "DPE") for kernel in INTER), at_most(0.01)),
    Claim("sec6.5.spe", "Sec. 6.5", "deepest stack, SPE, all 14", number(paper.SPE_DEPTH), depth("SPE"),
          lambda ours: ours == paper.SPE_DEPTH, ALL, number),
    Claim("sec6.5.dpe", "Sec. 6.5", "deepest stack, DPE, all 14", number(paper.DPE_DEPTH), depth("DPE"),
          lambda ours: ours == paper.DPE_DEPTH, ALL, number),
    Claim("sec7.1", "Sec. 7.1", "speed, path forwarding over DPE, best", "under 2%",
          lambda m: most(m.gain(kernel, "forwarding", "DPE") for kernel in INTER), lambda ours: ours < 0.02),
    Claim("sec7.2", "Sec. 7.2", "speed, memory split over DPE, all 14, mean", "none: left to others",
          lambda m: mean(m.gain(kernel, "memory split", "DPE") for kernel in ALL), lambda ours: True, ALL, is_first=True),
)
