# SPDX-License-Identifier: Apache-2.0
"""The page's tables."""
from harness import claims as harness_claims
from harness.page import MISSING, number, of_whole, percent, table

from . import claims, grid
from .measures import geometric_mean

times = claims.times


def against_paper(m, some=claims.CLAIMS):
    return harness_claims.against_paper(m, some, "DAC", claims.cause(m))


def yes(value):
    return MISSING if value is None else "yes" if value else "no"


def main(m):
    """A row a kernel: speed of the three machines over the baseline."""
    rows = []
    for kernel in grid.KERNELS:
        ideal = m.ideal_gain(kernel)
        rows.append((f"`{kernel}`", yes(m.is_regular(kernel)), times(ideal), *(times(m.speed_up(kernel, machine)) for machine in list(grid.MACHINES)[1:]),
                     times(m.speed_up(kernel, over="baseline", **grid.IDEAL)), percent(m.fewer_instructions(kernel)),
                     of_whole(m.decoupled_loads(kernel)), of_whole(m.decoupled_loads(kernel, of_all=True)),
                     of_whole(m.share(kernel, ["affine.affine_instructions"], ["affine.affine_instructions", "warp_instructions"])),
                     percent(m.energy_change(kernel))))
    means = [times(m.mean_speed_up(grid.PROGRAMS, machine)) for machine in list(grid.MACHINES)[1:]]
    rows.append((f"geometric mean of {len(grid.PROGRAMS)}", "", times(geometric_mean(map(m.ideal_gain, grid.PROGRAMS))), *means,
                 times(m.mean_speed_up(grid.PROGRAMS, **grid.IDEAL)), *[""] * 5))
    return table(("kernel", "regular", "ideal memory", *list(grid.MACHINES)[1:], "DAC, ideal memory over ideal memory", "instructions",
                  "loads decoupled", "of all loads", "affine warp's", "dynamic energy"), rows, range(2, 12))


def kinds(m):
    """Regular and irregular, bound by memory or not."""
    rows = []
    for name, kernels in (("regular", m.kind(True)), ("irregular", m.kind(False)), ("memory bound", m.bound(True)), ("compute bound", m.bound(False))):
        rows.append((name, MISSING if kernels is None else len(kernels),
                     *(times(m.mean_speed_up(kernels, machine)) for machine in list(grid.MACHINES)[1:])))
    return table(("programs", "how many", *list(grid.MACHINES)[1:]), rows, range(1, 5))


def waits(m):
    """What holds the affine warp and its queues up, a row a kernel."""
    rows = []
    for kernel in grid.KERNELS:
        row = m.row(kernel, "DAC") or {}
        asked = [row.get(f"affine.affine_{kind}") for kind in ("scalar_predicates", "pair_predicates", "lane_compares")]
        rows.append((f"`{kernel}`", times(m.speed_up(kernel)), *(of_whole(m.waits(kernel, key)) for key in ("affine_outcome_cycles", "affine_full_cycles")),
                     of_whole(m.waits(kernel, "affine_lock_refusals")), of_whole(m.stall_share(kernel, "DAC", "affine queue")),
                     number(row.get("affine.tuple_queue_mean"), 1), *map(number, asked), of_whole(m.ran_whole(kernel), 0)))
    return table(("kernel", "speed-up", "waits for outcomes", "for room", "locks refused", "schedulers wait for a record", "tuples waiting, mean",
                  "predicates: a CTA", "a warp", "lanes", "launches not split"), rows, range(1, 11))


def variants(m):
    rows = [(name, *(times(geometric_mean(m.variant(kernel, how) for kernel in some)) for some in (grid.PROGRAMS, grid.QUEUED)))
            for name, how in grid.VARIANTS.items()]
    return table(("choice", f"all {len(grid.PROGRAMS)}", f"the {len(grid.QUEUED)} below"), rows, (1, 2))


def own_branches(m):
    """Kernel by kernel: with branches that the warps decide, without, and then with DPE."""
    rows = []
    for kernel in grid.KERNELS:
        base = grid.job(kernel)
        jobs = grid.job(kernel, "DAC"), grid.job(kernel, "DAC", **grid.OWN), grid.job(kernel, "DAC", "dpe", **grid.OWN)
        loads = m.row(kernel, "DAC", **grid.OWN) or {}
        of = loads.get("affine.global_loads")
        rows.append((f"`{kernel}`", *(times(m.of_jobs(job, base)) for job in jobs), of_whole(m.decoupled_loads(kernel)),
                     of_whole(loads["affine.decoupled_loads"] / of if of else None)))
    return table(("kernel", "all branches", "its own only", "... with DPE", "loads decoupled", "... with its own only"), rows, range(1, 6))


def queues(m):
    rows = [(name, *(times(m.of_jobs(grid.job(kernel, "DAC", settings=settings), grid.job(kernel))) for kernel in grid.QUEUED))
            for name, settings in (("ours", ""), *grid.QUEUES.items())]
    return table(("machine", *(f"`{kernel}`" for kernel in grid.QUEUED)), rows, range(1, 1 + len(grid.QUEUED)))


def dual_path(m):
    """DAC with dual-path execution, speed over SPE without either."""
    rows = []
    for kernel in grid.KERNELS:
        base = grid.job(kernel)
        ours = [m.of_jobs(grid.job(kernel, machine, divergence), base) for machine, divergence in
                (("DAC", "spe"), ("baseline", "dpe"), ("DAC", "dpe"))]
        product = None if None in ours[:2] else ours[0] * ours[1]
        rows.append((f"`{kernel}`", *map(times, ours), times(product)))
    means = []
    for place in range(3):
        machine, divergence = (("DAC", "spe"), ("baseline", "dpe"), ("DAC", "dpe"))[place]
        means.append(geometric_mean(m.of_jobs(grid.job(kernel, machine, divergence), grid.job(kernel)) for kernel in grid.PROGRAMS))
    rows.append((f"geometric mean of {len(grid.PROGRAMS)}", *map(times, means), times(None if None in means[:2] else means[0] * means[1])))
    return table(("kernel", "DAC", "DPE", "both", "product of the two"), rows, range(1, 5))
