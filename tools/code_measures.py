# SPDX-License-Identifier: Apache-2.0
"""Measures of the code: longest processes, common names of blocks and twins, floors and arrows of sim/sm, openings.

  scripts/lint --measures                  prints them; fails if one is worse than tools/measures_known.json allows
  scripts/lint --measures --check          fails likewise, and prints what is worse alone
  scripts/lint --measures --names BLOCK    the names that BLOCK (rtl/BLOCK) has, and its twin has not
  scripts/lint --measures --write          lowers what is allowed to what is there; it allows nothing worse

processes     lines from the first to the last, of functions too: SystemC in rtl/**/*.h (SC_METHOD, SC_THREAD,
              HEDDLE_ON_EDGE), SystemVerilog in rtl/**/*.sv (always blocks, functions, tasks). Those over 80 lines are
              listed: a file's longest may not grow, nor its second longest, and so on, and no other may exceed 80.
common names  the share of a block's variables, functions and fields that its twin declares too. It may not fall by
              names that the block alone has; a new block needs the share that all have together.
              tools/common_names.py says what counts.
floors        the longest chain of folders of sim/sm that include each other; arrows are pairs of such folders, and upward
              are includes against their order. The three numbers may not rise. tools/include_floors.py
openings      comments that open with `Of`, `Whose`, `Who` or `Whom`; their number may not rise. Other fragments are not
              counted; tools/comment_openings.py says why.

Where a figure has to become worse, tools/measures_known.json is edited by hand, and the commit says why.
"""
import argparse
import json
import sys

from . import comment_openings, common_names, include_floors, process_lines
from .source_text import ROOT, read

KNOWN = "tools/measures_known.json"
LIMIT = 80  # lines of a process
LANGUAGES = {"SystemC": ".h", "SystemVerilog": ".sv"}
NUMBERS = {"floors": "floors of sim/sm", "arrows": "arrows of sim/sm", "upward": "includes of sim/sm that lead upwards",
           "openings": "comments that open with `Of`, `Whose`, `Who` or `Whom`"}


def over_limit(processes):
    return [one for one in processes if one.lines > LIMIT]


class Measures:
    """What is measured of the tree at `root`."""

    def __init__(self, root):
        sources = read(root, "rtl/**/*.h", "rtl/**/*.sv")
        self.processes = {of: process_lines.processes(sources, suffix) for of, suffix in LANGUAGES.items()}
        self.blocks = common_names.blocks(sources)
        self.arrows = include_floors.arrows_of(root)
        self.between = include_floors.between_folders(self.arrows)
        self.folders = include_floors.of_folders(self.between)
        self.upward = include_floors.upward(self.between, include_floors.order_of(root))
        self.comments = comment_openings.comments(root)

    def figures(self):
        """What tools/measures_known.json has of them."""
        return {"processes": {one.key(): one.lines for found in self.processes.values() for one in over_limit(found)},
                "common_names": {one.name: [len(one.common), one.count()] for one in self.blocks},
                "floors": len(include_floors.chain(self.folders)), "arrows": len(self.between),
                "upward": sum(self.upward.values()),
                "openings": sum(one.opens_without_subject() for one in self.comments)}


def by_file(processes):
    """{file: [(lines, name)], the longest first}"""
    found = {}
    for key, lines in processes.items():
        file, _, name = key.partition(" ")
        found.setdefault(file, []).append((lines, name))
    return {file: sorted(rows, reverse=True) for file, rows in found.items()}


def longer_processes(file, found, known):
    allowed = [lines for lines, _ in known] + [LIMIT] * len(found)
    for (lines, name), most in zip(found, allowed):
        if lines > most:
            yield f"{file}: {name} has {lines} lines, at most {most} are allowed"


def share(row):
    return row[0] / row[1] if row[1] else 1.0


def whole_share(rows):
    return share([sum(column) for column in zip(*rows)] if rows else [0, 0])


def fewer_names(name, found, known):
    if name not in known:
        if share(found) < whole_share(list(known.values())):
            yield (f"{name}: {found[0]} of {found[1]} names are common, {share(found):.1%}; a new block needs "
                   f"{whole_share(list(known.values())):.1%}, as the others have")
    elif share(found) < share(known[name]) and found[1] - found[0] > known[name][1] - known[name][0]:
        before = known[name]
        yield (f"{name}: {found[0]} of {found[1]} names are common, {share(found):.1%}; "
               f"{before[0]} of {before[1]} were, {share(before):.1%} (scripts/lint --measures --names {name})")


def worse(found, known):
    """What is worse than known, a line each."""
    before = by_file(known["processes"])
    lines = [line for file, rows in by_file(found["processes"]).items()
             for line in longer_processes(file, rows, before.get(file, []))]
    for name, row in found["common_names"].items():
        lines += fewer_names(name, row, known["common_names"])
    return lines + [f"{what}: {found[key]}, at most {known[key]} are allowed" for key, what in NUMBERS.items()
                    if found[key] > known[key]]


def lowered(found, known):
    """Known figures, each as good as it is found; nothing is worse than known."""
    before, now = by_file(known["processes"]), by_file(found["processes"])
    kept = {file: rows if not list(longer_processes(file, rows, before.get(file, []))) else before.get(file, [])
            for file, rows in now.items()}
    names = {}
    for name, row in found["common_names"].items():
        old = known["common_names"].get(name)
        if old is None and not list(fewer_names(name, row, known["common_names"])) or old and share(row) >= share(old):
            names[name] = row
        elif old:
            names[name] = old
    return {"processes": {f"{file} {name}": lines for file, rows in kept.items() for lines, name in rows},
            "common_names": names, **{key: min(found[key], known[key]) for key in NUMBERS}}


def text_of(figures):
    """The known figures as the file has them: a process, a block a line."""
    def rows(values):
        return ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(values.items()))
    parts = [f'  "{key}": {{\n{rows(figures[key])}\n  }}' for key in ("processes", "common_names")]
    return "{\n" + ",\n".join(parts + [f'  "{key}": {figures[key]}' for key in NUMBERS]) + "\n}\n"


def print_processes(measures):
    for of, found in measures.processes.items():
        long = over_limit(found)
        print(f"{of}: {len(found)} processes and functions, {len(long)} over {LIMIT} lines, at most {found[0].lines}")
        for one in long:
            print(f"  {one.lines:4}  {one.file}:{one.line} {one.name}")


def print_names(measures):
    part, common, count = common_names.whole(measures.blocks)
    print(f"common names of blocks and twins: {part:.1%}, {common:,} of {count:,}")
    for one in measures.blocks:
        print(f"  {one.share():4.0%}  {len(one.common):3} of {one.count():3}  {one.name}")


def short(unit):
    return unit.removeprefix(include_floors.FOLDER + "/")


def print_graph(what, arrows):
    chain = include_floors.chain(arrows)
    print(f"sim/sm: {len(arrows)} {what} on {len(chain)} floors, {sum(map(len, arrows.values()))} arrows")
    print("  longest chain: " + " > ".join(map(short, chain)))


def print_floors(measures):
    print_graph("folders", measures.folders)
    print(f"  {sum(measures.upward.values())} includes lead upwards")
    print_graph("units", measures.arrows)
    cycles = include_floors.cycles(measures.arrows)
    for cycle in cycles:
        print("  they include each other: " + ", ".join(map(short, cycle)))
    for (folder, other), count in sorted(measures.between.items()):
        print(f"  {folder} > {other}: {count}{', upwards' if (folder, other) in measures.upward else ''}")


def print_all(measures):
    print_processes(measures)
    print_names(measures)
    print_floors(measures)
    openings = measures.figures()["openings"]
    print(f"{NUMBERS['openings']}: {openings} of {len(measures.comments):,}")


def print_names_of(measures, block):
    for one in measures.blocks:
        if one.name == block.removeprefix("rtl/"):
            print(f"{one.name}: {len(one.common)} of {one.count()} names are common; the twin has none of these:")
            print("  " + "\n  ".join(sorted(one.alone)))
            return 0
    names = ", ".join(one.name for one in measures.blocks)
    print(f"lint --measures: rtl/{block} is no block; there are {names}", file=sys.stderr)
    return 2


def main(arguments):
    parser = argparse.ArgumentParser(prog="scripts/lint --measures", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--names", metavar="BLOCK", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    measures, file = Measures(ROOT), ROOT / KNOWN
    if args.names:
        return print_names_of(measures, args.names)
    found = measures.figures()
    known = json.loads(file.read_text()) if file.exists() else found
    if args.write:
        file.write_text(text_of(lowered(found, known)))
        return 0
    if not args.check:
        print_all(measures)
    faults = worse(found, known)
    for fault in faults:
        print(f"worse: {fault}")
    if faults:
        print("lint --measures: `scripts/lint --measures --help` says what is measured", file=sys.stderr)
    elif args.check:
        print("measures: none is worse than what is known")
    if not faults and lowered(found, known) != known:
        print(f"better than {KNOWN}: `scripts/lint --measures --write` lowers what it allows")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
