# SPDX-License-Identifier: Apache-2.0
"""Branches of a kernel, from the profiles of its runs: where they stand, how often they ran, and how often lanes parted."""
import dataclasses
import functools
import pathlib

from . import markup


@dataclasses.dataclass
class Branch:
    """One under one mechanism."""
    place: str
    source: str
    executed: int
    diverged: int
    issues: int
    lanes: int
    cycles: int

    @property
    def share(self):
        return self.diverged / self.executed if self.executed else None


@functools.lru_cache
def lines_of(file):
    """None where it cannot be read, as it may be of another machine."""
    try:
        return pathlib.Path(file).read_text(errors="replace").splitlines()
    except OSError:
        return None


def source_text(file, line, otherwise):
    lines = lines_of(file)
    return lines[line - 1].strip() if lines and 0 < line <= len(lines) else otherwise


def place_of(code, ptx):
    """(file, line) of the CUDA program, of PTX where that is not known."""
    if code.get("source_line"):
        return code["source_file"], code["source_line"]
    return ptx, code["line"]


def is_branch(code):
    """With two ways to go."""
    return code["divergent_branches"] or code["branches"] and code["text"].startswith("@")


def branches_of(run):
    """{(entry, place, which of those on the line): Branch}, in the order of the program."""
    found = {}
    for profile in run.data.get("profile", ()):
        for code in filter(is_branch, profile["code"]):
            file, line = place_of(code, profile["file"])
            place = f"{pathlib.PurePath(file).name}:{line}"
            nth = sum(key[:2] == (profile["kernel"], place) for key in found)
            found[profile["kernel"], place, nth] = Branch(
                place, source_text(file, line, code["text"]), code["branches"], code["divergent_branches"],
                code["warp_instructions"], code["thread_instructions"],
                code["warp_instructions"] + sum(code["stalls"].values()))
    return found


def spread(of_runs, key, run):
    """Divergence under one mechanism, and of how many executions."""
    branch = of_runs[run.mechanism].get(key)
    words = markup.MISSING if branch is None else \
        f'<span title="{branch.diverged:,} of {branch.executed:,}">{markup.percent(branch.share)}</span>'
    return f'data-mechanism="{markup.text(run.mechanism)}"', words


def rows(runs):
    of_runs = {run.mechanism: branches_of(run) for run in runs}
    keys = list(dict.fromkeys(key for of in of_runs.values() for key in of))
    entries = {entry for entry, _, _ in keys}
    for key in keys:
        run = next(run for run in runs if key in of_runs[run.mechanism])
        first = of_runs[run.mechanism][key]
        place = f"{key[0]} {first.place}" if len(entries) > 1 else first.place
        yield markup.row([markup.text(place), ('class="code"', markup.text(first.source)), markup.count(first.executed),
                          markup.decimal(first.lanes / first.issues if first.issues else None, 1),
                          markup.percent(first.cycles / run["scheduler_cycles"]),
                          *(spread(of_runs, key, run) for run in runs)])


def table(kernel, runs, command):
    """Or how to get it."""
    with_profile = [run for run in runs if run.data.get("profile")]
    if not with_profile:
        return (f"<p class=note>Where its branches are, and which of them part the lanes: run it with <code>--profile</code>, "
                f"<code>{markup.text(command)}</code>.</p>")
    found = list(rows(with_profile))
    if not found:
        return "<p class=note>It has no branch that could go two ways.</p>"
    first = with_profile[0].mechanism
    headers = [markup.header("where"), markup.header("source", is_text=True), markup.header("executed", "branches"),
               markup.header("lanes", "thread_instructions"), markup.header("cycles", "scheduler_cycles"),
               *(markup.header(run.mechanism, "divergent_branches", run.mechanism) for run in with_profile)]
    return (f"<p class=note>Branches: how often {markup.text(first)} executes them, with how many lanes, and their share of its "
            "cycles; then, under each mechanism, how many of the executions parted the lanes.</p>" +
            markup.table(f"Branches of {kernel}", headers, found, "branches"))
