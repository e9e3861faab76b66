# SPDX-License-Identifier: Apache-2.0
"""Graywolf: cells into rows, by simulated annealing from a fixed seed."""
import dataclasses
import re
import shutil
import subprocess

from area.synth import SynthError

from . import lef

SEED = 12345
PER_UM = 100  # its unit: a hundredth of a um
PROGRAM = "graywolf"
RESULT = "place/block.pl1"


@dataclasses.dataclass(frozen=True)
class Placed:
    """A cell, or a port at the rim, as Graywolf put it; in um, of its own origin."""
    name: str
    x: float  # of its left
    y: float  # of its foot
    row: int  # counted from 1; ports have a side in the place of a row
    turned: bool  # left and right exchanged


def units(um):
    return round(um * PER_UM)


def cell_text(number, cell, macro):
    left, right = -units(macro.width / 2), units(macro.width / 2)
    half = units(macro.height / 2)
    lines = [f"cell {number} {cell.name}", f"left {left} right {right} bottom {-half} top {half}"]
    pitch = lef.read().site[0]
    for k in range(round(macro.width / pitch)):  # wires pass over a cell: a way through at each site
        x = left + units((k + 0.5) * pitch)
        lines += [f"pin name twfeed{k + 1} signal TW_PASS_THRU layer 1 {x} {-half}",
                  f"   equiv name twfeed{k + 1} layer 1 {x} {half}"]
    for pin, net in cell.pins.items():
        _, x0, y0, x1, y1 = macro.pins[pin][0]
        lines.append(f"pin name {pin} signal {net} layer 1 {left + units((x0 + x1) / 2)} {units((y0 + y1) / 2) - half}")
    return "\n".join(lines) + "\n"


def pad_text(number, pin):
    half_x, half_y = (units(pitch / 2) for pitch in (lef.read().layers[1].pitch, lef.read().layers[0].pitch))
    return (f"pad {number} name twpin_{pin.name}\n"
            f"corners 4 {-half_x} {-half_y} {-half_x} {half_y} {half_x} {half_y} {half_x} {-half_y}\n"
            f"pin name {pin.name} signal {pin.net} layer 1 0 0\n")


def cel(netlist):
    """The cells, and the ports around them."""
    wired = netlist.nets()
    macros = lef.read()
    text = [cell_text(number, dataclasses.replace(cell, pins={p: n for p, n in cell.pins.items() if n in wired}),
                      macros.macro(cell.kind)) for number, cell in enumerate(netlist.cells)]
    text += [pad_text(number, pin) for number, pin in enumerate(netlist.pins, 1)]
    return "".join(text)


def par():
    """What Graywolf is told of the process, from the LEF, and how it is to work."""
    layers = lef.read().layers[:4]
    rules = [f"layer {one.name} {one.ohm_per_square} {one.ff_per_um / one.width:.4f} {one.direction.lower()}"
             for one in layers]
    rules += [f"via via{i}{i + 1} metal{i} metal{i + 1}" for i in (1, 2, 3)]
    rules += [f"width {one.name} {units(one.width)}" for one in layers]
    rules += [f"width via{i}{i + 1} {units(layers[i].width)}" for i in (1, 2, 3)]
    rules += [f"spacing {one.name} {one.name} {units(one.pitch - one.width)}" for one in layers]  # so that it keeps the pitch
    rules += ["spacing via12 via23 0", "spacing via23 via34 0"]  # stacked vias are allowed
    rules += [f"overhang via{i}{i + 1} metal{j} {units(0.1)}" for i in (1, 2, 3) for j in (i, i + 1)]
    row, site = units(layers[0].pitch), units(layers[1].pitch)
    return "\n".join(["RULES", *(f"  {rule}" for rule in rules), "ENDRULES",
                      "*vertical_wire_weight : 1.0", "*vertical_path_weight : 1.0", "*padspacing : variable",
                      "*rowSep : 0.0 0", f"*track.pitch : {site}", f"*minimum_pad_space : {site}",
                      f"*gridX : {site}", f"*gridY : {row}", "*gridOffsetX : 0", "*gridOffsetY : 0",
                      "*graphics.wait : off", "*last_chance.wait : off", f"*random.seed : {SEED}",
                      "TWMC*chip.aspect.ratio : 1.0",
                      f"TWSC*feedThruWidth : {site} layer 1", "TWSC*do.global.route : off", "TWSC*ignore_feeds : true",
                      "TWSC*call_row_evener : true", "TWSC*even_rows_maximally : true",
                      "GENR*row_to_tile_spacing : 1", "GENR*flip_alternate_rows : 1", ""])


def run(netlist, folder, seconds):
    """Places; (cells, ports)."""
    if not shutil.which(PROGRAM):
        raise SynthError(f"{PROGRAM} is missing: scripts/bootstrap area")
    work = folder / "place"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    (work / "block.cel").write_text(cel(netlist))
    (work / "block.par").write_text(par())
    try:
        done = subprocess.run([PROGRAM, "-n", "block"], cwd=work, text=True, capture_output=True, timeout=seconds,
                              errors="replace")
    except subprocess.TimeoutExpired:
        raise SynthError(f"{folder}: {PROGRAM} took longer than {seconds:g} s; --timeout gives it more") from None
    (work / "graywolf.log").write_text(done.stdout + done.stderr)
    result = folder / RESULT
    if done.returncode or not result.exists():
        raise SynthError(f"{folder}: {PROGRAM} ended with {done.returncode}; it says\n"
                         f"{(done.stdout + done.stderr)[-1500:]}")
    return read(result)


SIDES = {-1: "left", -2: "right", -3: "bottom", -4: "top"}


def read(file):
    """({cell: Placed}, {port: Placed}) of a block.pl1: name, left, foot, right, top, orientation, row or side."""
    cells, ports = {}, {}
    for line in file.read_text().splitlines():
        words = line.split()
        if len(words) != 7:
            raise SynthError(f"{file}: not name, four distances, orientation and row: {line}")
        x0, y0, x1, y1, orientation, row = map(int, words[1:])
        if words[0].startswith("twpin_"):
            name = words[0].removeprefix("twpin_")
            ports[name] = Placed(name, (x0 + x1) / 2 / PER_UM, (y0 + y1) / 2 / PER_UM, row, False)
        elif not words[0].startswith("twfeed"):
            cells[words[0]] = Placed(words[0], x0 / PER_UM, y0 / PER_UM, row, orientation in (2, 3))
    return cells, ports
