# SPDX-License-Identifier: Apache-2.0
"""Area and time of RAMs and CAMs.

  python3 -m area.model                                the validation and DWF's conclusions
  python3 -m area.model constants                      every constant with its source
  python3 -m area.model memory ROWS COLUMNS PORTS      one memory, such as 512 32 2R1W; with S ports it is a CAM
  python3 -m area.model cost FILE|-                    the memories of `heddle area --point P --json -`
  python3 -m area.model readme [--check]               writes the tables and the plot; --check: exit 1 if they differ
"""
import argparse
import json
import pathlib
import sys

from tools import design_points, typed_numbers

from . import plot, report
from .access import access
from .memory import MAX_COLUMNS, MAX_ROWS, NODES, LimitError, Ports, memory
from .structures import cost

HERE = pathlib.Path(__file__).resolve().parent
README, PLOT = HERE / "README.md", HERE / "validation.svg"
GENERATED = {"validation": report.validation_table, "accuracy": report.accuracy_text,
             "times": report.times_table, "arrays": report.arrays_table,
             "conclusions": report.conclusions_table, "constants": report.constants_table}
INLINE = {"doubling": report.doubling_text}  # within a line


def parse():
    parser = argparse.ArgumentParser(prog="python3 -m area.model", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("constants")
    one = commands.add_parser("memory")
    typed_numbers.add(one, "rows", 1, MAX_ROWS)
    typed_numbers.add(one, "columns", 1, MAX_COLUMNS)
    one.add_argument("ports")
    typed_numbers.add(one, "--searched", 1, MAX_COLUMNS, "columns", "columns of a CAM that are compared (default: all)")
    typed_numbers.add(one, "--node", *NODES, "nm", "nm (default 90)", typed_numbers.number, default=90)
    many = commands.add_parser("cost")
    many.add_argument("file")
    typed_numbers.add(many, "--lanes", 1, 64, "lanes", "for memories a lane (default: of the report's design point)")
    typed_numbers.add(many, "--node", *NODES, "nm", "nm (default 90)", typed_numbers.number, default=90)
    readme = commands.add_parser("readme")
    readme.add_argument("--check", action="store_true")
    return parser.parse_args()


def lanes_of(point):
    """From the design points, with their bases folded in."""
    points = design_points.load()
    if point not in points:
        raise LimitError(f"point '{point}' is not known; say --lanes. Known: {', '.join(points)}")
    return points[point]["lanes"]


def costed(args):
    found = json.load(sys.stdin if args.file == "-" else open(args.file))
    lanes = args.lanes
    if lanes is None and isinstance(found, dict):
        lanes = lanes_of(found.get("point"))
    costs = cost(found, lanes, args.node)
    print(report.cost_text(costs, f"{found.get('point', args.file)} at {args.node:g} nm"))
    return 1 if any(k.problem for k in costs) else 0


def with_tables(text):
    for name, make in {**GENERATED, **INLINE}.items():
        line = "" if name in INLINE else "\n"
        begin, end = f"<!-- {name} -->{line}", f"<!-- /{name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            sys.exit(f"{README.name}: expected the markers {begin.strip()} and {end} once")
        text = text[:text.index(begin) + len(begin)] + make() + line + text[text.index(end):]
    return text


def readme(check):
    wanted = {README: with_tables(README.read_text()), PLOT: plot.svg()}
    old = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if check:
        for path in old:
            print(f"{path.name} does not show what the model says: python3 -m area.model readme")
        return 1 if old else 0
    for path in old:
        path.write_text(wanted[path])
    return 0


def main():
    args = parse()
    if args.command == "constants":
        print(report.constants_table())
    elif args.command == "memory":
        ports = Ports.parse(args.ports)
        print(report.memory_text(memory(args.rows, args.columns, ports, "CAM" if ports.search else "RAM", args.node,
                                        args.searched)))
        print(report.access_text(access(args.rows, args.columns, ports, "CAM" if ports.search else "RAM", args.searched)))
        print(report.accuracy_text().splitlines()[0])
    elif args.command == "cost":
        return costed(args)
    elif args.command == "readme":
        return readme(args.check)
    else:
        print(report.validation_table(), report.accuracy_text(), report.conclusions_table(), sep="\n\n")
    return 0


try:
    sys.exit(main())
except (LimitError, OSError, json.JSONDecodeError) as error:
    sys.exit(f"area.model: {error}")
