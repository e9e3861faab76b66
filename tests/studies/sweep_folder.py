# SPDX-License-Identifier: Apache-2.0
"""A sweep in a folder of its own, of a program that notes what it does."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

# Notes when it begins and ends a job, takes its time for that, and runs the program itself. Asked what it knows, it
# passes the question on. A file `broken` makes jobs of seed 7 fail; while there is a file `hold`, jobs wait in their middle.
RUNNER = '''#!/bin/sh
[ "$1" = run ] && [ "$2" != --help ] || exec {heddle} "$@"
what=$(echo "$@" | sed "s/ --jobs.*//")
echo "$(date +%s.%N) $$ $what" >> {folder}/started
case "$what" in *"--seed 7") [ ! -f {folder}/broken ] || {{ echo "seven is broken" >&2; exit 1; }} ;; esac
while [ -f {folder}/hold ]; do sleep 0.05; done
sleep {seconds}
{say}
echo "$(date +%s.%N) $$ $what" >> {folder}/ended
'''
OF_HEDDLE = '{heddle} "$@"'
# As if it had run: quick, and the same each time unless there is a file `dice`.
STAND_IN = '''cycles=$(echo "$what" | cksum | cut -d " " -f 1)
[ ! -f {folder}/dice ] || cycles=$$
printf '[{{"status":"ok","equals_oracle":true,"cycles":%d,"commit":"c","scoreboard":"baseline","register_file":"static",' $cycles
printf '"host":{{"cpu_seconds":0.5,"oracle_cpu_seconds":0.25}}}}]\\n\''''


class Sweep:
    """\\param root  of the tree  \\param spec  a text  \\param say  what the program does in a job"""

    def __init__(self, root, heddle, spec, seconds=0.02, say=STAND_IN):
        self.root = root
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.place, self.file = self.folder / "sweep", self.folder / "sweep.yaml"
        self.file.write_text(spec)
        self.heddle, self.hold = self.folder / "heddle", self.folder / "hold"
        names = {"heddle": heddle, "folder": self.folder, "seconds": seconds}
        self.heddle.write_text(RUNNER.format(**names, say=say.format(**names)))
        self.heddle.chmod(0o755)

    def remove(self):
        shutil.rmtree(self.folder)

    def start(self, *words, **more):
        """scripts/sweep."""
        return subprocess.Popen([self.root / "scripts/sweep", *map(str, words)], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, **more)

    def say(self, *words, code=0):
        """What it says."""
        one = self.start(*words)
        said = one.communicate(timeout=1200)[0]
        if one.returncode != code:
            raise AssertionError(f"scripts/sweep {' '.join(map(str, words))} ended with {one.returncode}, expected {code}:\n{said}")
        return said

    def begin_words(self, *options):
        return [self.file, "--folder", self.place, "--heddle", self.heddle, *options]

    def noted(self, what):
        """[(time, process, job)]"""
        file = self.folder / what
        lines = file.read_text().splitlines() if file.exists() else []
        return [(float(line.split()[0]), int(line.split()[1]), line.split(" ", 2)[2]) for line in lines]

    def jobs(self):
        """{key: job} of the plan, as the program is called."""
        return {one["key"]: one["job"] for one in json.loads((self.place / "plan.json").read_text())["jobs"]}

    def kept(self):
        """{key: when} of the results that are there; fails where half a one has the name of a whole one."""
        kept = {}
        for file in (self.place / "jobs").glob("*.json"):
            json.loads(json.loads(file.read_text())["record"])
            kept[file.stem] = os.stat(file).st_mtime
        return kept

    def rows(self):
        """Of results.json, without what the host decides."""
        rows = json.loads((self.place / "results.json").read_text())["rows"]
        return [{key: value for key, value in row.items() if key not in ("cpu_seconds", "commit")} for row in rows]

    def claims(self):
        """{job's key: what its last claim says}"""
        found = {}
        for file in sorted((self.place / "jobs/claims").glob("*.[0-9]*")):
            try:
                found[file.name.partition(".")[0]] = json.loads(file.read_text())
            except (OSError, ValueError):  # gone meanwhile
                continue
        return found
