# SPDX-License-Identifier: Apache-2.0
"""The page's tables, and its sentences with numbers."""
from harness.page import MISSING, listed, number, of_whole, percent, table

from . import cost, features, grid
from .measures import ISSUES, KINDS, MATTERS, geometric_mean

# Of a program, what a gain may follow from: {name: number of (measures, kernel)}.
SEEN = {
    "divergent branches": lambda m, kernel: features.of(kernel).divergent,
    "if/else": lambda m, kernel: features.of(kernel).if_elses,
    "shorter side": lambda m, kernel: features.of(kernel).shorter_side,
    "divergent loops": lambda m, kernel: features.of(kernel).loops,
    "nesting": lambda m, kernel: features.of(kernel).nesting,
    "CTA barriers": lambda m, kernel: features.of(kernel).barriers,
    "branches that part lanes": lambda m, kernel: m.parted(kernel),
    "idle cycles": lambda m, kernel: m.idle(grid.BASE, kernels=[kernel]),
    "lane utilisation": lambda m, kernel: m.utilisation(kernel),
    "gain of ideal memory": lambda m, kernel: m.memory_gain(kernel),
}
CHANCE = 0.05  # that any bold correlation of the table came by chance (Bonferroni)


def times(value, digits=2):
    return MISSING if value is None else f"{number(value, digits)}x"


def ordered(m, mechanism, point=grid.WIDE):
    """[(speed, program)], the fastest first."""
    found = m.ran(mechanism, point)
    return sorted(((speed, kernel) for kernel, speed in found.items()), reverse=True) if found else []


def cell(speeds, place):
    if not speeds:
        return MISSING
    speed, kernel = speeds[place]
    return "none" if times(speed) == times(1) else f"`{kernel}` {times(speed)}"


def costs(mechanism):
    """Bits, mm2, FO4 of the slowest block, of a slice."""
    added = cost.added(mechanism)
    if added is None:
        return (MISSING,) * 4
    return (f"{added.bits:+,}", MISSING if added.mm2 is None else f"{added.mm2:+.2f}", number(added.fo4, 0),
            number(cost.loop(grid.ON_WIDE[mechanism]["divergence"]), 0))


def whole(m):
    """A row a mechanism."""
    rows = []
    for mechanism in [*grid.SINGLE, *grid.REFERENCES, *grid.PAIRS]:
        speeds, split = ordered(m, mechanism), m.split(mechanism)
        gains, losses = (MISSING, MISSING) if split is None else (f"{len(split[0])} of {len(speeds)}", len(split[1]))
        rows.append((mechanism, times(m.mean(mechanism), 3), gains, losses, cell(speeds, 0), cell(speeds, -1), *costs(mechanism)))
    return table(("mechanism", "speed, geometric mean", "programs faster", "slower", "fastest", "slowest", "bits", "mm2", "FO4",
                  "FO4, slice"), rows, (1, 2, 3, 6, 7, 8, 9))


def behaviour(m, point, mechanisms):
    """What the machine does under them, each over the base."""
    rows = [(grid.BASE, "1.00x", "1.00x", of_whole(m.idle(grid.BASE, point)), *([percent(0.0)] if point == grid.WIDE else []))]
    for mechanism in mechanisms:
        rows.append((mechanism, times(m.mean_ratio("lane_utilisation", mechanism, point)), times(m.mean_ratio("warp_instructions", mechanism, point)),
                     of_whole(m.idle(mechanism, point)), *([percent(m.energy(mechanism))] if point == grid.WIDE else [])))
    head = ("mechanism", "lanes active", "issues", "idle cycles", *(["dynamic energy (estimate)"] if point == grid.WIDE else []))
    return table(head, rows, range(1, len(head)))


def with_seeds(m):
    """Means with other data, and where a program's speed changes most."""
    rows = []
    for mechanism in grid.WITH_SEEDS:
        ours, others = m.ran(mechanism), [m.ran(mechanism, seed=seed) for seed in grid.SEEDS]
        if None in (ours, *others):
            rows.append((mechanism, *(MISSING,) * (len(others) + 3)))
            continue
        changes = [(max(abs(other[kernel] / ours[kernel] - 1) for other in others), kernel) for kernel in ours]
        most, kernel = max(changes)
        rows.append((mechanism, *(times(geometric_mean(speeds.values()), 3) for speeds in (ours, *others)), f"`{kernel}` {of_whole(most)}",
                     sum(change >= MATTERS for change, _ in changes)))
    head = ("mechanism", "seed 1", *(f"seed {seed}" for seed in grid.SEEDS), "largest change of a program",
            f"programs that change by {of_whole(MATTERS, 0)}")
    return table(head, rows, (1, 2, 3, 5))


def by_kind(m):
    rows = [(mechanism, *(times(m.by_kind(mechanism, kind)[0], 3) for kind in KINDS)) for mechanism in [*grid.SINGLE, *grid.PAIRS]]
    heads = [f"{kind} ({len(m.of_kind(kind))})" for kind in KINDS]
    return table(("mechanism", *heads), rows, range(1, len(KINDS) + 1))


def reason_words(reason):
    return "issues" if reason == ISSUES else f"*{reason}*"


def why(m, kernel, mechanism, point=grid.WIDE):
    """Of a difference: where the cycles went, and which count changed most."""
    if m.saved(kernel, mechanism, point) is None:
        return MISSING
    reason, share = m.first_reason(kernel, mechanism, point)
    fewer = "fewer" if m.speed_up(kernel, mechanism, point) >= 1 else "more"
    what = f"{fewer} issues" if reason == ISSUES else f"{fewer} cycles lost to {reason_words(reason)}"
    changed = m.most_changed(kernel, mechanism, point)
    return f"{what} ({of_whole(share)} of all)" + (f"; {changed[0]} {times(changed[1])}" if changed else "")


def best_of_each(m):
    rows = []
    for kernel in grid.KERNELS:
        best, head = m.best(kernel), (f"`{kernel}`", ", ".join(m.kinds(kernel)), of_whole(m.utilisation(kernel), 0))
        if best is None:
            rows.append((*head, MISSING, MISSING, MISSING, MISSING))
        elif best[1] < 1 + MATTERS:
            rows.append((*head, "none", times(best[1]), "", f"none gains {of_whole(MATTERS, 0)}"))
        else:
            rows.append((*head, best[0], times(best[1]), ", ".join(m.as_good(kernel)), why(m, kernel, best[0])))
    return table(("program", "kind", "lanes active", "best", "speed", f"within {of_whole(MATTERS, 0)} of it", "why the best"), rows, (2, 4))


def speeds(m, point, mechanisms):
    rows = []
    for kernel in grid.KERNELS:
        found = {one: m.speed_up(kernel, one, point) if grid.runs(kernel, one) else None for one in mechanisms}
        most = max((speed for speed in found.values() if speed is not None), default=None)
        rows.append((f"`{kernel}`", *(f"**{times(speed)}**" if speed is not None and speed == most and speed >= 1 + MATTERS else times(speed)
                                      for speed in found.values())))
    means = [times(m.mean(one, point), 3) for one in mechanisms]
    rows.append(("geometric mean of programs", *means))
    return table(("", *mechanisms), rows, range(1, len(mechanisms) + 1))


def branches(m):
    rows = []
    for kernel in grid.KERNELS:
        of = features.of(kernel)
        rows.append((f"`{kernel}`", of.branches, of.divergent, of.if_elses, number(of.shorter_side, 1) if of.if_elses else MISSING, of.ifs, of.loops,
                     of.nesting, of.barriers, of_whole(m.parted(kernel)), of_whole(m.utilisation(kernel)), times(m.memory_gain(kernel))))
    return table(("", "conditional branches", "divergent", "if/else", "shorter side", "if", "loops", "nesting", "CTA barriers",
                  "executed branches that part lanes", "lanes active", "ideal memory"), rows, range(1, 12))


def correlation(m, mechanism, name, point=grid.WIDE):
    return m.rank_correlation(mechanism, lambda kernel: SEEN[name](m, kernel), point)


# Rows of the table: (machine, mechanism).
CORRELATED = (*((grid.WIDE, one) for one in grid.SINGLE), *((grid.BARREL, one) for one in grid.ON_BARREL if one != grid.BASE))


def is_significant(found):
    return found is not None and found.chance() < CHANCE / (len(SEEN) * len(CORRELATED))


def significant(m, mechanism, point=grid.WIDE):
    """{what its speed goes with: correlation} of those that are no chance, the strongest first."""
    found = {name: correlation(m, mechanism, name, point) for name in SEEN}
    return dict(sorted(((name, one) for name, one in found.items() if is_significant(one)), key=lambda item: -abs(item[1].rho)))


def correlations(m):
    rows = []
    for point, mechanism in CORRELATED:
        cells = []
        for name in SEEN:
            found = correlation(m, mechanism, name, point)
            text = MISSING if found is None else f"{found.rho:+.2f}"
            cells.append(f"**{text}**" if is_significant(found) else text)
        rows.append((mechanism if point == grid.WIDE else f"`{point}`: {mechanism}", *cells))
    return table(("speed of", *SEEN), rows, range(1, len(SEEN) + 1))


def pairs(m):
    rows = []
    for name, (_, one, other) in grid.PAIRS.items():
        kernels = grid.programs(name)
        found = [{kernel: m.speed_up(kernel, mechanism) for kernel in kernels} for mechanism in (one, other, name)]
        if any(None in speeds.values() for speeds in found):
            rows.append((name, *(MISSING,) * 6))
            continue
        apart = {kernel: found[0][kernel] * found[1][kernel] for kernel in kernels}
        more, less = (sum(test(found[2][kernel] / apart[kernel]) for kernel in kernels)
                      for test in (lambda share: share >= 1 + MATTERS, lambda share: share <= 1 - MATTERS))
        rows.append((name, *(times(geometric_mean(speeds.values()), 3) for speeds in found), times(geometric_mean(apart.values()), 3), more, less))
    return table(("", "the one", "the other", "both", "product", "programs above the product", "below"), rows, range(1, 7))


def choices(m):
    found = m.choices()
    if found is None:
        return MISSING
    return table(("with", "speed, geometric mean", "programs that gain by it"),
                 [(f"{'and ' if place else ''}{name}", times(mean, 3), ", ".join(f"`{kernel}`" for kernel in kernels))
                  for place, (name, mean, kernels) in enumerate(found)], (1,))


def left_out():
    lines = [f"- {mechanism}: {listed(f'`{kernel}`' for kernel in kernels)}: {why}" for mechanism, (kernels, why) in grid.CANNOT.items()]
    return "\n".join(lines)


def headline(m):
    """For the README of the whole."""
    rows = []
    for mechanism in grid.SINGLE:
        speeds = ordered(m, mechanism)
        rows.append((mechanism, times(m.mean(mechanism), 3), cell(speeds, 0), cell(speeds, -1), *costs(mechanism)))
    formed, majority = cost.formation(), "formation (majority)"
    speeds = ordered(m, majority, grid.BARREL)
    rows.append((f"{majority}, `{grid.BARREL}`", times(m.mean(majority, grid.BARREL), 3), cell(speeds, 0), cell(speeds, -1),
                 f"{formed.bits:,} in all", MISSING if formed.mm2 is None else f"{formed.mm2:.2f} in all", number(formed.fo4), MISSING))
    return table(("over SPE", "speed, geometric mean", "fastest", "slowest", "bits", "mm2", "FO4", "FO4, slice"), rows, (1, 4, 5, 6, 7))
