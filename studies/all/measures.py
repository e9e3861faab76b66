# SPDX-License-Identifier: Apache-2.0
"""Numbers from results. What is missing is None; what a mechanism cannot run is left out of its means."""
import math

from harness import energy, measures
from harness.measures import geometric_mean, mean as arithmetic_mean

from . import features, grid
from .statistics import Correlation

MATTERS = 0.02  # ours: from so much on a difference of speed is one
MEMORY_BOUND = 1.5  # ours: so much faster with ideal memory
DIVERGENT = 0.75  # ours: fewer of the lanes are active, on average
LONG_SIDE = 4  # ours, instructions: of an if/else whose sides are worth interleaving
ISSUES = "issues"  # what schedulers' cycles go to, beside the reasons for which none issues
# What may change with the cycles: {name: (key of a result, whether a program gains by more of it)}.
COUNTS = {"issues": ("warp_instructions", False), "lanes active": ("lane_utilisation", True), "paths a warp": ("avg_path", True),
          "L1 misses": ("memory_system.l1_misses", False), "DRAM bytes": ("memory_system.dram_bytes", False)}
KINDS = ("memory bound", "not memory bound", "divergent", "convergent", "if/else", "divergent loops")


class Measures(measures.Measures):
    def __init__(self, results):
        super().__init__(results, grid.job, grid.BASE)

    def speed_up(self, kernel, mechanism, point=grid.WIDE, **changes):
        gain = self.gain(kernel, mechanism, point=point, **changes)
        return None if gain is None else 1 + gain

    def ran(self, mechanism, point=grid.WIDE, kernels=grid.PROGRAMS, **changes):
        """{kernel: speed-up} of those that it can run, or None: one is not measured."""
        found = {kernel: self.speed_up(kernel, mechanism, point, **changes) for kernel in kernels if grid.runs(kernel, mechanism)}
        return None if None in found.values() else found

    def mean(self, mechanism, point=grid.WIDE, kernels=grid.PROGRAMS):
        found = self.ran(mechanism, point, kernels)
        return geometric_mean(found.values()) if found else None

    def energy(self, mechanism):
        """Geometric mean of its dynamic energy over the base's, an estimate, less 1."""
        changes = [energy.change(self.row(kernel, mechanism), self.row(kernel, grid.BASE)) for kernel in grid.programs(mechanism)]
        return None if None in changes else geometric_mean(1 + change for change in changes) - 1

    def memory_gain(self, kernel):
        """Speed with ideal memory."""
        rows = self.row(kernel, grid.BASE), self.row(kernel, grid.BASE, memory="ideal")
        return None if None in rows else rows[0]["cycles"] / rows[1]["cycles"]

    def utilisation(self, kernel, mechanism=grid.BASE, point=grid.WIDE):
        return self.value(kernel, mechanism, "lane_utilisation", point=point)

    def parted(self, kernel):
        """Share of the executed branches that part lanes."""
        row = self.row(kernel, grid.BASE)
        return None if row is None else row["divergent_branches"] / max(1, row["branches"])

    def kinds(self, kernel):
        """What a program is, by counts of its run under the base and by what the compiler sees."""
        memory, used, of = self.memory_gain(kernel), self.utilisation(kernel), features.of(kernel)
        if None in (memory, used):
            return ()
        return (*(["memory bound"] if memory >= MEMORY_BOUND else ["not memory bound"]),
                *(["divergent"] if used < DIVERGENT else ["convergent"]),
                *(["if/else"] if of.if_elses and of.shorter_side >= LONG_SIDE else []),
                *(["divergent loops"] if of.loops else []))

    def of_kind(self, kind):
        return [kernel for kernel in grid.PROGRAMS if kind in self.kinds(kernel)]

    def best(self, kernel, point=grid.WIDE):
        """(mechanism, speed-up) of what can be built and stands alone, or None."""
        mechanisms = grid.SINGLE if point == grid.WIDE else [one for one in grid.ON_BARREL if one not in grid.BARREL_REFERENCES]
        speeds = {one: self.speed_up(kernel, one, point) for one in mechanisms if one != grid.BASE and grid.runs(kernel, one)}
        return None if None in speeds.values() else max(speeds.items(), key=lambda item: item[1])

    def as_good(self, kernel, point=grid.WIDE):
        """Others that are slower than the best by less than MATTERS."""
        name, most = self.best(kernel, point)
        return [one for one in grid.SINGLE if one != name and grid.runs(kernel, one)
                and self.speed_up(kernel, one, point) > most * (1 - MATTERS)]

    def mean_ratio(self, key, mechanism, point=grid.WIDE):
        """Of a statistic over the base's, geometric mean of the programs that it can run."""
        return geometric_mean(self.ratio(kernel, mechanism, key, point=point) for kernel in grid.programs(mechanism))

    def idle(self, mechanism, point=grid.WIDE, kernels=grid.PROGRAMS):
        """Share of the cycles in which no scheduler issues, arithmetic mean."""
        rows = [self.row(kernel, mechanism, point=point) for kernel in kernels if grid.runs(kernel, mechanism)]
        return None if None in rows else arithmetic_mean(row["idle_cycles"] / row["cycles"] for row in rows)

    def cycles_by_reason(self, kernel, mechanism, point=grid.WIDE):
        """{reason: schedulers' cycles without an issue for it}, issues among them."""
        row = self.row(kernel, mechanism, point=point)
        if row is None:
            return None
        return {ISSUES: row["warp_instructions"], **{key.removeprefix("stalls."): row[key] for key in row if key.startswith("stalls.")}}

    def saved(self, kernel, mechanism, point=grid.WIDE):
        """{reason: share of the base's scheduler cycles that the mechanism does not need}, negative where it needs more."""
        before, after = (self.cycles_by_reason(kernel, one, point) for one in (grid.BASE, mechanism))
        if None in (before, after):
            return None
        total = self.value(kernel, grid.BASE, "scheduler_cycles", point=point)
        return {reason: (before.get(reason, 0) - after.get(reason, 0)) / total for reason in {**before, **after}}

    def first_reason(self, kernel, mechanism, point=grid.WIDE):
        """(reason, share) that saves most where the mechanism is faster, and costs most where it is slower."""
        saved, sign = self.saved(kernel, mechanism, point), 1 if self.speed_up(kernel, mechanism, point) >= 1 else -1
        reason, share = max(saved.items(), key=lambda item: sign * item[1])
        return reason, sign * share

    def most_changed(self, kernel, mechanism, point=grid.WIDE):
        """(one of COUNTS, its ratio over the base) that changed by the largest factor, of those that changed as the speed did; or
        None: none did by MATTERS."""
        def along(ratio, more_gains):
            """Positive where it changed as the speed did."""
            return math.log(ratio) * (1 if more_gains else -1) * (1 if self.speed_up(kernel, mechanism, point) >= 1 else -1)
        found = {name: (self.ratio(kernel, mechanism, key, point=point), more_gains) for name, (key, more_gains) in COUNTS.items()}
        changes = {name: along(*one) for name, one in found.items() if one[0]}
        name = max(changes, key=changes.get, default=None)
        return (name, found[name][0]) if name and changes[name] >= MATTERS else None

    def split(self, mechanism, point=grid.WIDE):
        """(programs that it makes faster, slower), the largest change first, or None."""
        found = self.ran(mechanism, point)
        if found is None:
            return None
        ordered = sorted(found, key=found.get)
        return ([kernel for kernel in reversed(ordered) if found[kernel] >= 1 + MATTERS],
                [kernel for kernel in ordered if found[kernel] <= 1 - MATTERS])

    def by_kind(self, mechanism, kind, point=grid.WIDE):
        """(mean of the programs of a kind, of the others); None where there are none."""
        its, kernels_of = self.of_kind(kind), grid.programs(mechanism)
        inside, outside = [one for one in kernels_of if one in its], [one for one in kernels_of if one not in its]
        return tuple(self.mean(mechanism, point, kernels) if kernels else None for kernels in (inside, outside))

    def choices(self):
        """If each program could choose: [(mechanism, mean with it and those before, programs that take it)], beginning with the
        base, always with the one that adds most; whoever adds less than a tenth of MATTERS is left out."""
        pool, best, chosen = {one: self.ran(one) for one in (*grid.SINGLE, *grid.PAIRS)}, dict.fromkeys(grid.PROGRAMS, 1.0), []
        if None in pool.values():
            return None

        def with_it(name):
            return {kernel: max(best[kernel], pool[name].get(kernel, 0)) for kernel in grid.PROGRAMS}
        while True:
            name = max(pool, key=lambda one: geometric_mean(with_it(one).values()))
            after = with_it(name)
            if geometric_mean(after.values()) < geometric_mean(best.values()) * (1 + MATTERS / 10):
                return chosen
            chosen.append((name, geometric_mean(after.values()), [kernel for kernel in grid.PROGRAMS if after[kernel] > best[kernel] * (1 + MATTERS)]))
            best = after

    def rank_correlation(self, mechanism, of_kernel, point=grid.WIDE):
        """Of the speeds with a number of each program. None: not all are known, or all are alike."""
        speeds = self.ran(mechanism, point)
        others = None if speeds is None else [of_kernel(kernel) for kernel in speeds]
        if others is None or None in others:
            return None
        return Correlation.of(list(speeds.values()), others)
