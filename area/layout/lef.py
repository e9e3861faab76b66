# SPDX-License-Identifier: Apache-2.0
"""The LEF of the library: outlines and pins of its cells, its routing layers with what their wires take. Distances in um."""
import dataclasses
import functools
import re

from area.synth import SynthError, technology

FILE = "osu018_stdcells.lef"


@dataclasses.dataclass(frozen=True)
class Layer:
    """A routing layer."""
    name: str
    direction: str  # HORIZONTAL or VERTICAL
    pitch: float
    offset: float  # of the first track from a cell's edge
    width: float
    ohm_per_square: float
    pf_per_um2: float
    pf_per_edge_um: float

    @property
    def ohm_per_um(self):
        return self.ohm_per_square / self.width

    @property
    def ff_per_um(self):
        """To the substrate: the wire's face and its two edges. Nothing to its neighbours, of which the LEF says nothing."""
        return 1000 * (self.pf_per_um2 * self.width + 2 * self.pf_per_edge_um)


@dataclasses.dataclass(frozen=True)
class Macro:
    """A cell."""
    name: str
    width: float
    height: float
    pins: dict  # signal pin -> its rectangles (layer, x0, y0, x1, y1)
    blocked: tuple  # rectangles that are no signal pin's: within the cell, and its rails


@dataclasses.dataclass(frozen=True)
class Lef:
    layers: tuple
    macros: dict
    site: tuple  # width and height

    def macro(self, name):
        if name not in self.macros:
            raise SynthError(f"{FILE} has no cell {name}")
        return self.macros[name]


def number(text, key, where):
    found = re.search(rf"\b{key}\s+([\d.eE+-]+)", text)
    if not found:
        raise SynthError(f"{FILE}: {where} has no {key}")
    return float(found[1])


def layer(name, text):
    where = f"layer {name}"
    return Layer(name, re.search(r"DIRECTION\s+(\w+)", text)[1], number(text, "PITCH", where), number(text, "OFFSET", where),
                 number(text, "WIDTH", where), number(text, "RESISTANCE RPERSQ", where),
                 number(text, "CAPACITANCE CPERSQDIST", where), number(text, "EDGECAPACITANCE", where))


def rectangles(text):
    """Of metal, not of cuts."""
    return [(layer, *map(float, rect)) for layer, body in re.findall(r"LAYER (\w+) ;(.*?)(?=LAYER|\Z)", text, re.S)
            if layer.startswith("metal") for rect in re.findall(r"RECT (\S+) (\S+) (\S+) (\S+) ;", body)]


def macro(name, text):
    size = re.search(r"SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", text)
    pins, blocked = {}, rectangles(text.partition("\n  OBS")[2])
    for pin in re.finditer(r"^  PIN (\S+)\n(.*?)^  END \1", text, re.S | re.M):
        if "USE POWER" in pin[2] or "USE GROUND" in pin[2]:
            blocked += rectangles(pin[2])
        else:
            pins[pin[1]] = rectangles(pin[2])
    return Macro(name, float(size[1]), float(size[2]), pins, tuple(blocked))


@functools.lru_cache
def read():
    """The library's."""
    file = technology.FOLDER / FILE
    if not file.exists():
        raise SynthError(f"{file} is missing: install {technology.PACKAGE} (scripts/bootstrap area)")
    text = re.sub(r"(RESISTANCE|CAPACITANCE)\s+", r"\1 ", file.read_text())
    layers = tuple(layer(name, body) for name, body in re.findall(r"^LAYER (\w+)\n(.*?)^END \1", text, re.S | re.M)
                   if re.search(r"TYPE\s+ROUTING", body))
    macros = {name: macro(name, body) for name, body in re.findall(r"^MACRO (\w+)\n(.*?)^END \1", text, re.S | re.M)}
    site = re.search(r"^SITE\s+core\n.*?SIZE\s+([\d.]+)\s+BY\s+([\d.]+)", text, re.S | re.M)
    return Lef(layers, macros, (float(site[1]), float(site[2])))
