"""Every block: cells, area and longest path."""
from area.model.report import table

from .facts import number


def rows_of(twins):
    for one in twins:
        stale = " (of an earlier text)" if one.stale else ""
        yield (f"{one.name}{stale}", f"{one.bits:,}", f"{one.memory_bits:,}", f"{one.cells:,}", f"{one.flops:,}",
               number(one.logic_mm2, 4), number(one.memory_mm2, 4), f"{one.ns:.2f}", f"{one.fo4:.0f}", one.path)


def twins_table(twins):
    return table(("twin", "bits", "in memories", "cells", "flops", "cells, mm2", "memories, mm2", "ns", "FO4",
                  "longest path"), list(rows_of(twins)), right=range(1, 9))


def text(facts):
    at_points = [one for one in facts.other.values() if "," not in one.name]
    return f"""## Every block
At the points of the papers. Areas at 90 nm.

{twins_table(at_points)}

At the small points, which the test run maps again and compares (area.baseline):

{twins_table(facts.small.values())}
"""


def series(facts):
    """{(point, key): {block and shape: [(value, Twin)]}} of the rows that change one key, three values at least."""
    found = {}
    for one in facts.other.values():
        head, *changed = one.name.split(",")
        if len(changed) == 1:
            block, _, place = head.partition(".")
            point, _, shape = place.partition("_")
            key, value = changed[0].split("=")
            title = f"{block} ({shape})" if shape else block
            found.setdefault((point, key), {}).setdefault(title, []).append((int(value), one))
    lines = {what: {title: sorted(samples, key=lambda s: s[0]) for title, samples in titles.items() if len(samples) > 2}
             for what, titles in sorted(found.items())}
    return {what: titles for what, titles in lines.items() if titles}
