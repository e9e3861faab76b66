# SPDX-License-Identifier: Apache-2.0
"""The time of one RAM or CAM: formulas, in the words of README.md (T1 to T8), on the layout that memory() found.

All in FO4 of osu018, 180 nm. A memory takes its inputs at the clock edge (setup before it) and shows its word after it.
"""
import dataclasses
import math

from . import constants as c
from .memory import Ports, cam_cell, memory, ram_cell

NODE = 180  # nm: of the library whose inverter, flop and wires are used
SETUP_FO4 = c.SETUP_NS / c.FO4_NS
LAUNCH_FO4 = c.LAUNCH_NS / c.FO4_NS


@dataclasses.dataclass(frozen=True)
class Access:
    """FO4 by part, from the edge on."""
    read: dict  # of the word at an address
    search: dict  # of a CAM: until its other columns are read out, or the row is known where it has none; else empty

    @property
    def read_fo4(self):
        return sum(self.read.values())

    @property
    def search_fo4(self):
        return sum(self.search.values())


# ---- what takes time; loads in inputs of an INVX1, lengths and widths in F, times in FO4 ----
def load(gates, length):
    """Transistors of so much width in sum, and a wire."""
    return gates / c.INVERTER_WIDTH + length * c.WIRE_FF / c.INVERTER_FF


def stages(effort):
    """A chain of the best number of stages, of effort 4 each."""
    return math.log(max(1.0, effort), 4)


def along(length, loads):
    """The wire's own resistance with what hangs along it: 0.38 R C."""
    return 0.38 * length * c.WIRE_OHM * loads * c.INVERTER_FF * 1e-6 / c.FO4_NS


def pulled(loads, swing):
    """Two transistors in series, the lower one half as wide again, pull a line: 0.69 R C for half the supply, and less
    for a swing. An INVX1 with one of its kind as load takes a fifth of a FO4."""
    resistance = c.PULL_DOWN_WIDTH / c.ACCESS_WIDTH * (1 + 1 / 1.5)  # of an INVX1's
    return resistance * loads * swing / 5


def repeated(length):
    """A wire with repeaters; its square root is in sqrt(ns x fs)."""
    return c.REPEATED_WIRE * length * math.sqrt(c.FO4_NS * c.WIRE_OHM * c.WIRE_FF * 1e-6) / c.FO4_NS


# ---- the parts of a memory ----
def way(area):
    """From the middle of a side to the farthest subarray and back."""
    side = math.sqrt(area.mm2) / (NODE * 1e-6)
    return 2 * side * (1 - 1 / math.sqrt(area.subarrays))


def word_line(columns, width):
    """(load, time of the wire itself): two access transistors a cell."""
    loads = load(2 * c.ACCESS_WIDTH * columns, columns * width)
    return loads, along(columns * width, loads)


def bit_line(rows, height):
    """Until an amplifier has its swing. Two cells share a contact, so each adds half a drain."""
    length = rows * (height + c.STRAP_HEIGHT / c.STRAP_ROWS)
    loads = load(0.5 * c.ACCESS_WIDTH * rows, length)
    return pulled(loads, c.SWING) + along(length, loads)


def register_parts(rows, columns, width):
    """Rows without a decoder: each drives its outputs, a multiplexer chooses."""
    return {"rows": stages(rows * load(c.ACCESS_WIDTH, columns * width)), "output": c.OUTPUT_FO4}


def read_parts(area, width, height):
    loads, line = word_line(area.subarray_columns, width)
    word_lines = area.bits / area.subarray_columns
    return {"wires": repeated(way(area)),
            "decoder": stages(c.DECODER_EFFORT * word_lines / 2 * loads) + c.DECODER_PARASITIC,
            "word line": line, "bit line": bit_line(area.subarray_rows, height), "sense": c.SENSE_FO4,
            "output": c.OUTPUT_FO4}


def search_parts(area, ports, searched, width, height, read):
    """The key goes to all rows, a row that differs in one bit pulls its match line, and the row that is left drives the
    word line of the columns that are not compared."""
    key_length = area.subarray_rows * height
    key = load(c.ACCESS_WIDTH * area.subarray_rows, key_length)
    match = load(c.ACCESS_WIDTH * searched, searched * width)
    parts = {"wires": read["wires"], "key": stages(key * area.subarrays) + along(key_length, key),
             "match line": pulled(match, 1) + along(searched * width, match), "match": c.SENSE_FO4}
    others = area.subarray_columns - searched
    if others > 0:
        loads, line = word_line(others, ram_cell(ports.all)[0])
        parts.update({"word line": stages(loads) + line, "bit line": read["bit line"], "sense": c.SENSE_FO4})
    return {**parts, "output": c.OUTPUT_FO4}


def access(rows, columns, ports, kind="RAM", searched=None, decoder=True, subarrays=None, margin=c.MARGIN):
    """The time of memory() with the same arguments."""
    ports = ports if isinstance(ports, Ports) else Ports.parse(ports)
    area = memory(rows, columns, ports, kind, NODE, searched, decoder, subarrays)
    width, height = cam_cell(ports) if kind == "CAM" else ram_cell(ports.addressed)
    read = read_parts(area, width, height) if decoder else register_parts(rows, columns, width)
    search = search_parts(area, ports, searched or columns, width, height, read) if kind == "CAM" else {}

    def timed(parts):
        return {"launch": LAUNCH_FO4, **{name: margin * fo4 for name, fo4 in parts.items()}} if parts else {}
    return Access(timed(read), timed(search))
