"""The program that jobs run, and what of it decides a result.

Built here, the program is known by the sources of the simulator: its file has the commit inside, which moves when
nothing in it did. A program from elsewhere is known by its bytes.
"""
import hashlib
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("rtl", "tlm", "sim", "scripts/cmake")  # what the program and the slices it loads are made of
SOURCES = (".h", ".cpp", ".yaml", ".cmake", ".txt")
MAKERS = ("CMakeLists.txt", "CMakePresets.json", "kernels/CMakeLists.txt", "scripts/design_points", "scripts/slice_point",
          "scripts/point_build.py", "scripts/ptx")
FLAGS = ("compiler", "flags", "optimise")  # of build/point_kit.json


def digest(*parts):
    """Of texts and bytes, each apart from the next."""
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        whole.update(f"{len(data)}:".encode() + data)
    return whole.hexdigest()


def digest_of_files(files):
    parts = []
    for file in sorted(files):
        parts += [file.relative_to(ROOT) if file.is_relative_to(ROOT) else file.name, file.read_bytes()]
    return digest(*parts)


def built_here():
    """The build folder of this tree."""
    return pathlib.Path(os.environ.get("BUILD_DIR") or ROOT / "build").resolve()


class Program:
    """\\param path  a program from elsewhere, or nothing: this tree's, which build() makes"""

    def __init__(self, path=None):
        self.is_own = path is None
        self.path = built_here() / "sim/heddle" if path is None else pathlib.Path(path).resolve()
        self.build_folder = self.path.parent.parent
        self._identity = None
        self._kernels = {}

    def stamp(self):
        """Another one when somebody has built the program anew."""
        file = self.path.stat()
        return file.st_ino, file.st_mtime_ns, file.st_size

    def build(self):
        """\\throws subprocess.CalledProcessError after the build has said why"""
        if self.is_own:
            subprocess.run([ROOT / "scripts/build", "heddle", "heddle_kernel_ptx"], check=True)

    def identity(self):
        if self._identity is None:
            self._identity = self._of_sources() if self.is_own else digest(self.path.read_bytes())
        return self._identity

    def _of_sources(self):
        kit = json.loads((self.build_folder / "point_kit.json").read_text())
        files = [file for room in ROOMS for file in (ROOT / room).rglob("*") if file.suffix in SOURCES and file.is_file()]
        files += (ROOT / "kernels").glob("*.h")
        files += (ROOT / name for name in MAKERS)
        return digest(digest_of_files(files), *(kit[flag] for flag in FLAGS))

    def of_kernel(self, kernel):
        """Its PTX, its driver and the files that it reads."""
        if kernel not in self._kernels:
            room = ROOT / "kernels" / kernel
            files = [file for file in room.rglob("*") if file.is_file() and file.suffix != ".md"] if room.is_dir() else []
            ptx = self.build_folder / f"kernels/{kernel}.ptx"
            self._kernels[kernel] = digest(digest_of_files(files), ptx.read_bytes() if ptx.exists() else "")
        return self._kernels[kernel]

    def key(self, job, inputs):
        """The name of a job's result: all that decides it."""
        data = (inputs / job.input).read_bytes() if job.input and (inputs / job.input).exists() else ""
        return digest(*job.words(), data, self.identity(), self.of_kernel(job.kernel))[:40]

    def command(self, job, inputs):
        return [str(self.path), *job.words(inputs), "--jobs", "1", "--json", "-"]
