# SPDX-License-Identifier: Apache-2.0
"""What follows from the numbers. Each conclusion stands on statistics that are tested here: when they are no longer so, the page
is refused, and whoever changed them reads the conclusion again.
"""
from harness.measures import geometric_mean, mean
from harness.page import MISSING, PageError, listed, of_whole

from . import cost, grid, tables
from .measures import LONG_SIDE, MATTERS
from .tables import times

AFFINE_WAITS = ("affine queue", "affine warp")  # reasons of stalls


def kernels(names):
    return listed(f"`{name}`" for name in names)


def rho(m, mechanism, name, point=grid.WIDE):
    found = tables.correlation(m, mechanism, name, point)
    return f"{found.rho:+.2f}"


def two_paths(m):
    long, others = m.by_kind("DPE", "if/else")
    faster, slower = m.split("DPE")
    least = min(m.ran("DPE").values())
    holds = list(tables.significant(m, "DPE")) == ["shorter side"] and long > 1 + MATTERS > others and least > 0.95
    return holds, f"""**Two paths of a warp at once gain where both sides of a branch are long, and nearly nothing is lost
elsewhere.** DPE is {times(long, 3)} on programs with an if/else whose shorter side has {LONG_SIDE} instructions or more,
{times(others, 3)} on the others; the length of the shorter side goes with its speed ({rho(m, "DPE", "shorter side")}), and no other
count does by more than chance may do. It issues the same instructions with the same lanes
({times(m.mean_ratio("warp_instructions", "DPE"))} issues): what it saves in {kernels(faster)} is waiting. It loses most in
{kernels(slower)}, {times(least)}."""


def little_to_fill(m):
    idle = {kernel: m.idle(grid.BASE, kernels=[kernel]) for kernel in grid.PROGRAMS}
    busy = [kernel for kernel, share in idle.items() if share < 0.1]
    gained = geometric_mean(m.speed_up(kernel, "DPE") for kernel in busy)
    holds = busy and gained < 1 + MATTERS and m.mean_ratio("warp_instructions", "DPE") == 1
    return holds, f"""**An SM whose warps are all there leaves little to fill.** Under SPE it is idle in {of_whole(m.idle(grid.BASE))}
of the cycles on average, and in less than 10% of them in {len(busy)} of {len(idle)} programs; on these DPE is {times(gained, 3)}.
Who finds more to issue can gain no more than what is idle; who issues less, in any cycle."""


def more_paths(m):
    over = m.mean("DWS50") / m.mean("DPE")
    share = m.mean_ratio("warp_instructions", "DWS50")
    holds = over < 1 - MATTERS and m.mean("DWS50 (ideal)") < m.mean("DWS50") and share > 1.1 and m.by_kind("DWS50", "divergent")[0] < 0.8
    return holds, f"""**More than two paths lose, as they meet again too late.** DWS50 is {times(over, 3)} of DPE. It finds more to
issue ({of_whole(m.idle("DWS50"))} of the cycles are idle, {of_whole(m.idle(grid.BASE))} under SPE), but splits that run ahead do
not meet: {times(m.mean_ratio("lane_utilisation", "DWS50"))} as many lanes are active in an issue, and {times(share)} as many
instructions issue; on divergent programs it is {times(m.by_kind("DWS50", "divergent")[0], 3)}. Room is not what it lacks: its
ideal, in which any number of splits issues, is {times(m.mean("DWS50 (ideal)"), 3)}."""


def barriers(m):
    faster, slower = m.split("barriers (predicted)")
    lanes = geometric_mean(m.ratio(kernel, "barriers (predicted)", "lane_utilisation") for kernel in faster)
    share = m.mean_ratio("warp_instructions", "barriers")
    holds = faster and lanes > 1.05 and share > 1 + MATTERS and m.mean("barriers") < 1 - MATTERS
    return holds, f"""**Convergence barriers are instructions, and pay where they fill lanes.** Where they only do what a stack does
they are {times(m.mean("barriers"), 3)}, as {times(share)} as many instructions issue. A predicted reconvergence makes
{kernels(faster)} faster ({times(lanes)} as many lanes are active), and {len(slower)} programs slower; the compiler's own choice is
{times(m.mean("barriers (automatic)"), 3)}. It is a choice for each program, as the decision is the program's."""


def affine(m):
    def waits(some):
        return mean(sum(m.stall_share(kernel, "DAC", reason) or 0 for reason in AFFINE_WAITS) for kernel in some)
    faster, slower = m.split("DAC")
    own = "DAC (affine branches)"
    bound, others = m.by_kind("DAC", "memory bound")
    gain = {kernel: m.ratio(kernel, "DAC", "cycles", own) for kernel in slower}
    most = sorted(gain, key=gain.get, reverse=True)[:3]
    holds = waits(slower) > waits(faster) and m.mean("DAC") < m.mean(own) and bound > 1 + MATTERS > others
    return holds, f"""**An affine warp gains most and loses most.** DAC makes {len(faster)} programs faster (geometric mean
{times(geometric_mean(m.speed_up(kernel, "DAC") for kernel in faster))}) and {len(slower)} slower
({times(geometric_mean(m.speed_up(kernel, "DAC") for kernel in slower))}): {times(bound, 3)} on memory-bound programs, whose loads
it asks for early, {times(others, 3)} on the others. Those that lose wait for it: its schedulers find only warps that wait for
records or for the affine warp in {of_whole(waits(slower))} of their cycles, {of_whole(waits(faster))} in those that gain. If
accesses behind branches that lanes decide stay in the warps, it is {times(m.mean(own), 3)} on average: most of it
{listed(f"`{kernel}` {times(m.speed_up(kernel, 'DAC'))}, then {times(m.speed_up(kernel, own))}" for kernel in most)}."""


def no_gain(m):
    lanes = mean(m.stall_share(kernel, grid.BASE, "structural: lanes") for kernel in grid.PROGRAMS)
    holds = all(abs(m.mean(one) - 1) < MATTERS for one in ("CAE", "MTA")) and lanes < MATTERS
    faster, slower = m.split("MTA")
    return holds, f"""**An affine unit and a prefetcher move nothing here.** CAE is {times(m.mean("CAE"), 3)}: it frees lanes, and
these are why nothing issues in {of_whole(lanes)} of the schedulers' cycles. MTA is {times(m.mean("MTA"), 3)}: faster are
{kernels(faster)}, slower {kernels(slower)}."""


def price(m):
    loops = {name: cost.loop(name) for name in ("spe", "dpe", "dws50", "barrier")}
    if None in (*loops.values(), cost.added("DPE").mm2, cost.added("DPE (software)").mm2):
        return True, f"**The clock** {MISSING}: not all of these blocks are mapped as they stand (`scripts/synth --update`)"
    dpe, software, base = (cost.parts(name) for name in ("dpe", "dpe_software", "spe"))
    unit = "control flow unit"
    more = cost.added("DPE").mm2 - (dpe[unit][0] - base[unit][0])
    speed = m.mean("DPE") * loops["spe"] / loops["dpe"]
    is_smaller, is_no_slower = dpe[unit][0] < base[unit][0], dpe[unit][1] < base[unit][1] * (1 + MATTERS)
    is_as_large = abs(software[unit][0] / dpe[unit][0] - 1) < MATTERS
    holds = cost.added("DPE").bits < 0 < more and is_smaller and is_no_slower and is_as_large and speed < 1
    return holds, f"""**The clock decides as much as the cycles.** Two paths need a smaller stack than one
({cost.added("DPE").bits:+,} bits in all, {dpe[unit][0] - base[unit][0]:+.2f} mm2 for the stack), which is no slower
({dpe[unit][1]:.0f} FO4, SPE's {base[unit][1]:.0f}); what they add is a scoreboard and buffers for two ({more:+.2f} mm2). But a whole slice, in which an issue
decides about the next one, takes {loops["dpe"]:.0f} FO4 as it is mapped here, {loops["spe"]:.0f} under SPE, {loops["barrier"]:.0f}
with barriers and {loops["dws50"]:.0f} under DWS50: if it sets the clock, DPE is {times(speed, 3)} of SPE. Its software stack
keeps no RPCs, but pushes need more entries than there are lanes, so that it takes about as much: {cost.added("DPE (software)").mm2:+.2f} mm2 in all
where DPE adds {cost.added("DPE").mm2:+.2f}, and it pays in instructions
({times(m.mean_ratio("warp_instructions", "DPE (software)"))} issues, {times(m.mean("DPE (software)"), 3)})."""


def combined(m):
    chosen = m.choices()
    single = max(m.mean(one) for one in grid.SINGLE)
    both, apart = m.mean("DPE + DAC"), m.mean("DPE") * m.mean("DAC")
    holds = chosen[-1][1] > single + MATTERS and both < apart
    return holds, f"""**What combines is a choice, not a sum.** DPE and DAC together are {times(both, 3)}, where the product of both
is {times(apart, 3)}: they save some of the same waiting. The best single mechanism is {times(single, 3)} on average; a machine in
which each program could choose among {listed(name for name, _, _ in chosen)} would be {times(chosen[-1][1], 3)}, of which the first
gives {times(chosen[0][1], 3)}."""


def formed(m):
    names = [one for one in grid.ON_BARREL if one.startswith("formation") and one not in grid.BARREL_REFERENCES]
    best = {kernel: max(names, key=lambda one: m.speed_up(kernel, one, grid.BARREL)) for kernel in grid.PROGRAMS}
    gains = [kernel for kernel in grid.PROGRAMS if m.speed_up(kernel, best[kernel], grid.BARREL) >= 1 + MATTERS]
    waits = mean(m.stall_share(kernel, names[0], "warp formation", point=grid.BARREL) for kernel in grid.PROGRAMS)
    mimd = m.by_kind("MIMD", "divergent", grid.BARREL)
    holds = m.mean(names[0], grid.BARREL) < 1 - MATTERS and mimd[0] > mimd[1] and waits > 0.1 and len(set(best.values())) > 1
    counts = listed(f"{name.removeprefix('formation ').strip('()')} in {sum(one == name for one in best.values())}" for name in names)
    return holds, f"""**Warps that are formed come round too late on a barrel.** On `{grid.BARREL}` formation is
{times(m.mean(names[0], grid.BARREL), 3)} and gains on {kernels(gains) or "none"}, though MIMD shows what lanes could do:
{times(mimd[0], 3)} on divergent programs. Its schedulers wait for the formation of a warp in {of_whole(waits)} of their cycles
([DWF's study](../dwf/README.md) has the experiments). No policy is best for all: {counts} of {len(best)} programs."""


ALL = (two_paths, little_to_fill, more_paths, barriers, affine, no_gain, price, combined, formed)


def conclusions(m):
    """\throws PageError  one does not follow any more"""
    if any(m.results.find(job) is None for jobs in grid.grid().values() for job in jobs):
        return f"{MISSING} (the whole grid is needed)"
    texts = []
    for one in ALL:
        holds, text = one(m)
        if not holds:
            raise PageError(f"studies/all/conclusions.py: {one.__name__} does not follow from these results; read it again. It would say: {text}")
        texts.append(f"{len(texts) + 1}. " + text)
    return "\n".join(texts)

