# SPDX-License-Identifier: Apache-2.0
"""Figures that the page is made of. Nothing is measured here: storage is asked from `heddle area`, cells, memories and
time stand in area/baseline.json."""
import dataclasses
import json
import pathlib
import subprocess

from area.synth import SynthError, baseline, blocks, inventory, technology

NODE = 90  # nm, DWF's


@dataclasses.dataclass(frozen=True)
class Twin:
    """A row of the baseline, areas in mm2 at NODE."""
    name: str
    bits: int
    memory_bits: int
    cells: int
    flops: int
    logic_mm2: float
    memory_mm2: float
    ns: float
    path: str
    stale: bool
    at_once: bool  # an array of it is read in the cycle that needs the word
    stages: dict  # {output: ns until it has its value} of a loop through several blocks

    @property
    def mm2(self):
        return self.logic_mm2 + (self.memory_mm2 or 0)

    @property
    def fo4(self):
        return technology.fo4(self.ns)


class Facts:
    def __init__(self, build):
        self.build = pathlib.Path(build)
        known = baseline.load()
        self.small = self.rows(known["small"])
        self.other = self.rows(known["other"])

    def rows(self, rows):
        old = set(baseline.stale(self.build, rows))
        factor = (NODE / technology.NODE) ** 2
        return {name: Twin(name, row["bits"], row["memory_bits"], row["cells"], row["flops"],
                           row["logic_mm2"] * factor,
                           None if row["memory_mm2"] is None else row["memory_mm2"] * factor,
                           row["ns"], row["path"], name in old, row.get("at_once", False), row.get("stages", {})) for name, row in rows.items()}

    def twin(self, name):
        """A row, or None where the block was never measured as it stands: a row of an earlier text enters no sum."""
        one = self.other.get(name) or self.small.get(name)
        return None if one is None or one.stale else one

    def stale(self):
        """Names of the rows of an earlier text."""
        return [one.name for one in (*self.small.values(), *self.other.values()) if one.stale]

    def storage(self, point):
        return inventory.report(self.build, point)

    def parts(self, unit):
        """The blocks of an assembled unit and itself, as the build puts its twin together."""
        sources = [pathlib.Path(source) for source in blocks.announced(self.build)[unit]["sources"]]
        return {source.stem for source in sources if not source.stem.endswith("_pkg")}

    def figure(self, point, what):
        """A row of `heddle area`'s comparison with the papers."""
        found = next((f for f in self.storage(point)["figures"] if f["figure"] == what), None)
        if found is None:
            raise SynthError(f"`heddle area --point {point}` has no figure '{what}'")
        return found

    def deepest(self, divergence):
        """(depth, kernel) of the deepest stack that any kernel of ours needs, worked out by running them all."""
        done = subprocess.run([self.build / "sim/heddle", "run", "all", "--divergence", divergence, "--json", "-"],
                              text=True, capture_output=True)
        if done.returncode:
            raise SynthError(f"heddle run all --divergence {divergence}: {done.stdout[-500:]}{done.stderr[-500:]}")
        return max((run["stack_depth"]["max"], run["kernel"]) for run in json.loads(done.stdout))

    def papers_points(self):
        """(block, points) of every announced block; the other point of a bench is tiny."""
        return [(name, [point for point in block["points"] if point != "tiny"])
                for name, block in blocks.announced(self.build).items()]

    def point(self, name):
        return blocks.point_values(name)


def number(value, digits=3):
    return "-" if value is None else f"{value:,.{digits}f}"


def ratio(a, b):
    return "-" if not a or not b else f"{a / b:.2f}"
