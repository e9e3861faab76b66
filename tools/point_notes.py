# SPDX-License-Identifier: Apache-2.0
"""What a key of a design point is and where its value is from, as the comments of rtl/config/design_points.yaml have it:
`key: value  # what it is | source`; where a point has another value than its base, `# source` alone."""
import re
import textwrap

from .design_points import SOURCE, load_raw

POINT = re.compile(r"^(\w+):")
LINE = re.compile(r"^  (\w+):\s*[^#]*?(?:#\s*(.*?)\s*)?$")
WIDTH = 120


def of_text(text):
    """{point: {key: (what it is, or None; source, or None)}}"""
    found, point = {}, None
    for line in text.splitlines():
        if named := POINT.match(line):
            point = found.setdefault(named[1], {})
        elif (key := LINE.match(line)) and key[1] not in ("base", "summary"):
            what, bar, source = (key[2] or "").partition(" | ")
            point[key[1]] = (what, source) if bar else (None, what or None)
    return found


def problems(text, bases):
    """Each value without a source, and each key that says nowhere what it is."""
    notes = of_text(text)
    lacks = [f"point '{point}': {key} does not say its source ('# source' behind it)"
             for point, keys in notes.items() for key, (_, source) in keys.items() if not source]
    roots = [point for point in notes if not bases.get(point)]
    return lacks + [f"point '{point}': {key} does not say what it is ('# what it is | source' behind it)"
                    for point in roots for key, (what, _) in notes[point].items() if not what]


def bases():
    return {name: point.get("base") for name, point in load_raw().items()}


def explained(name, point, settings):
    """A line a key: its value, what it is, its source in brackets; `settings`: keys that a person has set."""
    notes, base_of = of_text(SOURCE.read_text()), bases()
    line = [name]
    while base_of[line[-1]]:
        line.append(base_of[line[-1]])
    rows = []
    for key in notes[line[-1]]:
        at = next(one for one in line if key in notes[one])
        source = "as set" if key in settings else notes[at][key][1]
        origin = "" if at == line[0] or key in settings else f", as {at}"
        what = next(notes[one][key][0] for one in line if notes[one].get(key, (None,))[0])
        rows.append((key, str(point[key]), f"{what} [{source}{origin}]"))
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = []
    for key, value, text in rows:
        head = f"{key.ljust(widths[0])}  {value.rjust(widths[1])}  "
        lines += textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    return "\n".join(lines)
