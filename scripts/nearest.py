# SPDX-License-Identifier: Apache-2.0
"""The answer to a name that is not there: the nearest ones. sim/report/nearest.h is the same in C++; both are held to
tests/cli/nearest.txt.

  python3 scripts/nearest.py KIND NAME KNOWN...      prints it
"""
import sys

SHOWN = 3


def distance(a, b):
    """Letters to insert, delete, replace, or swap with the next, to make b of a."""
    before, row = [], list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        last, before, row = before, row, [i]
        for j, other in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other)))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]


def nearest(name, known):
    """At most SHOWN of the known, best first: a third of the letters may be wrong, or the name is a part of it."""
    found = []
    for candidate in known:
        off = 1 if len(name) >= 3 and name in candidate else distance(name, candidate)
        if off <= max(1, len(name) // 3):
            found.append((off, candidate))
    found.sort(key=lambda pair: pair[0])
    return [candidate for off, candidate in found if off <= found[0][0] + 1][:SHOWN]


def no_such(kind, name, known):
    """no block 'dual_path_stak'; did you mean dual_path_stack?"""
    near = nearest(name, list(known))
    if not near:
        return f"no {kind} '{name}'; known: {', '.join(known)}"
    return f"no {kind} '{name}'; did you mean {' or '.join([', '.join(near[:-1]), near[-1]] if near[1:] else near)}?"


if __name__ == "__main__":
    print(no_such(sys.argv[1], sys.argv[2], sys.argv[3:]))
