# SPDX-License-Identifier: Apache-2.0
"""The program that jobs run, and what of it decides a result.

Built here, the program is known by the sources of the simulator: its file has the commit inside, which moves when
nothing in it did. A program from elsewhere is known by its bytes, and by the sources in whose build it lies: it compiles
slices from them.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("rtl", "tlm", "sim", "scripts/cmake")  # what the program and the slices it loads are made of
SOURCES = (".h", ".cpp", ".yaml", ".cmake", ".txt")
MAKERS = ("CMakeLists.txt", "CMakePresets.json", "kernels/CMakeLists.txt", "scripts/design_points", "scripts/slice_point",
          "tools/design_points.py", "tools/point_build.py", "scripts/ptx")
FLAGS = ("compiler", "flags", "optimise")  # of build/point_kit.json


def digest(*parts):
    """Of texts and bytes, each apart from the next."""
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        whole.update(f"{len(data)}:".encode() + data)
    return whole.hexdigest()


def digest_of_files(tree, files):
    """Of their names in the tree and what is in them."""
    return digest(*(part for file in sorted(files) for part in (file.relative_to(tree), file.read_bytes())))


def built_here():
    """The build folder of this tree."""
    return pathlib.Path(os.environ.get("BUILD_DIR") or ROOT / "build").resolve()


def sources(tree):
    """The files that the program and its slices are made of."""
    files = [file for room in ROOMS for file in (tree / room).rglob("*") if file.suffix in SOURCES and file.is_file()]
    return [*files, *(tree / "kernels").glob("*.h"), *(tree / name for name in MAKERS)]


def tree_of(build_folder):
    """Where the sources of a build are, or None. The program compiles slices from them when it needs them."""
    cache = build_folder / "CMakeCache.txt"
    found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache.read_text(), re.M) if cache.exists() else None
    return pathlib.Path(found[1]) if found else None


class Program:
    """\\param path  a program from elsewhere, or nothing: this tree's, which build() makes"""

    def __init__(self, path=None):
        self.is_own = path is None
        self.path = built_here() / "sim/heddle" if path is None else pathlib.Path(path).resolve()
        self.build_folder = self.path.parent.parent
        self.tree = ROOT if self.is_own else tree_of(self.build_folder)
        self._identity = None
        self._kernels = {}

    def build(self, levels=()):
        """\\param levels  of clang beside the usual one, at which jobs want their kernels
        \\throws subprocess.CalledProcessError after the build has said why"""
        if self.is_own:
            ptx = [f"heddle_kernel_ptx_{level}" for level in levels]
            subprocess.run([ROOT / "scripts/build", "heddle", "heddle_kernel_ptx", *ptx], check=True)

    def stamp(self):
        """Another one when somebody has built the program anew or edited what it is made of."""
        files = [self.path, *(sources(self.tree) if self.tree else ())]
        return digest(*(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}" for file in files))

    def identity(self):
        if self._identity is None:
            parts = [] if self.is_own else [self.path.read_bytes()]
            if self.tree:
                kit = json.loads((self.build_folder / "point_kit.json").read_text())
                parts += [digest_of_files(self.tree, sources(self.tree)), *(kit[flag] for flag in FLAGS)]
            self._identity = digest(*parts)
        return self._identity

    def of_kernel(self, kernel, level="O2"):
        """Its PTX, its driver and the files that it reads."""
        if (kernel, level) not in self._kernels:
            tree = self.tree or ROOT
            room = tree / "kernels" / kernel
            files = [file for file in room.rglob("*") if file.is_file() and file.suffix != ".md"] if room.is_dir() else []
            ptx = self.build_folder / "kernels" / ("" if level == "O2" else level) / f"{kernel}.ptx"
            self._kernels[kernel, level] = digest(digest_of_files(tree, files), ptx.read_bytes() if ptx.exists() else "")
        return self._kernels[kernel, level]

    def key(self, job, inputs):
        """The name of a job's result: all that decides it."""
        file = inputs / (job.input or job.ptx.partition(" ")[0] or "none")
        data = file.read_bytes() if file.is_file() else ""
        return digest(*job.words(), data, self.identity(), self.of_kernel(job.kernel, job.level))[:40]

    def command(self, job, inputs):
        return [str(self.path), *job.words(inputs), "--jobs", "1", "--json", "-"]
