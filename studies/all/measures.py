"""Numbers from results. What is missing is None; what a mechanism cannot run is left out of its means."""
from harness import energy, measures
from harness.measures import geometric_mean

from . import features, grid

MATTERS = 0.02  # ours: from so much on a difference of speed is one
MEMORY_BOUND = 1.5  # ours: so much faster with ideal memory
DIVERGENT = 0.75  # ours: fewer of the lanes are active, on average
LONG_SIDE = 4  # ours, instructions: of an if/else whose sides are worth interleaving


class Measures(measures.Measures):
    def __init__(self, results):
        super().__init__(results, grid.job, grid.BASE)

    def speed_up(self, kernel, mechanism, point=grid.WIDE):
        gain = self.gain(kernel, mechanism, point=point)
        return None if gain is None else 1 + gain

    def ran(self, mechanism, point=grid.WIDE, kernels=grid.PROGRAMS):
        """{kernel: speed-up} of those that it can run, or None: one is not measured."""
        found = {kernel: self.speed_up(kernel, mechanism, point) for kernel in kernels if grid.runs(kernel, mechanism)}
        return None if None in found.values() else found

    def mean(self, mechanism, point=grid.WIDE, kernels=grid.PROGRAMS):
        found = self.ran(mechanism, point, kernels)
        return geometric_mean(found.values()) if found else None

    def energy(self, mechanism):
        """Geometric mean of its dynamic energy over the base's, an estimate, less 1."""
        pairs = [(self.row(kernel, mechanism), self.row(kernel, grid.BASE)) for kernel in grid.PROGRAMS if grid.runs(kernel, mechanism)]
        changes = [energy.change(*pair) for pair in pairs]
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

    def lost_cycles(self, kernel, mechanism, point):
        """{reason: scheduler cycles without an issue for it}"""
        row = self.row(kernel, mechanism, point=point)
        return None if row is None else {key.removeprefix("stalls."): row[key] for key in row if key.startswith("stalls.")}

    def saved(self, kernel, mechanism, point=grid.WIDE):
        """Of the base's scheduler cycles, the share that a mechanism saves by what: {reason: share}, issues among them."""
        rows = [self.row(kernel, one, point=point) for one in (grid.BASE, mechanism)]
        if None in rows:
            return None
        before, after = (self.lost_cycles(kernel, one, point) for one in (grid.BASE, mechanism))
        found = {reason: before.get(reason, 0) - after.get(reason, 0) for reason in {**before, **after}}
        found["issues"] = rows[0]["warp_instructions"] - rows[1]["warp_instructions"]
        return {reason: cycles / rows[0]["scheduler_cycles"] for reason, cycles in found.items()}

    def rank_correlation(self, mechanism, of_kernel):
        """Spearman's, of the speed-ups with a number of each program. None: not all are known, or all are alike."""
        speeds = self.ran(mechanism)
        others = None if speeds is None else [of_kernel(kernel) for kernel in speeds]
        if others is None or None in others:
            return None
        return pearson(ranks(list(speeds.values())), ranks(others))


def ranks(values):
    """Equal ones share the mean of their places."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def pearson(xs, ys):
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    x_spread, y_spread = (sum((value - mean) ** 2 for value in values) for values, mean in ((xs, x_mean), (ys, y_mean)))
    if not x_spread or not y_spread:
        return None
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / (x_spread * y_spread) ** 0.5
