# SPDX-License-Identifier: Apache-2.0
"""Results, one file a job: a file is there whole or not at all, and once it is there nothing takes its place.

A result is written under another name, brought to the disk and only then given its own, unless a result has that already
(files.py). In the file stands a checksum, so that neither half a file nor one of another hand is taken for a result. So
a job may run twice and still counts once. As the program is deterministic two results of one job are equal; if they are
not, the second stays beside the first, and that is an error until somebody has looked.

KEY.json            the result
KEY.failed          what a job that failed said last
KEY.differs.OWNER   a second result, that differs
KEY.OWNER.*.part    what a process has not finished
claims/             who runs what (lease.py)
"""
import contextlib
import fcntl
import json
import os

from .files import put_once, replace, sync_folder, write_synced
from .lease import FREE, Leases
from .program import digest
from .results import row_of, same_row

VERSION = 1
UNFINISHED = ".part"


class InUse(Exception):
    """Another process has the store."""


class Differs(Exception):
    """Two runs of a job ended well, and otherwise."""


def key_of(file):
    """Of which job a file here is."""
    return file.name.partition(".")[0]


def packed(record):
    text = json.dumps(record, separators=(",", ":"))
    return json.dumps({"version": VERSION, "sha256": digest(text), "record": text})


class Store:
    """\\param folder  made when it is missing; the name of a file is the job's key"""

    def __init__(self, folder):
        self.folder = folder
        self.leases = Leases(folder / "claims")

    @contextlib.contextmanager
    def locked(self):
        """For one who is here alone but for the tasks of Slurm; what an earlier one left half done is removed.
        \\throws InUse"""
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InUse(f"another scripts/evaluate or heddle sweep works in {self.folder}") from None
            self.tidy()
            yield

    def tidy(self):
        """Takes away what processes left that were killed; beside those that live, too."""
        for file in self.folder.glob(f"*{UNFINISHED}"):
            if self.leases.state(key_of(file)) == FREE:
                file.unlink(missing_ok=True)
        self.leases.tidy(self.is_done)

    def file(self, key):
        return self.folder / f"{key}.json"

    def unfinished(self, key, what, owner=None):
        """Where a job that runs may write. \\param owner  whose (default: this process)"""
        return self.folder / f"{key}.{owner or self.leases.tag}.{what}{UNFINISHED}"

    def clear(self, key, owner):
        """What a dead process left of a job."""
        for what in ("out", "err", "result"):
            self.unfinished(key, what, owner).unlink(missing_ok=True)

    def load(self, key):
        """The record that was saved, of a job that failed too, or None."""
        found = self._load(self.file(key))
        return found if found is not None else self._load(self._failed(key))

    def is_done(self, key):
        record = self._load(self.file(key))
        return record is not None and record["ok"]

    def failure(self, key):
        """What a job that failed said last, as long as it has no result, or None."""
        return None if self.is_done(key) else self._load(self._failed(key))

    def forget_failure(self, key):
        self._failed(key).unlink(missing_ok=True)

    def differing(self, key):
        """Results beside the one that counts."""
        return sorted(self.folder.glob(f"{key}.differs.*"))

    def save(self, key, record):
        """\\throws Differs"""
        if not record["ok"]:
            replace(self._failed(key), packed(record))
            return
        temporary = self.unfinished(key, "result")
        write_synced(temporary, packed(record))
        if not put_once(temporary, self.file(key)):
            self._second(key, temporary, record)
        self._failed(key).unlink(missing_ok=True)
        sync_folder(self.folder)

    def _second(self, key, temporary, record):
        """There is a file already."""
        first = self._load(self.file(key))
        if first is None or not first["ok"]:  # no result: a disk's fault, or of a store of old
            os.replace(temporary, self.file(key))
        elif same_row(row_of(first), row_of(record)):
            temporary.unlink()
        else:
            other = self.folder / f"{key}.differs.{self.leases.tag}"
            os.replace(temporary, other)
            raise Differs(f"two runs ended otherwise, {self.file(key)} and {other}: find out why, and remove one")

    def _failed(self, key):
        return self.folder / f"{key}.failed"

    def _load(self, file):
        try:
            whole = json.loads(file.read_bytes())
            text = whole["record"]
            return json.loads(text) if whole["version"] == VERSION and whole["sha256"] == digest(text) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None
