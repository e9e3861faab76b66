# SPDX-License-Identifier: Apache-2.0
"""The paper's figures as tables of ours, and the tables around them."""
from harness import claims as the_claims
from harness.page import MISSING, number, of_whole, percent, table

from . import claims, evidence, grid, paper
from .measures import KERNELS, harmonic_mean, mean, share_of_peak

NAMES = tuple(map(paper.name, KERNELS))
SHARES = ("stall", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)


def against_paper(m, some=claims.CLAIMS, in_short=False):
    """Claim by claim: the paper, ours, and why. \\param in_short  causes without their evidence"""
    causes = evidence.load(claims.CLAIMS)
    return the_claims.against_paper(m, some, "DWF", lambda claim: evidence.cause(causes, claim, m, in_short))


def ipc_row(m, name, mechanism, **changes):
    values = [m.ipc(kernel, mechanism, **changes) if grid.runs(kernel, mechanism) else None for kernel in KERNELS]
    return (name, *(number(value, 1) for value in (*values, harmonic_mean(values))))


def ipcs(m, mechanisms, **changes):
    rows = [ipc_row(m, mechanism, mechanism, **changes) for mechanism in mechanisms]
    return table(("IPC", *NAMES, "harmonic mean"), rows, range(1, 2 + len(KERNELS)))


def gains(m, mechanisms, over="PDOM", **changes):
    rows = []
    for mechanism in mechanisms:
        each = [m.gain(kernel, mechanism, over, **changes) for kernel in KERNELS]
        rows.append((mechanism, *map(percent, each), percent(m.mean_gain(mechanism, over, **changes))))
    return table((f"over {over}", *NAMES, "of the means"), rows, range(1, 2 + len(KERNELS)))


def widths(m):
    rows = []
    for lanes, theirs in paper.WIDTHS.items():
        shares = []
        for kernel in KERNELS:
            shares.append(share_of_peak(m.results.find(grid.of_width(kernel, "PDOM", lanes, memory="ideal")), lanes))
        rows.append((f"{lanes} lanes", *map(of_whole, shares), of_whole(m.mean_of_width(lanes)), of_whole(theirs)))
    return table(("of the peak", *NAMES, "harmonic mean", "DWF"), rows, range(1, 3 + len(KERNELS)))


def limits(m):
    rows = []
    for kernel in KERNELS:
        rows.append(limit_row(m, paper.name(kernel), grid.limit(kernel)))
    for body in grid.PATHOLOGICAL:
        rows.append(limit_row(m, f"Fig. 7, body of {body}", grid.limit_of_pathological(body)))
    return table(("", "PDOM slots", "aligned slots", "speed-up", "at most"), rows, range(1, 5))


def limit_row(m, name, job):
    row = m.results.find(job)
    if row is None:
        return (name, *[MISSING] * 4)
    return (name, number(row["post_dominator_slots"]), number(row["aligned_slots"]), percent(row["speed_up"] - 1),
            percent(row["most_speed_up"] - 1))


def beside_paper(m, of, theirs):
    """Fig. 13 and 14. \\param of  of (kernel, mechanism)"""
    rows = []
    for mechanism in ("PDOM", "DMaj", "MIMD"):
        if mechanism in theirs:
            rows.append((f"{mechanism}, DWF", *(of_whole(value, 2) for value in theirs[mechanism])))
        rows.append((f"{mechanism}, ours", *(of_whole(of(kernel, mechanism), 2) for kernel in KERNELS)))
    return table(("", *NAMES), rows, range(1, 1 + len(KERNELS)))


def sizes(m):
    """Fig. 16, the mean of the programs."""
    rows = []
    for mechanism in ("PDOM", *grid.POLICIES):
        found = [m.sizes(kernel, mechanism) for kernel in KERNELS]
        shares = [mean(None if one is None else one.get(what, 0) for one in found) for what in SHARES]
        rows.append((mechanism, *map(of_whole, shares)))
    head = ("", *("Stall" if what == "stall" else f"W{what}" for what in SHARES))
    return table(head, rows, range(1, 1 + len(SHARES)))


def counters(m, mechanisms):
    """What formation did: of its issues, and of the cycles of all cores."""
    rows = []
    for mechanism in mechanisms:
        for kernel in KERNELS:
            row = m.row(kernel, mechanism)
            if row is None:
                continue
            issues, cycles = row["warp_instructions"], row["scheduler_cycles"]
            parts = [row[f"formation_{key}"] / issues for key in ("hits", "conflicts", "evictions")]
            times = [row[f"stalls.{reason}"] / cycles for reason in
                     ("warp formation", "structural: load/store unit", "structural: special unit", "memory", "commit port",
                      "pending warps full")]
            rows.append((mechanism, paper.name(kernel), of_whole(row["lane_utilisation"]), *(number(part, 2) for part in parts),
                         *map(of_whole, times), of_whole(row["commit_holds"] / cycles, 2),
                         of_whole(row["bank_conflict_cycles"] / cycles)))
    head = ("", "", "lanes used", "hits", "conflicts", "evictions", "no warp formed", "load/store unit", "special unit",
            "memory", "commit port", "pending full", "commit holds", "bank conflicts")
    return table(head, rows, range(2, len(head)))


def experiments(m):
    """Gain of formation (Majority) over PDOM."""
    def gain(kernel, over="PDOM", **how):
        return m.gain(kernel, "DMaj", over, **how)

    def spilled(kernel):
        pair = [m.results.find(grid.spilled(kernel, mechanism)) for mechanism in ("PDOM", "DMaj")]
        return None if kernel not in grid.MORE_REGISTERS or None in pair else pair[0]["cycles"] / pair[1]["cycles"] - 1

    rows = {
        "as it is": gain,
        "ideal memory": lambda kernel: gain(kernel, memory="ideal"),
        "one stage less": m.with_one_stage_less,
        "PDOM as long": lambda kernel: gain(kernel, evidence.AS_LONG),
        "... ideal memory": lambda kernel: gain(kernel, evidence.AS_LONG, memory="ideal"),
        "... one pipeline": lambda kernel: gain(kernel, evidence.AS_LONG, settings=grid.ONE_PIPELINE),
        "as Fig. 2": lambda kernel: gain(kernel, settings=grid.AS_FIG_2),
        f"{grid.REGISTERS} registers": spilled,
    }
    return table(("DMaj over PDOM", *NAMES), [(name, *map(percent, map(of, KERNELS))) for name, of in rows.items()],
                 range(1, 1 + len(KERNELS)))


def appendix(m):
    rows, gains = [], {over: m.gains_of_appendix(over) for over in ("PDOM", evidence.AS_LONG)}
    for kernel in grid.APPENDIX:
        of = {name: m.results.find(grid.of_appendix(kernel, name)) for name in ("DMaj", *gains)}
        ipcs = [None if row is None else row["thread_ipc"] for row in of.values()]
        used = [None if of[name] is None else of[name]["lane_utilisation"] for name in ("PDOM", "DMaj")]
        rows.append((f"`{kernel}`", *(number(value, 2) for value in ipcs), *map(of_whole, used),
                     *(percent(of_each[kernel]) for of_each in gains.values())))
    rows.append(("*mean of the gains*", *[""] * 5, *(percent(mean(of_each.values())) for of_each in gains.values())))
    head = ("", *(f"IPC, {name}" for name in ("DMaj", *gains)), "lanes used, PDOM", "lanes used, DMaj",
            *(f"DMaj over {over}" for over in gains))
    return table(head, rows, range(1, len(head)))


def data_sets(m):
    rows = []
    for kernel in KERNELS:
        row = m.row(kernel, "PDOM") or {}
        count = row.get("oracle_thread_instructions")
        one = grid.job(kernel, "PDOM")
        rows.append((paper.name(kernel), f"[{kernel}](../../kernels/README.md)",
                     MISSING if count is None else f"{count / 1e6:,.1f} M", one.sms, one.max_registers,
                     {True: "yes", False: "order matters"}.get(row.get("equals_oracle"), MISSING),
                     row.get("message") or MISSING))
    head = ("DWF", "ours", "thread instructions", "cores", "registers", "equals the oracle", "its own check")
    return table(head, rows, (2, 3, 4))
