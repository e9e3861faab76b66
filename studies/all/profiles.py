# SPDX-License-Identifier: Apache-2.0
"""Of each mechanism, who gains by it and who loses, in a sentence or two that its numbers make."""
import collections
import math

from harness.page import MISSING, of_whole

from . import grid, tables
from .measures import KINDS

NAMED = 4  # programs, at most


def some(m, mechanism, point, kernels):
    named = [f"`{kernel}` {tables.times(m.speed_up(kernel, mechanism, point))}" for kernel in kernels[:NAMED]]
    return f"{len(kernels)} ({', '.join(named)}{', ...' if kernels[NAMED:] else ''})" if kernels else "none"


def apart(m, mechanism, point):
    """The kind of programs that sets its speeds most apart."""
    found = {kind: m.by_kind(mechanism, kind, point) for kind in KINDS}
    ratios = {kind: abs(math.log(inside / outside)) for kind, (inside, outside) in found.items() if inside and outside}
    if not ratios:
        return ""
    kind = max(ratios, key=ratios.get)
    if ratios[kind] < tables.MATTERS:
        return ""
    inside, outside = found[kind]
    return f" {kind.capitalize()}: {tables.times(inside, 3)}; the others: {tables.times(outside, 3)}."


def goes_with(m, mechanism, point):
    found = tables.significant(m, mechanism, point)
    if not found:
        return " None of the counts below goes with its speed by more than chance may do."
    name = next(iter(found))
    return f" With its speed goes {name} (rank correlation {found[name].rho:+.2f})."


def reasons(m, mechanism, point, kernels, verb):
    first = collections.Counter(m.first_reason(kernel, mechanism, point)[0] for kernel in kernels)
    if not first:
        return ""
    reason, count = first.most_common(1)[0]
    return f" It {verb} most in {tables.reason_words(reason)}: {count} of {len(kernels)}."


def profile(m, mechanism, point=grid.WIDE):
    split = m.split(mechanism, point)
    if split is None:
        return f"- **{mechanism}**: {MISSING}"
    faster, slower = split
    return (f"- **{mechanism}**: {tables.times(m.mean(mechanism, point), 3)}. Faster by {of_whole(tables.MATTERS, 0)}: "
            f"{some(m, mechanism, point, faster)}; slower: {some(m, mechanism, point, slower)}."
            + apart(m, mechanism, point) + goes_with(m, mechanism, point)
            + reasons(m, mechanism, point, faster, "saves") + reasons(m, mechanism, point, slower, "loses"))


def profiles(m, mechanisms, point=grid.WIDE):
    return "\n".join(profile(m, one, point) for one in mechanisms)
