# SPDX-License-Identifier: Apache-2.0
"""The longest path of a placed and routed netlist, by OpenSTA, with its wires and without."""
import re

from area.synth import SynthError, technology, timing

from . import spef

TWICE = 2  # the LEF knows of no capacitance to neighbours: how much the time would move if it were as much again


def verilog(top, netlist):
    """The netlist with its plain names. Ports of one end are left out: no path leads there."""
    inner = sorted({net for cell in netlist.cells for net in cell.pins.values()} - {pin.net for pin in netlist.pins})
    lines = [f"module {top} ({', '.join(pin.name for pin in netlist.pins)});"]
    lines += [f"  {pin.direction} {pin.name};" for pin in netlist.pins]
    lines += [f"  wire {net};" for net in inner]
    lines += [f"  assign {pin.name} = {pin.net};" for pin in netlist.pins if pin.name != pin.net]
    lines += [f"  {cell.kind} {cell.name} ({', '.join(f'.{pin}({net})' for pin, net in cell.pins.items())});"
              for cell in netlist.cells]
    return "\n".join([*lines, "endmodule", ""])


def directions(netlist):
    """{end: I or O}, as SPEF has them."""
    found = {("PIN", pin.name): pin.direction[0].upper() for pin in netlist.pins}
    outputs = {(kind, pin) for kind, pins in output_pins().items() for pin in pins}
    for cell in netlist.cells:
        for pin in cell.pins:
            found[cell.name, pin] = "O" if (cell.kind, pin) in outputs else "I"
    return found


def output_pins():
    """{cell: its outputs}, of the library."""
    text = technology.LIBERTY.read_text()
    cells = re.split(r"^cell \((\w+)\)", text, flags=re.M)[1:]
    return {name: re.findall(r"pin\((\w+)\)\s*\{\s*direction : output", body) for name, body in zip(cells[::2], cells[1::2])}


def with_wires(top, folder, file):
    """The path that the same commands find once the wires are read, too."""
    commands = (folder / "timing.tcl").read_text().removesuffix("\nexit\n")
    linked = f"link_design {top}\n"
    if commands.count(linked) != 1:
        raise SynthError(f"{folder}/timing.tcl: no line {linked!r} after which wires could be read")
    text = timing.sta(commands.replace(linked, f"{linked}read_spef -quiet {file}\n"), folder)
    return timing.Path(timing.ABUNDANT - float(re.search(r"^slack (\S+)$", text, re.M)[1]),
                       tuple((float(at), pin) for at, pin in re.findall(r"^at (\S+) (\S+)$", text, re.M)))


def longest(top, netlist, trees, folder):
    """(without wires, with them, with twice their capacitance) of a netlist whose clock is ideal."""
    (folder / "cells.v").write_text(verilog(top, netlist))
    known = directions(netlist)
    bare = timing.longest(top, False, folder)
    commands = (folder / "timing.tcl").read_text()
    found = [bare]
    for times in (1, TWICE):
        file = f"wires_{times}.spef"
        (folder / file).write_text(spef.text(top, trees, known, times))
        (folder / "timing.tcl").write_text(commands)
        found.append(with_wires(top, folder, file))
    return found
