# SPDX-License-Identifier: Apache-2.0
"""scripts/evaluate: what a person types."""
import argparse
import importlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from tools import typed_numbers
from tools.nearest import no_such

from . import engine, machine
from .costs import known_costs
from .page import PageError, between
from .plan import Plan
from .program import ROOT, Program, built_here
from .results import NoResults, Results, differences, row_of
from .runner import ProgramChanged, duration, outcome
from .slurm import NoSlurm
from .store import InUse, Store

NOT_COMPARED = 77  # exit code: nothing is wrong, and nothing was run

HELP = """Repeats the evaluation of a paper: runs its grid of kernels, mechanisms, options and machines as independent jobs,
keeps every result, and writes studies/PAPER: results.json and results.csv, README.md with tables and plots. Builds what
is needed first.

  scripts/evaluate dpe                    all of it; a second call runs what is still missing
  scripts/evaluate dpe --quick            a look: a few jobs
  scripts/evaluate dpe --list             each job, whether it is done, and the command that it runs
  scripts/evaluate dpe --only l1          one part of the grid (--list names them)
  scripts/evaluate dpe --kernels bfs      of some kernels
  scripts/evaluate dpe --page             the page anew from results.json, without a run
  scripts/evaluate dpe --check            exit code 1 if page or CSV do not follow from results.json
  scripts/evaluate dpe --again 20         runs jobs of about 20 CPU seconds again, others each time: exit code 1 if a row of
                                          results.json comes out otherwise, 77 if they are of an earlier machine
  scripts/evaluate dpe --keep             what results.json has is not run again, though the program is another one
  scripts/evaluate dpe --engine slurm --wait     its jobs as tasks of this cluster's Slurm, which must see this folder

Results are kept in build/studies/PAPER, a file a job, under the hash of all that decides it: command line, kernel, and
the sources of the program. So a finished job never runs again, and one that was killed does; stop it at any time. A job that
fails is told, makes the exit code 1, and is tried again by the next call. While
it runs leave the sources alone: it stops when they change. Until the whole grid is done the page goes to
build/studies/PAPER/page, and studies/PAPER stays as it is."""


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/evaluate", description=HELP,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paper", metavar="PAPER", help="a folder of studies/")
    parser.add_argument("--kernels", type=names, default=[], metavar="A,B", help="only these kernels")
    parser.add_argument("--only", type=names, default=[], metavar="PART,...", help="only these parts of the grid")
    parser.add_argument("--quick", action="store_true", help="a few jobs of it")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="print the jobs and end")
    what.add_argument("--page", action="store_true", help="write the page from results.json and end")
    what.add_argument("--check", action="store_true", help="write nothing: does the page follow from results.json?")
    typed_numbers.add(parser, "--again", 0, 10**6, "seconds", "run some jobs of results.json of so many CPU seconds again, "
                      "chosen by HEDDLE_SEED, and compare; with --check both", typed_numbers.number)
    parser.add_argument("--keep", action="store_true", help="rows of results.json stand, of whatever program they are")
    parser.add_argument("--heddle", default=os.environ.get("HEDDLE_BINARY") or None, metavar="FILE",
                        help="run this program instead of this tree's (default: HEDDLE_BINARY); nothing is built")
    parser.add_argument("--studies", type=pathlib.Path, default=ROOT / "studies", metavar="DIR",
                        help="studies of your own: DIR/PAPER/study.py")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR", help="keep results here instead")
    engine.add_options(parser)
    args = parser.parse_args(arguments)
    args.where = engine.chosen(parser, args)
    return args


def names(text):
    return [name for name in text.split(",") if name]


def fail(message):
    print(f"evaluate: {message}", file=sys.stderr)
    sys.exit(2)


def study_named(args):
    known = sorted(file.parent.name for file in args.studies.glob("*/study.py"))
    if args.paper not in known:
        fail(no_such("study", args.paper, known))
    sys.path.insert(0, str(args.studies.resolve()))
    return importlib.import_module(f"{args.paper}.study")


def narrowed(grid, args, study):
    """Of {part: jobs} the jobs that are asked for, each once, in their order."""
    kernels = sorted({job.kernel for jobs in grid.values() for job in jobs})
    for kind, asked, known in (("kernel of the study", args.kernels, kernels), ("part", args.only, grid)):
        for name in asked:
            if name not in known:
                fail(no_such(kind, name, known))
    jobs = [job for part, jobs in grid.items() if not args.only or part in args.only for job in jobs]
    if args.kernels:
        jobs = [job for job in jobs if job.kernel in args.kernels]
    if args.quick:
        jobs = [job for job in jobs if study.is_quick(job)]
    return list(dict.fromkeys(jobs))


def finished(jobs, program, store, inputs):
    """Records of the jobs that ended well, by job."""
    records = {job: store.load(program.key(job, inputs)) for job in jobs}
    return {job: record for job, record in records.items() if record is not None and record["ok"]}


def old_rows(folder, jobs):
    """Of results.json, {job: row}. \\throws NoResults where they are of another machine"""
    file = folder / "results.json"
    if not file.exists():
        return {}
    old = Results.read(file)
    if old.machine != machine.NUMBER:
        raise NoResults(f"{file} is of machine {old.machine}, and ours is {machine.NUMBER}: none of its rows can be kept")
    return {job: row for job in jobs if (row := old.find(job)) is not None}


def again(args, study, folder):
    """Runs a few jobs anew and compares them with the committed rows. \\throws NoResults"""
    results = Results.read(folder / "results.json")
    if results.machine != machine.NUMBER:
        print(f"not run again: these results are of machine {results.machine}, and ours is {machine.NUMBER} (studies/harness/machine.py); "
              f"scripts/evaluate {args.paper} makes them anew")
        return NOT_COMPARED
    program = Program(args.heddle)
    seed = int(os.environ.get("HEDDLE_SEED") or random.randrange(10**6))
    jobs = narrowed(study.grid(), args, study)
    random.Random(seed).shuffle(jobs)
    wrong, seconds, count = [], 0.0, 0
    with tempfile.TemporaryDirectory() as inputs:
        study.write_inputs(pathlib.Path(inputs))
        for job in jobs:
            row = results.find(job)
            if row is None or seconds + row["cpu_seconds"] > args.again:
                continue
            seconds, count = seconds + row["cpu_seconds"], count + 1
            run = subprocess.run(program.command(job, pathlib.Path(inputs)), text=True, capture_output=True)
            record = outcome(job, run.returncode, run.stdout, run.stderr)
            found = row_of(record) if record["ok"] else {"message": record["message"]}
            if keys := differences(row, found):
                wrong.append(f"{job.text()}: {', '.join(f'{key} {found.get(key)}, not {row[key]}' for key in keys[:3])}")
    print(f"{count} of {len(results.rows)} jobs run again (HEDDLE_SEED={seed})")
    for line in wrong:
        print(f"evaluate: {line}", file=sys.stderr)
    return 1 if wrong or not count else 0


def list_jobs(grid, jobs, program, store, inputs):
    done = finished(jobs, program, store, inputs)
    parts = {}
    for part, its_jobs in grid.items():
        for job in its_jobs:
            parts.setdefault(job, []).append(part)
    for job in jobs:
        record = None if job in done else store.load(program.key(job, inputs))
        state = "done" if job in done else "failed" if record is not None else "to do"
        print(f"{state:7}{','.join(parts[job]):20} {job.text()}")
    sizes = ", ".join(f"{part} {sum(job in its_jobs for job in jobs)}" for part, its_jobs in grid.items())
    print(f"{len(jobs)} jobs, {len(done)} done; of the parts {sizes}")


def texts(folder, study, results):
    """{file: what it must say}. Two rooms up a README may have a table of the study between marks."""
    page = machine.marked(study.page(results), machine.mark(results.study, results.machine))
    files = {folder / "results.json": results.json(), folder / "results.csv": results.csv(), folder / "README.md": page}
    whole = folder.parent.parent / "README.md"
    if whole.exists() and hasattr(study, "summary"):
        files[whole] = between(whole.read_text(), f"studies/{results.study}",
                               machine.marked(study.summary(results), machine.short_mark(results.study, results.machine)))
    return files


def write(folder, study, results):
    """Results, pages and plots; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = texts(folder, study, results)
    for file, text in files.items():
        file.write_text(text)
    return [*files, *study.draw(results, folder)]


def check(folder, study):
    """What is wrong with the files as they lie there, or nothing."""
    results = Results.read(folder / "results.json")
    wrong = [os.path.relpath(file, folder) for file, text in texts(folder, study, results).items()
             if not file.exists() or file.read_text() != text]
    wrong += [f"{name} (missing)" for name in study.plots(results) if not (folder / name).exists()]
    return f"{', '.join(wrong)}: not what results.json says" if wrong else ""


def evaluate(args, study, folder):
    program = Program(args.heddle)
    place = (args.results or built_here() / "studies" / args.paper).resolve()
    inputs = place / "inputs"
    grid = study.grid()
    jobs = narrowed(grid, args, study)
    if not args.list:
        program.build(sorted({job.level for job in jobs} - {"O2"}))
    elif program.is_own and not (program.build_folder / "point_kit.json").exists():
        fail("nothing is built yet: scripts/build, or --heddle FILE")
    store = Store(place / "jobs")
    if args.list:
        list_jobs(grid, jobs, program, store, inputs)
        return 0
    with store.locked():
        study.write_inputs(inputs)
        records = finished(jobs, program, store, inputs)
        kept = old_rows(folder, jobs) if args.keep else {}
        left = [job for job in jobs if job not in records and job not in kept]
        everything = list(dict.fromkeys(job for its_jobs in grid.values() for job in its_jobs))
        ended = engine.Ended([])
        if left:
            print(f"{len(jobs)} jobs, {len(jobs) - len(left)} done already; {engine.processes(args.where)} at once", file=sys.stderr)
            plan = Plan.of(args.paper, program, inputs, dict.fromkeys(everything, ""), {})
            plan.write(place)
            ended = engine.run(args.where, plan, place, program, store, left, known_costs(folder, jobs, records))
        if ended.stopped or not ended.is_over:
            how = "stopped" if ended.stopped else "Slurm runs them"
            print(f"{how}; {len(finished(jobs, program, store, inputs))} of {len(jobs)} jobs are done, and the same command "
                  "goes on from there", file=sys.stderr)
            return 128 + ended.stopped if ended.stopped else 0
        rows = old_rows(folder, everything) if args.keep else {}
        rows |= {job: row_of(record) for job, record in finished(everything, program, store, inputs).items()}
        results = Results(args.paper, [rows[job] for job in everything if job in rows])
        whole = len(rows) == len(everything)
        files = write(folder if whole else place / "page", study, results)
    seconds = sum(row["cpu_seconds"] for row in results.rows)
    print(f"{len(rows)} of {len(everything)} jobs are done, {duration(seconds)} of CPU time in all; of those just run "
          f"{len(ended.failed)} failed")
    for file in files:
        print(os.path.relpath(file))
    return 1 if ended.failed else 0


def main(arguments):
    args = parse(arguments)
    study = study_named(args)
    folder = args.studies / args.paper
    try:
        if args.check:
            if problem := check(folder, study):
                print(f"evaluate: {problem}: scripts/evaluate {args.paper} --page", file=sys.stderr)
            return 1 if problem else 0 if args.again is None else again(args, study, folder)
        if args.page:
            for file in write(folder, study, Results.read(folder / "results.json")):
                print(os.path.relpath(file))
            return 0
        if args.again is not None:
            return again(args, study, folder)
        return evaluate(args, study, folder)
    except (NoResults, InUse, NoSlurm, PageError, ProgramChanged) as error:
        fail(error)
    except subprocess.CalledProcessError as error:
        return error.returncode  # it has said why
    except OSError as error:
        fail(error)
