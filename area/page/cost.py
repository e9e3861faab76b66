# SPDX-License-Identifier: Apache-2.0
"""What a mechanism costs: bits, mm2 and time of the blocks of an SM that decide which threads run."""
import dataclasses

from area.synth import SynthError, blocks
from tools import unit_files

from .facts import NODE

POINT = "hpca13"
IN_SLICES = unit_files.grouped(unit_files.in_slices())
# Of each divergence mechanism: its control flow unit as `heddle area` names it, and as the row of area/baseline.json; the
# scoreboard that it runs with; what stands beside. Variants of one hardware stand once.
UNITS = {one.name: (one.storage or one.block, "_".join(filter(None, (f"{one.block}.{POINT}", one.shape))), one.scoreboard, one.parts)
         for one in IN_SLICES if not one.variant_of}
# What a slice has beside the unit: as `heddle area` names it, and the shape of its twin, by the scoreboard.
BESIDE = {"scoreboard": {"baseline": "baseline", "shadow": "shadow"},
          "instruction_buffer": {"baseline": "paths1", "shadow": "paths2"},
          "warp_scheduler": {"baseline": "warps", "shadow": "pairs"}}
# The issue slice with the unit, mapped as one: its slowest loop goes through several blocks.
SLICES = {one.name: f"issue_slice.{POINT}_{one.slice_shape}" for one in IN_SLICES if one.slice_shape}
# Decoupled affine computation, once an SM: blocks that were mapped at isca17, and what has bits in `heddle area` besides.
AFFINE_MAPPED = ("affine_tuple_queue", "address_expansion_unit", "predicate_expansion_unit", "warp_queues", "line_locks", "affine_stack")
# Beside it what CAE has: tags of registers; its adders and multiplier are no blocks.
AFFINE = {"dac": (*AFFINE_MAPPED, "affine_alu", "affine_unit", "dequeue_unit"), "cae": ("affine_tags",)}
AFFINE_TWINS = dict.fromkeys((f"{block}.isca17" for block in AFFINE_MAPPED), 1)
# Warp formation, once an SM: its parts, and how often each stands there.
FORMATION_POINT = "micro07"
FORMATION = ("warp_update_register", "pc_warp_lut", "warp_pool", "warp_allocator", "issue_logic", "warp_formation", "pending_table")
FORMATION_TWINS = {"warp_update_register.micro07_aware": 2, "pc_warp_lut.micro07_aware": 1, "warp_pool.micro07": 1,
                   "warp_allocator.micro07": 1, "issue_logic.micro07_majority": 1}


@dataclasses.dataclass(frozen=True)
class Cost:
    """Of an SM. mm2 and fo4 are None where not all blocks, as they stand, were mapped."""
    bits: int
    mm2: float  # at NODE
    fo4: float  # of the slowest block

    def beyond(self, other):
        return Cost(self.bits - other.bits, None if None in (self.mm2, other.mm2) else self.mm2 - other.mm2, self.fo4)


def bits_by_block(storage):
    """{block: bits}, from the JSON of `heddle area`."""
    found = {}
    for row in storage["structures"]:
        found[row["block"]] = found.get(row["block"], 0) + row["paper_bits"] + row["ours_bits"]
    return found


def bits_of(found, wanted, point=POINT):
    if missing := set(wanted) - found.keys():
        raise SynthError(f"`heddle area --point {point}` has no block {', '.join(sorted(missing))}")
    return sum(found[block] for block in set(wanted))


def mapped(facts, twins):
    """(mm2, FO4) of {twin: how often}; None, None if one is not mapped as it stands: areas of two texts do not compare."""
    known = {name: facts.twin(name) for name in twins}
    if any(twin is None or twin.memory_mm2 is None for twin in known.values()):
        return None, None
    return sum(count * known[name].mm2 for name, count in twins.items()), max(twin.fo4 for twin in known.values())


def bits_of_divergence(found, name, board=None, point=POINT):
    """\param found  bits_by_block() at the point  \param board  its scoreboard, if not the usual one"""
    unit, _, usual, more = UNITS[name]
    return bits_of(found, (unit, *more, *(f"{block} ({board or usual})" for block in BESIDE)), point)


def twins_of_divergence(name, board=None):
    """{what it does in a slice: its row of area/baseline.json}: control flow unit, scoreboard, instruction buffer, scheduler, gate."""
    _, twin, usual, more = UNITS[name]
    return {"control flow unit": twin, **{block: f"{block}.{POINT}" for block in (*more, "issue_gate")},
            **{block: f"{block}.{POINT}_{shape[board or usual]}" for block, shape in BESIDE.items()}}


def of_divergence(facts, name, board=None):
    """Of all slices of an SM."""
    twins = dict.fromkeys(twins_of_divergence(name, board).values(), blocks.point_values(POINT)["schedulers"])
    return Cost(bits_of_divergence(bits_by_block(facts.storage(POINT)), name, board), *mapped(facts, twins))


def loop_of_divergence(facts, name):
    """FO4 of the slowest loop of a slice, or None: it is not mapped as one, as it stands."""
    twin = facts.twin(SLICES[name]) if name in SLICES else None
    return None if twin is None else twin.fo4


def bits_of_affine(found, unit="dac", point=POINT):
    """\\param found  bits_by_block() at the point  \\param unit  dac or cae"""
    return bits_of(found, AFFINE[unit], point)


def of_affine(facts, unit="dac"):
    """What it adds; of DAC the affine warp and the dequeue unit are bits only, as they are no blocks, and CAE is bits only."""
    mm2, fo4 = mapped(facts, AFFINE_TWINS) if unit == "dac" else (None, None)
    return Cost(bits_of_affine(bits_by_block(facts.storage(POINT)), unit), mm2, fo4)


def of_formation(facts):
    """Majority, lane aware; the table of pending warps is bits only."""
    return Cost(bits_of(bits_by_block(facts.storage(FORMATION_POINT)), FORMATION, FORMATION_POINT), *mapped(facts, FORMATION_TWINS))


__all__ = ("POINT", "NODE", "UNITS", "Cost", "bits_by_block", "bits_of_divergence", "twins_of_divergence", "of_divergence",
           "loop_of_divergence", "bits_of_affine", "of_affine", "of_formation")
