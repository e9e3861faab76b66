# SPDX-License-Identifier: Apache-2.0
"""Jobs as array jobs of a Slurm that is there; a task of the array runs a chunk of jobs (worker.py) from a folder that its
nodes share.

FOLDER/slurm/N/: a submission: chunks.json, {"name", "tasks": [[key]]}, and a log a task. Slurm knows a submission by its
name, which is ours and therefore known even if we die before sbatch has told its number.
"""
import json
import os
import re
import shlex
import shutil
import subprocess

from .files import replace
from .program import ROOT, digest

WORKER = ROOT / "scripts/sweep"
PATIENCE = 20  # seconds until Slurm is said not to answer
DEFAULT_ARRAY = 1001  # MaxArraySize as Slurm has it unless it is told otherwise
ENDED = ("BOOT_FAIL", "CANCELLED", "COMPLETED", "COMPLETING", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
         "TIMEOUT")
HELD_BY_SLURM = "launch failed"  # it waits until somebody releases it, as after a crash of the controller


class NoSlurm(Exception):
    """Slurm is not there, does not answer, or refuses."""


def ask(*words, **more):
    """What a command of Slurm says. \\throws NoSlurm"""
    if not shutil.which(words[0]):
        raise NoSlurm(f"{words[0]} is not here: this machine has no Slurm (Debian: scripts/bootstrap slurm)")
    try:
        done = subprocess.run(list(map(str, words)), text=True, capture_output=True, timeout=PATIENCE, **more)
    except subprocess.TimeoutExpired:
        raise NoSlurm(f"{words[0]}: no answer in {PATIENCE} s") from None
    if done.returncode:
        raise NoSlurm((done.stderr or done.stdout).strip() or f"{words[0]}: exit code {done.returncode}")
    return done.stdout


def largest_array():
    found = re.search(r"^MaxArraySize\s*=\s*(\d+)", ask("scontrol", "show", "config"), re.M)
    return (int(found[1]) if found else DEFAULT_ARRAY) - 1  # the highest index is below it


def room(folder):
    return folder / "slurm"


def submission(folder, number):
    """{"name", "tasks"}, or None."""
    try:
        return json.loads((room(folder) / str(number) / "chunks.json").read_text())
    except (OSError, ValueError):
        return None


def submissions(folder):
    """{number: submission}"""
    numbers = sorted(int(place.name) for place in room(folder).glob("*") if place.name.isdigit())
    return {number: found for number in numbers if (found := submission(folder, number)) is not None}


def new_room(folder):
    """A number that nobody has; two who submit at once get two."""
    room(folder).mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        try:
            (room(folder) / str(number)).mkdir()
            return number
        except FileExistsError:
            number += 1


def submit(folder, name, tasks, processes, options):
    """\\param tasks  lists of keys  \\param processes  in a task at once  \\param options  words for sbatch. Numbers of the
    array jobs.  \\throws NoSlurm"""
    most = largest_array()
    return [submit_one(folder, name, tasks[first:first + most], processes, options) for first in range(0, len(tasks), most)]


def submit_one(folder, name, tasks, processes, options):
    number = new_room(folder)
    place = room(folder) / str(number)
    unique = f"heddle-{name}-{number}-{digest(folder.resolve())[:8]}"
    replace(place / "chunks.json", json.dumps({"name": unique, "tasks": tasks}) + "\n")
    words = ["sbatch", "--parsable", f"--array=0-{len(tasks) - 1}", f"--job-name={unique}", f"--chdir={folder.resolve()}",
             f"--output={place.resolve()}/%a.log", "--open-mode=append", "--requeue", "--ntasks=1",
             f"--cpus-per-task={processes}", *options]
    call = shlex.join([str(WORKER), "worker", str(folder.resolve()), str(number)])
    script = f'#!/bin/sh\nexec {call} "$SLURM_ARRAY_TASK_ID" --jobs {processes}\n'
    return ask(*words, input=script, env=environment()).strip().partition(";")[0]


def environment():
    """Without what Slurm has put there, if we are in one of its jobs ourselves."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM_", "SBATCH_")) or name == "SLURM_CONF"}


def queue(folder):
    """{(submission, task): state} of the tasks that run or will. \\throws NoSlurm"""
    names = {one["name"]: number for number, one in submissions(folder).items()}
    if not names:
        return {}
    listed = ask("squeue", "--me", "--array", "--noheader", "--states=all", f"--name={','.join(names)}",
                 "--Format=Name:200,ArrayTaskID:20,State:30,Reason:80")
    tasks = {}
    for line in listed.splitlines():
        name, task, state, reason = (line.split(maxsplit=3) + [""])[:4]
        if state in ENDED or not task.isdigit() or name not in names or HELD_BY_SLURM in reason.lower().replace("_", " "):
            continue
        tasks[names[name], int(task)] = state
    return tasks


def in_queue(folder, tasks):
    """Keys of the jobs that those tasks are to run."""
    there = submissions(folder)
    return {key for number, task in tasks for key in there[number]["tasks"][task]}
