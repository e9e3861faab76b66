# SPDX-License-Identifier: Apache-2.0
"""The area of one RAM or CAM: formulas, in the words of README.md (M1 to M8)."""
import dataclasses
import math
import re

from . import constants as c

NODES = (22, 250)  # nm; M8
MAX_ROWS, MAX_COLUMNS, MAX_PORTS = 1 << 24, 1 << 16, 64


class LimitError(ValueError):
    """A question that the model does not answer; the text names the limit."""


def whole(what, value, low, high):
    if isinstance(value, bool) or not isinstance(value, int):
        raise LimitError(f"{what}: {value!r} is not a whole number")
    if not low <= value <= high:
        raise LimitError(f"{what}: {value} is not within {low:,} to {high:,}")
    return value


@dataclasses.dataclass(frozen=True)
class Ports:
    """How many accesses a cycle. A search compares its word with all rows at once."""
    read: int = 0
    write: int = 0
    readwrite: int = 0
    search: int = 0

    def __post_init__(self):
        for field in dataclasses.fields(self):
            whole(f"{field.name} ports", getattr(self, field.name), 0, MAX_PORTS)
        if self.writes == 0:
            raise LimitError("ports: at least 1 write port is needed; a memory that nothing writes is no memory")
        if self.reads + self.search == 0:
            raise LimitError("ports: at least 1 read or search port is needed")

    @classmethod
    def parse(cls, text):
        """From text such as 2R1W, 1RW2W or 1R1W4S."""
        counts = {"R": 0, "W": 0, "RW": 0, "S": 0}
        if not re.fullmatch(r"(\d+(RW|R|W|S))+", text):
            raise LimitError(f"ports '{text}': expected counts with R, W, RW or S, such as 2R1W or 1R1W4S")
        for count, kind in re.findall(r"(\d+)(RW|R|W|S)", text):
            counts[kind] += int(count)
        return cls(counts["R"], counts["W"], counts["RW"], counts["S"])

    def __str__(self):
        return "".join(f"{n}{kind}" for n, kind in ((self.readwrite, "RW"), (self.read, "R"), (self.write, "W"),
                                                    (self.search, "S")) if n)

    @property
    def reads(self):
        return self.read + self.readwrite

    @property
    def writes(self):
        return self.write + self.readwrite

    @property
    def addressed(self):
        return self.read + self.write + self.readwrite

    @property
    def all(self):
        return self.addressed + self.search


@dataclasses.dataclass(frozen=True)
class Area:
    """What a memory takes, and how it was laid out."""
    mm2: float
    breakdown: dict  # part -> mm2; the sum is mm2
    bits: int
    subarrays: float
    subarray_rows: float
    subarray_columns: float
    cell_um2: float  # mean over the columns

    @property
    def um2_per_bit(self):
        return 1e6 * self.mm2 / self.bits

    @property
    def efficiency(self):
        """The share of the cells."""
        return self.breakdown["cells"] / self.mm2


def ram_cell(ports):
    """M1: width and height in F of a RAM cell with so many ports."""
    growth = c.TRACKS_PER_PORT * c.TRACK * (ports - 1)
    return c.RAM_CELL_WIDTH + growth, c.RAM_CELL_HEIGHT + growth


def cam_cell(ports):
    """M2: width and height in F of a cell that is searched."""
    reads = ports.read + ports.search
    return (c.CAM_CELL_WIDTH + c.CAM_PORT_WIDTH * (ports.all - 1),
            c.CAM_CELL_HEIGHT + c.CAM_WRITE_PORT_HEIGHT * (ports.writes - 1) + c.CAM_READ_PORT_HEIGHT * reads)


@dataclasses.dataclass(frozen=True)
class Subarray:
    """One subarray, lengths in F; columns are as wide as the mean."""
    rows: float
    columns: float
    column_width: float
    row_height: float
    bit_stripe: float  # height of what is at the ends of the bit lines

    @property
    def width(self):
        return self.columns * self.column_width

    @property
    def height(self):
        return self.rows * (self.row_height + c.STRAP_HEIGHT / c.STRAP_ROWS)


def bit_stripe(reads, writes, searches, share, muxes):
    """M4: what is at the ends of the bit lines, `share` columns to an amplifier."""
    return (reads * (c.SENSE_HEIGHT / share + c.OUTPUT_HEIGHT) +
            writes * (c.PRECHARGE_HEIGHT / share + c.INPUT_HEIGHT) +
            searches * c.INPUT_HEIGHT + muxes * c.COLUMN_MUX_HEIGHT)


def ram_subarray(rows, columns, ports, count):
    """M3: square in silicon, words interleaved, never more rows than the memory has."""
    width, height = ram_cell(ports.addressed)
    bits = rows * columns / count
    here = min(rows, math.sqrt(bits * width / height))
    return Subarray(here, bits / here, width, height,
                    bit_stripe(ports.reads, ports.writes, 0, c.INTERLEAVE, ports.addressed))


def cam_subarray(rows, columns, searched, ports, count):
    """M3: a word is searched as a whole, so subarrays share the rows; nothing is interleaved. The row that matches
    drives its other columns out, as in a fully associative cache."""
    width, height = cam_cell(ports)
    stripe = bit_stripe(ports.reads, ports.writes, ports.search, 1, 0)
    others = columns - searched
    if others:
        other_width, other_height = ram_cell(ports.all)
        width = (searched * width + others * other_width) / columns
        height = max(height, other_height)
        stripe = max(stripe, bit_stripe(ports.reads + ports.search, ports.writes, 0, 1, 0))
    return Subarray(rows / count, columns, width, height, stripe)


def register_rows(rows, columns, ports):
    """M7: rows without a decoder: the cells drive the outputs straight, so nothing senses and nothing precharges."""
    width, height = ram_cell(ports.addressed)
    return Subarray(rows, columns, width, height, ports.reads * c.OUTPUT_HEIGHT + ports.writes * c.INPUT_HEIGHT)


def scale(node):
    """M8: mm2 for one F2."""
    if isinstance(node, bool) or not isinstance(node, (int, float)):
        raise LimitError(f"node: {node!r} is not a number of nm")
    if not NODES[0] <= node <= NODES[1]:
        raise LimitError(f"node: {node:g} nm is not within {NODES[0]} to {NODES[1]} nm")
    return (node * 1e-6) ** 2


def memory(rows, columns, ports, kind="RAM", node=90, searched=None, decoder=True, subarrays=None,
           subarray=c.SUBARRAY):
    """The area of a memory of rows x columns bits.

    ports       Ports, or text such as 2R1W
    kind        RAM, or CAM: with search ports
    searched    columns of a CAM that are compared (all, when not said); the row that matches drives out the others
    decoder     False: every row has its own wires (a register of a few rows)
    subarrays   how many, where the structure says so; else rule M5, with its constant `subarray`
    """
    whole("rows", rows, 1, MAX_ROWS)
    whole("columns", columns, 1, MAX_COLUMNS)
    ports = ports if isinstance(ports, Ports) else Ports.parse(ports)
    if kind not in ("RAM", "CAM"):
        raise LimitError(f"kind: '{kind}' is neither RAM nor CAM; flops are counted by synthesis")
    if (kind == "CAM") != (ports.search > 0):
        wanted = "at least 1 search port" if kind == "CAM" else "no search port"
        raise LimitError(f"ports {ports}: a {kind} has {wanted}")
    if kind == "RAM" and searched is not None:
        raise LimitError("searched columns: only a CAM is searched")
    if kind == "CAM":
        searched = columns if searched is None else whole("searched columns", searched, 1, columns)
        if not decoder:
            raise LimitError("decoder: a CAM is written by address and has one")
    if subarrays is not None:
        whole("subarrays", subarrays, 1, rows if kind == "CAM" else rows * columns)
    if not decoder and subarrays not in (None, 1):
        raise LimitError(f"subarrays: {subarrays}, but rows without a decoder are one")

    bits = rows * columns
    count = subarrays or max(1.0, math.sqrt(bits) / subarray)  # M5
    if not decoder:
        count, part = 1, register_rows(rows, columns, ports)
    elif kind == "RAM":
        part = ram_subarray(rows, columns, ports, count)
    else:
        count = min(count, rows)
        part = cam_subarray(rows, columns, searched, ports, count)

    address_bits = math.log2(max(2, rows))
    drivers = c.ROW_DRIVER_WIDTH * ports.addressed if decoder else 0
    match = c.MATCH_WIDTH * ports.search
    side = math.sqrt(count)
    width = side * (part.width + drivers + match)
    height = side * (part.height + part.bit_stripe)
    lines = ports.all * (columns + c.PREDECODED_LINES * address_bits)
    channel = c.TRACK * lines * (2 - 1 / side) if decoder else 0  # M6
    cells = count * part.width * part.rows * part.row_height

    f2 = scale(node)
    breakdown = {
        "cells": cells,
        "straps": count * part.width * part.height - cells,
        "word-line drivers": count * drivers * part.height,
        "match lines": count * match * part.height,
        "bit-line ends": width * side * part.bit_stripe,
        "routing": (width + channel) * (height + channel) - width * height,
        "predecoders": c.PREDECODER * ports.addressed * address_bits if decoder else 0,
    }
    breakdown = {name: f2 * value for name, value in breakdown.items()}
    return Area(sum(breakdown.values()), breakdown, bits, float(count), part.rows, part.columns,
                1e6 * f2 * part.column_width * part.row_height)


def gates(bits, ports, node=90):
    """M9: mm2 of the same bits as flip-flops with multiplexers and comparators, without wires: a rough lower bound."""
    whole("bits", bits, 1, MAX_ROWS * MAX_COLUMNS)
    per_bit = (c.FLOP + c.FLOP_READ_PORT * ports.reads + c.FLOP_WRITE_PORT * ports.writes +
               c.FLOP_SEARCH_PORT * ports.search)
    return scale(node) * bits * per_bit
