# SPDX-License-Identifier: Apache-2.0
"""What the source of each kernel says by hand: no number here comes from a run.

Line requests and bytes are those of the arrays, each read and written once; code is not among them. Chains are cycles
for which a warp cannot be helped by others: instructions that wait for each other, at the latencies of the design point.
"""
import functools

from . import grid

LANES = 32
WORD, LINE = 4, 128  # bytes
WHY = {
    "diverge": ("divergent", "an if/else with a loop on each side whose length is data"),
    "nest": ("nested", "an if/else five deep, 32 leaves"),
    "suffix_match": ("memory bound", "a walk in a tree, a lane its own: hardly two lanes in one line"),
    "md5_search": ("compute bound", "thousands of integer operations for each word of input"),
    "vector_ops": ("streaming", "y = a x + y, then the dot product of x and y: each word is read and soon forgotten"),
}
MASK = 2**32 - 1


class Random:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), with which all kernels of ours make their data."""

    def __init__(self, seed=1):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        return mixed ^ mixed >> 31

    def below(self, limit):
        return (self.next() >> 32) * limit >> 32


# ---- diverge: kernels/diverge/diverge.h

DIVERGE_ROUNDS = 8  # of size small
# Instructions as the compiler makes them (heddle compile diverge): before and behind all rounds, a round's begin and end.
DIVERGE_OUTSIDE, DIVERGE_ROUND = 17 + 3, 4 + 3
SIDES = {  # of the if/else: entry and exit; a trip; the jump back of those that go on
    True: {"once": 2, "trip": 8, "again": 1},  # value = a value + c
    False: {"once": 2, "trip": 11, "again": 0},  # three shifts
}


def side_steps(value, is_first):
    """The value behind the loop. \returns (value, trips)"""
    trips = (value >> 8 & 15) + 1
    for _ in range(trips):
        if is_first:
            value = (value * 1664525 + 1013904223) & MASK
        else:
            value ^= value << 13 & MASK
            value ^= value >> 17
            value ^= value << 5 & MASK
    return value, trips


@functools.lru_cache
def diverge_rounds():
    """Of each warp and round: of each side the trips of its lanes."""
    random = Random()
    rounds = []
    for _ in range(grid.WARPS["diverge"]):
        values = [random.next() & MASK for _ in range(LANES)]
        of_warp = []
        for _ in range(DIVERGE_ROUNDS):
            trips = {True: [], False: []}
            for lane, value in enumerate(values):
                is_first = bool(value >> 16 & 1)
                values[lane], count = side_steps(value, is_first)
                trips[is_first].append(count)
            of_warp.append(trips)
        rounds.append(of_warp)
    return rounds


@functools.lru_cache
def diverge_lanes():
    """Issues by active lanes, 0 to 32: a side has its lanes, the n-th trip those of them that go as far."""
    issues = [0] * (LANES + 1)
    for of_warp in diverge_rounds():
        issues[LANES] += DIVERGE_OUTSIDE + DIVERGE_ROUND * DIVERGE_ROUNDS
        for both in of_warp:
            for is_first, trips in both.items():
                if not trips:
                    continue
                counts = SIDES[is_first]
                issues[len(trips)] += counts["once"]
                for trip in range(1, max(trips) + 1):
                    issues[sum(count >= trip for count in trips)] += counts["trip"]
                    if more := sum(count > trip for count in trips):
                        issues[more] += counts["again"]
    return issues


def diverge_chain(point, mechanism):
    """A trip's operations wait for each other, as a warp's path issues in order: a multiplication and four others (shr, xor,
    add, setp), or nine others (three shifts and xors, xor, add, setp). One path: both sides one after the other; two paths:
    the longer one."""
    alu, multiplier = point["alu_latency"], point["multiplier_latency"]
    trip = {True: multiplier + 4 * alu, False: 9 * alu}
    both = sum if mechanism == "SPE" else max
    return sum(both(max(trips, default=0) * trip[side] for side, trips in of_round.items())
               for of_warp in diverge_rounds() for of_round in of_warp)


# ---- nest: kernels/nest/nest.h

NEST_ROUNDS, NEST_LEVELS = 4, 5  # of size small
# Instructions of a level on the way in and on the way out, of a leaf and of a round, as most are in the compiler's listing.
NEST_IN, NEST_OUT, NEST_LEAF, NEST_ROUND = 6, 3, 3, 9


def nest_value(value, bits, level=NEST_LEVELS, path=1):
    """\returns (value, path of the leaf)"""
    if level == 0:
        return ((value ^ bits) * (path * 8 + 3) + (value >> path % 7 + 1)) & MASK, path
    value = (value * (2 * path + 5) + (bits >> level)) & MASK
    if bits >> level & 1:
        value, leaf = nest_value(value ^ value << 7 & MASK, bits, level - 1, 2 * path + 1)
        value = value + (value >> 11) & MASK
    else:
        value, leaf = nest_value((value ^ 0x9E3779B9) * 69069 & MASK, bits, level - 1, 2 * path)
        value ^= value >> 5
    return (value * 3 + path) & MASK, leaf


@functools.lru_cache
def nest_lanes():
    """Each path of a level has the lanes whose bits lead there."""
    random = Random()
    issues = [0] * (LANES + 1)
    for warp in range(grid.WARPS["nest"]):
        mine = [random.next() & MASK for _ in range(LANES)]
        values = [warp * LANES + lane for lane in range(LANES)]
        for _ in range(NEST_ROUNDS):
            found = [nest_value(value, bits ^ value >> 13) for value, bits in zip(values, mine)]
            values = [value for value, _ in found]
            issues[LANES] += NEST_ROUND
            for depth in range(NEST_LEVELS + 1):
                paths = [leaf >> NEST_LEVELS - depth for _, leaf in found]
                for path in set(paths):
                    issues[paths.count(path)] += NEST_LEAF if depth == NEST_LEVELS else NEST_IN + NEST_OUT
    return issues


# ---- md5_search

MD5_KEYS, MD5_ENDINGS, MD5_STEPS = 2, 16, 64
MD5_STEP_CHAIN = 4  # operations from one step's word to the next one's: mix, add, rotate, add


@functools.lru_cache
def md5_tries():
    """Of each warp and turn: the tries of its lanes."""
    random = Random()
    tries = []
    for _ in range(grid.WARPS["md5_search"] * LANES * MD5_KEYS):
        tries.append(min(random.below(MD5_ENDINGS + 1) + 1, MD5_ENDINGS))
        for _ in range(4):  # letters of the key
            random.below(26)
    per_warp = LANES * MD5_KEYS
    return [tries[first + turn:first + per_warp:MD5_KEYS] for first in range(0, len(tries), per_warp)
            for turn in range(MD5_KEYS)]


def md5_lanes():
    """Nearly all instructions are those of tries: the n-th has the lanes that have not found their key by then."""
    issues = [0] * (LANES + 1)
    for of_turn in md5_tries():
        for number in range(1, max(of_turn) + 1):
            issues[sum(count >= number for count in of_turn)] += 1
    return issues


def md5_chain(point, mechanism):
    """A warp tries until the last of its lanes has its key."""
    del mechanism
    return sum(map(max, md5_tries())) * MD5_STEPS * MD5_STEP_CHAIN * point["alu_latency"]


def all_lanes():
    """But for the last five elements and the tree of the sum."""
    return [0] * LANES + [1]


CHAINS = {"diverge": diverge_chain, "md5_search": md5_chain}  # cycles of all warps together
# The share of its loads that a warp waits for one after the other. A turn of saxpy multiplies x before it loads y, and one of
# dot has both under way: of four loads, three waits.
WAITS_IN_TURN = {"vector_ops": 3 / 4}
# Issues by active lanes, 0 to 32; of all but diverge only their shares mean something.
LANES_BY_HAND = {"diverge": diverge_lanes, "nest": nest_lanes, "md5_search": md5_lanes, "vector_ops": all_lanes}


# ---- lines and bytes

def vector_elements():
    return 400 * grid.WARPS["vector_ops"] * LANES + 5


def traffic(kernel):
    """{"lines": L1 requests, "read": bytes, "written": bytes} with their sum in words, or None where it is a matter of data."""
    warps = grid.WARPS[kernel]
    if kernel in ("diverge", "nest"):
        words = warps * LANES * WORD
        return {"lines": 2 * warps, "read": words, "written": words, "words": "a warp loads a line and stores a line"}
    if kernel == "md5_search":
        keys = warps * LANES * MD5_KEYS
        # A lane's two keys lie side by side: of a digest of 16 bytes each of 4 words is 32 bytes from the next lane's.
        digest, one_word = 4 * LANES * 32 // LINE, LANES * 2 * WORD // LINE
        return {"lines": warps * MD5_KEYS * (digest + 2 * one_word), "read": keys * (16 + WORD), "written": keys * WORD,
                "words": "a digest and a beginning a key in, a number out"}
    if kernel == "vector_ops":
        bytes_of_one = vector_elements() * WORD
        turns = -(-vector_elements() // LANES)
        blocks = warps // 8
        return {"lines": 5 * turns + blocks, "read": 4 * bytes_of_one, "written": bytes_of_one + blocks * WORD,
                "words": "x and y in, y out, x and y in again: the vectors are larger than the L2"}
    return None
