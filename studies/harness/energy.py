# SPDX-License-Identifier: Apache-2.0
"""An estimate of energy: counts of events times what one costs. It says how two machines compare, and not what a chip uses.

What an event costs is from M. Horowitz, "Computing's Energy Problem (and what we can do about it)", ISSCC 2014, Fig. 1.1.9, at
45 nm and 0.9 V (a GTX 480 is made at 40 nm): an instruction of a simple core costs 70 pJ, of which 25 are its instruction cache
and 6 its registers; a 32-bit floating-point addition 0.9 pJ; 64 bits of a cache of 8 KB, 32 KB and 1 MB 10, 20 and 100 pJ; 64
bits of DRAM 1.3 to 2.6 nJ. Sizes between those are interpolated.
"""
WORD = 8  # bytes of the paper's accesses
ISSUE = 70 - 6  # of a warp: fetch, decode, control
LANE = 6 + 0.9  # of a thread: registers, an operation
CACHE_WORD = 14  # of an L1 of 16 KB, between 10 and 20
SMALL_WORD = 10  # of what is no larger than 8 KB
L2_WORD = 100
DRAM_WORD = 1950  # the middle
LINE_WORDS = 128 // WORD
SHARED_WORDS = 32 * 4 // WORD  # a pass over all banks
TUPLE_LANES = 7  # words of a tuple: base, offsets of x, y and z, and of the block
TUPLE_WORDS = 7  # 438 bits in the queue
RECORD_WORDS = 2  # 97 bits
STATIC_SHARES = (0.2, 0.4)  # of the baseline's energy, ours: no source says it of a GTX 480

# {what costs: pJ of one}, by the keys of a result.
EVENTS = {
    "warp_instructions": ISSUE,
    "thread_instructions": LANE,
    "memory_system.line_requests": CACHE_WORD * LINE_WORDS,
    "memory_system.shared_passes": CACHE_WORD * SHARED_WORDS,
    "memory_system.l2_accesses": L2_WORD * LINE_WORDS,
    "memory_system.dram_bytes": DRAM_WORD / WORD,
    "affine.affine_instructions": ISSUE + TUPLE_LANES * LANE,
    "affine.affine_enqueues": 2 * TUPLE_WORDS * SMALL_WORD,  # written and read
    "affine.dequeued_records": 2 * RECORD_WORDS * SMALL_WORD,
    "affine.affine_requests": CACHE_WORD * LINE_WORDS,
    "affine.affine_lane_compares": 32 * LANE,
}


def dynamic(row):
    """pJ, or None."""
    return None if row is None else sum(cost * (row.get(key) or 0) for key, cost in EVENTS.items())


def change(row, base):
    """Of dynamic energy."""
    return None if None in (row, base) else dynamic(row) / dynamic(base) - 1


def total_change(row, base, static_share):
    """With what leaks, in proportion to the cycles. \\param static_share  of the baseline's energy"""
    if None in (row, base):
        return None
    return (1 - static_share) * (dynamic(row) / dynamic(base)) + static_share * row["cycles"] / base["cycles"] - 1
