# SPDX-License-Identifier: Apache-2.0
"""A user's own library of standard cells, in Liberty: which of its cells the flow needs by name, and what they take.

use() puts it in the place of osu018 for the rest of this run. A memory's access time is the area model's number of FO4,
with this library's FO4; that of a small array in flops is osu018's, by the ratio of the FO4s.
"""
import functools
import hashlib
import json
import pathlib
import re
import tempfile

from tools.output_file import with_folder

from . import SynthError, technology

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}();:,]|[^\s{}();:,"]+')


class Group:
    """One group: its arguments, its simple attributes, the groups within."""

    def __init__(self, kind, arguments):
        self.kind, self.arguments, self.values, self.groups = kind, arguments, {}, []

    def named(self, kind):
        return [group for group in self.groups if group.kind == kind]


def parsed(text, file):
    """The library's group."""
    text = re.sub(r"/\*.*?\*/", " ", text.replace("\\\n", " "), flags=re.S)
    tokens = [token.strip('"') if token[0] == '"' else token for token in TOKEN.findall(text)]
    top, open_groups, at = None, [], 0
    try:
        while at < len(tokens):
            if tokens[at] == "}":
                top = open_groups.pop()
                at += 1
            elif tokens[at] == ";":
                at += 1
            elif tokens[at + 1] == ":":
                end = tokens.index(";", at) if ";" in tokens[at:at + 8] else at + 3
                open_groups[-1].values[tokens[at]] = " ".join(tokens[at + 2:end])
                at = end
            else:
                close = tokens.index(")", at)
                arguments = [token for token in tokens[at + 2:close] if token != ","]
                if tokens[close + 1:close + 2] == ["{"]:
                    group = Group(tokens[at], arguments)
                    if open_groups:
                        open_groups[-1].groups.append(group)
                    open_groups.append(group)
                    close += 1
                else:
                    open_groups[-1].values[tokens[at]] = " ".join(arguments)
                at = close + 1
    except (IndexError, ValueError):
        top = None
    if top is None or open_groups or top.kind != "library":
        raise SynthError(f"{file} is not a library in Liberty")
    return top


def pins(cell, direction):
    return [pin for pin in cell.named("pin") if pin.values.get("direction") == direction]


def gate(cell, function):
    """(input, output) of a cell with one of each, if this is what it does of `A`."""
    inputs, outputs = pins(cell, "input"), pins(cell, "output")
    if len(inputs) != 1 or len(outputs) != 1 or cell.named("ff") or cell.named("latch"):
        return None
    said = re.sub(r"[\s()]", "", outputs[0].values.get("function", ""))
    name = inputs[0].arguments[0]
    return (name, outputs[0].arguments[0]) if said in [f.replace("A", name) for f in function] else None


def flop(cell):
    """(clock, data, output) of a flop that has nothing else, on the rising edge."""
    for state in cell.named("ff"):
        data, clock = state.values.get("next_state", ""), state.values.get("clocked_on", "")
        out = [pin.arguments[0] for pin in pins(cell, "output")
               if re.sub(r"[\s()]", "", pin.values.get("function", "")) == state.arguments[0]]
        inputs = {pin.arguments[0] for pin in pins(cell, "input")}
        if {data, clock} == inputs and out and not {"clear", "preset"} & set(state.values):
            return clock, data, out[0]
    return None


def least(cells, what, found):
    """The smallest of the cells that `found` names pins of: (cell, pins)."""
    choice = [(float(cell.values.get("area", 0)), float((pins(cell, "input") or [cell])[0].values.get("capacitance", 0)),
               cell.arguments[0], cell, found(cell)) for cell in cells if found(cell)]
    if not choice:
        raise SynthError(f"the library has no {what}")
    return min(choice)[3:]


def use(file, node, build):
    """Takes this library, of a process of `node` nm, for the rest of this run."""
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise SynthError(f"--liberty: cannot read {file}: {error}") from None
    library = parsed(text, file)
    unit = re.sub(r"\s", "", library.values.get("time_unit", "1ns"))
    if unit != "1ns":
        raise SynthError(f"{file}: its time unit is {unit}; only 1ns is understood")
    load = library.values.get("capacitive_load_unit", "1 pf").lower().split()
    if load[1] not in ("pf", "ff"):
        raise SynthError(f"{file}: its capacitance unit is {' '.join(load)}; pf or ff is understood")
    femto = float(load[0]) * (1000 if load[1] == "pf" else 1)
    cells = [cell for cell in library.named("cell") if cell.values.get("dont_use") != "true"]
    inverter, inverter_pins = least(cells, "inverter", lambda cell: gate(cell, ("!A", "A'")))
    driver, _ = least(cells, "buffer", lambda cell: gate(cell, ("A",)))
    register, register_pins = least(cells, "flop on the rising edge", flop)
    inverter_ff = femto * float(pins(inverter, "input")[0].values["capacitance"])
    technology.take(file, node, cells={cell.arguments[0]: float(cell.values.get("area", 0)) for cell in library.named("cell")},
                    flops={cell.arguments[0] for cell in library.named("cell") if cell.named("ff")},
                    driver=driver.arguments[0], inverter=(inverter.arguments[0], *inverter_pins),
                    register=(register.arguments[0], *register_pins), inverter_ff=inverter_ff, femto=femto,
                    units=units_of(library))
    technology.measure_with(functools.partial(measured, text, build))


def units_of(library):
    """Its lines that say units and thresholds."""
    lines = []
    for key, value in library.values.items():
        if key == "capacitive_load_unit":
            lines.append(f"{key} ({', '.join(value.split())});")
        elif re.fullmatch(r"delay_model|\w+_unit|\w*slew\w*|\w+_threshold_pct_\w+", key):
            lines.append(f'{key} : "{value}";' if key.endswith("_unit") else f"{key} : {value};")
    return lines


def measured(text, build):
    """FO4 and flop of the library, kept under build/synth."""
    from . import measure
    kept = build / "synth" / "libraries" / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not kept.exists():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            clk_to_q, slew, setup = measure.flop(folder)
            found = {"fo4_ns": measure.fo4(folder), "flop_clk_to_q_ns": clk_to_q, "flop_slew_ns": slew,
                     "flop_setup_ns": setup}
        with_folder(kept).write_text(json.dumps(found) + "\n")
    found = json.loads(kept.read_text())
    own = json.loads(technology.MEASURED.read_text())
    ratio = found["fo4_ns"] / own["fo4_ns"]
    read = {key: own["read"][key] * ratio for key in ("ns", "ns_per_address_bit", "ns_per_width_bit")}
    return {**found, "read": read}
