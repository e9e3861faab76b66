# SPDX-License-Identifier: Apache-2.0
"""Runs jobs side by side, each in a process of its own, and saves what each one says as soon as it ends. Several runners,
of several machines, may have the same jobs: each job is run by who has its lease."""
import contextlib
import dataclasses
import heapq
import itertools
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

from .lease import BEAT, FREE, HELD
from .store import Differs

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
LOOK = 0.2  # seconds between looks whether somebody wants us to end
LOOK_AT_OTHERS = 1.0  # ... what has become of jobs that other processes run
SHOWN = 300  # letters of a message
ASKED_TO_END = {sign * number + base for number in (signal.SIGINT, signal.SIGTERM) for sign, base in ((-1, 0), (1, 128))}


class ProgramChanged(Exception):
    """Results would be of another program than their names say."""


class Lost(Exception):
    """We were silent for so long that another process took us for dead, cleared our files, and goes on."""


class Interrupts:
    """SIGINT and SIGTERM set a number and no more: what is being written is written to its end."""

    def __init__(self):
        self.signal = 0

    def __enter__(self):
        self._before = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number, _frame):
        self.signal = number


@dataclasses.dataclass
class Running:
    job: object
    key: str
    lease: object
    process: subprocess.Popen
    ends: int  # readable when it has ended

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


class Progress:
    """Jobs done and the time left, from what jobs are known to cost and how long the finished ones took."""

    def __init__(self, what, weights, processes):
        self.weights, self.processes = weights, processes
        self.total, self.started = sum(weights.values()), time.monotonic()
        self.done, self.done_weight, self.failed = 0, 0.0, 0
        # In a group of its own, so that a ^C reaches it after us.
        self.teller = subprocess.Popen([SCRIPTS / "progress", what, "--words"], stdin=subprocess.PIPE, text=True,
                                       start_new_session=True)

    def seconds_left(self):
        left = self.total - self.done_weight
        if not self.done_weight:
            return left / self.processes
        return left * (time.monotonic() - self.started) / self.done_weight

    def ended(self, job, ok):
        self.done += 1
        self.done_weight += self.weights[job]
        self.failed += not ok
        failed = f", {self.failed} failed" if self.failed else ""
        with contextlib.suppress(OSError):
            print(self.done, len(self.weights), f"{duration(self.seconds_left())} left{failed}; {job.short()}",
                  file=self.teller.stdin, flush=True)

    def close(self):
        with contextlib.suppress(OSError):
            self.teller.stdin.close()
        self.teller.wait()


def duration(seconds):
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min" if minutes >= 10 else f"{60 * minutes + seconds} s"


def of_run(said):
    (run,) = said
    return run


def of_limit(said):
    """A limit study as if it were a run: what every row needs has the name that it has there."""
    (run,) = said["kernels"]
    seconds = {"cpu_seconds": run.pop("align_cpu_seconds"), "oracle_cpu_seconds": run.pop("trace_cpu_seconds")}
    return {**run, "host": seconds, "status": "ok" if run.pop("ok") else "error"}


def outcome(job, code, said, complaint):
    """What is kept of a run. \\param said  its standard output"""
    try:
        run = (of_limit if job.command == "limit" else of_run)(json.loads(said))
    except (ValueError, TypeError, KeyError):
        run = None
    ok = code == 0 and run is not None and run.get("status") == "ok"
    if ok:
        message = ""
    elif run is not None and run.get("message"):
        message = run["message"]
    else:
        message = complaint.strip() or f"exit code {code}"
        message = f"ended by signal {-code}" if code < 0 else message
    return {"job": dataclasses.asdict(job), "ok": ok, "message": message[-SHOWN:], "run": run}


class Runner:
    """\\param costs  CPU seconds that a job is known or guessed to take"""

    def __init__(self, program, store, inputs, processes, costs):
        self.program, self.store, self.inputs, self.processes, self.costs = program, store, inputs, processes, costs

    def run(self, what, jobs):
        """The longest first. Records of the jobs that ended here, and the signal that stopped the rest, or 0. A job that
        another process is seen to run is left to it; one whose process may be dead is waited for until that is known.
        \\throws ProgramChanged  what had ended before is saved"""
        weights = {job: max(0.01, self.costs(job)) for job in jobs}
        self._numbers = itertools.count()  # jobs have no order
        self._queue = [(-weight, next(self._numbers), job) for job, weight in weights.items()]
        heapq.heapify(self._queue)
        self._running, self._others, self._ended = {}, [], []
        self._renewed = self._looked = time.monotonic()
        self._stamp = self.program.stamp()
        self._progress = Progress(what, weights, self.processes)
        with Interrupts() as self._interrupts:
            try:
                while (self._queue or self._running or self._others) and not self._interrupts.signal:
                    while self._queue and len(self._running) < self.processes:
                        self._start(heapq.heappop(self._queue)[2])
                    self._collect(LOOK)
                    self._renew()
                    self._look_at_others()
                self._collect(0)  # whoever has ended meanwhile is not lost
            finally:
                for one in self._running.values():
                    one.kill()
                    one.process.wait()
                    os.close(one.ends)
                    one.lease.end("stopped")
                self._progress.close()
        return self._ended, self._interrupts.signal

    def _start(self, job):
        key = self.program.key(job, self.inputs)
        lease = self.store.leases.take(key)
        if lease is None:
            self._others.append((job, key))
            return
        if lease.before:
            self.store.clear(key, lease.before)
        if self.store.is_done(key):  # by another one, since we last looked
            lease.done()
            self._progress.ended(job, True)
            return
        with self.store.unfinished(key, "out").open("w") as out, self.store.unfinished(key, "err").open("w") as complaints:
            # It dies with us whatever ends us, and in a group of its own, as it has children.
            process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *self.program.command(job, self.inputs)], stdout=out,
                                       stderr=complaints, stdin=subprocess.DEVNULL, start_new_session=True)
        one = Running(job, key, lease, process, os.pidfd_open(process.pid))
        self._running[one.ends] = one

    def _renew(self):
        if time.monotonic() - self._renewed >= BEAT:
            self._renewed = time.monotonic()
            for one in self._running.values():
                one.lease.renew()

    def _look_at_others(self):
        """Of jobs that other processes had when we came to them. One that is free again is ours."""
        if time.monotonic() - self._looked < LOOK_AT_OTHERS:
            return
        self._looked = time.monotonic()
        others, self._others = self._others, []
        for job, key in others:
            state = self.store.leases.state(key)
            if self.store.is_done(key):
                self._progress.ended(job, True)
            elif state == FREE:
                heapq.heappush(self._queue, (0, next(self._numbers), job))
            elif state != HELD:
                self._others.append((job, key))

    def _collect(self, wait):
        for ready in select.select(list(self._running), [], [], wait)[0]:
            one = self._running.pop(ready)
            os.close(ready)
            code = one.process.wait()
            try:
                self._keep(one, code)
            except Lost:
                one.lease.end("lost")
                self._others.append((one.job, one.key))
            except BaseException:
                one.lease.end("not saved")
                raise

    def _is_stopped(self, code):
        """Whether a job was asked to end, and we with it: Slurm sends its signal to all that a task has started."""
        if code in ASKED_TO_END and not self._interrupts.signal:
            time.sleep(LOOK)
        return code in ASKED_TO_END and self._interrupts.signal

    def _keep(self, one, code):
        """Of a job that has ended."""
        out, complaints = (self.store.unfinished(one.key, what) for what in ("out", "err"))
        try:
            record = outcome(one.job, code, out.read_text(errors="replace"), complaints.read_text(errors="replace"))
        except FileNotFoundError:
            raise Lost from None
        if self._is_stopped(code):
            one.lease.end("stopped")
            return
        if self.program.stamp() != self._stamp:
            raise ProgramChanged(f"{self.program.path} was built anew, or its sources edited, while its jobs ran; call again")
        try:
            self.store.save(one.key, record)
        except FileNotFoundError:
            raise Lost from None
        except Differs as error:
            record = {**record, "ok": False, "message": str(error)}
        if record["ok"]:
            one.lease.done()
        else:
            one.lease.end("failed")
        for file in (out, complaints):
            file.unlink(missing_ok=True)
        self._ended.append(record)
        self._progress.ended(one.job, record["ok"])
        if not record["ok"]:
            print(f"\nFAILED {one.job.text()}\n  {record['message']}", file=sys.stderr, flush=True)
