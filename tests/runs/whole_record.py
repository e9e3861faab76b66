# SPDX-License-Identifier: Apache-2.0
"""tests/runs/whole_run.json: when each test last passed whole (tests/runs/whole_run)."""
import datetime
import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parent / "whole_run.json"
DAYS = 14


class Record:
    """{test: [day, commit]}: when each test last passed whole."""

    def __init__(self, rows):
        self.rows = rows

    def add(self, passed, failed, day, commit):
        self.rows.update({test: [day.isoformat(), commit] for test in passed})
        for test in failed:
            self.rows.pop(test, None)

    def keep(self, tests):
        """Without tests that are no more."""
        self.rows = {test: row for test, row in self.rows.items() if test in tests}

    def overdue(self, tests, today):
        limit = (today - datetime.timedelta(days=DAYS)).isoformat()
        return sorted(test for test in tests if self.rows.get(test, [""])[0] < limit)

    def elsewhere(self, tests, is_here):
        """The tests that have not passed at this commit."""
        return sorted(test for test in tests if test not in self.rows or not is_here(self.rows[test][1]))

    def text(self):
        rows = [f"{json.dumps(test)}: {json.dumps(row)}" for test, row in sorted(self.rows.items())]
        return "\n".join(["{", *([",\n".join(rows)] if rows else []), "}", ""])


def load():
    return Record(json.loads(FILE.read_text()))
