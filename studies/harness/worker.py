# SPDX-License-Identifier: Apache-2.0
"""What a task of Slurm does: runs its chunk of jobs.

It may be killed at any time, run again, or run beside a second one: what is done is left as it is, and what another process
runs is left to it (runner.py). A second start goes on from there.
"""
import sys

from . import slurm
from .costs import Costs
from .plan import NoPlan, Plan
from .runner import Runner
from .store import Store


def work(folder, number, task, processes):
    """Exit code. \\throws NoPlan, ProgramChanged"""
    plan = Plan.read(folder)
    given = slurm.submission(folder, number)
    if given is None or task >= len(given["tasks"]):
        raise NoPlan(f"{folder} has no task {task} of submission {number}")
    keys = [key for key in given["tasks"][task] if key in plan.jobs]
    if len(keys) < len(given["tasks"][task]):
        print(f"{len(given['tasks'][task]) - len(keys)} jobs are of an earlier plan and are left out", file=sys.stderr)
    store = Store(folder / "jobs")
    left = [plan.jobs[key] for key in keys if not store.is_done(key)]
    print(f"task {task} of submission {number}: {len(keys)} jobs, {len(keys) - len(left)} done already", flush=True)
    if not left:
        return 0
    ended, stopped = Runner(plan.its_program(), store, folder / "inputs", processes, Costs(())).run(plan.name, left)
    failed = sum(not record["ok"] for record in ended)
    print(f"{len(ended)} ran here, {failed} failed" + (f", stopped by signal {stopped}" if stopped else ""), flush=True)
    return 128 + stopped if stopped else 1 if failed else 0
