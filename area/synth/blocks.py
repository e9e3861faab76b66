# SPDX-License-Identifier: Apache-2.0
"""The twins that simt_block() announced, and their fragments at a design point, made as the build makes them."""
import dataclasses
import hashlib
import json
import pathlib
import re

from tools import design_points
from tools.nearest import no_such
from tools.point_build import ALIASES

from . import SynthError
from .twin_text import plain

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@dataclasses.dataclass(frozen=True)
class Twin:
    """One block in one shape at one point. `fragments`: file name and text of each."""
    block: str
    shape: str  # "" for a block without shapes
    point: str
    overrides: tuple  # of (key, value) of the design point
    sources: tuple
    fragments: tuple

    @property
    def name(self):
        """As it is printed, and as its folder is called."""
        changed = "".join(f",{key}={value}" for key, value in self.overrides)
        return f"{self.block}.{self.point}{'_' + self.shape if self.shape else ''}{changed}"

    @property
    def digest(self):
        """Of the words of the twin, with its parameters: what else changes moves no figure that is mapped by these rules."""
        texts = [pathlib.Path(source).read_text() for source in self.sources] + [text for _, text in self.fragments]
        words = [re.sub(r"//.*", "", text).split() for text in texts]
        return hashlib.sha256(repr(words).encode()).hexdigest()[:12]

    def texts(self):
        """(file name, text) of each source and each fragment, as the mapper reads them (twin_text)."""
        read = [(pathlib.Path(source).name, pathlib.Path(source).read_text()) for source in self.sources]
        return tuple((name, plain(text)) for name, text in (*read, *self.fragments))


def announced(build):
    """By name, in the order of the build."""
    file = build / "synthesis.json"
    if not file.exists():
        raise SynthError(f"{file} is missing: build first (scripts/build), or say --build DIR")
    return {block["name"][0]: block for block in json.loads(file.read_text())}


def split(named):
    """name:A=1,B=2 as simt_block() has it."""
    name, _, parameters = named.partition(":")
    return name, [p for p in parameters.split(",") if p]


def of_point(overrides):
    """Those that change a key of the design point; the others, which begin with a capital, a parameter of the twin."""
    return tuple((key, value) for key, value in overrides if not key[0].isupper())


def is_design_point(twin):
    return twin.point in design_points.load_raw() and of_point(twin.overrides) == twin.overrides


def point_values(point, overrides=()):
    """All keys of a design point, with some of them changed."""
    raw = design_points.load_raw()
    if point not in raw:
        raise SynthError(no_such("point", point, raw))
    for key, value in ((real, value) for key, value in overrides for real in ALIASES.get(key, (key,))):
        if key not in raw["hpca13"] or key == "summary":
            raise SynthError(no_such("key", key, [k for k in raw["hpca13"] if k != "summary"]))
        raw[point][key] = value
    try:
        return design_points.fold({name: raw[name] for name in raw})[point]
    except SystemExit as refused:
        raise SynthError(str(refused)) from None


def parameters_of(package, parameters):
    """As _simt_parameters_of in scripts/cmake/SimtBlock.cmake."""
    own = [p.split(".", 1)[1] for p in parameters if p.split("=")[0].startswith(package + ".")]
    names = [p.split("=")[0] for p in own]
    return [p for p in parameters if "." not in p.split("=")[0] and p.split("=")[0] not in names] + own


def fragments(block, values, point, parameters):
    """As _simt_fragments in scripts/cmake/SimtBlock.cmake."""
    fragment, name = design_points.fragment, block["name"][0]
    files = [(f"{name}_point.svh", fragment(values, point, parameters_of(name, parameters)))]
    for package in block["packages"]:
        shared = parameters_of(package.split("/")[-1], parameters)
        if "/" not in package:
            shared = [p for p in shared if p.split("=")[0] in ("Warps", "Lanes", "PcBits")]
        files.append((f"{package.split('/')[-1]}_point.svh", fragment(values, point, shared)))
    return tuple(files)


def twins(build, names, point=None, overrides=()):
    """The twins of these blocks at a design point, every shape; without a point each block's small one. `names` may be
    block_shape too; none: all blocks."""
    known = announced(build)
    values = point_values(point, of_point(overrides)) if point else None
    wanted = []
    for name in names or known:
        block = known.get(name) or next((b for b in known.values() if name.startswith(b["name"][0] + "_")), None)
        found = block and [twin for twin in (shapes(block, values, point, overrides) if point else small(build, block))
                           if name in (twin.block, f"{twin.block}_{twin.shape}")]
        if not found:
            raise SynthError(no_such("block", name, known))
        wanted += [twin for twin in found if twin not in wanted]
    return wanted


def small(build, block):
    """Every shape at the design point of the block's SMALL, or that corner."""
    bench_point = block["small"][0]
    point = bench_point.split("_")[0]
    if point in block["points"]:
        return list(shapes(block, point_values(point), point))
    return [at_bench_point(build, block["name"][0], bench_point)]


def shapes(block, values, point, overrides=()):
    for named in block["shapes"]:
        shape, parameters = split(named)
        parameters = block["parameters"] + parameters
        names = [p.split("=")[0] for p in parameters]
        for key, value in set(overrides) - set(of_point(overrides)):
            if key not in names:
                raise SynthError(f"{block['name'][0]}: {no_such('parameter', key, names)}")
            parameters[names.index(key)] = f"{key}={value}"
        yield Twin(block["name"][0], shape, point, tuple(overrides), tuple(block["sources"]),
                   fragments(block, values, point, parameters))


def named(build, name):
    """The twin whose name this is, or None where there is none any more."""
    block_name, _, rest = name.partition(".")
    place, *changed = rest.split(",")
    point, _, shape = place.partition("_")
    block = announced(build).get(block_name)
    if block is None:
        return None
    overrides = tuple((key, int(value)) for key, value in (c.split("=") for c in changed))
    if point in design_points.load_raw():
        values = point_values(point, of_point(overrides))
        return next((twin for twin in shapes(block, values, point, overrides) if twin.shape == shape), None)
    return corner_or_point(block, place)


def corner_or_point(block, bench_point):
    """The twin that the block's bench knows by this name, or None."""
    name = block["name"][0]
    for corner in block["corners"]:
        point, parameters = split(corner)
        if point == bench_point:
            return Twin(name, "", point, (), tuple(block["sources"]), fragments(block, {}, "none", parameters))
    for point in block["points"]:
        for twin in shapes(block, point_values(point), point):
            if bench_point == (f"{point}_{twin.shape}" if twin.shape else point):
                return twin
    return None


def at_bench_point(build, name, bench_point):
    """The twin that the bench knows by this name: <point>, <point>_<shape>, or a corner."""
    known = announced(build)
    if name not in known:
        raise SynthError(no_such("block", name, known))
    twin = corner_or_point(known[name], bench_point)
    if twin is None:
        raise SynthError(f"the bench of {name} has no point '{bench_point}'")
    return twin
