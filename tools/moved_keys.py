# SPDX-License-Identifier: Apache-2.0
"""What a key of a design point can matter to: points, twins, storage and runs. Nothing is run or built: twins are those of
tb/*/CMakeLists.txt, units those of rtl/*/unit.yaml; tools/special_keys.yaml has keys that matter to some runs alone."""
import dataclasses
import functools
import json
import re

import yaml

from . import design_points, unit_files
from .nearest import no_such
from .point_build import ALIASES, ROOT

# What design_points derives, and from which keys.
BEHIND = {"slots": ("warps", "schedulers"), "threads": ("warps", "lanes"), "l1_sets": ("l1_bytes", "l1_ways", "line_bytes"),
          "register_rows": ("registers", "lanes")}
STORAGE_SOURCES = "sim/report/*_storage.cpp"
BARREL_POINT, POINT = "micro07", "hpca13"  # of rows of kernels/statistics.json
KEYWORDS = re.compile(r"^[A-Z_]+$")


@functools.lru_cache(maxsize=None)
def raw_points():
    return design_points.load_raw()


def keys():
    return [key for key in raw_points()[POINT] if key not in ("summary", "base")]


def real_keys(key):
    """A key as a twin or a setting names it -> keys of the YAML."""
    return BEHIND.get(key) or ALIASES.get(key) or (key,)


@dataclasses.dataclass(frozen=True)
class Change:
    """A key that gets another value, and the points that have it then."""
    key: str
    points: frozenset

    def moves_one_of(self, names, point, settings=()):
        """Whether one of these keys has another value at a point. \\param settings  keys that are set in its place"""
        if point not in self.points or self.key in {real for name in settings for real in real_keys(name)}:
            return False
        return any(self.key in real_keys(name) for name in names)


def changed(key, point=None):
    """\\param point  where the key is written anew; None: at any. \\throws ValueError"""
    raw = raw_points()
    if key not in keys():
        raise ValueError(no_such("key", key, keys()))
    if point is not None and point not in raw:
        raise ValueError(no_such("design point", point, raw))
    return Change(key, frozenset(name for name in raw if point is None or owner(name, key, point) == point))


def owner(name, key, changed_point):
    """The point whose line gives the key its value at `name`, once it also stands at `changed_point`."""
    while name != changed_point and key not in raw_points()[name]:
        name = raw_points()[name]["base"]
    return name


# ---- hardware ----

@functools.lru_cache(maxsize=None)
def twin_parameters():
    """{block: keys that the parameters of its twin are made of}."""
    found = {}
    for file in sorted((ROOT / "tb").rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", file.read_text())
        for words in (call.split() for call in re.findall(r"\bsimt_block\(([^)]*)\)", text)):
            values, inside = [], False
            for word in words[1:]:
                if KEYWORDS.match(word):
                    inside = word == "PARAMETERS"
                elif inside:
                    values.append(word.partition("=")[2])
            found[words[0]] = tuple(value for value in values if not value.isdigit())
    return found


def moves_twin(change, block, place):
    """\\param place  as rows of area/baseline.json have it: a point or a corner, _shape, and ,KEY=VALUE"""
    point, *settings = place.split(",")
    return change.moves_one_of(twin_parameters()[block], point.split("_")[0], [one.split("=")[0] for one in settings])


@functools.lru_cache(maxsize=None)
def storage_keys():
    """Keys that `heddle area` reads: those of the families, and what its programs read beside them."""
    texts = "".join(file.read_text() for file in sorted(ROOT.glob(STORAGE_SOURCES)))
    read = [unit_files.key_of(name) for name in re.findall(r"\bP::([A-Z]\w*)", texts)]
    return tuple(dict.fromkeys([*(key for of in design_points.FAMILIES.values() for key in of), *read, "registers"]))


# ---- runs ----

@dataclasses.dataclass(frozen=True)
class Run:
    point: str
    divergence: str
    settings: tuple = ()  # keys
    affine: str = "none"
    prefetch: str = "none"
    is_limit: bool = False  # heddle limit, without a mechanism

    @property
    def name(self):
        beside = [f"+{what}" for what in (self.affine, self.prefetch) if what != "none"]
        return f"{'limit' if self.is_limit else self.divergence}{''.join(beside)} at {self.point}"


@functools.lru_cache(maxsize=None)
def special_keys():
    """{key: the rule that says to which runs alone it matters}."""
    rules = yaml.safe_load((ROOT / "tools/special_keys.yaml").read_text())
    return {key: rule for rule in rules for key in rule["keys"]}


def mechanism_named(divergence):
    """dwsN is a row for any N."""
    known = {one.name: one for one in unit_files.load()}
    name = re.sub(r"^dws\d+", "dws50", divergence)
    if name not in known:
        raise ValueError(no_such("mechanism", divergence, known))
    return known[name]


def unit_keys(mechanism):
    return {real for name in (*map(unit_files.key_of, mechanism.arguments), *mechanism.keys) for real in real_keys(name)}


def matters(key, run):
    """Whether a run with the mechanism of `run` may read a key."""
    only = special_keys().get(key, {}).get("only")
    if only is None:
        return True
    if run.is_limit:
        return False
    if only in ("affine", "prefetch"):
        return getattr(run, only) != "none"
    mechanism = mechanism_named(run.divergence)
    if only == "scoreboard":
        return mechanism.sm_side not in ("Formation", "PerLane")
    if only == "formation":
        return mechanism.sm_side == "Formation"
    return key in unit_keys(mechanism)


def moves_run(change, run):
    return change.moves_one_of([change.key], run.point, run.settings) and matters(change.key, run)


def keys_set(text):
    return tuple(one.split("=")[0] for one in text.split(",") if one)


def run_of_row(row):
    """\\param row  a row of results.json of a study"""
    return Run(row["point"], row["divergence"], keys_set(row["settings"]), row.get("affine", "none"),
               row.get("prefetch", "none"), row.get("command", "run") == "limit")


def run_of_statistics(name):
    """A key of kernels/statistics.json: `kernel mechanism/scoreboard`, and the register file if it is not the usual one."""
    divergence, scoreboard = name.split(" ")[1].split("/")[:2]
    return Run(BARREL_POINT if scoreboard == "barrel" else POINT, divergence)


def runs_of_command(command):
    """The runs of a command line of `heddle run`, `compare`, `waves` or `limit`."""
    words = command.split()
    options = {}
    for option, value in zip(words, words[1:]):
        if option.startswith("--"):
            options.setdefault(option, []).append(value)
    what = words[words.index("heddle") + 1] if "heddle" in words else words[1]
    named = options.get("--divergence", ["spe,dpe"])[0].split(",")
    settings = keys_set(",".join(options.get("--set", [])))
    runs = []
    for divergence, *beside in (one.split("/") for one in named):
        affine = next((one for one in beside if one in ("dac", "cae")), options.get("--affine", ["none"])[0])
        prefetch = "mta" if "mta" in beside else options.get("--prefetch", ["none"])[0]
        runs.append(Run(options.get("--point", [POINT])[0], divergence, settings, affine, prefetch, what == "limit"))
    return runs


@functools.lru_cache(maxsize=None)
def rows_of(file):
    """The JSON of a file."""
    return json.loads((ROOT / file).read_text())
