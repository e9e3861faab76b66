# SPDX-License-Identifier: Apache-2.0
"""What the program knows, asked of the program itself: a sweep of what it does not know is refused before it begins."""
import dataclasses
import re
import subprocess

from harness.job import FIELDS
from tools import design_points
from tools.point_build import overridden

NOT_OPTIONS = ("kernel", "point", "seed", "command", "ptx")  # of a job: they have keys of their own, or none
MECHANISM = ("divergence", "scoreboard", "register-file", "affine", "affine-batch", "affine-enqueue", "affine-branches",
             "prefetch", "reconverge", "deconfliction", "soft-threshold")


class BadProgram(Exception):
    """It does not answer as heddle does."""


@dataclasses.dataclass(frozen=True)
class Option:
    """Of heddle run."""
    field: str  # of a job
    is_number: bool
    choices: tuple  # none: any
    least: int = 0
    most: int | None = None

    def expected(self):
        if self.is_number:
            return f"a number from {self.least} on" if self.most is None else f"a number from {self.least} to {self.most}"
        return "one of " + ", ".join(self.choices) if self.choices else "a text"


def key_of(field):
    """As on the command line: settings of a job are --set."""
    return "set" if field == "settings" else field.replace("_", "-")


class Vocabulary:
    def __init__(self, path):
        self.path = path
        self.kernels = re.findall(r"^(\w+) +what ", self._said("list", "kernels"), re.M)
        self.points = re.findall(r"^(\w+) +\d+ +\d+ +\d+ ", self._said("list", "points"), re.M)
        usage = self._said("run", "--help")
        self.options = {key_of(field): self._option(field, usage) for field in FIELDS if field not in NOT_OPTIONS}

    def setting_problem(self, point, settings):
        """What is wrong with a --set of a point, or nothing."""
        try:
            for name, values in overridden(point, settings.split(","))[0].items():
                design_points.expect_machine(name, values)
        except SystemExit as refused:
            return str(refused)
        return ""

    def _said(self, *words):
        done = subprocess.run([self.path, *words], text=True, capture_output=True)
        if done.returncode or not done.stdout:
            raise BadProgram(f"{self.path} {' '.join(words)}: {done.stderr.strip() or 'says nothing'}")
        return done.stdout

    def _option(self, field, usage):
        key = key_of(field)
        found = re.search(rf"^  (?:-\w,)?--{re.escape(key)} (TEXT|UINT|INT)(.*)$", usage, re.M)
        if not found:
            raise BadProgram(f"{self.path} run --help does not know --{key}")
        choices = re.match(r":\{([\w,]+)\}", found[2])
        limits = re.search(r" in \[(\d+) - (\d+)\]", found[2])
        return Option(field, found[1] != "TEXT", tuple(choices[1].split(",")) if choices else (),
                      *(map(int, limits.groups()) if limits else ()))
