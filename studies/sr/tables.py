# SPDX-License-Identifier: Apache-2.0
"""The page's tables."""
from harness import claims as harness_claims
from harness.page import MISSING, number, of_whole, percent, table

from . import causes, claims, grid, paper
from .grid import automatic, job, on_other_point, predicted
from .measures import geometric_mean

times = claims.times


def against_paper(m, some=claims.CLAIMS):
    return harness_claims.against_paper(m, some, "SR", claims.cause(m))


def stall(m, one):
    found = m.stall(one)
    return MISSING if found is None else f"{found[0]}, {of_whole(found[1], 0)}"


def main(m):
    """Fig. 7 and 8: a row a kernel."""
    rows = []
    for kernel in grid.KERNELS:
        one, base = predicted(kernel), job(kernel)
        rows.append((f"`{kernel}`", *paper.KERNELS[kernel], of_whole(m.efficiency(base)), of_whole(m.efficiency(one)),
                     times(m.more_efficient(one)), times(m.speed_up(one)), times(m.fewer_issues(one)), times(m.rate(one)),
                     percent(m.of_barriers(one)), stall(m, base), stall(m, one)))
    return table(("kernel", "SR's", "pattern", "efficiency, default", "predicted", "ratio", "speed-up", "= fewer issues", "x issues a cycle",
                  "barriers' instructions", "largest stall, default", "predicted"), rows, range(3, 10))


def thresholds(m):
    sweeps = {kernel: m.sweep(kernel) for kernel in grid.SWEPT}
    rows = []
    for threshold in (*grid.THRESHOLDS, None):
        cells = [cell for kernel in grid.SWEPT for cell in (of_whole(sweeps[kernel][threshold][0]), times(sweeps[kernel][threshold][1]))]
        rows.append(("all" if threshold is None else threshold, *cells))
    head = [f"`{kernel}`, {what}" for kernel in grid.SWEPT for what in ("efficiency", "speed-up")]
    return table(("lanes to exceed", *head), rows, range(1, 5))


def few_thresholds(m):
    rows = []
    for kernel in grid.KERNELS:
        some = [m.speed_up(predicted(kernel, soft_threshold=threshold)) for threshold in grid.FEW_THRESHOLDS]
        rows.append((f"`{kernel}`", *map(times, some), times(m.speed_up(predicted(kernel)))))
    return table(("kernel", *(f"more than {threshold}" for threshold in grid.FEW_THRESHOLDS), "all"), rows, range(1, len(grid.FEW_THRESHOLDS) + 2))


def automatics(m):
    rows = []
    for kernel in grid.KERNELS:
        one, marked = automatic(kernel), predicted(kernel)
        rows.append((f"`{kernel}`", times(m.speed_up(marked)), times(m.speed_up(one)), of_whole(m.efficiency(marked)),
                     of_whole(m.efficiency(one)), "yes" if causes.is_same(m, kernel) else "no"))
    return table(("kernel", "speed-up, annotated", "automatic", "efficiency, annotated", "automatic", "the same"), rows, range(1, 5))


def items(m):
    rows = []
    for kernel in grid.COARSENED:
        for what in ("efficiency", "speed-up"):
            cells = []
            for count in grid.ITEMS_SWEPT:
                one, base = (make(kernel, coarsen=count) for make in (predicted, job))
                cells.append(of_whole(m.efficiency(one)) if what == "efficiency" else times(m.speed_up(one, base)))
            rows.append((f"`{kernel}`, {what}", *cells))
    return table(("work items a thread", *grid.ITEMS_SWEPT), rows, range(1, len(grid.ITEMS_SWEPT) + 1))


def limits(m):
    rows = []
    for kernel in grid.LIMITED:
        one, base = (make(kernel, coarsen=grid.LIMIT_ITEMS) for make in (predicted, job))
        row = m.find(grid.limit(kernel)) or {}
        rows.append((f"`{kernel}`", times(m.fewer_issues(one, base)), times(row.get("speed_up")), times(row.get("most_speed_up"))))
    return table(("kernel", "predicted", "best order found", "no order more"), rows, range(1, 4))


def warps(m):
    rows = []
    for count in grid.WARPS_SWEPT:
        one, base = (make(grid.COARSENED[0], warps=count) for make in (predicted, job))
        rows.append((count, times(m.more_efficient(one, base)), times(m.speed_up(one, base)), stall(m, base), stall(m, one)))
    return table(("warps", "efficiency, ratio", "speed-up", "largest stall, default", "predicted"), rows, range(3))


def variants(m):
    """Deconfliction, and an ideal memory."""
    rows = []
    for kernel in grid.ALL:
        ideal = {"memory": "ideal"} if kernel in grid.MEMORY_BOUND else None
        cell = times(m.speed_up(predicted(kernel, **ideal), job(kernel, **ideal))) if ideal else MISSING
        rows.append((f"`{kernel}`", times(m.speed_up(predicted(kernel))), times(m.speed_up(predicted(kernel, deconfliction="static"))),
                     cell))
    return table(("kernel", "dynamic", "static", "dynamic, ideal memory"), rows, range(1, 4))


def pickers(m):
    rows = [(picker, *(cell for kernel in grid.SWEPT for cell in
                       (of_whole(m.efficiency(predicted(kernel, mechanism=picker))),
                        times(m.speed_up(predicted(kernel, mechanism=picker), job(kernel, picker)))))) for picker in grid.PICKERS]
    head = [f"`{kernel}`, {what}" for kernel in grid.SWEPT for what in ("efficiency", "speed-up")]
    return table(("picker", *head), rows, range(1, 5))


def best_of(cells):
    """The largest in bold."""
    known = [value for value in cells if value is not None]
    return [f"**{times(value)}**" if known and value == max(known) else times(value) for value in cells]


def mechanisms(m):
    """Speed over SPE at the paper's point; the last row is the mean."""
    columns = [*grid.MECHANISMS][1:]
    speeds = {}
    for kernel in grid.ALL:
        base = job(kernel, "SPE")
        speeds[kernel] = [*(m.speed_up(job(kernel, name), base) for name in columns), m.speed_up(predicted(kernel), base)]
    return speed_table((*columns, "predicted"), speeds)


def other_point(m):
    """Speed over PDOM on the machine of DWF."""
    columns = [*grid.BARREL][1:]
    speeds = {}
    for kernel in grid.ALL:
        base = on_other_point(kernel, "PDOM")
        speeds[kernel] = [*(m.speed_up(on_other_point(kernel, name), base) for name in columns),
                          m.speed_up(on_other_point(kernel, "barriers", reconverge="predicted"), base)]
    return speed_table((*columns, "predicted"), speeds)


def speed_table(columns, speeds):
    rows = [(f"`{kernel}`", *best_of(cells)) for kernel, cells in speeds.items()]
    of_table_2 = [speeds[kernel] for kernel in grid.KERNELS]
    rows.append(("geometric mean without the last", *(times(geometric_mean(cells)) for cells in zip(*of_table_2))))
    return table(("kernel", *columns), rows, range(1, len(columns) + 1))


def others(m):
    """Kernels without predictions that automatic detection changes."""
    rows = []
    for kernel in grid.OTHERS:
        one = automatic(kernel)
        if m.is_candidate(one):
            rows.append((f"`{kernel}`", of_whole(m.efficiency(job(kernel))), of_whole(m.efficiency(one)), times(m.speed_up(one)),
                         stall(m, job(kernel)), stall(m, one)))
    return table(("kernel", "efficiency, default", "automatic", "speed-up", "largest stall, default", "automatic"), rows, range(1, 4))


def sizes(m):
    rows = [(f"`{kernel}`", grid.size_of(kernel)["warps"] or "small", grid.ITEMS.get(kernel, MISSING),
             number((m.value(kernel, "barriers", "oracle_thread_instructions") or 0) / 1e6, 1)) for kernel in grid.ALL]
    return table(("kernel", "warps", "work items a thread", "million thread instructions"), rows, range(1, 4))
