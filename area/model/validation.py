# SPDX-License-Identifier: Apache-2.0
"""The model beside the seven CACTI 4.2 figures of DWF sec. 4.4 and Table 1, and DWF's conclusions from both; its times beside
CACTI 5.3 and two foundries' compiled memories; flip-flops and gates beside arrays that were mapped."""
import dataclasses
import functools
import json
import math
import pathlib
import re

from . import constants as c
from .access import LAUNCH_FO4, access
from .memory import Ports, gates, memory

LANES, CORES, CHIP_MM2 = 16, 8, 480  # DWF Table 2 and sec. 4.4


def lanes_of(**what):
    """A memory a lane, and one beside them for the rest of the entry."""
    return (LANES, dict(rows=256, columns=8, **what)), (1, dict(rows=256, columns=40, **what))


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str
    paper: float  # mm2
    given: str  # by the paper
    assumed: str  # by us
    memories: tuple  # (how many, arguments of memory())
    other: str = ""  # what one could have assumed instead
    other_memories: tuple = ()

    def model(self, subarray=c.SUBARRAY):
        return self.area_of(self.memories, subarray)

    def other_model(self):
        """With the other assumption, where there is one."""
        return self.area_of(self.other_memories or self.memories, c.SUBARRAY)

    @staticmethod
    def area_of(memories, subarray):
        return sum(count * memory(subarray=subarray, **what).mm2 for count, what in memories)


ISSUE = dict(rows=32, ports="4W4S", kind="CAM", searched=32)
FIGURES = (
    Figure("warp update register", 0.008, "2 x 168 bits, no decoder", "1R1W; read without sense amplifiers",
           ((1, dict(rows=2, columns=168, ports="1R1W", decoder=False)),),
           "1RW, CACTI's default", ((1, dict(rows=2, columns=168, ports="1RW", decoder=False)),)),
    Figure("PC-warp LUT", 0.189, "32 x 56 bits, 2R2W, 2-way", "an array of 32 rows; comparators are logic",
           ((1, dict(rows=32, columns=56, ports="2R2W")),),
           "16 sets, both ways read out", ((1, dict(rows=16, columns=112, ports="2R2W")),)),
    Figure("warp pool", 0.702, "256 x 168 bits, 1RW2W, 17 decoders", "17 subarrays: a TID column a lane, PC and data",
           lanes_of(ports="1RW2W", subarrays=1), "one array, divided by M5",
           ((1, dict(rows=256, columns=168, ports="1RW2W")),)),
    Figure("warp allocator", 0.061, "256 x 8 bits", "2R1W: two updates allocate, one issue frees",
           ((1, dict(rows=256, columns=8, ports="2R1W")),),
           "1RW, CACTI's default", ((1, dict(rows=256, columns=8, ports="1RW")),)),
    Figure("issue logic (Majority)", 1.511, "32 x {PC 32, counter 8}, fully associative, 4R4W",
           "a read searches the PC, the match drives out the counter", ((1, dict(columns=40, **ISSUE)),),
           "a counter of 8 bytes, CACTI's least block", ((1, dict(columns=96, **ISSUE)),)),
    Figure("register file", 5.7085, "512 rows of 16 x 32 bits, 2R1W", "",
           ((1, dict(rows=512, columns=512, ports="2R1W")),)),
    Figure("bank of it", 0.3773, "512 x 32 bits, 2R1W", "", ((1, dict(rows=512, columns=32, ports="2R1W")),)),
)
SCHEDULER = FIGURES[:5]
REGISTER_FILE, BANK = FIGURES[5:]


def rms_factor(ratios):
    return math.exp(math.sqrt(sum(math.log(r) ** 2 for r in ratios) / len(ratios)))


def fit(figures=FIGURES):
    """The constant `subarray` with the least RMS factor over these figures."""
    def error(log):
        return rms_factor([f.model(math.exp(log)) / f.paper for f in figures])
    low, high = math.log(1), math.log(64)
    steps = [low + (high - low) * i / 60 for i in range(61)]
    best = min(range(61), key=lambda i: error(steps[i]))
    low, high = steps[max(0, best - 1)], steps[min(60, best + 1)]
    while high - low > 1e-4:
        third = (high - low) / 3
        if error(low + third) < error(high - third):
            high -= third
        else:
            low += third
    return math.exp((low + high) / 2)


@dataclasses.dataclass(frozen=True)
class Validated:
    figure: Figure
    model: float
    ratio: float
    left_out: float  # ratio, fitted to the other figures
    other: float  # ratio with the other assumption
    fitted: bool  # whether the fitted constant matters here


@functools.lru_cache(maxsize=None)
def validate():
    rows = []
    for figure in FIGURES:
        model = figure.model()
        other = fit(tuple(f for f in FIGURES if f is not figure))
        rows.append(Validated(figure, model, model / figure.paper, figure.model(other) / figure.paper,
                              figure.other_model() / figure.paper,
                              not math.isclose(figure.model(2 * c.SUBARRAY), model)))
    return tuple(rows)


@dataclasses.dataclass(frozen=True)
class Accuracy:
    rms: float
    left_out_rms: float
    other_rms: float  # with every other assumption of FIGURES
    worst: float
    worst_name: str

    def __str__(self):
        return ("Accuracy against the seven CACTI 4.2 figures of DWF sec. 4.4: a factor of "
                f"{self.left_out_rms:.2f} (RMS, each figure left out of the fit; {self.rms:.2f} with it), "
                f"at worst {self.worst:.2f} ({self.worst_name}).")


def accuracy():
    """To be printed in every report."""
    rows = validate()
    worst = max(rows, key=lambda r: abs(math.log(r.left_out)))
    return Accuracy(rms_factor([r.ratio for r in rows]), rms_factor([r.left_out for r in rows]),
                    rms_factor([r.other for r in rows]), max(worst.left_out, 1 / worst.left_out), worst.figure.name)


# ---- time ----
@dataclasses.dataclass(frozen=True)
class Timed:
    """A memory of one read and write port whose access time is published. FO4 by the rule of 360 ps a um of gate."""
    source: str
    words: int
    width: int
    node: int  # nm
    ns: float

    @property
    def fo4(self):
        return self.ns / (0.36 * self.node / 1000)

    def model(self, margin=c.MARGIN):
        """From the address on, as CACTI has it: without the register in front."""
        return access(self.words, self.width, "1RW", margin=margin).read_fo4 - LAUNCH_FO4


CACTI_TIMES = tuple(Timed("CACTI 5.3", words, 64, 45, ns)
                    for words, ns in ((128, 0.2411), (512, 0.2928), (8192, 0.5226), (32768, 0.7692)))
COMPILED = tuple(Timed("IHP SG13G2", words, width, 130, ns)
                 for words, width, ns in ((64, 16, 3.01), (64, 64, 3.11), (256, 64, 3.11), (1024, 64, 4.38))) + \
    (Timed("GF180MCU, 5 V", 64, 8, 180, 4.35),)
COMPILED_UM2 = {(64, 16): 236.8 * 64.36, (64, 64): 784.48 * 64.36, (256, 64): 784.48 * 118.78, (1024, 64): 784.48 * 336.46}


def fit_margin(figures=CACTI_TIMES):
    """The margin with the least RMS factor: the geometric mean, as a time is proportional to it."""
    return math.exp(sum(math.log(f.fo4 / f.model(1)) for f in figures) / len(figures))


def time_left_out(figure):
    """Model over figure, fitted to the others."""
    return figure.model(fit_margin(tuple(f for f in CACTI_TIMES if f is not figure))) / figure.fo4


def time_accuracy():
    """(RMS factor, with each figure left out of the fit)."""
    return (rms_factor([f.model() / f.fo4 for f in CACTI_TIMES]), rms_factor([time_left_out(f) for f in CACTI_TIMES]))


def gates_a_doubling(margin=c.MARGIN):
    """FO4 for each doubling from 8 kbit to 1 Mbit, 64 bits wide."""
    return (access(16384, 64, "1RW", margin=margin).read_fo4 - access(128, 64, "1RW", margin=margin).read_fo4) / 7


# ---- flip-flops and gates: arrays that Yosys mapped onto osu018 (python3 -m area.synth measure), um2 ----
def mapped():
    file = pathlib.Path(__file__).resolve().parent.parent / "synth/measured.json"
    rows = []
    for name, um2 in json.loads(file.read_text())["arrays_um2"].items():
        words, width, ports = re.fullmatch(r"(\d+) x (\d+) (\w+)", name).groups()
        bits = int(words) * int(width)
        rows.append((name, um2 / bits, 1e6 * gates(bits, Ports.parse(ports), 180) / bits))
    return tuple(rows)


def decoders_of_lanes():
    """What a decoder a lane adds to the register file, counted directly: predecoders, and wires along half its side."""
    rows, ports = 512, 3
    address = math.log2(rows) * ports * (LANES - 1)
    side = math.sqrt(REGISTER_FILE.model())
    f = 90e-6
    return address * (c.PREDECODER * f * f + c.TRACK * f * side / 2)


@dataclasses.dataclass(frozen=True)
class Conclusion:
    what: str
    paper: float  # as printed
    recomputed: float  # from the paper's figures
    model: float  # the paper's arithmetic on ours
    direct: float  # the same with decoders_of_lanes()
    unit: str


def conclusions():
    """DWF sec. 4.4 line by line: scheduler, register file, banks, a core, the chip, the share."""
    def chain(value_of, decoders=None):
        scheduler = sum(value_of(f) for f in SCHEDULER)
        banks = LANES * value_of(BANK)
        decoders = banks - value_of(REGISTER_FILE) if decoders is None else decoders
        core = scheduler + decoders
        return scheduler, banks, decoders, core, CORES * core, 100 * CORES * core / CHIP_MM2
    printed = (2.471, 6.037, None, 2.799, 22.39, 4.7)
    names = ("scheduler of a core", "16 banks", "decoders of the lanes", "a core", "8 cores", "share of 480 mm2")
    recomputed = chain(lambda f: f.paper)
    ours = chain(lambda f: f.model())
    direct = chain(lambda f: f.model(), decoders_of_lanes())
    return tuple(Conclusion(name, printed[i], recomputed[i], ours[i], direct[i], "%" if i == 5 else "mm2")
                 for i, name in enumerate(names))
