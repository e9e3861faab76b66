# SPDX-License-Identifier: Apache-2.0
"""Where jobs run: as processes here, or as tasks of a Slurm that is there. scripts/evaluate and heddle sweep share it."""
import argparse
import dataclasses
import os
import shlex
import sys
import time

from tools import typed_numbers

from . import slurm
from .costs import chunks
from .runner import Interrupts, Progress, Runner, duration

HERE, SLURM = "here", "slurm"
LOOK = 2.0  # seconds between looks at what tasks have done


@dataclasses.dataclass
class Ended:
    failed: list  # records
    stopped: int = 0  # the signal that did, or 0
    is_over: bool = True  # False: tasks of Slurm go on


def add_options(parser):
    group = parser.add_argument_group("where it runs")
    group.add_argument("--engine", choices=(HERE, SLURM), help="here (the default), or tasks of this cluster's Slurm")
    typed_numbers.add(group, "--jobs", 1, 1024, "processes",
                      "processes at once: here (default: one a core), or in each task of Slurm (default: 1)")
    typed_numbers.add(group, "--task-minutes", 0.0001, 10000, "minutes", "jobs of so much CPU time make a task, as they took "
                      "when they ran last (default: 5)", typed_numbers.number)
    group.add_argument("--sbatch", metavar="WORDS", help="further options of sbatch: --sbatch='--partition=long --time=60'")
    group.add_argument("--wait", action="store_true", help="wait for Slurm's tasks, submit again what killed ones left, and go on")


DEFAULTS = {"engine": HERE, "jobs": 0, "task_minutes": 5.0, "sbatch": ""}


def chosen(parser, args, before=None):
    """The options as they count: as typed, else as before, else as usual. Ends the program where one is wrong."""
    options = {name: next(value for value in (getattr(args, name), (before or {}).get(name), usual) if value is not None)
               for name, usual in DEFAULTS.items()}
    try:
        shlex.split(options["sbatch"])
    except ValueError as error:
        parser.error(f"--sbatch: {error}")
    return argparse.Namespace(**options, wait=args.wait)


def kept(options):
    """What a plan keeps of them, for resume."""
    return {name: getattr(options, name) for name in DEFAULTS}


def processes(options):
    return options.jobs or (1 if options.engine == SLURM else len(os.sched_getaffinity(0)))


def run(options, plan, folder, program, store, left, costs):
    """Runs the jobs that are left. \\throws NoSlurm, ProgramChanged"""
    if options.engine == SLURM:
        return on_slurm(options, plan, folder, store, left, costs)
    runner = Runner(program, store, folder / "inputs", processes(options), costs)
    ended, stopped = runner.run(plan.name, left)
    return Ended([record for record in ended if not record["ok"]], stopped)


def on_slurm(options, plan, folder, store, left, costs):
    """With --wait as often as a round of tasks brings something: whoever is killed leaves jobs behind."""
    keys, failed = {job: key for key, job in plan.jobs.items()}, []
    while True:
        submit(options, plan, folder, store, {keys[job]: job for job in left}, costs)
        if not options.wait:
            return Ended([], is_over=False)
        stopped = watch(plan.name, folder, store, {keys[job]: job for job in left}, costs, processes(options))
        failed += [record for job in left if (record := store.failure(keys[job])) is not None]
        lost = [job for job in left if not store.is_done(keys[job]) and store.failure(keys[job]) is None]
        if stopped:
            print("the tasks of Slurm go on", file=sys.stderr)
        elif lost:
            print(f"tasks ended without results of {len(lost)} jobs", file=sys.stderr)
        if stopped or not lost or len(lost) == len(left):
            return Ended(failed, stopped)
        left = lost


def submit(options, plan, folder, store, wanted, costs):
    """\\param wanted  {key: job}. What a task that waits or runs will do is not given to another. \\throws NoSlurm"""
    queued = slurm.in_queue(folder, slurm.queue(folder))
    keys = {job: key for key, job in wanted.items() if key not in queued}
    for key in keys.values():
        store.forget_failure(key)  # one that is there later is of the new try
    at_once = processes(options)
    tasks = [[keys[job] for job in part] for part in chunks(list(keys), costs, 60 * options.task_minutes * at_once)]
    numbers = slurm.submit(folder, plan.name, tasks, at_once, shlex.split(options.sbatch))
    if there := len(wanted) - len(keys):
        print(f"{there} jobs are in tasks of Slurm already")
    if tasks:
        seconds = sum(map(costs, keys)) / len(tasks) / at_once
        print(f"{len(keys)} jobs, {len(tasks)} tasks of about {duration(seconds)}: Slurm's array job {', '.join(numbers)}; "
              f"logs: {os.path.relpath(slurm.room(folder))}", flush=True)


def watch(name, folder, store, left, costs, at_once):
    """Until each job has ended or no task is left that would run it. \\param left  {key: job}. The signal that ended it."""
    left = dict(left)
    progress = Progress(name, {job: max(0.01, costs(job)) for job in left.values()}, at_once)
    with Interrupts() as interrupts:
        while left and not interrupts.signal:
            is_served = True
            try:
                is_served = bool(slurm.in_queue(folder, slurm.queue(folder)) & set(left))
            except slurm.NoSlurm:  # its controller may be starting anew; tasks go on without it
                pass
            for key in list(left):  # after the question, so that the last task's results count
                if store.is_done(key) or store.failure(key) is not None:
                    progress.ended(left.pop(key), store.is_done(key))
            if not is_served:
                break
            if left:
                time.sleep(LOOK)
    progress.close()
    return interrupts.signal
