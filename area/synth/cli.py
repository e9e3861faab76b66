# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/synth."""
import argparse
import json
import pathlib
import sys
import time

from area.layout import cli as layout, kept as layouts
from area.model.memory import NODES, LimitError

from tools import typed_numbers
from tools.output_file import write_file

from . import SynthError, baseline, blocks, flow, library, report, scaling


class Progress:
    """One line that changes, on a terminal; nothing in a file."""

    def __init__(self, total):
        self.total, self.done, self.began = total, 0, time.time()

    def say(self, name, what):
        if sys.stderr.isatty():
            line = f"[{self.done + 1}/{self.total}] {name} {what}, {time.time() - self.began:.0f} s"
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def step(self):
        self.done += 1
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def settings(text):
    """KEY=VALUE,KEY=VALUE."""
    found = []
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not key or not equals or not value.isdigit() or int(value) < 1:
            raise argparse.ArgumentTypeError(f"'{part}': expected KEY=NUMBER, the number at least 1")
        found.append((key, int(value)))
    return found


def scale(text):
    """KEY=V,V,V."""
    key, equals, values = text.partition("=")
    if not key or not equals or not all(v.isdigit() and int(v) > 0 for v in values.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}': expected KEY=N,N,..., numbers of at least 1")
    return key, sorted({int(v) for v in values.split(",")})


def parse(description):
    parser = argparse.ArgumentParser(prog="scripts/synth", description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help="a block, or block_shape (default: all)")
    parser.add_argument("--point", help="design point (default: the small one of each block, tiny or a corner)")
    parser.add_argument("--set", type=settings, action="extend", default=[], metavar="KEY=NUMBER,...",
                        help="changes a key of the design point (of tiny, without --point), or a parameter of the twin")
    parser.add_argument("--scale", type=scale, metavar="KEY=N,N,...", help="the same over values of a key")
    parser.add_argument("--plot", metavar="FILE", help="of --scale: .svg, .png or .pdf (default: under build/synth)")
    typed_numbers.add(parser, "--node", *NODES, "nm", "nm that areas are scaled to (default: 90)", typed_numbers.number,
                      default=90)
    parser.add_argument("--liberty", type=pathlib.Path, metavar="FILE", help="a library of your own, in Liberty")
    typed_numbers.add(parser, "--library-node", *NODES, "nm", "of its process; goes with --liberty", typed_numbers.number)
    typed_numbers.add(parser, "--target", 0.001, 10**6, "ns", "delay that abc aims at (default: %(default)s ns)",
                      typed_numbers.number, default=flow.TARGET_NS)
    typed_numbers.add(parser, "--timeout", 0.001, 10**6, "seconds",
                      f"seconds for one run of Yosys (default: {flow.SECONDS}), or of Graywolf or qrouter (default: "
                      f"{layouts.SECONDS})", typed_numbers.number)
    parser.add_argument("--json", metavar="FILE", help="also as JSON, to this file or - for standard output alone")
    parser.add_argument("--update", action="store_true",
                        help="write area/baseline.json: the small points of these blocks, and beside them what this run asks for")
    parser.add_argument("--stale", action="store_true",
                        help="the rows of area/baseline.json that are of an earlier text: a list, and exit code 1 if there are "
                             "some; with --update they are mapped anew, each written as soon as it is done")
    parser.add_argument("--layout", action="store_true",
                        help="place and route these blocks in osu018 (default: two small ones, area/layout.json)")
    parser.add_argument("--build", type=pathlib.Path, default=blocks.ROOT / "build", help="build folder")
    args = parser.parse_args()
    if args.plot and not args.scale:
        parser.error("--plot: only with --scale")
    if args.plot and pathlib.Path(args.plot).suffix not in (".svg", ".png", ".pdf"):
        parser.error(f"--plot: {args.plot} ends in none of .svg, .png, .pdf")
    if bool(args.liberty) != bool(args.library_node):
        parser.error("--liberty and --library-node go together: a library does not say its node")
    if args.liberty and args.update:
        parser.error("--update: area/baseline.json is of osu018")
    if args.stale and (args.point or args.set or args.scale or args.liberty or args.layout):
        parser.error("--stale: the rows say their points; only blocks and --update may stand beside it")
    if args.update and args.target != flow.TARGET_NS:
        parser.error("--update: only for the usual --target")
    if args.timeout is None:
        args.timeout = layouts.SECONDS if args.layout else flow.SECONDS
    if args.layout and (args.scale or args.liberty or args.target != flow.TARGET_NS):
        parser.error("--layout: of osu018's LEF and the usual --target, without --scale")
    args.build = args.build.resolve()
    return args


def figures_of(args, names, point=None, overrides=()):
    """[(twin, figures at the library's node)] and what failed: a block that fails does not end the others."""
    if overrides and point is None:
        point = flow.SMALL
    twins = blocks.twins(args.build, names, point, overrides)
    progress = Progress(len(twins))
    done, failed = [], []
    for twin in twins:
        try:
            done.append((twin, flow.figures_of(args.build, twin, args.target, args.timeout,
                                               lambda what, twin=twin: progress.say(twin.name, what))))
        except SynthError as error:
            failed.append(str(error))
        progress.step()
    return done, failed


def over_values(args):
    """The same over all values of --scale."""
    if not args.blocks:
        raise SynthError("--scale needs one block at least: all of them over a range take hours")
    key, values = args.scale
    done, failed = [], []
    for value in values:
        more, problems = figures_of(args, args.blocks, args.point, (*args.set, (key, value)))
        done += more
        failed += problems
    return done, failed


def stale_rows(args):
    """Lists the rows of an earlier text, or maps them anew; the exit code."""
    names = [name for name in baseline.stale(args.build, baseline.load()["other"])
             if not args.blocks or name.split(".")[0] in args.blocks]
    if not args.update:
        print("\n".join(names) or "no row is of an earlier text")
        return bool(names)
    progress, failed = Progress(len(names)), 0
    for name in names:
        twin = blocks.named(args.build, name)
        try:
            figures = flow.figures_of(args.build, twin, args.target, args.timeout, lambda what, name=name: progress.say(name, what))
            baseline.update(args.build, [(twin, figures)], only=True)
            print(f"{name}: {figures['cells']:,} cells, {figures['ns']:.2f} ns", flush=True)
        except SynthError as error:
            print(f"synth: {error}", file=sys.stderr)
            failed += 1
        progress.step()
    return failed != 0


def main(description):
    args = parse(description)
    try:
        if args.stale:
            return stale_rows(args)
        if args.layout:
            return layout.run(args, Progress)
        if args.liberty:
            library.use(args.liberty.resolve(), args.library_node, args.build)
        if args.scale:
            done, failed = over_values(args)
        else:
            done, failed = figures_of(args, args.blocks, args.point, tuple(args.set))
        if args.update and not failed:
            baseline.update(args.build, done, args.blocks)
        show(args, [flow.scaled(figures, args.node) for _, figures in done])
        if args.scale and done:
            target = scaling.plot_of(args, done)
            print(f"\nplot: {target}", file=sys.stderr if args.json == "-" else sys.stdout)
    except (SynthError, LimitError) as error:
        sys.exit(f"synth: {error}")
    for error in failed:
        print(f"synth: {error}", file=sys.stderr)
    return 1 if failed else 0


def show(args, figures):
    if args.json:
        text = json.dumps({"node": args.node, "blocks": figures}, indent=1) + "\n"
        if args.json == "-":
            print(text, end="")
        else:
            write_file(args.json, text, "--json")
    if args.json != "-":
        print(report.figures_table(figures), report.notes(args.node, args.target, figures), sep="\n\n")
