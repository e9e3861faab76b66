# SPDX-License-Identifier: Apache-2.0
"""scripts/synth --layout."""
import json
import pathlib
import shutil
import sys

from area.model.report import table
from area.synth import SynthError, blocks, technology

from tools.output_file import write_file

from . import committed, kept, picture

PICTURE = "layout.png"
HEADER = ("block", "cells", "core, mm2", "cells fill", "core / cells", "nets", "unrouted", "shorts", "wire, mm", "vias",
          "ns of cells", "with wires", "FO4", "ratio", "longest path with wires")


def row(name, one):
    return (name, f"{one['cells']:,}", f"{one['core_um2'] * 1e-6:.4f}", f"{one['outlines_um2'] / one['core_um2']:.1%}",
            f"{committed.area_factor(one):.3f}", f"{one['nets']:,}", f"{one['unrouted']}", f"{one['shorts']}",
            f"{sum(one['wire_um'].values()) / 1000:.1f}", f"{one['vias']:,}", f"{one['ns']:.2f}", f"{one['wired_ns']:.2f}",
            f"{technology.fo4(one['wired_ns']):.0f}", f"{committed.time_factor(one):.3f}", one["wired_path"])


def text(rows):
    said = table(HEADER, [row(name, one) for name, one in rows.items()], right=range(1, 14))
    return f"""{said}

mm2 at {technology.NODE} nm. core: rows without the rim; cells as area/baseline.json adds them up, by the liberty file.
unrouted, shorts: of nets, looked for in the metal, not taken from qrouter. FO4 = {technology.measured()['fo4_ns']:.4f} ns.
wires: resistance and capacitance to the substrate from the LEF, by OpenSTA; the clock is ideal, neighbours take nothing.
No clock tree, no power grid above the rails, no DRC, no LVS (the package has no GDS)."""


def chosen(args):
    if args.blocks or args.point or args.set:
        return blocks.twins(args.build, args.blocks, args.point or ("tiny" if args.set else None), tuple(args.set))
    return [committed.twin(args.build, name) for name in (committed.SMALLER, committed.LARGER)]


def run(args, progress_of):
    """Lays out what was asked for, else the two that are committed. progress_of: makes a cli.Progress."""
    twins, rows, failed = chosen(args), {}, []
    progress = progress_of(len(twins))
    for twin in twins:
        progress.say(twin.name, "maps")
        try:
            rows[twin.name], laid = kept.laid_out(args.build, twin, None, args.timeout,
                                                  lambda what, twin=twin: progress.say(twin.name, what))
            picture.draw(twin.name, rows[twin.name], laid, kept.folder_of(args.build, twin) / PICTURE)
        except SynthError as error:
            failed.append(str(error))
        progress.step()
    if args.update and not failed:
        update(args.build, twins, rows)
    if args.json:
        said = json.dumps({"node": technology.NODE, "blocks": rows}, indent=1) + "\n"
        print(said, end="") if args.json == "-" else write_file(args.json, said, "--json")
    if rows and args.json != "-":
        print(text(rows))
        for twin in twins:
            if twin.name in rows:
                print(f"picture: {kept.folder_of(args.build, twin) / PICTURE}")
    for error in failed:
        print(f"synth: {error}", file=sys.stderr)
    return 1 if failed else 0


def update(build, twins, rows):
    names = (committed.SMALLER, committed.LARGER)
    if others := sorted(set(rows) - set(names)):
        raise SynthError(f"--update: area/{committed.FILE.name} is of {' and '.join(names)}, not of {', '.join(others)}")
    committed.write(rows)
    for twin in twins:
        shutil.copyfile(kept.folder_of(build, twin) / PICTURE, committed.picture(twin.name))
