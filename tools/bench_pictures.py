# SPDX-License-Identifier: Apache-2.0
"""The committed pictures of benches (scripts/bench_pictures): the rows of the table, what each draws today, and which
differ."""
import dataclasses
import pathlib
import shlex
import subprocess
import sys
import tempfile

import yaml

from . import benches, wave_picture
from .point_build import ROOT

TABLE = ROOT / "tools/bench_pictures.yaml"


@dataclasses.dataclass(frozen=True)
class Picture:
    """A row of the table."""
    path: str  # from the root
    bench: str
    case: str
    view: str
    point: str = ""  # nothing: the bench has none
    options: tuple = ()  # of scripts/render_wave

    def tb(self):
        """The command that writes the waveform."""
        return " ".join(["scripts/tb", self.bench, "--case", self.case, "--trace", *self.at_point()])

    def at_point(self):
        return ["--point", self.point] if self.point else []

    def drawn_by(self, folder, out):
        """The words of scripts/render_wave, with the waveform in this folder."""
        return [f"{folder}/{self.bench}.{self.case}.vcd", str(ROOT / self.view), str(out), *self.options]

    def render(self):
        """The command that draws the picture, from the root."""
        words = ["scripts/render_wave", *self.drawn_by("build/waveforms", self.path)]
        return shlex.join(word.removeprefix(f"{ROOT}/") for word in words)


def options_of(row):
    """Those of scripts/render_wave, from a row of the table."""
    words = [word for key in ("from", "to", "width") if key in row for word in (f"--{key}", str(row[key]))]
    if "groups" in row:
        words += ["--groups", ",".join(row["groups"])]
    for rows, condition in row.get("live", {}).items():
        words += ["--live", f"{rows}:{condition}"]
    return tuple(words)


def load(table=TABLE):
    """\\throws SystemExit if a row of the table has an unknown key or lacks one"""
    rows = yaml.safe_load(table.read_text())
    known = {"picture", "bench", "case", "view", "point", "from", "to", "width", "groups", "live"}
    for row in rows:
        if row.keys() - known or {"picture", "bench", "case", "view"} - row.keys():
            sys.exit(f"{table.name}: {row}: the keys are {', '.join(sorted(known))}")
    return [Picture(*(row.get(key, "") for key in ("picture", "bench", "case", "view", "point")), options_of(row))
            for row in rows]


def program_of(picture, build):
    command = benches.bench_of(build, picture.bench, picture.at_point())
    if command is None:
        sys.exit(f"bench_pictures: {picture.path}: {build} has no bench {picture.bench} {picture.point}")
    return command


def draw(picture, build):
    """The picture's text."""
    with tempfile.TemporaryDirectory() as folder:
        at_point = [*program_of(picture, build), *picture.at_point()]
        words = [*at_point, "--case", picture.case, "--trace", "--waves", folder]
        done = subprocess.run(words, text=True, capture_output=True)
        if done.returncode:
            sys.exit(f"bench_pictures: {shlex.join(words)}\nended with {done.returncode}: "
                     f"{done.stdout[-2000:]}{done.stderr}")
        out = pathlib.Path(folder) / "picture.svg"
        try:
            wave_picture.main(picture.drawn_by(folder, out))
        except SystemExit as error:
            sys.exit(f"bench_pictures: {picture.path}: {error}")
        return out.read_text()


def differing(pictures, build):
    """[(picture, how it differs from the committed one, its new text)]"""
    found = []
    for picture in pictures:
        new, committed = draw(picture, build), ROOT / picture.path
        if not committed.is_file():
            found.append((picture, "is not there", new))
        elif committed.read_text() != new:
            found.append((picture, "differs from what its row draws", new))
    return found
