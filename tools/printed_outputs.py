# SPDX-License-Identifier: Apache-2.0
"""What pages show as output of a command: in a fence, the lines behind `$ COMMAND` up to the next one or the fence's end.

A shown line that begins with `...` stands for any number of lines; all others are lines of the output, in their order,
trailing blanks aside. Without such a line the output is shown whole. scripts/figures --outputs writes the lines anew.
"""
import dataclasses
import difflib
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE, ELISION = "```", "..."
ALIKE = 0.5   # below this a line of the output is not what a shown line has become
BESIDE = 0.2  # what it is worth that two lines stay beside each other


@dataclasses.dataclass(frozen=True)
class Shown:
    """Lines first to last - 1 of a page, counted from 0, are the output of the command in line first - 1."""
    page: str
    command: str
    first: int
    last: int
    lines: tuple

    def at(self):
        return f"{self.page}:{self.first}"


def shown_in(page, text):
    """What the page shows, a Shown a command; a command without lines behind it shows nothing."""
    found, command, first, inside = [], None, 0, False
    lines = text.splitlines()

    def end(at):
        if command is not None and at > first:
            found.append(Shown(page, command, first, at, tuple(line.rstrip() for line in lines[first:at])))
    for at, line in enumerate(lines):
        if line.startswith(FENCE):
            end(at)
            inside, command = not inside, None
        elif inside and line.startswith("$ "):
            end(at)
            command, first = line[2:].strip(), at + 1
    return found


def parts_of(shown):
    """Runs of lines between elisions, whether one stands in front of the first, and whether behind the last."""
    runs, run = [], []
    for line in shown:
        if line.startswith(ELISION):
            runs.append(run)
            run = []
        else:
            run.append(line)
    runs.append(run)
    elided_first, elided_last = not runs[0], not runs[-1]
    return [one for one in runs if one], elided_first and len(runs) > 1, elided_last and len(runs) > 1


def difference(shown, output):
    """How the output differs from what is shown, in words; empty: it does not. Both are lists of lines."""
    runs, elided_first, elided_last = parts_of([line.rstrip() for line in shown])
    output = [line.rstrip() for line in output]
    place = 0
    for number, run in enumerate(runs):
        is_last = number == len(runs) - 1
        places = range(place, len(output) - len(run) + 1)
        if number == 0 and not elided_first:
            places = [0] if place in places else []
        if is_last and not elided_last:
            places = [at for at in places if at + len(run) == len(output)]
        at = next((at for at in places if output[at:at + len(run)] == run), None)
        if at is None:
            return said_of(run, output[place:])
        place = at + len(run)
    return ""


def said_of(run, output):
    """The first line of a run that the output has not, beside the line that is most like it."""
    line = next((line for line in run if line not in output), None)
    if line is None:
        return f"the lines from '{run[0].strip()}' to '{run[-1].strip()}' are in the output, but not one behind the other there"
    nearest = max(output, key=lambda other: likeness(line, other), default="")
    return f"shown:  {line}\n    output: {nearest}"


def likeness(one, other):
    """0 to 1; of numbers only that they are there."""
    one, other = (re.sub(r"[\d,.]*\d", "0", line) for line in (one, other))
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() if one and other else float(one == other)


def renewed(shown, output):
    """(lines to show, lines that have no like in the output): each shown line becomes the one that is most like it, in order,
    and lines of a run that no longer stand one behind the other get an elision between them."""
    runs, elided_first, elided_last = parts_of(shown)
    output = [line.rstrip() for line in output]
    if not any(line.startswith(ELISION) for line in shown):
        return output, []
    lines = [(line, number) for number, run in enumerate(runs) for line in run]
    places = iter(best_places(lines, output, elided_first, elided_last))
    new, lost, before = [], [], None
    for line in shown:
        if line.startswith(ELISION):  # it stays as it is, with its words
            new.append(line)
            before = None
            continue
        at = next(places)
        if before is not None and at != before + 1:
            new.append(ELISION)
        new.append(output[at])
        before = at
        if likeness(line, output[at]) < ALIKE:
            lost.append(line)
    return new, lost


def best_places(lines, output, elided_first, elided_last):
    """Where each line, (text, run), stands in the output, so that they are most alike; beside its neighbour if it can be."""
    best = {}  # where the line before stands -> (sum, places)
    for number, (line, run) in enumerate(lines):
        is_first, is_last = number == 0, number == len(lines) - 1
        longer, any_before = {}, (float("-inf"), ())
        for at, other in enumerate(output):
            if at - 1 in best and best[at - 1][0] > any_before[0]:
                any_before = best[at - 1]
            if is_first and not elided_first and at != 0 or is_last and not elided_last and at != len(output) - 1:
                continue
            beside = best.get(at - 1, (float("-inf"), ()))
            is_beside = not is_first and lines[number - 1][1] == run
            score, places = max((0.0, ()) if is_first else any_before, (beside[0] + BESIDE * is_beside, beside[1]))
            if len(places) == number:
                longer[at] = (score + likeness(line, other), (*places, at))
        best = longer
    if not best:
        raise ValueError(f"the output has {len(output)} lines, fewer than are shown")
    return max(best.values())[1]


def output_of(command, root=ROOT):
    """Lines of its standard output. \\throws ValueError where it fails"""
    done = subprocess.run(["bash", "-c", command], cwd=root, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise ValueError(f"{command}: exit code {done.returncode}: {(done.stdout + done.stderr).strip()[-1000:]}")
    return done.stdout.splitlines()


def all_shown(root=ROOT):
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=root, text=True, capture_output=True, check=True).stdout.split()
    return [shown for page in listed for shown in shown_in(page, (root / page).read_text())]


def renew(check, root=ROOT):
    """Runs every command of which a page shows the output, and writes the pages anew unless they are only checked; what
    is wrong, in words."""
    problems = []
    for shown in reversed(all_shown(root)):  # the last lines of a page first, so that the others keep their numbers
        output = output_of(shown.command, root)
        why = difference(shown.lines, output)
        if why and check:
            problems.append(f"{shown.at()}: {shown.command}\n    {why}")
        elif why:
            lines, lost = renewed(shown.lines, output)
            problems += [f"{shown.at()}: {shown.command}: nothing in the output is like '{line}'" for line in lost]
            page = root / shown.page
            text = page.read_text().splitlines()
            text[shown.first:shown.last] = lines
            page.write_text("\n".join(text) + "\n")
            print(f"{shown.at()}: {shown.command}: written anew")
    return problems
