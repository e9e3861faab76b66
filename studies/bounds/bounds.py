# SPDX-License-Identifier: Apache-2.0
"""Lower bounds on the cycles of a run, from the parameters of the design point and from what the run counted. A run
that is faster than one is a mistake of the model or of the bound."""
import functools

from harness.page import PageError
from tools import design_points

from . import grid, kernels

SLACK = 1e-9  # of rounding
NAMES = {
    "issue": "warp instructions of the busiest SM / schedulers",
    "L1 port": "line requests / SMs that work: one a cycle",
    "shared memory": "passes / SMs that work: one a cycle",
    "DRAM": "bytes / what the channels move a cycle",
    "crossbar": "reply bytes / SMs that work / bytes of a port a cycle",
    "L1 MSHRs": "misses x unloaded latency / (MSHRs x SMs that work)",
    "warps": "chains of dependences of all warps / warps side by side, at most",
}


class FasterThanPossible(PageError):
    """A run took fewer cycles than a bound."""


@functools.lru_cache
def point():
    return design_points.load()[grid.POINT]


def dram_bytes_per_cycle(row):
    """Of a core cycle: all channels, or the share of the SMs that run."""
    p = point()
    of_chip = p["channels"] * p["dram_burst_bytes"] / p["dram_burst_clocks"] * p["dram_mhz"] / p["core_mhz"]
    return of_chip if row["memory"] == "chip" else of_chip * row["sms"] / p["sms"]


def wait_of_misses(row, joined_wait_for_dram=False):
    """Cycles for which all L1 misses wait at least, together. One that DRAM serves: crossbar both ways and DRAM's latency;
    one that the L2 has: its latency instead; one that joins another in the L2 may come when the line does: the crossbar.
    \\param joined_wait_for_dram  those that join wait as long as the first: no bound any more, but nearer to what happens"""
    p = point()
    way = 2 * p["crossbar_latency"]
    counts = {key: row[f"memory_system.{key}"] for key in ("l1_misses", "l2_misses", "l2_merges", "icache_fills")}
    far = max(0, counts["l2_misses"] - counts["icache_fills"])  # a fill of code may be any of them
    far = min(far, counts["l1_misses"])
    joined = min(counts["l2_merges"], counts["l1_misses"] - far)
    near = counts["l1_misses"] - far - joined
    joined_wait = p["dram_latency"] if joined_wait_for_dram else 0
    return far * (way + p["dram_latency"]) + near * (way + p["l2_hit_latency"]) + joined * (way + joined_wait)


def mshrs(row):
    """Of the SMs that work."""
    return point()["l1_mshrs"] * row["working_sms"]


def side_by_side(row):
    """Warps at once, at most: what the SMs that work can have, or all there are."""
    return min(point()["warps"] * row["working_sms"], row["warps"])


def bounds(row):
    """{name: cycles}; those that the machine of the row does not have are not there."""
    p, sms = point(), row["working_sms"]
    found = {
        "issue": row["busiest_sm.warp_instructions"] / p["schedulers"],
        "L1 port": row["memory_system.line_requests"] / sms,
        "shared memory": row["memory_system.shared_passes"] / sms,
    }
    if row["memory"] != "ideal":
        found["DRAM"] = row["memory_system.dram_bytes"] / dram_bytes_per_cycle(row)
        found["crossbar"] = row["memory_system.crossbar_reply_bytes"] / sms / p["crossbar_bytes"]
        found["L1 MSHRs"] = wait_of_misses(row) / mshrs(row)
        if row["kernel"] in kernels.WAITS_IN_TURN:
            found["warps"] = kernels.WAITS_IN_TURN[row["kernel"]] * wait_of_misses(row) / side_by_side(row)
    if row["kernel"] in kernels.CHAINS:
        found["warps"] = chain(row["kernel"], mechanism_of(row)) / side_by_side(row)
    return found


@functools.lru_cache
def chain(kernel, mechanism):
    return kernels.CHAINS[kernel](point(), mechanism)


def mechanism_of(row):
    return next(name for name, how in grid.MECHANISMS.items() if how == (row["divergence"], row["scoreboard"]))


def largest(row):
    """(name, cycles)"""
    return max(bounds(row).items(), key=lambda item: item[1])


def check(rows):
    """\\throws FasterThanPossible  names the run and the bound"""
    for row in rows:
        for name, cycles in bounds(row).items():
            if row["cycles"] < cycles * (1 - SLACK):
                machine = f"{row['sms']} SMs, memory {row['memory']}"
                raise FasterThanPossible(f"{row['kernel']} under {mechanism_of(row)}, {machine}: "
                                         f"{row['cycles']:,} cycles, and the bound '{name}' is {cycles:,.0f}")
