# SPDX-License-Identifier: Apache-2.0
"""Rows of a picture that at times hold no state, such as popped stack entries and freed slots: --live of render_wave.

An option is ROWS:CONDITION. ROWS is a group or GROUP/ROW, in which `*` stands for any text. A condition is one or more
terms SIGNAL>N, SIGNAL<N and SIGNAL=N, or SIGNAL[BIT]=N for one bit, joined by `&`, and by `|`, which binds weaker. A
signal has its full name without the range of its bits, or the end of that name if no other one ends so. Where several
options name one row, all conditions must hold.
"""
import bisect
import operator
import re

HELP = ("dim rows while the condition does not hold, as entries above the depth of a stack: rows are a group or "
        "GROUP/ROW, with * for any text; a condition is SIGNAL>N, SIGNAL<N, SIGNAL=N or SIGNAL[BIT]=N, or several "
        "with & and | between them")
COMPARE = {">": operator.gt, "<": operator.lt, "=": operator.eq}
TERM = re.compile(r"([\w.]+)(?:\[(\d+)\])?([<>=])(\d+)")


class Term:
    """One comparison of a signal of the waveform."""

    def __init__(self, text, changes):
        found = TERM.fullmatch(text.strip())
        if not found:
            raise ValueError(f"'{text}' is not SIGNAL>N, SIGNAL<N, SIGNAL=N or SIGNAL[BIT]=N")
        signal, bit, compare, number = found.groups()
        self.changes = changes[name_of(signal, changes)]
        self.times = [time for time, _ in self.changes]
        self.bit, self.compare, self.number = bit and int(bit), COMPARE[compare], int(number)

    def holds(self, time):
        """An unknown value satisfies no comparison."""
        place = bisect.bisect_right(self.times, time)
        value = self.changes[place - 1][1] if place else None
        if value is None:
            return False
        return self.compare(value if self.bit is None else value >> self.bit & 1, self.number)


def name_of(signal, changes):
    """The signal's name in the waveform."""
    bare = {name.split("[")[0]: name for name in changes}
    found = [signal] if signal in bare else [name for name in bare if name.endswith(f".{signal}")]
    if len(found) != 1:
        raise ValueError(f"the waveform has {f'{len(found)} signals' if found else 'no signal'} {signal}")
    return bare[found[0]]


class Condition:
    def __init__(self, text, changes):
        self.alternatives = [[Term(term, changes) for term in part.split("&")] for part in text.split("|")]

    def holds(self, time):
        return any(all(term.holds(time) for term in terms) for terms in self.alternatives)

    def times(self):
        """At which it may begin or cease to hold."""
        return {time for terms in self.alternatives for term in terms for time in term.times}


class LiveRows:
    """\\throws ValueError if an option names no row or no signal, or has no condition"""

    def __init__(self, options, rows, changes):
        self.of_row = {}
        for option in options:
            names, colon, condition = option.rpartition(":")
            if not colon:
                raise ValueError(f"'{option}' is not ROWS:CONDITION")
            pattern = re.compile(".*".join(map(re.escape, names.split("*"))))
            found = list(rows_named(pattern, rows))
            if not found:
                raise ValueError(f"the view has no group or row '{names}'")
            for number in found:
                self.of_row.setdefault(number, []).append(Condition(condition, changes))

    def dead(self, number, start, end):
        """[(from, to)] of the window in which this row shows no state of the design."""
        conditions = self.of_row.get(number, [])
        times = {time for condition in conditions for time in condition.times() if start < time < end}
        spans, edges = [], [start, *sorted(times), end]
        for begin, finish in zip(edges, edges[1:]):
            if not all(condition.holds(begin) for condition in conditions):
                if spans and spans[-1][1] == begin:
                    begin = spans.pop()[0]
                spans.append((begin, finish))
        return spans


def rows_named(pattern, rows):
    """Numbers of the signals' rows whose group, or GROUP/ROW, the pattern matches."""
    group = ""
    for number, row in enumerate(rows):
        if row[0] == "group":
            group = row[1]
        elif pattern.fullmatch(group) or pattern.fullmatch(f"{group}/{row[1]}"):
            yield number
