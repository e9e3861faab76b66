# SPDX-License-Identifier: Apache-2.0
"""Rank correlation, and how likely one comes by chance."""
import dataclasses
import math


def ranks(values):
    """Equal ones share the mean of their places."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def pearson(xs, ys):
    """None where one of them does not vary."""
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    x_spread, y_spread = (sum((value - mean) ** 2 for value in values) for values, mean in ((xs, x_mean), (ys, y_mean)))
    if not x_spread or not y_spread:
        return None
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / (x_spread * y_spread) ** 0.5


@dataclasses.dataclass(frozen=True)
class Correlation:
    """Spearman's."""
    rho: float
    count: int

    @staticmethod
    def of(xs, ys):
        rho = pearson(ranks(xs), ranks(ys))
        return None if rho is None else Correlation(rho, len(xs))

    def chance(self):
        """That one as large, of either sign, comes by chance: Fisher's z, with the variance of ranks by Fieller, Hartley and
        Pearson, "Tests for rank correlation coefficients. I", Biometrika 44 (1957)."""
        if abs(self.rho) >= 1 or self.count < 5:
            return 0.0 if self.count >= 5 else 1.0
        z = math.atanh(self.rho) * math.sqrt((self.count - 3) / 1.06)
        return math.erfc(abs(z) / math.sqrt(2))
