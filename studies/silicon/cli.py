# SPDX-License-Identifier: Apache-2.0
"""scripts/silicon: what a person types."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

from harness.program import ROOT, built_here
from tools import typed_numbers

from . import page
from .counters import COUNTERS, BadCsv, read

HELP = """Runs kernels of the suite on a GPU of NVIDIA's under Nsight Compute (ncu), and writes what it counted to
studies/silicon/results.json and README.md. A kernel whose results are wrong there is named, and makes
the exit code 1.

  scripts/silicon --list                  the kernels
  scripts/silicon bfs path_finding        these
  scripts/silicon --all --size medium     all
  scripts/silicon bfs --results my.json   another file, and no page
  scripts/silicon --page                  the page anew from results.json, without a run
"""


def fail(message):
    print(f"silicon: {message}", file=sys.stderr)
    sys.exit(2)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/silicon", description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--all", action="store_true", help="every kernel")
    parser.add_argument("--list", action="store_true", help="print them")
    parser.add_argument("--page", action="store_true", help="write the page anew")
    parser.add_argument("--size", default="small", choices=("small", "medium", "large"))
    typed_numbers.add(parser, "--warps", 0, 2**20, "", "of the grid; 0: what the size says", default=0)
    typed_numbers.add(parser, "--seed", 0, 2**63 - 1, "", "of the data", default=1)
    parser.add_argument("--ncu", default="ncu", metavar="FILE", help="Nsight Compute (default: ncu)")
    parser.add_argument("--program", type=pathlib.Path, metavar="FILE", help="the built program (default: this tree's)")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE", help="keep results here, and write no page")
    args = parser.parse_args(arguments)
    if bool(args.kernels) + args.all + args.list + args.page != 1:
        parser.error("expected kernels, --all, --list or --page")
    return args


def suite():
    """Every kernel with a driver."""
    return sorted(folder.name for folder in (ROOT / "kernels").iterdir() if list(folder.glob("*.cu")))


def built(args):
    """The program; builds this tree's."""
    if args.program:
        return args.program
    subprocess.run([ROOT / "scripts/build", "silicon", "heddle_kernel_ptx"], check=True)
    return built_here() / "studies/silicon/silicon"


def measure(kernel, args, program):
    """A row. \\throws RuntimeError where the program did not run, BadCsv where ncu said nothing of it"""
    its = [program, kernel, "--size", args.size, "--seed", str(args.seed), "--warps", str(args.warps)]
    metrics = ",".join(metric for metric, _ in COUNTERS.values())
    run = subprocess.run([args.ncu, "--csv", "--page", "raw", "--metrics", metrics, *map(str, its)], text=True, capture_output=True)
    said = next((line for line in run.stdout.splitlines() if line.startswith('{"kernel"')), None)
    if said is None:
        raise RuntimeError((run.stderr.strip() or run.stdout.strip())[:500] or f"{args.ncu} ended with {run.returncode} and said nothing")
    row = json.loads(said)
    counted, launches = read(run.stdout)
    if launches != row["launches"]:
        raise BadCsv(f"ncu counted {launches} launches, the program made {row['launches']}")
    return {**row, **counted}


def merged(rows, row):
    """A row takes the place of one of the same job on the same GPU."""
    def job(one):
        return tuple(one[key] for key in ("gpu", "kernel", "size", "seed", "warps"))
    return sorted([one for one in rows if job(one) != job(row)] + [row], key=job)


def main(arguments):
    args = parse(arguments)
    if args.list:
        print("\n".join(suite()))
        return 0
    if args.page:
        (page.FOLDER / "README.md").write_text(page.page(page.rows_of(page.RESULTS)))
        return 0
    kernels = suite() if args.all else args.kernels
    if unknown := [kernel for kernel in kernels if kernel not in suite()]:
        fail(f"no kernel '{unknown[0]}': scripts/silicon --list has them")
    if not shutil.which(args.ncu) and not os.access(args.ncu, os.X_OK):
        fail(f"{args.ncu} is not there; expected Nsight Compute, which comes with NVIDIA's CUDA toolkit (--ncu FILE)")
    program, file, wrong = built(args), args.results or page.RESULTS, False
    for kernel in kernels:
        try:
            row = measure(kernel, args, program)
        except (RuntimeError, BadCsv) as error:
            fail(f"{kernel}: {error}")
        rows = merged(page.rows_of(file), row)
        file.write_text(page.text_of(rows))
        if not args.results:
            (page.FOLDER / "README.md").write_text(page.page(rows))
        print(f"{kernel}: {row['cycles']:,} cycles in {row['launches']} launches on {row['gpu']}; {row['message']}"
              f"{'' if row['is_right'] else ' (WRONG)'}")
        wrong |= not row["is_right"]
    return 1 if wrong else 0
