# SPDX-License-Identifier: Apache-2.0
"""Switching energy of a netlist in a run of the SM: how often each net changed (Icarus Verilog's replay, whose gates take
no time, so that no glitch is counted), and the energies of osu018's liberty file, by OpenSTA.

The wires are ideal, as everywhere in the flow; the clock rises in the cycles that the SM's clock gate lets through, and its
tree is not there. Memories are not counted: at point tiny every array is flops.
"""
import collections
import json
import os
import re
import subprocess
import threading

from . import SynthError, blocks, in_sm, replay, technology, timing

RECORD = blocks.ROOT / "area/energy.json"  # scripts/netlist_run --update
TOLERANCE = 0.02

OUTPUTS = {"Y", "Q", "YC", "YS"}  # pins of osu018's cells that drive
PERIOD_NS = 10  # of the analysis: an energy a cycle does not depend on it
# set_power_activity of Debian's OpenSTA 2.0.17 wants its variable `pins` from this procedure, which is not there.
GET_PINS = "namespace eval sta { proc get_pins_error {name given} { upvar 1 pins pins; set pins $given } }"


def toggles(folder):
    """{net of the netlist: changes} of the replay that replay.check() made in `folder`; an unknown bit that becomes known is
    no change. The waveform goes through a pipe: it would fill a disk."""
    pipe = folder / "toggles.vcd"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    run = threading.Thread(target=subprocess.run, args=(["vvp", "-n", "replay", "+toggles"],),
                           kwargs={"cwd": folder, "capture_output": True})
    run.start()
    names, last, counts = {}, {}, collections.Counter()
    with pipe.open() as lines:
        for line in lines:
            first = line[0]
            if first in "01":
                code = line[1:-1]
                if last.get(code, first) != first:
                    counts[code] += 1
                last[code] = first
            elif first == "b":
                bits, code = line[1:].split()
                before = last.get(code, "")
                for i, (now, was) in enumerate(zip(bits[::-1], before[::-1].ljust(len(bits), "0" if before else "x"))):
                    counts[code, i] += {now, was} == {"0", "1"}
                last[code] = bits
            elif line.startswith("$var"):
                _, _, width, code, name, *_ = line.split()
                names[code] = (name.lstrip("\\"), int(width))
    run.join()
    pipe.unlink()
    found = {}
    for code, (name, width) in names.items():
        for i in range(width):
            found[name if width == 1 else f"{name}[{i}]"] = counts[code] if width == 1 else counts[code, i]
    if not any(found.values()):
        raise SynthError(f"{folder}: nothing changed in the replay")
    return found


def drivers(netlist):
    """{net: pin of the cell that drives it} of a mapped netlist."""
    return {net.strip().lstrip("\\"): f"{cell}/{pin}"
            for cell, pins in re.findall(r"^  \w+ (cell_\d+_) \((.*?)\);", netlist, re.M | re.S)
            for pin, net in re.findall(r"\.(\w+)\((.*?)\)", pins) if pin in OUTPUTS}


def of_block(block, folder, edges):
    """{what: number} of a netlist, whose replay of so many edges is in `folder`; energies in pJ an edge of the clock."""
    changed = toggles(folder)
    netlist = (folder / "netlist.v").read_text()
    driven = drivers(netlist)
    if missing := set(driven) - set(changed):
        raise SynthError(f"{block}: the replay says nothing of {len(missing)} nets, such as {min(missing)}")
    inputs = [net for net in changed if net not in driven and net != technology.CLOCK]  # and what nobody drives
    ports = {name for name, (way, _) in replay.ports_of(netlist, block).items() if way == "input"}
    activity = "\n".join([f"set_power_activity -pins [get_pins {pin}] -activity {changed[net] / edges:.6g} -duty 0.5"
                          for net, pin in driven.items()]
                         + [f"set_power_activity -input_ports [get_ports {{{net}}}] -activity {changed[net] / edges:.6g} "
                            "-duty 0.5" for net in inputs if net.split("[")[0] in ports])
    text = timing.sta(f"""{GET_PINS}
read_liberty {technology.LIBERTY}
read_verilog netlist.v
link_design {block}
create_clock -name clock -period {PERIOD_NS} {technology.CLOCK}
set_input_transition 0.1 [all_inputs]
set_power_activity -input -activity 0 -duty 0.5
{activity}
report_power -digits 6
""", folder)
    watts = {kind: list(map(float, numbers.split())) for kind, numbers in
             re.findall(r"^(Sequential|Combinational|Total)\s+((?:[\d.e+-]+\s+){4})", text, re.M)}
    if "Total" not in watts:
        raise SynthError(f"{block}: OpenSTA reports no power; see timing.log in {folder}")
    internal, switching, _, _ = watts["Total"]
    return {"edges": edges, "nets": len(driven), "toggles": sum(changed[net] for net in driven),
            "pj": (internal + switching) * PERIOD_NS * 1e3, "flops_pj": sum(watts["Sequential"][:2]) * PERIOD_NS * 1e3}


def of_run(said, found, twins):
    """What is kept of a run. said: of `heddle run`; found: {block: of_block()}; twins: {block: its twin}, of whose text it
    is."""
    return {"kernel": said["kernel"], "cycles": said["cycles"], "warp_instructions": said["warp_instructions"],
            "blocks": {block: {"of": twins[block].digest, **numbers} for block, numbers in found.items()}}


def pj_an_instruction(kept, key="pj", block=None):
    """pJ a warp instruction of one block, or of all, of what of_run() keeps."""
    found = kept["blocks"].values() if block is None else [kept["blocks"][block]]
    return sum(one[key] * one["edges"] for one in found) / kept["warp_instructions"]


def load():
    return json.loads(RECORD.read_text())


def stale(build, recorded):
    """[(mechanism, block)] of what area/energy.json has, whose twin has another text now. recorded: {mechanism: of_run()}."""
    return [(mechanism, block) for mechanism, kept in recorded.items()
            for block, twin in in_sm.twins(build, mechanism).items() if kept["blocks"][block].get("of") != twin.digest]


def check(runs):
    """SynthError where runs, {mechanism: of_run()}, are not what area/energy.json says of them."""
    recorded = load()
    for mechanism, kept in runs.items():
        for block in kept["blocks"]:
            now, then = (pj_an_instruction(one, "pj", block) for one in (kept, recorded[mechanism]))
            if abs(now - then) > TOLERANCE * then:
                raise SynthError(f"{block} under {mechanism}: {now:.1f} pJ a warp instruction, {RECORD.name} has {then:.1f}: "
                                 "scripts/netlist_run --update")


def update(runs):
    RECORD.write_text(json.dumps(runs, indent=1) + "\n")
