# SPDX-License-Identifier: Apache-2.0
"""OpenSTA: the longest path of a mapped twin, with its ends named as in the RTL."""
import dataclasses
import re
import subprocess

from . import SynthError, technology

ABUNDANT = 1000  # ns: the clock of the analysis; the path is what it leaves


def sta(commands, folder):
    """Standard output of OpenSTA on these Tcl commands."""
    (folder / "timing.tcl").write_text(commands + "\nexit\n")
    try:
        run = subprocess.run(["sta", "-no_splash", "-exit", "timing.tcl"], cwd=folder, text=True, capture_output=True)
    except FileNotFoundError:
        raise SynthError("sta is missing: install opensta (scripts/bootstrap area)") from None
    (folder / "timing.log").write_text(run.stdout + run.stderr)
    if run.returncode or "Error:" in run.stdout + run.stderr:
        raise SynthError(f"{folder.name}: OpenSTA says\n{(run.stdout + run.stderr)[-2000:]}")
    return run.stdout


WORST = """
foreach end [find_timing_paths -path_delay max -group_count 1 BETWEEN] {
  puts "slack [get_property $end slack]"
  foreach point [get_property $end points] {
    puts "at [get_property $point arrival] [get_full_name [get_property $point pin]]"
  }
}"""


@dataclasses.dataclass(frozen=True)
class Path:
    ns: float  # with the setup of the flop or memory at its end
    points: tuple  # (arrival, pin)


def longest(top, has_boxes, folder, between=""):
    """The longest path, or the longest `between`: options -from and -to of find_timing_paths."""
    has_clock = re.search(rf"\binput {technology.CLOCK}\b", (folder / "cells.v").read_text())  # a gate has none
    text = sta(f"""read_liberty {technology.LIBERTY}
{'read_liberty boxes.lib' if has_boxes else ''}
read_verilog cells.v
link_design {top}
create_clock -name clock -period {ABUNDANT} {technology.CLOCK if has_clock else ''}
set inputs {{}}
foreach input [all_inputs] {{
  if {{[get_property $input full_name] ne "{technology.CLOCK}"}} {{ lappend inputs $input }}
}}
set_input_delay 0 -clock clock $inputs
set_driving_cell -lib_cell {technology.DRIVER} $inputs
set_output_delay 0 -clock clock [all_outputs]
set_load {technology.LOAD_FF / technology.FEMTO} [all_outputs]
{WORST.replace("BETWEEN", between)}""", folder)
    slack = re.search(r"^slack (\S+)$", text, re.M)
    if not slack:
        raise SynthError(f"{folder.name}: OpenSTA found no path; see timing.log there")
    points = re.findall(r"^at (\S+) (\S+)$", text, re.M)
    return Path(ABUNDANT - float(slack[1]), tuple((float(at), pin.replace("\\", "")) for at, pin in points))


def rtl_names(module):
    """Bit of the netlist -> name[index] in the RTL; registers before outputs."""
    names = {}
    public = {name: net for name, net in module["netnames"].items() if not net.get("hide_name")}
    for name in sorted(public, key=lambda n: (not re.search(r"_q(\b|$)", n), n.count("."), n)):
        bits = public[name]["bits"]
        offset = public[name].get("offset", 0)
        for i, bit in enumerate(bits):
            names.setdefault(bit, f"{name}[{i + offset}]" if len(bits) > 1 else name)
    return names


def readable(pin, module, names, ports):
    """One end of a path: a port, a register by what it holds, or a memory."""
    if "/" not in pin:
        return f"port {pin}"
    cell_name, pin_name = pin.rsplit("/", 1)
    cell = module["cells"].get(cell_name)
    if cell is None:
        return pin
    if cell["type"] in ports:  # a black box
        return f"memory {ports[cell['type']]}, {pin_name.split('[')[0]}"
    if technology.is_flop(cell["type"]):
        outputs = [bits[0] for pin, bits in cell["connections"].items() if cell["port_directions"][pin] == "output" and bits]
        return f"register {next((names[bit] for bit in outputs if bit in names), cell_name)}"
    return pin


def described(path, module, boxes):
    """(start, memories on the way, end)."""
    names = rtl_names(module)
    arrays = {box.module: box.cell for box in boxes}
    # A path that starts at a flop begins with its clock pin.
    start = readable(path.points[0][1], module, names, arrays)
    end = readable(path.points[-1][1], module, names, arrays)
    through = []
    for _, pin in path.points[1:-1]:
        cell = module["cells"].get(pin.rsplit("/", 1)[0], {})
        if cell.get("type") in arrays and arrays[cell["type"]] not in through:
            through.append(arrays[cell["type"]])
    return start, through, end
