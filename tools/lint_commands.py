# SPDX-License-Identifier: Apache-2.0
"""The compile commands that clang-tidy reads: those of the build without what g++ precompiled, each file of a unity build
by itself, and files that are compiled for a design point when someone asks for it (point_build.py), here for the point of
the paper.

  python3 -m tools.lint_commands BUILD      writes BUILD/lint/compile_commands.json
"""
import json
import pathlib
import re
import subprocess
import sys

from . import design_points
from .output_file import write_if_new
from .point_build import ROOT, STORAGE, elaborated_header, kit as kit_of, slice_source, storage_source

POINT = "hpca13"


def netlist_slice(kit, build):
    """What area/synth/in_sm.py compiles, with the classes of the twins, as those of the netlists are laid out alike."""
    source = ROOT / "tb/netlists/netlist_slice.cpp"
    twins = [f"-isystem {build}/twins/V{name}" for name in re.findall(r'#include "V(\w+)\.h"', source.read_text())]
    run_time = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], text=True, capture_output=True).stdout.strip()
    return {"directory": str(build), "file": str(source),
            "command": f"{kit['compiler']} {kit['flags']} -I{ROOT} -I{build / 'generated'} -isystem {run_time}/include "
                       f"-isystem {run_time}/include/vltstd {' '.join(twins)} -c {source}"}


def slices(lint):
    """(source, folder of its slice_point.h) of what scripts/slice_point compiles, each once."""
    for family in design_points.LIBRARIES:
        write_if_new(lint / family / "slice_point.h", design_points.slice_header(family, design_points.load()[POINT]))
    by_source = {slice_source(family): lint / family for family in design_points.LIBRARIES}
    return by_source.items()


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    lint, kit = build / "lint", kit_of(build)
    write_if_new(lint / "elaborated_point.h", elaborated_header(POINT))
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in commands:
        entry["command"] = re.sub(r" -Winvalid-pch -include \S*cmake_pch.hxx| --param=ggc\S*", "", entry["command"])
    for entry in [one for one in commands if "/Unity/" in one["file"]]:
        commands += [{**entry, "file": source, "command": entry["command"].replace(entry["file"], source)}
                     for source in re.findall(r'#include "(\S+\.cpp)"', pathlib.Path(entry["file"]).read_text())]
    storage = {source: (flags, lint) for source, flags in map(storage_source, STORAGE)}
    sources = {**storage, **{source: ("", folder) for source, folder in slices(lint)}}
    commands += [{"directory": str(build), "file": str(source),
                  "command": f"{kit['compiler']} {kit['flags']} {flags} -I{folder} -I{ROOT} -I{build / 'generated'} -c {source}"}
                 for source, (flags, folder) in sources.items()]
    commands.append(netlist_slice(kit, build))
    (lint / "compile_commands.json").write_text(json.dumps(commands, indent=1))


if __name__ == "__main__":
    main()
