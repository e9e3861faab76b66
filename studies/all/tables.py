"""The page's tables, and its sentences with numbers."""
from harness.page import MISSING, listed, number, of_whole, percent, table

from . import cost, features, grid
from .measures import MATTERS, geometric_mean

KINDS = ("memory bound", "not memory bound", "divergent", "convergent", "if/else", "divergent loops")
# Of a program, what a gain may follow from: {name: number of (measures, kernel)}.
SEEN = {
    "divergent branches": lambda m, kernel: features.of(kernel).divergent,
    "if/else": lambda m, kernel: features.of(kernel).if_elses,
    "shorter side": lambda m, kernel: features.of(kernel).shorter_side,
    "divergent loops": lambda m, kernel: features.of(kernel).loops,
    "nesting": lambda m, kernel: features.of(kernel).nesting,
    "CTA barriers": lambda m, kernel: features.of(kernel).barriers,
    "branches that part lanes": lambda m, kernel: m.parted(kernel),
    "lane utilisation": lambda m, kernel: m.utilisation(kernel),
    "gain of ideal memory": lambda m, kernel: m.memory_gain(kernel),
}
STRONG = 0.5  # ours, of a rank correlation


def times(value, digits=2):
    return MISSING if value is None else f"{number(value, digits)}x"


def of_whole_list(m, mechanism, point=grid.WIDE):
    found = m.ran(mechanism, point)
    return sorted(((speed, kernel) for kernel, speed in found.items()), reverse=True) if found else []


def cell(speeds, place):
    return f"`{speeds[place][1]}` {times(speeds[place][0])}" if speeds else MISSING


def costs(added):
    if added is None:
        return (MISSING,) * 3
    return (f"{added.bits:+,}", MISSING if added.mm2 is None else f"{added.mm2:+.2f}", number(added.fo4, 0))


def whole(m):
    """A row a mechanism."""
    rows = []
    for mechanism in [*grid.SINGLE, *grid.REFERENCES, *grid.PAIRS]:
        speeds = of_whole_list(m, mechanism)
        gains, losses = (sum(test(speed) for speed, _ in speeds) for test in (lambda s: s >= 1 + MATTERS, lambda s: s <= 1 - MATTERS))
        rows.append((mechanism, times(m.mean(mechanism), 3), f"{gains} of {len(speeds)}" if speeds else MISSING, losses if speeds else MISSING,
                     cell(speeds, 0), cell(speeds, -1), percent(m.energy(mechanism)), *costs(cost.added(mechanism))))
    return table(("mechanism", "speed, geometric mean", "programs faster", "slower", "fastest", "slowest", "dynamic energy (estimate)",
                  "bits", "mm2", "FO4"), rows, (1, 2, 3, 6, 7, 8, 9))


def by_kind(m):
    rows = []
    for mechanism in [*grid.SINGLE, *grid.PAIRS]:
        cells = []
        for kind in KINDS:
            kernels = [kernel for kernel in m.of_kind(kind) if grid.runs(kernel, mechanism)]
            cells.append(times(m.mean(mechanism, kernels=kernels), 3) if kernels else MISSING)
        rows.append((mechanism, *cells))
    heads = [f"{kind} ({len(m.of_kind(kind))})" for kind in KINDS]
    return table(("mechanism", *heads), rows, range(1, len(KINDS) + 1))


def largest(saved):
    """What saves most cycles: (what, share); issues, or a reason for which no instruction issued."""
    return max(saved.items(), key=lambda item: item[1])


WORDS = {"issues": "fewer instructions issue, as more lanes do at once"}


def why(m, kernel, mechanism, point=grid.WIDE):
    """Of a difference, from what the cycles went to before and after."""
    saved = m.saved(kernel, mechanism, point)
    if saved is None:
        return MISSING
    gains = m.speed_up(kernel, mechanism, point) >= 1
    reason, share = largest(saved if gains else {name: -value for name, value in saved.items()})
    words = WORDS.get(reason, f"fewer cycles lost to *{reason.replace('_', ' ')}*") if gains else (
        "more instructions issue, as fewer lanes do at once" if reason == "issues" else f"more cycles lost to *{reason.replace('_', ' ')}*")
    return f"{words} ({of_whole(share)} of all)"


def best_of_each(m):
    rows = []
    for kernel in grid.KERNELS:
        best = m.best(kernel)
        used = of_whole(m.utilisation(kernel), 0)
        if best is None:
            rows.append((f"`{kernel}`", ", ".join(m.kinds(kernel)), used, MISSING, MISSING, MISSING))
        elif best[1] < 1 + MATTERS:
            rows.append((f"`{kernel}`", ", ".join(m.kinds(kernel)), used, "none", times(best[1]), f"none gains {of_whole(MATTERS, 0)}"))
        else:
            rows.append((f"`{kernel}`", ", ".join(m.kinds(kernel)), used, best[0], times(best[1]), why(m, kernel, best[0])))
    return table(("program", "kind", "lanes active", "best", "speed", "why"), rows, (2, 4))


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


def correlations(m):
    rows = []
    for mechanism in grid.SINGLE:
        cells = []
        for of in SEEN.values():
            value = m.rank_correlation(mechanism, lambda kernel, of=of: of(m, kernel))
            text = MISSING if value is None else f"{value:+.2f}"
            cells.append(f"**{text}**" if value is not None and abs(value) >= STRONG else text)
        rows.append((mechanism, *cells))
    return table(("speed of", *SEEN), rows, range(1, len(SEEN) + 1))


def pairs(m):
    rows = []
    for name, (_, one, other) in grid.PAIRS.items():
        kernels = [kernel for kernel in grid.PROGRAMS if grid.runs(kernel, name)]
        found = [{kernel: m.speed_up(kernel, mechanism) for kernel in kernels} for mechanism in (one, other, name)]
        if any(None in speeds.values() for speeds in found):
            rows.append((name, *(MISSING,) * 6))
            continue
        apart = {kernel: found[0][kernel] * found[1][kernel] for kernel in kernels}
        more, less = (sum(test(found[2][kernel] / apart[kernel]) for kernel in kernels)
                      for test in (lambda share: share >= 1 + MATTERS, lambda share: share <= 1 - MATTERS))
        rows.append((name, *(times(geometric_mean(speeds.values()), 3) for speeds in found), times(geometric_mean(apart.values()), 3), more, less))
    return table(("", "the one", "the other", "both", "product", "programs above the product", "below"), rows, range(1, 7))


def left_out():
    lines = [f"- {mechanism}: {listed(f'`{kernel}`' for kernel in kernels)}: {why}" for mechanism, (kernels, why) in grid.CANNOT.items()]
    return "\n".join(lines)


def headline(m):
    """For the README of the whole."""
    rows = []
    for mechanism in grid.SINGLE:
        speeds = of_whole_list(m, mechanism)
        rows.append((mechanism, times(m.mean(mechanism), 3), cell(speeds, 0), cell(speeds, -1), *costs(cost.added(mechanism))))
    return table(("over SPE", "speed, geometric mean", "fastest", "slowest", "bits", "mm2", "FO4"), rows, (1, 4, 5, 6))
