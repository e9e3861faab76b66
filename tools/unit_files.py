# SPDX-License-Identifier: Apache-2.0
"""The control flow units and their mechanisms, from rtl/*/unit.yaml, and from sim/sm/units/*.yaml for references that are no
blocks. scripts/units prints them and writes the C++."""
import collections
import dataclasses
import functools
import pathlib
import re
import sys

import yaml

from .nearest import no_such

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLICES = ("Stacks", "Splits", "Barriers")  # families of units that stand in issue slices
FAMILIES = (*SLICES, "Formation")
SM_SIDES = ("Stack", "Rotation", "MemorySplit", "SoftwareStack", "Subdivision", "Barriers", "Formation", "PerLane")
OPTION_TYPES = ("bool", "unsigned", "Picker", "Policy")


@dataclasses.dataclass(frozen=True)
class Mechanism:
    """Each key may stand at the unit, for all its mechanisms."""
    name: str  # value of --divergence
    order: int  # its place in lists
    what: str  # in a line
    source: str  # paper and section
    scoreboard: str  # of its paper
    paths: str  # of a warp that may issue: 1, 2 or MostPaths
    block: str  # of rtl/: by default the folder's name; empty: none
    family: str = ""  # units that are compiled together for a design point; none for a reference
    slice_unit: int = -1  # its number in rtl/issue_slice/issue_slice_pkg.sv; -1: the twin of a slice does not hold it
    arguments: tuple = ()  # template arguments of the block: constants of a design point; then the options
    keys: tuple = ()  # of a design point on which the library of its family depends, beside those of the arguments
    options: dict = dataclasses.field(default_factory=dict)  # parameters of block and twin, and their types in C++
    set: dict = dataclasses.field(default_factory=dict)  # options that are not 0
    reconverges: bool = False  # branches tell the block where their sides meet
    calls: bool = True  # it has call entries, which functions that call themselves need
    subdivides: int = 0  # N of warp subdivision: the longest block that may run twice
    sm_side: str = "Stack"  # what the SM has beside it (SmSide in sim/sm/links/mechanisms.h)
    is_reference: bool = False  # no blocks and no limits: it stands beside its own scoreboard only
    affine: bool = False  # decoupled affine computation may stand beside it
    register_files: tuple = ("static",)  # on which it can stand, that of its paper first
    parts: tuple = ()  # blocks of rtl/ that stand in its slice and in no other
    bfs_point: str = "tiny"  # the smallest point at which bfs runs: for tests that record a kernel
    studies: dict = dataclasses.field(default_factory=dict)  # {study: its name there}, where studies/ takes it by itself
    variant_of: str = ""  # a mechanism with the same hardware, which pages show for both
    storage: str = ""  # its unit as `heddle area` names it, if not by the block
    shape: str = ""  # of its block's twin (SHAPES of simt_block), if that has some
    slice_shape: str = ""  # of the twin of rtl/issue_slice with it, if that is mapped

    def values(self):
        """{option: value}."""
        return {option: self.set.get(option, 0) for option in self.options}


KEYS = {field.name: field for field in dataclasses.fields(Mechanism)}


def checked(mechanism, file):
    def fail(key, expected):
        sys.exit(f"{file}: {mechanism.name}: {key}: {getattr(mechanism, key)!r}: expected {expected}")
    for key, known in (("family", ("", *FAMILIES)), ("sm_side", SM_SIDES), ("paths", ("1", "2", "MostPaths"))):
        if getattr(mechanism, key) not in known:
            fail(key, f"one of {', '.join(word for word in known if word)}")
    if unknown := set(mechanism.options.values()) - set(OPTION_TYPES):
        fail("options", f"types {', '.join(OPTION_TYPES)}, not {', '.join(sorted(unknown))}")
    if unknown := set(mechanism.set) - set(mechanism.options):
        fail("set", f"options of the unit, not {', '.join(sorted(unknown))}")
    if bool(mechanism.family) == mechanism.is_reference:
        fail("family", "a family, or is_reference: true")
    if (mechanism.subdivides != 0) != (mechanism.sm_side == "Subdivision"):
        fail("subdivides", "N of at least 1 where sm_side is Subdivision, and nothing elsewhere")
    return mechanism


def grouped(mechanisms):
    """Those of one block beside each other."""
    blocks = list(dict.fromkeys(one.block for one in mechanisms))
    return sorted(mechanisms, key=lambda one: blocks.index(one.block))


def mechanisms_of(file):
    """The mechanisms of a description."""
    name = file.relative_to(ROOT)
    try:
        unit = yaml.safe_load(file.read_text())
    except yaml.YAMLError as error:
        sys.exit(f"{name}: {error}")
    if not isinstance(unit, dict) or not isinstance(unit.get("mechanisms"), list):
        sys.exit(f"{name}: expected keys and `mechanisms`, a list")
    for row in unit.pop("mechanisms"):
        said = {"block": file.parent.name, **unit, **row}
        for key in said:
            if key not in KEYS:
                sys.exit(f"{name}: {no_such('key', key, list(KEYS))}")
        if missing := [key for key, field in KEYS.items() if key not in said and field.default is dataclasses.MISSING and
                       field.default_factory is dataclasses.MISSING]:
            sys.exit(f"{name}: {row.get('name', 'a mechanism')} has no {', '.join(missing)}")
        said["paths"] = str(said["paths"])
        yield checked(Mechanism(**{key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}), name)


def files(root=ROOT):
    """The descriptions."""
    return sorted([*root.glob("rtl/*/unit.yaml"), *root.glob("sim/sm/units/*.yaml")])


def family_of(block):
    """The family of a control flow unit, or nothing."""
    return next((one.family for one in load() if one.block == block and one.family), "")


def key_of(argument):
    """The key of a design point for a constant of C++: SpeDepth is spe_depth."""
    return "slots" if argument == "SlotWarps" else re.sub(r"(?<!^)([A-Z])", r"_\1", argument).lower()


def keys_of(family):
    """Keys of a design point on which the library of a family depends."""
    of_it = [one for one in load() if one.family == family]
    return dict.fromkeys(key for one in of_it for key in (*map(key_of, one.arguments), *one.keys))


def in_slices():
    """The mechanisms whose units stand in issue slices."""
    return [one for one in load() if one.family in SLICES]


@functools.lru_cache(maxsize=None)
def load():
    """All mechanisms, in the order of lists."""
    found = sorted((mechanism for file in files() for mechanism in mechanisms_of(file)), key=lambda one: one.order)
    for key in ("name", "order"):
        value, count = collections.Counter(getattr(one, key) for one in found).most_common(1)[0]
        if count > 1:
            sys.exit(f"{key}: {value} stands {count} times; expected another name and another order of each mechanism")
    hardware = [one.name for one in found if not one.variant_of]
    for one in found:
        if one.variant_of and one.variant_of not in hardware:
            sys.exit(f"{one.name}: variant_of: {no_such('mechanism that is no variant', one.variant_of, hardware)}")
    return tuple(found)
