# SPDX-License-Identifier: Apache-2.0
"""heddle sweep: what a person types, and what a task of Slurm does."""
import argparse
import os
import pathlib
import subprocess
import sys

from harness import engine, worker
from harness.costs import Costs
from harness.plan import NoPlan, Plan
from harness.program import ROOT, Program, built_here
from harness.results import NoResults, Results, row_of
from harness.runner import ProgramChanged
from harness.slurm import NoSlurm
from harness.store import InUse, Store
from tools import typed_numbers
from tools.nearest import nearest

from . import results, spec, state
from .vocabulary import BadProgram, Vocabulary
from .yaml_lines import BadSpec

EXAMPLE = "studies/sweep/example.yaml"
HELP = f"""Runs every job that a file names, kernels or PTX under mechanisms, options, points and seeds, each with each: here,
or as tasks of a Slurm that is there. {EXAMPLE} shows the file's format; what is wrong in one is said by line.

Examples
  heddle sweep {EXAMPLE} --list                    its jobs, a command each
  heddle sweep {EXAMPLE}                           runs them, as many at once as there are cores
  heddle sweep {EXAMPLE} --engine slurm            as tasks of Slurm, of about 5 minutes each
  heddle sweep {EXAMPLE} --engine slurm --wait     and waits for them
  heddle sweep status {EXAMPLE}                    what is done, running, failed; or status FOLDER
  heddle sweep resume {EXAMPLE}                    runs or submits what is missing
  heddle sweep collect {EXAMPLE}                   results.json and results.csv, a row a job

The folder, build/sweeps/NAME or --folder DIR, has a file a job, whole or not there, under the hash of all that decides it:
command line, kernel, and the sources of the program. A finished job never runs again; one that was killed does: stop it at any
time, the same command goes on. A job may start twice, when who ran it was taken for dead, and counts once; if its two results
were not equal, both would be kept and named. A job that fails is told, makes the exit code 1, and is tried again by
the next call.

Slurm: the nodes must see this tree, its build and the folder under the same names. Tasks are array jobs, a task a chunk of
jobs, sized by what jobs like them took, here or in studies/. Tasks that are killed, requeued or started twice lose nothing;
`resume` submits what no task has any more, `--wait` does so by itself."""
COMMANDS = ("status", "resume", "collect", "worker")


def fail(message):
    for line in str(message).splitlines():
        print(f"sweep: {line}", file=sys.stderr)
    sys.exit(2)


def parser_of(command):
    usage = {"": "heddle sweep SPEC.yaml [options]", "worker": "scripts/sweep worker FOLDER SUBMISSION TASK"}
    parser = argparse.ArgumentParser(prog="heddle sweep", description=HELP, allow_abbrev=False,
                                     usage=usage.get(command, f"heddle sweep {command} FOLDER|SPEC.yaml [options]"),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", metavar="SPEC.yaml" if not command else "FOLDER|SPEC.yaml", type=pathlib.Path,
                        help="the file, or of status, resume and collect the folder")
    parser.add_argument("--build", type=pathlib.Path, help=argparse.SUPPRESS)  # as heddle calls us
    if command == "worker":
        typed_numbers.add(parser, "submission", 0, 10**9)
        typed_numbers.add(parser, "task", 0, 10**9)
        typed_numbers.add(parser, "--jobs", 1, 1024, "processes", default=1)
        return parser
    parser.add_argument("--folder", type=pathlib.Path, metavar="DIR", help="of the jobs (default: build/sweeps/NAME)")
    if not command:
        parser.add_argument("--list", "--dry-run", action="store_true", help="print the jobs and end")
        parser.add_argument("--heddle", default=os.environ.get("HEDDLE_BINARY") or None, metavar="FILE",
                            help="run this program instead of this tree's (default: HEDDLE_BINARY)")
    if command in ("", "resume"):
        engine.add_options(parser)
    if command == "collect":
        parser.add_argument("--partial", action="store_true", help="what is there, although jobs are missing or failed")
    return parser


def name_of(file):
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in file.stem)


def folder_of(args):
    """Of the sweep that was named, by its folder or its file."""
    if args.what.is_dir():
        return args.what.resolve()
    if not args.what.is_file():
        fail(f"{args.what} is neither a sweep's folder nor a file")
    return (args.folder or built_here() / "sweeps" / name_of(args.what)).resolve()


def measured(plan, store):
    """What jobs cost: those of studies/, and those of this sweep that are done."""
    rows = []
    for file in sorted((ROOT / "studies").glob("*/results.json")):
        try:
            rows += Results.read(file).costs()
        except NoResults:
            continue
    rows += [(job, row_of(store.load(key))["cpu_seconds"]) for key, job in plan.jobs.items() if store.is_done(key)]
    return Costs(rows)


def list_jobs(plan, store):
    for key, job in plan.jobs.items():
        record = store.load(key)
        how = "to do" if record is None else "done" if record["ok"] else "failed"
        print(f"{how:7}{plan.labels[key]:16} {job.text()}")
    print(f"{len(plan.jobs)} jobs, {state.State.of(plan, store).counts()}")


def begin(args):
    """heddle sweep SPEC."""
    if not args.what.is_file():
        near = nearest(str(args.what), COMMANDS)
        fail(f"{args.what} is not there" + (f"; did you mean {near[0]}?" if near else ""))
    program = Program(args.heddle)
    if not args.list:
        program.build()
    elif not program.path.exists():
        fail("nothing is built yet: scripts/build, or --heddle FILE")
    sweep = spec.read(args.what, Vocabulary(program.path))
    levels = {job.level for job in sweep.jobs} - {"O2"}
    if levels and not args.list:
        program.build(sorted(levels))
    folder = folder_of(args)
    store = Store(folder / "jobs")
    sweep.write_inputs(folder / "inputs")
    plan = Plan.of(name_of(args.what), program, folder / "inputs", sweep.jobs, engine.kept(args.where))
    if args.list:
        list_jobs(plan, store)
        return 0
    with store.locked():
        plan.write(folder)
        return go_on(args, plan, program, store, folder)


def resume(args):
    folder = folder_of(args)
    plan = Plan.read(folder)
    store = Store(folder / "jobs")
    with store.locked():
        return go_on(args, plan, plan.its_program(), store, folder)


def go_on(args, plan, program, store, folder):
    """Runs what is missing, and collects when nothing is."""
    left = [job for key, job in plan.jobs.items() if not store.is_done(key)]
    ended = engine.Ended([])
    if left:
        print(f"{len(plan.jobs)} jobs, {len(plan.jobs) - len(left)} done already; {engine.processes(args.where)} at once"
              + (" in each task" if args.where.engine == engine.SLURM else ""), file=sys.stderr)
        ended = engine.run(args.where, plan, folder, program, store, left, measured(plan, store))
    place = os.path.relpath(folder)
    if ended.stopped:
        done = state.State.of(plan, store).counts()
        print(f"stopped; {done}; the same command goes on from there, or heddle sweep resume {place}", file=sys.stderr)
        return 128 + ended.stopped
    if not ended.is_over:
        print(f"how they are: heddle sweep status {place}; when they are done: heddle sweep collect {place}")
        return 0
    return collect_from(plan, store, folder, False)


def collect(args):
    folder = folder_of(args)
    return collect_from(Plan.read(folder), Store(folder / "jobs"), folder, args.partial)


def collect_from(plan, store, folder, is_part_enough):
    """Exit code: 1 where jobs are missing or failed, and then nothing is written unless that is enough."""
    now = state.State.of(plan, store)
    code = 0
    if not now.is_whole():
        for line in now.missing(plan, store):
            print(f"sweep: {line}", file=sys.stderr)
        print(f"sweep: {now.counts()}: heddle sweep resume {os.path.relpath(folder)}, or collect --partial", file=sys.stderr)
        code = 1
    if now.differing or (code and not is_part_enough):
        return code
    store.tidy()
    files, rows = results.write(plan, store, folder)
    print(f"{rows} of {len(plan.jobs)} jobs")
    for file in files:
        print(os.path.relpath(file))
    return 0


def status(args):
    folder = folder_of(args)
    print(*state.report(Plan.read(folder), Store(folder / "jobs"), pathlib.Path(os.path.relpath(folder))), sep="\n")
    return 0


def work(args):
    return worker.work(args.what, args.submission, args.task, args.jobs)


def main(arguments):
    command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    parser = parser_of(command)
    args = parser.parse_args(arguments[bool(command):])
    if args.build:
        os.environ["BUILD_DIR"] = str(args.build)
    try:
        if command in ("", "resume"):
            before = Plan.read(folder_of(args)).engine if command else None
            args.where = engine.chosen(parser, args, before)
        return {"": begin, "status": status, "resume": resume, "collect": collect, "worker": work}[command](args)
    except (BadProgram, BadSpec, InUse, NoPlan, NoSlurm, ProgramChanged) as error:
        fail(error)
    except subprocess.CalledProcessError as error:
        return error.returncode  # it has said why
    except OSError as error:
        fail(error)
