# SPDX-License-Identifier: Apache-2.0
"""The committed results of a study: results.json and results.csv, a row a job.

JSON: {"version", "machine", "study", "rows"}; machine: see machine.py. A row has the fields of the job, and under the names of `heddle run --json` what came
of it, groups before a dot: memory_system.l1_misses. Of several SMs busiest_sm.warp_instructions is that of the one that issued
most, and working_sms how many issued at all. CSV has the same but for what is a list. VERSION moves when a key goes
or changes its meaning.
"""
import csv
import io
import json

from . import machine
from .job import FIELDS, Job

VERSION = 1
DROPPED = ("schema", "host", "of_each_sm", "profile", "status", "error", "mode", "lanes")  # of the run's own JSON
DROPPED_LISTS = ("stack_depth.issues_at_depth", "branches")
NOT_OF_THE_MACHINE = ("cpu_seconds", "commit")  # of a row: of the host, and of the program's date


class NoResults(Exception):
    """There is no file, or it is not what this program writes."""


def flat(values, before=""):
    """One level: groups become names with a dot."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def of_the_sms(run):
    """What bounds need of how work falls on SMs. A lone SM has no list."""
    counts = [sm["warp_instructions"] for sm in run.get("of_each_sm", ())] or [run["warp_instructions"]]
    return {"busiest_sm.warp_instructions": max(counts), "working_sms": sum(count > 0 for count in counts)}


def row_of(record):
    """Of a job that ended well."""
    run = record["run"]
    row = dict(record["job"])
    row["cpu_seconds"] = round(run["host"]["cpu_seconds"] + run["host"]["oracle_cpu_seconds"], 3)
    row.update((key, value) for key, value in flat({key: value for key, value in run.items() if key not in DROPPED})
               if key not in FIELDS and (key not in DROPPED_LISTS or not isinstance(value, list)))
    if "warp_instructions" in run:
        row.update(of_the_sms(run))
    return row


def differences(row, other):
    """Keys of a row for which the other says something else, but for what two runs of a job need not share."""
    return [key for key in row if key not in NOT_OF_THE_MACHINE and other.get(key) != row[key]]


def same_row(row, other):
    return not differences(row, other) and not differences(other, row)


class Results:
    """Rows, found by fields of their jobs."""

    def __init__(self, study, rows, of_machine=machine.NUMBER):
        self.study, self.rows, self.machine = study, rows, of_machine
        # A field that is newer than the row has its usual value.
        self._by_job = {Job(**{name: row[name] for name in FIELDS if name in row}): row for row in rows}

    def find(self, job):
        """The row, or None."""
        return self._by_job.get(job)

    def costs(self):
        """(job, CPU seconds) of each row."""
        return [(job, row["cpu_seconds"]) for job, row in self._by_job.items()]

    @staticmethod
    def read(file):
        """\\throws NoResults"""
        try:
            whole = json.loads(file.read_text())
            if whole["version"] != VERSION:
                raise NoResults(f"{file} has version {whole['version']}, this program reads {VERSION}")
            return Results(whole["study"], whole["rows"], whole.get("machine", 1))
        except OSError:
            raise NoResults(f"{file} is not there") from None
        except (ValueError, KeyError, TypeError):
            raise NoResults(f"{file} is not what scripts/evaluate writes") from None

    def json(self):
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in self.rows)
        return f'{{"version": {VERSION}, "machine": {self.machine}, "study": "{self.study}", "rows": [\n{rows}\n]}}\n'

    def csv(self):
        columns = list(dict.fromkeys(key for row in self.rows for key, value in row.items() if not isinstance(value, list)))
        text = io.StringIO()
        writer = csv.DictWriter(text, ["version", *columns], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows({"version": VERSION, **row} for row in self.rows)
        return text.getvalue()

