# SPDX-License-Identifier: Apache-2.0
"""Floors and arrows of sim/sm (scripts/lint --measures).

A unit is the files of one stem (`sim/sm/slice/fetch.h` and `.cpp`). An arrow leads from a unit to another that it includes,
and from its folder to that one's; floors is the number of folders in the longest chain of arrows. Folders stand in the
order of the table in sim/sm/README.md. Units are counted alike, for a reader.
"""
import collections
import functools
import pathlib
import re

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include "([^"]+)"', re.M)
FOLDER = "sim/sm"


def unit_of(path):
    return str(pathlib.PurePath(path).with_suffix(""))


def arrows_of(root):
    """{unit: units of sim/sm that it includes}"""
    files = [file for file in sorted((root / FOLDER).rglob("*")) if file.suffix in (".h", ".cpp")]
    arrows = {unit_of(file.relative_to(root)): set() for file in files}
    for file in files:
        unit = unit_of(file.relative_to(root))
        used = {unit_of(path) for path in INCLUDE.findall(file.read_text())}
        arrows[unit] |= used & arrows.keys() - {unit}
    return arrows


def cycles(arrows):
    """Units that include each other, by way of others or not: lists of two or more."""
    behind = {unit: reached(arrows, unit) for unit in arrows}
    groups = {frozenset(other for other in behind[unit] if unit in behind[other]) for unit in arrows}
    return sorted(sorted(group) for group in groups if group)


def reached(arrows, unit):
    found, ahead = set(), list(arrows[unit])
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += arrows[one]
    return found


def chain(arrows):
    """The longest chain, its top first. Units of a cycle stand on one floor."""
    cycle = {unit: tuple(group) for group in cycles(arrows) for unit in group}

    @functools.lru_cache(maxsize=None)
    def below(unit):
        group = cycle.get(unit, (unit,))
        ends = sorted({other for one in group for other in arrows[one]} - set(group))
        longest = max((below(other) for other in ends), key=len, default=())
        return (unit, *longest)

    return max((below(unit) for unit in sorted(arrows)), key=len, default=())


def folder_of(unit):
    return str(pathlib.PurePath(unit).parent)


def between_folders(arrows):
    """Counter of includes, by unit, from one folder to another."""
    pairs = [(folder_of(unit), folder_of(one)) for unit, used in arrows.items() for one in used]
    return collections.Counter((folder, other) for folder, other in pairs if folder != other)


def of_folders(between):
    """{folder: folders that it includes}"""
    return {folder: {other for one, other in between if one == folder} for folder in {name for pair in between for name in pair}}


def order_of(root):
    """Folders of sim/sm, the lowest first, as the table of its README has them."""
    return re.findall(r"^\| \[(\w+)\]\(\1/README\.md\) \|", (root / FOLDER / "README.md").read_text(), re.M)


def upward(between, order):
    """{(folder, other): includes} of those that lead upwards in this order; a folder that it lacks stands above all."""
    place = {f"{FOLDER}/{name}": number for number, name in enumerate(order)}
    return {(folder, other): count for (folder, other), count in between.items()
            if place.get(other, len(order)) > place.get(folder, len(order))}
