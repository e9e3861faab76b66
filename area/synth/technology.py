# SPDX-License-Identifier: Apache-2.0
"""Debian's osu018: a 180 nm library of standard cells, and what was measured on it (measured.json); or a user's own, which
take() puts in its place (library.py).

`python3 -m area.synth measure` measures anew; the test area.technology compares the FO4.
"""
import functools
import json
import math
import pathlib
import re

from . import SynthError

FOLDER = pathlib.Path("/usr/share/qflow/tech/osu018")
LIBERTY = FOLDER / "osu018_stdcells.lib"
MODELS = FOLDER / "osu018_stdcells.v"
PACKAGE = "qflow-tech-osu018"
NODE = 180  # nm
CLOCK = "clk_i"
DRIVER = "BUFX2"  # drives every input of a block
LOAD_FF = 30  # at every output of a block: about three gates
PIN_PF = 0.01  # an input of a black box, in the library's unit: about one gate
FEMTO = 1000  # fF in that unit
INVERTER = ("INVX1", "A", "Y")
REGISTER = ("DFFPOSX1", "CLK", "D", "Q")
MEASURED = pathlib.Path(__file__).with_name("measured.json")


own = {}  # of a user's library: cells, flops, units, and how it is measured


def take(file, node, cells, flops, driver, inverter, register, inverter_ff, femto, units):
    """A user's library in the place of osu018; loads are as many of its inverters as they are of osu018's."""
    global LIBERTY, NODE, DRIVER, INVERTER, REGISTER, LOAD_FF, PIN_PF, FEMTO
    LIBERTY, NODE, DRIVER, INVERTER, REGISTER = file, node, driver, inverter, register
    LOAD_FF, PIN_PF, FEMTO = 3.2 * inverter_ff, inverter_ff / femto, femto
    own.update(cells=cells, flops=flops, units=units)


def measure_with(measure):
    own["measured"] = functools.lru_cache(measure)


@functools.lru_cache
def osu_areas():
    if not LIBERTY.exists():
        raise SynthError(f"{LIBERTY} is missing: install {PACKAGE} (scripts/bootstrap area)")
    return {name: float(area) for name, area in re.findall(r"^cell \((\w+)\) \{[^}]*?\barea : ([\d.]+);",
                                                           LIBERTY.read_text(), re.M)}


def cell_areas():
    """um2 of every cell."""
    return own["cells"] if own else osu_areas()


def is_flop(cell):
    return cell in own["flops"] if own else cell.startswith("DFF")


def liberty_units():
    """The lines of the library that say its units and thresholds, so that another one agrees with it."""
    if own:
        return own["units"]
    text = LIBERTY.read_text()
    head = text[:text.index("lu_table_template")]
    return re.findall(r"^\s*((?:delay_model|\w+_unit|\w*slew\w*|\w+_threshold_pct_\w+|capacitive_load_unit)\b.*)$",
                      head, re.M)


@functools.lru_cache
def osu_measured():
    return json.loads(MEASURED.read_text())


def measured():
    return own["measured"]() if own else osu_measured()


def address_bits(words):
    return max(1, (words - 1).bit_length())


def read_ns(words, width):
    """Time from an address to the word of an array of the library's flops and gates: a fit to what was measured up to 4,096
    bits, and beyond them a guess."""
    fit = measured()["read"]
    return fit["ns"] + fit["ns_per_address_bit"] * math.log2(max(words, 2)) + fit["ns_per_width_bit"] * math.log2(width)


def fo4(ns):
    """A delay in those of an inverter that drives four of its kind."""
    return ns / measured()["fo4_ns"]
