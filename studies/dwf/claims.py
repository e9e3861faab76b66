# SPDX-License-Identifier: Apache-2.0
"""Each statement of the paper that has a number or an order, and the same of ours."""
from harness.claims import Claim, at_least, at_most, near
from harness.page import number, of_whole, percent

from . import grid, paper
from .measures import least, mean, most

KERNELS = tuple(paper.KERNELS)
NO_BARRIER_TROUBLE = tuple(kernel for kernel in KERNELS if kernel not in grid.NO_SERIAL)
EXTRA_STAGE = grid.EXTRA_STAGE
MORE_DIVERGENCE = tuple(kernel for kernel in KERNELS if kernel not in paper.LITTLE_DIVERGENCE)


def gain(name, source, what, share, ours, kernels=KERNELS):
    return Claim(name, source, what, percent(share), ours, near(share), kernels)


def mean_gain(mechanism, over="PDOM", kernels=KERNELS):
    return lambda m: m.mean_gain(mechanism, over, kernels)


def share(name, source, what, theirs, ours, kernels=KERNELS):
    return Claim(name, source, what, of_whole(theirs), ours, near(theirs), kernels, of_whole)


def ipc(name, source, kernel, theirs, mechanism):
    return Claim(name, source, f"IPC of {paper.PEAK}, {paper.name(kernel)}, PDOM priority, lane aware", number(theirs),
                 lambda m: m.ipc(kernel, mechanism), lambda ours: abs(ours - theirs) <= theirs / 100, (kernel,),
                 lambda value: number(value, 1))


def faster(mechanism, kernels):
    """In how many of them it is faster than PDOM."""
    def ours(m):
        gains = [m.gain(kernel, mechanism) for kernel in kernels]
        return None if None in gains else sum(gain > 0 for gain in gains)
    return ours


def order_of_policies(of):
    """Worst of those that do well, less the best of the others. \\param of  of (Measures, policy)"""
    def ours(m):
        good, poor = ([of(m, policy) for policy in policies] for policies in (paper.GOOD_POLICIES, paper.POOR_POLICIES))
        return None if None in good + poor else min(good) - max(poor)
    return ours


def less_few(m, policy):
    """Minus the mean share of issues with few lanes."""
    shares = mean(m.few_lanes(kernel, policy) for kernel in KERNELS)
    return None if shares is None else -shares


def two_more(m, kernel, statistic, mechanism, over):
    pair = [statistic(kernel, one) for one in (mechanism, over)]
    return None if None in pair else pair[0] - pair[1]


CLAIMS = (
    *(share(f"fig6.{lanes}", "Fig. 6", f"harmonic mean IPC as a share of the peak, PDOM, {lanes} lanes, ideal memory", theirs,
            lambda m, lanes=lanes: m.mean_of_width(lanes)) for lanes, theirs in paper.WIDTHS.items()),
    gain("fig8.pathological", "Fig. 8", "speed, best reconvergence points, the loop of Fig. 7", 0.92,
         lambda m: m.limit(grid.limit_of_pathological(3))),
    gain("fig8.real", "Fig. 8", "... real programs", 0.026, lambda m: m.limit_of_real()),
    gain("fig12.pdom", "Fig. 12", "speed, PDOM over serialisation", 0.934,
         mean_gain("PDOM", "serial", NO_BARRIER_TROUBLE), NO_BARRIER_TROUBLE),
    gain("fig12.formation", "Fig. 12", "speed, formation (Majority) over PDOM", 0.225, mean_gain("DMaj")),
    gain("fig12.both", "Fig. 12", "speed, formation over serialisation (derived: 1.934 x 1.225)", 1.369,
         mean_gain("DMaj", "serial", NO_BARRIER_TROUBLE), NO_BARRIER_TROUBLE),
    gain("fig12.mimd", "Fig. 12", "speed, MIMD over formation", 0.046, mean_gain("MIMD", "DMaj")),
    gain("fig12.mimd.pdom", "Fig. 12", "speed, MIMD over PDOM (derived: 1.225 x 1.046)", 0.281, mean_gain("MIMD")),
    Claim("fig12.lose", "Fig. 12", "formation faster than PDOM: of Black, FFT and Matrix", "0",
          faster("DMaj", paper.LITTLE_DIVERGENCE), lambda ours: ours == 0, paper.LITTLE_DIVERGENCE, number),
    Claim("fig12.win", "Fig. 12", "... of the other four (derived: those three are \"the ones\")", "4",
          faster("DMaj", MORE_DIVERGENCE), at_least(4), MORE_DIVERGENCE, number),
    Claim("fig12.mimd.lose", "Fig. 12", "MIMD faster than PDOM: of FFT and Matrix", "0",
          faster("MIMD", ("fft", "matrix_multiply")), lambda ours: ours == 0, ("fft", "matrix_multiply"), number),
    Claim("sec6.stage", "Sec. 6", "speed, formation without the extra stage over PDOM, the worse of FFT and Matrix",
          "about 0 (derived: the stage is named as the cause)",
          lambda m: least(m.with_one_stage_less(kernel) for kernel in EXTRA_STAGE), at_least(-0.01), EXTRA_STAGE),
    Claim("sec6.rows", "Sec. 6", "DRAM accesses to open rows, formation less PDOM, the higher of FFT and Matrix",
          "below 0 (derived: \"disruptive memory access behaviour\")",
          lambda m: most(two_more(m, kernel, m.open_rows, "DMaj", "PDOM") for kernel in EXTRA_STAGE), lambda ours: ours < 0,
          EXTRA_STAGE),
    share("fig13.lbm", "Fig. 13", "bandwidth used, lbm, PDOM", paper.of(paper.BANDWIDTH["PDOM"], "lattice_boltzmann"),
          lambda m: m.bandwidth("lattice_boltzmann", "PDOM"), ("lattice_boltzmann",)),
    share("fig13.fft", "Fig. 13", "bandwidth used, FFT, PDOM", paper.of(paper.BANDWIDTH["PDOM"], "fft"),
          lambda m: m.bandwidth("fft", "PDOM"), ("fft",)),
    share("fig14.bitonic", "Fig. 14", "cache misses, Bitonic, PDOM", paper.of(paper.MISSES["PDOM"], "bitonic_sort"),
          lambda m: m.misses("bitonic_sort", "PDOM"), ("bitonic_sort",)),
    Claim("fig14.mimd.fft", "Sec. 6", "cache misses, FFT, MIMD less PDOM", "+0.3%: 7.67% and 7.35%",
          lambda m: two_more(m, "fft", m.misses, "MIMD", "PDOM"), lambda ours: ours > 0, ("fft",), percent),
    Claim("fig14.mimd.matrix", "Sec. 6", "cache misses, Matrix, MIMD less PDOM", "+0.6%: 3.43% and 2.86%",
          lambda m: two_more(m, "matrix_multiply", m.misses, "MIMD", "PDOM"), lambda ours: ours > 0, ("matrix_multiply",),
          percent),
    gain("fig15.pdpri", "Fig. 15", "speed, PDOM priority over PDOM, without lane awareness", 0.237, mean_gain("DPdPri")),
    Claim("fig15.order", "Fig. 15", "gain, the worst of DMaj, DPdPri and DPC less the best of DMin and DTime", "above 0",
          order_of_policies(lambda m, policy: m.mean_gain(policy)), lambda ours: ours > 0, KERNELS),
    Claim("fig16.order", "Fig. 16", "issues of 1 to 4 lanes: DMin and DTime, the better one, less the worst of the others",
          "above 0", order_of_policies(less_few), lambda ours: ours > 0, KERNELS),
    gain("fig17.lane_aware", "Fig. 17", "speed, formation, lane aware, over PDOM", 0.207, mean_gain("DMaj, lane aware")),
    gain("fig17.cost", "Fig. 17", "speed, lane aware over no lane conflicts", -0.0143, mean_gain("DMaj, lane aware", "DMaj")),
    Claim("fig17.naive", "Fig. 17", "speed, with bank conflicts over lane aware", "drawing only",
          mean_gain("DMaj, naive", "DMaj, lane aware"), at_most(0), KERNELS, is_first=True),
    gain("fig17.pdpri", "Sec. 6.2", "speed, PDOM priority, lane aware, over PDOM", 0.147, mean_gain("DPdPri, lane aware")),
    ipc("fig17.black", "Sec. 6.2", "black_scholes", 103, "DPdPri, lane aware"),
    ipc("fig17.hmmer", "Sec. 6.2", "hmm_search", 25, "DPdPri, lane aware"),
)
