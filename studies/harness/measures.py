# SPDX-License-Identifier: Apache-2.0
"""Numbers from results. What is missing is None, and a mean with something missing is None, too: it would be of other
programs than it says."""


class Measures:
    """\\param job  makes the job of (kernel, mechanism, **changes)
    \\param reference  the mechanism with which others are compared"""

    def __init__(self, results, job, reference):
        self.results, self.job, self.reference = results, job, reference

    def row(self, kernel, mechanism, **changes):
        return self.results.find(self.job(kernel, mechanism, **changes))

    def value(self, kernel, mechanism, key, **changes):
        row = self.row(kernel, mechanism, **changes)
        return None if row is None else row.get(key)

    def ratio(self, kernel, mechanism, key, over="", **changes):
        """Of a statistic under two mechanisms."""
        this, other = (self.value(kernel, one, key, **changes) for one in (mechanism, over or self.reference))
        return None if this is None or not other else this / other

    def change(self, kernel, mechanism, key, over="", **changes):
        ratio = self.ratio(kernel, mechanism, key, over, **changes)
        return None if ratio is None else ratio - 1

    def gain(self, kernel, mechanism, over="", **changes):
        """Of speed: thread instructions are the same, so it is that of cycles."""
        ratio = self.ratio(kernel, over or self.reference, "cycles", mechanism, **changes)
        return None if ratio is None else ratio - 1

    def stall_share(self, kernel, mechanism, reason, **changes):
        """Of the schedulers' cycles."""
        stalls, cycles = (self.value(kernel, mechanism, key, **changes) for key in (f"stalls.{reason}", "scheduler_cycles"))
        return None if stalls is None or not cycles else stalls / cycles

    def largest_stall(self, kernel, mechanism, **changes):
        """(reason, share) or None."""
        row = self.row(kernel, mechanism, **changes)
        if row is None:
            return None
        reasons = [key.removeprefix("stalls.") for key in row if key.startswith("stalls.")]
        shares = [(self.stall_share(kernel, mechanism, reason, **changes), reason) for reason in reasons]
        share, reason = max(shares)
        return reason, share


def mean(values):
    """Arithmetic."""
    values = list(values)
    return None if not values or None in values else sum(values) / len(values)


def harmonic_mean(values):
    values = list(values)
    return None if not values or None in values or 0 in values else len(values) / sum(1 / value for value in values)


def geometric_mean(values):
    values = list(values)
    if not values or None in values:
        return None
    product = 1.0
    for value in values:
        product *= value
    return product ** (1 / len(values))


def most(values):
    values = list(values)
    return None if not values or None in values else max(values)


def least(values):
    values = list(values)
    return None if not values or None in values else min(values)
