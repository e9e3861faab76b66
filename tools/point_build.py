# SPDX-License-Identifier: Apache-2.0
"""What scripts/elaborate_point and scripts/slice_point share: a design point from a name and settings, and the build of
something small for it, with the flags that CMake wrote to build/point_kit.json."""
import contextlib
import fcntl
import json
import pathlib
import re
import subprocess
import sys

from . import design_points, typed_numbers, unit_files
from .nearest import no_such

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALIASES = {"depth": ("spe_depth", "dpe_depth", "software_depth")}
MOST_OF_A_KEY = 2**31 - 1  # what the program keeps it in
CALLED = {"barriers": "barrier_registers", "word_bits": "affine_bits"}  # what a block calls a key


def overridden(base, settings):
    """The point and its name; ends the program with the setting that is wrong."""
    raw = design_points.load_raw()
    if base not in raw:
        sys.exit(no_such("design point", base, raw))
    keys = [key for key in design_points.load()[base] if key not in ("summary", *design_points.DERIVED)]
    changed = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            sys.exit(f"'{setting}': expected KEY=VALUE with one of the keys {', '.join((*ALIASES, *keys))}")
        if key not in (*keys, *ALIASES):
            sys.exit(no_such("key", key, (*ALIASES, *keys)))
        named = ALIASES.get(key, (key,))
        try:
            number = typed_numbers.whole(value, 0, MOST_OF_A_KEY)  # design_points says which may be 0
        except ValueError as error:
            sys.exit(f"{key}={value}: {error}")
        changed.update({name: number for name in named})
    name = "_".join([base, *(f"{key}{value}" for key, value in changed.items())])
    if changed:
        raw = {**raw, name: {"base": base, "summary": f"{base} with {', '.join(settings)}", **changed}}
    return {name: design_points.fold(raw)[name]}, name


# Of what storage is counted together: its source, and the family of control flow units of which that is compiled.
STORAGE = {**{family.lower(): ("slice", family) for family in unit_files.SLICES}, "formation": ("formation", ""),
           "affine": ("affine", "")}


def storage_source(of):
    """The source of a key of STORAGE, and the flags with which it is compiled."""
    source, family = STORAGE[of]
    return ROOT / f"sim/report/{source}_storage.cpp", f"-DHEDDLE_FAMILY={family}" if family else ""


def slice_source(family):
    """The source of the library that the simulator loads for a family of mechanisms."""
    name = "formation_slice" if "Formation" in family else "affine_blocks" if "Affine" in family else \
           "whole_twin" if family.startswith("Whole") else \
           "issue_slice_twins" if family.startswith("Twin") else "issue_slice"
    source, = ROOT.glob(f"sim/sm/*/{name}_at_point.cpp")
    return source


def elaborated_header(name):
    """C++: the point P at which sim/report/*_storage.cpp elaborate their blocks."""
    return f'#include "rtl/config/design_points.h"\n\nnamespace heddle::report {{\nusing P = point::{name};\n}}\n'


def kit(build):
    """Compiler and flags of this build."""
    file = build / "point_kit.json"
    if not file.exists():
        sys.exit(f"{file} is missing: run scripts/build first")
    return json.loads(file.read_text())


@contextlib.contextmanager
def locked(folder):
    """Two tests may ask for the same thing."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make(folder, source, target, compile_command, link_command):
    """Compiles one source and links it, as far as something changed. What stood in the way, or nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    object_file = folder / "object.o"
    rules = [f"rule compile\n  command = {compile_command} -MMD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc",
             f"rule link\n  command = {link_command[0]} $in {link_command[1]} -o $out",
             f"build {object_file}: compile {source}",
             f"build {target}: link {object_file} {link_command[2]}"]
    (folder / "build.ninja").write_text("\n".join(rules) + "\n")
    made = subprocess.run(["ninja", "-C", str(folder), str(target)], text=True, capture_output=True)
    return (limits(made.stdout, folder) or made.stdout + made.stderr) if made.returncode else ""


def keys_in(condition):
    """Keys of the design points whose values a condition of C++ names: LineBytes is line_bytes."""
    known = {**{key: key for key in (*ALIASES, *next(iter(design_points.load().values())))}, **CALLED}
    names = [re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in re.findall(r"\b[A-Z]\w*\b(?!::)", condition)]
    return list(dict.fromkeys(known[name] for name in names if name in known))


def limits(said, directory):
    """The static assertions that a compiler, run in that directory, found broken, with the numbers that broke them."""
    broken = []
    lines = said.splitlines()
    for at, line in enumerate(lines):
        found = re.match(r"(.*?):(\d+):\d+: error: static assertion failed(?:: (.*))?$", line)
        if not found:
            continue
        where = (directory / found[1]).resolve()  # ccache may make paths relative
        text = " ".join(where.read_text().splitlines()[int(found[2]) - 1:int(found[2]) + 2])
        condition = re.search(r"static_assert\((.*?)(?:,\s*\".*|\);.*)$", text)
        numbers = re.search(r"the comparison reduces to '(.*)'", "\n".join(lines[at:at + 12]))
        relative = where.relative_to(ROOT) if where.is_relative_to(ROOT) else where
        needed = condition[1] if condition else text
        keys = keys_in(needed)
        broken.append(f"{relative}: {found[3] + ': ' if found[3] else ''}needs {needed}"
                      f"{', which is ' + numbers[1] if numbers else ''}{'; key: ' + ', '.join(keys) if keys else ''}")
    return "\n".join(dict.fromkeys(broken))
