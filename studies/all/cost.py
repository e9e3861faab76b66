# SPDX-License-Identifier: Apache-2.0
"""What a mechanism adds to an SM: bits and mm2 beyond what the base has, and the FO4 of its slowest block and of a slice of the
SM (area/page/cost.py)."""
import functools
import sys

from harness.program import ROOT, built_here

sys.path.insert(0, str(ROOT))
from area.page import cost, facts  # noqa: E402
from area.synth import blocks  # noqa: E402

from . import grid  # noqa: E402

NODE = cost.NODE


@functools.lru_cache
def known():
    return facts.Facts(built_here())


@functools.lru_cache
def of_unit(divergence):
    return cost.of_divergence(known(), divergence)


@functools.lru_cache
def parts(divergence):
    """{what a block does in a slice: (mm2 of all slices of an SM, FO4)}"""
    count = blocks.point_values(cost.POINT)["schedulers"]
    twins = {role: known().twin(name) for role, name in cost.twins_of_divergence(divergence).items()}
    return {role: (count * twin.mm2, twin.fo4) for role, twin in twins.items()}


def loop(divergence):
    """FO4 of the slowest loop of a slice, mapped as one, or None."""
    return cost.loop_of_divergence(known(), divergence)


@functools.lru_cache
def formation():
    """What forms warps, in place of a stack."""
    return cost.of_formation(known())


@functools.lru_cache
def added(mechanism):
    """Of a mechanism on the wide machine; None where no storage is declared for it: references and MTA."""
    how = grid.ON_WIDE[mechanism]
    if how["divergence"] not in cost.UNITS or how.get("prefetch", "none") != "none":
        return None
    beyond = of_unit(how["divergence"]).beyond(of_unit("spe"))
    if how.get("affine", "none") == "none":
        return beyond
    affine = cost.of_affine(known(), how["affine"])
    mm2 = None if None in (beyond.mm2, affine.mm2) else beyond.mm2 + affine.mm2
    fo4 = None if None in (beyond.fo4, affine.fo4) else max(beyond.fo4, affine.fo4)
    return cost.Cost(beyond.bits + affine.bits, mm2, fo4)
