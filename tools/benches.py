# SPDX-License-Identifier: Apache-2.0
"""The benches: points of a block in a program, as CMake announces them in build/benches.txt; and their build."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ONLY = re.compile(r'HEDDLE_ONLY_POINTS=\\?"([^"\\]*)')


def rows_of(build, block):
    """Its points and their programs, the one that is run if none is named first."""
    rows = (line.split() for line in (build / "benches.txt").read_text().splitlines())
    return [(point, program) for name, point, program in rows if name == block]


def bench_of(build, block, options):
    """How `scripts/tb BLOCK OPTIONS` begins: the program and its point; None where there is none."""
    named = options[options.index("--point") + 1] if "--point" in options else None
    point, program = next(((p, path) for p, path in rows_of(build, block) if named in (None, p)), (None, None))
    if program is None:
        return None
    return [program] if named or point == "-" else [program, "--point", point]


def build(folder, *targets):
    """Builds these; what stands in the way ends the program."""
    done = subprocess.run([ROOT / "scripts/build", *targets], env={**os.environ, "BUILD_DIR": str(folder)}, stdout=sys.stderr)
    if done.returncode:
        sys.exit(done.returncode)


def built_benches(folder, blocks):
    """Builds the bench of each block that scripts/tb runs if no point is named."""
    if not (folder / "benches.txt").exists():
        build(folder, "design_points")  # which configures
    build(folder, *dict.fromkeys(pathlib.Path(bench_of(folder, block, [])[0]).name for block in blocks))


def compile_command(commands, source, point):
    """How a bench is compiled with this point alone, as (words, folder); commands: a compile_commands.json."""
    for entry in json.loads(pathlib.Path(commands).read_text()):
        only = ONLY.search(entry["command"])
        if entry["file"] == str(source) and only and point in only[1].split(","):
            words = shlex.split(entry["command"])
            return [ONLY.sub(f'HEDDLE_ONLY_POINTS="{point}', word) for word in words], entry["directory"]
    raise LookupError(f"{commands} has no {source} at {point}")
