# SPDX-License-Identifier: Apache-2.0
"""Runs, from files that `heddle run --json` and `heddle compare --json` wrote. What is no such file is refused by name."""
import json
import pathlib

SCHEMA = 2  # sim/report/run_report.cpp
EXPECTED = "expected a list of runs, as `heddle run ... --json FILE` writes it"
NEEDED = ("point", "scoreboard", "register_file", "prefetcher", "memory", "memory_below", "sms", "seed", "status", "message",
          "equals_oracle", "commit", "launches", "cycles", "warp_instructions", "thread_instructions", "idle_cycles",
          "scheduler_cycles", "ipc", "lane_utilisation", "avg_path", "stalls", "active_lanes", "stack_depth")
# In what else runs may differ: named in the mechanism where they do. In words, after the number.
APART = {"point": "at {}", "memory": "memory {}", "sms": "{} SMs", "seed": "seed {}"}


class Refused(Exception):
    """No page can be made of what was given: says why."""


class Run:
    """A kernel under a mechanism. `mechanism` is its name among the runs of the page."""

    def __init__(self, data, file, label=""):
        self.data, self.file, self.label = data, file, label
        self.kernel, self.mechanism = data["kernel"], ""

    def __getitem__(self, key):
        return self.data[key]

    def get(self, path):
        """`stack_depth.max`, say; None where the run has no such number."""
        found = self.data
        for key in path.split(".", 1):
            found = found.get(key) if isinstance(found, dict) else None
        return found

    @property
    def ended(self):
        """It has numbers."""
        return self["cycles"] > 0

    def usual_name(self):
        """As the tables of `heddle run` have it."""
        affine = self.data.get("affine", {}).get("unit")
        prefetch = self["prefetcher"]
        return self["divergence"] + (f"+{affine}" if affine else "") + \
            (f"+{prefetch}" if prefetch not in ("", "none") else "") + f"/{self['scoreboard']}" + \
            (f"/{self['register_file']}" if self["divergence"].startswith("formation") else "")  # else there is no choice


def file_and_label(word):
    """LABEL=FILE, or a FILE."""
    label, equals, file = word.partition("=")
    if not equals or pathlib.Path(word).exists():
        return pathlib.Path(word), ""
    return pathlib.Path(file), label


def described(json_value):
    """What a file has instead of runs."""
    if isinstance(json_value, dict):
        return f"an object with the keys {', '.join(list(json_value)[:4]) or '(none)'}"
    return "an empty list" if json_value == [] else f"a {type(json_value).__name__}" if not isinstance(json_value, list) \
        else f"a list of something else: {json.dumps(json_value[0])[:60]}"


def content(file):
    try:
        return json.loads(file.read_text())
    except OSError as error:
        raise Refused(f"{file}: cannot be read ({error.strerror}); {EXPECTED}") from error
    except ValueError as error:
        raise Refused(f"{file}: no JSON ({error}); {EXPECTED}") from error


def check(data, file, number):
    """One run of a file."""
    which = f"{file}: run {number} ({data['kernel']})"
    if data.get("schema") != SCHEMA:
        raise Refused(f"{which} has schema {data.get('schema', 'none')}, expected {SCHEMA}: another version of heddle wrote "
                      "it; run it again")
    if data.get("mode") == "functional":
        raise Refused(f"{which} has no cycles, as it ran on the oracle alone (--functional); expected timed runs")
    if missing := [key for key in NEEDED if key not in data]:
        raise Refused(f"{which} has no '{missing[0]}'; {EXPECTED}")


def read_file(word):
    file, label = file_and_label(word)
    found = content(file)
    if not isinstance(found, list) or not found or \
            not all(isinstance(one, dict) and "kernel" in one for one in found):
        raise Refused(f"{file}: {EXPECTED}; found {described(found)}")
    for number, one in enumerate(found, 1):
        check(one, file, number)
    return [Run(one, file, label) for one in found]


def name_mechanisms(runs):
    """As usual, and what else tells runs apart."""
    varies = [key for key in APART if len({run[key] for run in runs}) > 1]
    for run in runs:
        more = [APART[key].format(run[key]) for key in varies]
        run.mechanism = " ".join(filter(None, [run.usual_name(), run.label, *more]))


def refuse_duplicates(runs):
    seen = {}
    for run in runs:
        other = seen.setdefault((run.kernel, run.mechanism), run)
        if other is not run:
            raise Refused(f"{run.file}: {run.kernel} under {run.mechanism} is in {other.file} too; expected each once. Leave "
                          f"one out, or tell them apart with a label: {run.file.stem}={run.file}")


def read(words):
    """All runs of these files, in their order."""
    runs = [run for word in words for run in read_file(word)]
    name_mechanisms(runs)
    refuse_duplicates(runs)
    if not any(run.ended for run in runs):
        raise Refused(f"{runs[0].file}: no run has come to its end ({runs[0]['message'].splitlines()[0]}); expected one with "
                      "cycles")
    return runs
