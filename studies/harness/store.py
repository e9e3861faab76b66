"""Results, one file a job: a file is there whole or not at all.

A result is written under another name, brought to the disk and only then given its own. In the file stands a checksum,
so that neither half a file nor one of another hand is taken for a result.
"""
import contextlib
import fcntl
import json
import os

from .program import digest

VERSION = 1
UNFINISHED = ".part"


class InUse(Exception):
    """Another process has the store."""


class Store:
    """\\param folder  made when it is missing; the name of a file is the job's key"""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def locked(self):
        """For one who writes; what an earlier one left half done is removed. \\throws InUse"""
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InUse(f"another scripts/evaluate works in {self.folder}") from None
            for file in self.folder.glob(f"*{UNFINISHED}"):
                file.unlink()
            yield

    def file(self, key):
        return self.folder / f"{key}.json"

    def unfinished(self, key):
        """Where a job that runs may write."""
        return self.folder / f"{key}.out{UNFINISHED}"

    def load(self, key):
        """The record that was saved, or None."""
        try:
            whole = json.loads(self.file(key).read_bytes())
            text = whole["record"]
            return json.loads(text) if whole["version"] == VERSION and whole["sha256"] == digest(text) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, key, record):
        text = json.dumps(record, separators=(",", ":"))
        whole = json.dumps({"version": VERSION, "sha256": digest(text), "record": text})
        temporary = self.folder / f"{key}{UNFINISHED}"
        with temporary.open("w") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self.file(key))
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
