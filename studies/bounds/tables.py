# SPDX-License-Identifier: Apache-2.0
"""Bounds, lanes and traffic as tables and sentences."""
from harness.page import MISSING, listed, number, of_whole, percent, table

from . import bounds, grid, kernels

BANDS = ((1, 8), (9, 16), (17, 24), (25, 31), (32, 32))  # lanes
MACHINE_NAMES = {"share": "one SM, its share of the chip's memory", "chip": "one SM, all of the chip's memory",
                 "ideal": "one SM, ideal memory", "15 SMs": "15 SMs"}


def row_of(results, kernel, mechanism, machine):
    return results.find(grid.job(kernel, mechanism, machine))


def runs(results, kernel):
    """(machine, mechanism, row) of those that are there."""
    for machine in grid.MACHINES:
        for mechanism in grid.MECHANISMS:
            if (row := row_of(results, kernel, mechanism, machine)) is not None:
                yield machine, mechanism, row


def largest_stalls(row):
    """The two largest as words, with their shares of the schedulers' cycles."""
    reasons = [(row[key] / row["scheduler_cycles"], key.removeprefix("stalls.")) for key in row if key.startswith("stalls.")]
    return listed(f"{of_whole(share)} *{reason}*" for share, reason in sorted(reasons)[:-3:-1])


def of_bounds(results, kernel):
    """A row a run: cycles, each bound as measured / bound, the largest in bold."""
    rows = []
    for machine, mechanism, row in runs(results, kernel):
        found, most = bounds.bounds(row), bounds.largest(row)[0]
        cells = []
        for name in bounds.NAMES:
            if not found.get(name):
                cells.append(MISSING)
                continue
            text = f"{number(found[name])} ({number(row['cycles'] / found[name], 2)})"
            cells.append(f"**{text}**" if name == most else text)
        rows.append((MACHINE_NAMES[machine], mechanism, number(row["cycles"]), *cells))
    return table(("machine", "", "cycles", *bounds.NAMES), rows, range(2, 3 + len(bounds.NAMES)))


def summary(results):
    """A row a kernel: on each machine, under SPE, which bound is the largest and how far from it the run is."""
    rows = []
    for kernel, (kind, _) in kernels.WHY.items():
        cells = []
        for machine in grid.MACHINES:
            row = row_of(results, kernel, "SPE", machine)
            if row is None:
                cells.append(MISSING)
                continue
            name, cycles = bounds.largest(row)
            cells.append(f"{name}, {number(row['cycles'] / cycles, 2)}")
        rows.append((kernel, kind, *cells))
    return table(("kernel", "kind", *MACHINE_NAMES.values()), rows)


NEAR = 1.10  # ours: a bound holds when the run takes at most so many times as long


def sentence(machine, row):
    name, cycles = bounds.largest(row)
    ratio = row["cycles"] / cycles
    said = f"- {MACHINE_NAMES[machine]}: the largest bound is *{name}*, and the run takes {number(ratio, 2)} times as long"
    holds = "it holds" if ratio <= NEAR else "no bound here holds"
    if row["working_sms"] < row["sms"]:
        holds += f"; only {row['working_sms']} of the SMs have work"
    return (f"{said}: {holds}. Most cycles without an issue: {largest_stalls(row)}."
            f"{joined(row, cycles) if ratio > NEAR else ''}")


def joined(row, largest):
    """How much of the distance is the time of misses that join others in the L2, which no bound can count."""
    if row["memory"] == "ideal":
        return ""
    names = ["L1 MSHRs"] + ["warps"] * (row["kernel"] in kernels.WAITS_IN_TURN)
    more = bounds.wait_of_misses(row, joined_wait_for_dram=True) / bounds.wait_of_misses(row)
    cycles, name = max((more * bounds.bounds(row)[name], name) for name in names)
    if cycles <= largest * NEAR:
        return ""
    return (" Were each miss that joins another in the L2 to wait as long as the first (no bound: it may come late), "
            f"*{name}* would be the largest, and the run {number(row['cycles'] / cycles, 2)} times as long.")


def sentences(results, kernel):
    said = [sentence(machine, row) for machine, mechanism, row in runs(results, kernel) if mechanism == "SPE"]
    return "\n".join(said)


def shares(issues):
    total = sum(issues)
    return [sum(issues[first:last + 1]) / total for first, last in BANDS]


def lanes(results):
    """Shares of the issues by how many lanes are active: by hand, and measured under SPE on one SM."""
    rows = []
    for kernel in kernels.WHY:
        row = row_of(results, kernel, "SPE", "share")
        by_hand = kernels.LANES_BY_HAND.get(kernel)
        rows.append((kernel, "by hand", *(map(of_whole, shares(by_hand())) if by_hand else [MISSING] * len(BANDS))))
        rows.append(("", "measured", *(map(of_whole, shares(row["active_lanes"])) if row else [MISSING] * len(BANDS))))
    heads = [f"{first} to {last}" if first != last else str(first) for first, last in BANDS]
    return table(("kernel", "active lanes", *heads), rows, range(2, 2 + len(BANDS)))


def exact_lanes(results):
    """Of diverge the whole histogram is known by hand, in instructions."""
    row = row_of(results, "diverge", "SPE", "share")
    if row is None:
        return "diverge was not measured."
    by_hand, measured = kernels.LANES_BY_HAND["diverge"](), row["active_lanes"]
    apart = [count for count in range(len(by_hand)) if by_hand[count] != measured[count]]
    said = (f"For diverge the instructions of each block are counted by hand as well: {number(sum(by_hand))} warp instructions, "
            f"measured are {number(sum(measured))}; ")
    return said + ("all of its 32 counts agree exactly." if not apart else
                   f"{len(apart)} of the 32 counts differ, the farthest by "
                   f"{number(max(abs(by_hand[count] - measured[count]) for count in apart))}.")


def traffic(results):
    rows = []
    for kernel in kernels.WHY:
        by_hand = kernels.traffic(kernel)
        for machine in ("15 SMs", "chip", "share"):
            row = row_of(results, kernel, "SPE", machine)
            if row is None:
                continue
            lines, dram = row["memory_system.line_requests"], row["memory_system.dram_bytes"]
            cells = (MISSING,) * 4
            if by_hand:
                both = by_hand["read"] + by_hand["written"]
                cells = (number(by_hand["lines"]), number(by_hand["read"]), number(both), percent(dram / by_hand["read"] - 1))
            lines_by_hand, read, total, over = cells
            rows.append((kernel, MACHINE_NAMES[machine], lines_by_hand, number(lines), read, total, number(dram), over))
    heads = ("kernel", "machine", "line requests by hand", "measured", "bytes read by hand", "read and written",
            "DRAM bytes measured", "over those read")
    return table(heads, rows, range(2, 8))


def traffic_words():
    said = [f"{kernel}: {of['words']}" for kernel in kernels.WHY if (of := kernels.traffic(kernel))]
    without = [kernel for kernel in kernels.WHY if not kernels.traffic(kernel)]
    return "; ".join(said) + f". Of {listed(without)} both are a matter of the data, and nothing stands here by hand."
