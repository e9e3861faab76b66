"""Runs jobs side by side, each in a process of its own, and saves what each one says as soon as it ends."""
import contextlib
import dataclasses
import heapq
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
LOOK = 0.2  # seconds between looks whether somebody wants us to end
SHOWN = 300  # letters of a message


class ProgramChanged(Exception):
    """Results would be of another program than their names say."""


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
        """The longest first. Records of the jobs that ended, and the signal that stopped the rest, or 0.
        \\throws ProgramChanged  what had ended before is saved"""
        weights = {job: max(0.01, self.costs(job)) for job in jobs}
        queue = [(-weight, number, job) for number, (job, weight) in enumerate(weights.items())]
        heapq.heapify(queue)
        running, ended = {}, []
        self._stamp = self.program.stamp()
        progress = Progress(what, weights, self.processes)
        with Interrupts() as interrupts:
            try:
                while (queue or running) and not interrupts.signal:
                    while queue and len(running) < self.processes:
                        one = self._start(heapq.heappop(queue)[2])
                        running[one.ends] = one
                    self._collect(running, ended, progress, LOOK)
                self._collect(running, ended, progress, 0)  # whoever has ended meanwhile is not lost
            finally:
                for one in running.values():
                    one.kill()
                    one.process.wait()
                    os.close(one.ends)
                progress.close()
        return ended, interrupts.signal

    def _start(self, job):
        key = self.program.key(job, self.inputs)
        with self.store.unfinished(key).open("w") as out, self._complaints(key).open("w") as complaints:
            # It dies with us whatever ends us, and in a group of its own, as it has children.
            process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *self.program.command(job, self.inputs)], stdout=out,
                                       stderr=complaints, stdin=subprocess.DEVNULL, start_new_session=True)
        return Running(job, key, process, os.pidfd_open(process.pid))

    def _complaints(self, key):
        file = self.store.unfinished(key)
        return file.with_name(f"err-{file.name}")

    def _collect(self, running, ended, progress, wait):
        for ready in select.select(list(running), [], [], wait)[0]:
            one = running.pop(ready)
            os.close(ready)
            code = one.process.wait()
            out, complaints = self.store.unfinished(one.key), self._complaints(one.key)
            record = outcome(one.job, code, out.read_text(errors="replace"), complaints.read_text(errors="replace"))
            if self.program.stamp() != self._stamp:
                raise ProgramChanged(f"{self.program.path} was built anew, or its sources edited, while its jobs ran; call again")
            self.store.save(one.key, record)
            out.unlink()
            complaints.unlink()
            ended.append(record)
            progress.ended(one.job, record["ok"])
            if not record["ok"]:
                print(f"\nFAILED {one.job.text()}\n  {record['message']}", file=sys.stderr, flush=True)
