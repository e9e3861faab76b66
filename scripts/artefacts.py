# SPDX-License-Identifier: Apache-2.0
"""The committed files that commands generate (scripts/regenerate.yaml), and how much of each may follow from a key."""
import collections
import dataclasses
import re

import kernel_statistics
import moved_keys as keys
import yaml
from point_build import ROOT

FILE = ROOT / "scripts/regenerate.yaml"
SHOWN = 3  # names in a line


@dataclasses.dataclass(frozen=True)
class Artefact:
    name: str
    paths: tuple  # FILE, or FILE#PART of a page that several commands write
    follows: dict  # what it is made of: a kind of KINDS and what of it
    command: str = ""
    minutes: float = 0  # of CPU time, about
    builds: tuple = ()  # targets
    by_hand: str = ""  # why there is no command, and what to do

    def files(self):
        return [path.partition("#")[0] for path in self.paths]


@dataclasses.dataclass(frozen=True)
class Count:
    """Parts of an artefact that may move."""
    moved: int
    total: int
    what: str  # rows, runs, ...
    names: tuple = ()  # of what moves
    words: tuple = ()  # of the command

    def text(self):
        names = self.names if len(self.names) <= SHOWN else (*self.names[:SHOWN], f"{len(self.names) - SHOWN} more")
        return f"{self.moved:,} of {self.total:,} {self.what}" + (f" ({', '.join(names)})" if self.moved and names else "")


def count_of(moved, total, what, names):
    return Count(len(moved), total, what, tuple(dict.fromkeys(names)))


def rows_of_twins(change, rows):
    moved = [name for name in rows if keys.moves_twin(change, *name.split(".", 1))]
    blocks = tuple(dict.fromkeys(name.split(".")[0] for name in moved))
    return dataclasses.replace(count_of(moved, len(rows), "rows", blocks), words=blocks)


def twins(change, file):
    found = keys.rows_of(file)
    if "blocks" in found:  # of area/layout.json
        return rows_of_twins(change, list(found["blocks"]))
    return rows_of_twins(change, list(dict.fromkeys((*found["small"], *found["other"]))))


def benches(change, named):
    """\\param named  `BLOCK POINT` each"""
    moved = [one for one in named if keys.moves_twin(change, *one.split())]
    return count_of(moved, len(named), "benches", [one.replace(" ", " at ") for one in moved])


def storage(change, points):
    moved = [point for point in points if change.moves_one_of(keys.storage_keys(), point)]
    return count_of(moved, len(points), "points of `heddle area`", moved)


def values(change, read):
    """\\param read  `POINT KEY` each: values that a page or a program reads"""
    moved = [one for one in read if change.moves_one_of(one.split()[1:], one.split()[0])]
    return count_of(moved, len(read), "values of points", moved)


def counted_runs(change, runs, what):
    moved = [run for run in runs if keys.moves_run(change, run)]
    return count_of(moved, len(runs), what, [run.name for run in moved])


def statistics(change, file):
    count = counted_runs(change, [keys.run_of_statistics(name) for name in kernel_statistics.runs()], "rows")
    if count.moved in (0, count.total):
        return count
    named = [name.replace("spe at micro07", "spe/barrel").split(" ")[0] for name in count.names]
    return dataclasses.replace(count, words=(f"HEDDLE_MECHANISMS={','.join(dict.fromkeys(named))}",))


def results(change, file):
    return counted_runs(change, [keys.run_of_row(row) for row in keys.rows_of(file)["rows"]], "rows")


def runs(change, commands):
    return counted_runs(change, [run for command in commands for run in keys.runs_of_command(command)], "runs")


def pictures_of_waves():
    """{picture: command}, of the READMEs that show what `heddle waves` drew, as tests/waveforms/waves finds them."""
    shown = r"^!\[.*?\]\(\S*?(waveforms/\w+\.svg)\)\n\n`(scripts/heddle waves .*?)`$"
    return {name: command for page in sorted((ROOT / "rtl").rglob("README.md"))
            for name, command in re.findall(shown, page.read_text(), re.M)}


def waves(change, _):
    return runs(change, list(pictures_of_waves().values()))


def views(change, named):
    """Commands that saved views name in their first lines."""
    found = [re.search(r"^\[\*\]\s+(scripts/heddle .*)$", (ROOT / name).read_text(), re.M)[1] for name in named]
    return runs(change, found)


KINDS = {of.__name__: of for of in (twins, benches, storage, values, statistics, results, runs, waves, views)}


def load():
    """All, in an order in which their commands may run."""
    found = []
    for row in yaml.safe_load(FILE.read_text())["artefacts"]:
        row = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        found.append(Artefact(**{"name": row["paths"][0], "follows": {}, **row}))
    return found


def moving(change, artefacts):
    """{artefact's name: (counts, names of artefacts before it that move)}, of those that may follow from the change."""
    found = collections.OrderedDict()
    for one in artefacts:
        counts = [KINDS[kind](change, of) for kind, of in one.follows.items() if kind != "artefacts"]
        before = [name for name in one.follows.get("artefacts", ()) if name in found]
        if before or any(count.moved for count in counts):
            found[one.name] = ([count for count in counts if count.moved], before)
    return found


def command_of(one, counts):
    """Its command, for what moves alone where it takes names; none of them: it makes all anew."""
    return one.command.replace("{names}", " ".join(word for count in counts for word in count.words))
