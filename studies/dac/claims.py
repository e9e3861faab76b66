# SPDX-License-Identifier: Apache-2.0
"""DAC's statements that have a number, and ours."""
from harness import energy
from harness.claims import Claim, near
from harness.page import MISSING, number, of_whole, percent

from . import causes, paper
from .grid import PROGRAMS
from .measures import mean

NEAR_SPEED = 0.02  # ours: two speed-ups agree when they are so near


def times(value):
    return MISSING if value is None else f"{number(value, 2)}x"


def speed_up(name, source, what, says, ours):
    return Claim(name, source, what, times(says), ours, lambda value: abs(value - says) <= NEAR_SPEED, PROGRAMS, times)


def share(name, source, what, says, ours, text=of_whole):
    return Claim(name, source, what, text(says), ours, near(says), PROGRAMS, text)


def mean_of(of):
    return lambda m: mean(of(m, kernel) for kernel in PROGRAMS)


PREDICATES = ("affine.affine_scalar_predicates", "affine.affine_pair_predicates")
EXPANSIONS = (*PREDICATES, "affine.affine_lane_compares")  # of all programs together


CLAIMS = [
    speed_up("speed", "abstract, sec. 1", "speed-up, geometric mean", paper.SPEED_UP, lambda m: m.mean_speed_up(PROGRAMS)),
    speed_up("speed.compute", "sec. 1", "... of the compute-bound programs", paper.COMPUTE_DAC,
             lambda m: m.mean_speed_up(m.bound(memory=False))),
    speed_up("speed.compute.cae", "sec. 1", "... an affine unit instead (CAE)", paper.COMPUTE_CAE,
             lambda m: m.mean_speed_up(m.bound(memory=False), "CAE")),
    speed_up("speed.memory", "sec. 1", "... of the memory-bound programs", paper.MEMORY_DAC,
             lambda m: m.mean_speed_up(m.bound(memory=True))),
    speed_up("speed.memory.mta", "sec. 1", "... a prefetcher instead (MTA)", paper.MEMORY_MTA,
             lambda m: m.mean_speed_up(m.bound(memory=True), "MTA")),
    share("instructions", "sec. 1", "warp instructions, with those of the affine warp", paper.WARP_INSTRUCTIONS,
          mean_of(lambda m, kernel: m.fewer_instructions(kernel)), percent),
    share("loads", "sec. 1", "global and local loads that are decoupled", paper.DECOUPLED_LOADS,
          lambda m: m.mean_decoupled()),
    share("affine.share", "sec. 4.4", "warp instructions that the affine warp issues", paper.AFFINE_SHARE,
          mean_of(lambda m, kernel: m.share(kernel, ["affine.affine_instructions"], ["affine.affine_instructions", "warp_instructions"]))),
    share("predicates.scalar", "sec. 4.3", "decoupled predicates: one comparison a CTA", paper.SCALAR_PREDICATES,
          lambda m: m.sum_share(PREDICATES[:1], EXPANSIONS)),
    share("predicates.cheap", "sec. 4.3", "... or two a warp", paper.CHEAP_PREDICATES,
          lambda m: m.sum_share(PREDICATES, EXPANSIONS)),
    share("energy.dynamic", "sec. 1", "dynamic energy, an estimate", paper.DYNAMIC_ENERGY,
          mean_of(lambda m, kernel: m.energy_change(kernel)), percent),
    *(share(f"energy.{static:.0%}", "sec. 1", f"all energy, an estimate, where {static:.0%} of the baseline's leaks", paper.ENERGY,
            mean_of(lambda m, kernel, static=static: m.energy_change(kernel, static)), percent) for static in energy.STATIC_SHARES),
]


def cause(m):
    return lambda claim: causes.of(claim.name, m)
