# SPDX-License-Identifier: Apache-2.0
"""Markdown from numbers. What was not measured is a dash, never a guess."""
MISSING = "–"


class PageError(Exception):
    """A page cannot be made; says why."""


def table(head, rows, right=()):
    """\\param right  columns of numbers, from 0"""
    rule = ["--:" if column in right else "---" for column in range(len(head))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, rule, *rows))


def percent(share, digits=1):
    """Of a change: +0.0512 is +5.1%."""
    return MISSING if share is None else f"{100 * share:+.{digits}f}%"


def of_whole(share, digits=1):
    return MISSING if share is None else f"{100 * share:.{digits}f}%"


def number(value, digits=0):
    return MISSING if value is None else f"{value:,.{digits}f}"


def listed(words):
    """a, b and c"""
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def between(text, name, inside):
    """The text with what stands between the marks of that name replaced; as it is where there are none."""
    first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if first not in text or last not in text:
        return text
    before, _, rest = text.partition(first)
    return before + first + inside + "\n" + last + rest.partition(last)[2]
