# SPDX-License-Identifier: Apache-2.0
"""Who runs a job, said in files, so that processes of several machines do not all run the same one.

claims/KEY.1, KEY.2, ...: a file a start of the job, and the last one counts. Whoever wants the job puts the next number
there, which of several that try one can (files.py). The claim before must be over, which it is when
- it says so: its job was stopped, or failed,
- its process is gone; asked on the same machine, since its last boot, in the same name space of process ids,
- it was silent: who runs a job touches its claim every BEAT seconds, and is taken for dead after SILENCE. That covers a
  machine that is gone, a process that stands still, and any time that NFS keeps attributes (60 s); files are opened
  before they are asked, so that the server answers.
A claim of a dead one is never removed, but followed by the next number: of two that find it, none can remove
what the other has just put there. All of a job's are removed behind its result.

Times are those of the file system and not of machines, whose clocks differ.

A claim saves work and decides nothing. Whoever was taken for dead and lives on ends his job too, and then there are two
equal results, of which the store keeps the first.
"""
import contextlib
import json
import os
import pathlib
import secrets
import time

from .files import put_once

BEAT, SILENCE = 10, 120  # seconds
FREE, HELD, UNSURE = "free", "held", "unsure"  # UNSURE: of another machine, and not seen to beat yet


def machine():
    """Where a process id means one process."""
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot} {os.readlink('/proc/self/ns/pid')}"


def started(pid):
    """When a process did, in ticks; None: it is not there, or has ended. Numbers of processes come again, but not both."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def slurm_task():
    """12_3, or nothing outside Slurm."""
    job = os.environ.get("SLURM_ARRAY_JOB_ID") or os.environ.get("SLURM_JOB_ID") or ""
    task = os.environ.get("SLURM_ARRAY_TASK_ID")
    return f"{job}_{task}" if task else job


class Leases:
    """\\param folder  made when it is missing"""

    def __init__(self, folder, silence=SILENCE):
        self.folder, self.silence = folder, silence
        folder.mkdir(parents=True, exist_ok=True)
        self.tag = f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(3)}"  # of this process, everywhere
        self._machine = machine()
        self._seen = {}  # of UNSURE claims, when they were touched last

    def take(self, key):
        """A Lease, or None: another process has the job."""
        number = self._last(key) + 1
        before = self._read(key, number - 1)
        if self._state(key, number - 1, before) != FREE:
            return None
        temporary = self.folder / f"{key}.{self.tag}.part"
        temporary.write_text(json.dumps(self._claim()))
        if not put_once(temporary, self.file(key, number)):
            temporary.unlink()
            return None
        return Lease(self, key, number, before and before.get("tag"))

    def state(self, key):
        """FREE, HELD or UNSURE."""
        number = self._last(key)
        return self._state(key, number, self._read(key, number))

    def holder(self, key):
        """What the claim of a process that has the job says, or None."""
        number = self._last(key)
        claim = self._read(key, number)
        return None if self._state(key, number, claim) == FREE else claim

    def starts(self, key):
        """How often a job that has no result yet was begun."""
        return self._last(key)

    def tidy(self, is_done):
        """Takes away claims of jobs that are done, and what was silent for too long to become a claim.
        \\param is_done  of a key"""
        now = self._now()
        for file in list(self.folder.iterdir()):
            key, _, number = file.name.partition(".")
            with contextlib.suppress(FileNotFoundError):
                if is_done(key) if number.isdigit() else now - file.stat().st_mtime > self.silence:
                    file.unlink()

    def file(self, key, number):
        return self.folder / f"{key}.{number}"

    def _claim(self):
        return {"tag": self.tag, "host": os.uname().nodename, "pid": os.getpid(), "slurm": slurm_task(),
                "machine": self._machine, "started": started(os.getpid()), "since": time.strftime("%Y-%m-%d %H:%M:%S")}

    def _last(self, key):
        number = 0
        while self.file(key, number + 1).exists():
            number += 1
        return number

    def _read(self, key, number):
        """What a claim says, with `touched`; None: it is not there, or no claim."""
        try:
            with self.file(key, number).open() as file:
                return {**json.load(file), "touched": os.fstat(file.fileno()).st_mtime}
        except (OSError, ValueError, TypeError):
            return None

    def _state(self, key, number, claim):
        if claim is None or "ended" in claim:
            return FREE
        if claim["machine"] == self._machine and started(claim["pid"]) != claim["started"]:
            return FREE
        if self._now() - claim["touched"] > self.silence:
            return FREE
        if claim["machine"] == self._machine:
            return HELD
        return HELD if self._seen.setdefault((key, number), claim["touched"]) < claim["touched"] else UNSURE

    def _now(self):
        """By the clock that stamps claims."""
        file = self.folder / f"clock.{self.tag}"
        with file.open("w") as probe:
            os.utime(probe.fileno())
            now = os.fstat(probe.fileno()).st_mtime
        file.unlink(missing_ok=True)
        return now


class Lease:
    """The job is ours. \\param before  the tag of the process that had it before, or None"""

    def __init__(self, leases, key, number, before):
        self.leases, self.key, self.number, self.before = leases, key, number, before

    def renew(self):
        with contextlib.suppress(FileNotFoundError):  # the result is there, from another process
            os.utime(self.leases.file(self.key, self.number))

    def end(self, why):
        """Without a result: others may have it at once."""
        file = self.leases.file(self.key, self.number)
        temporary = self.leases.folder / f"{self.key}.{self.leases.tag}.part"
        temporary.write_text(json.dumps({**self.leases._claim(), "ended": why}))
        os.replace(temporary, file)

    def done(self):
        """The result is there. Upwards is where a later one may stand; so from here down."""
        for number in range(self.number, 0, -1):
            self.leases.file(self.key, number).unlink(missing_ok=True)
