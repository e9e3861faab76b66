# SPDX-License-Identifier: Apache-2.0
"""What qrouter laid: wires and vias of each net, read from its DEF. Integers are 1/1000 um, as exchange.py writes them."""
import dataclasses
import re

from area.synth import SynthError

from . import exchange, lef


@dataclasses.dataclass(frozen=True)
class Wire:
    """A straight piece; its two ends."""
    layer: str
    a: tuple
    b: tuple

    @property
    def length(self):
        return abs(self.a[0] - self.b[0]) + abs(self.a[1] - self.b[1])


@dataclasses.dataclass(frozen=True)
class Via:
    lower: str
    upper: str
    at: tuple


@dataclasses.dataclass(frozen=True)
class Route:
    wires: tuple
    vias: tuple


def via_layers(name):
    """M2_M1 leads from metal1 to metal2."""
    found = re.fullmatch(r"M([2-6])_M([1-5])", name)
    if not found or int(found[1]) != int(found[2]) + 1:
        raise SynthError(f"routed DEF: no via of {lef.FILE} is called {name}")
    return f"metal{found[2]}", f"metal{found[1]}"


def path(words, where):
    """The wires and vias of one path: layer ( x y ) ( x * ) VIA ..., where * stands for the value before."""
    layer, at, wires, vias = words[0], None, [], []
    rest = iter(words[1:])
    for word in rest:
        if word == "(":
            x, y, close = next(rest), next(rest), next(rest)
            if close != ")" or at is None and "*" in (x, y):
                raise SynthError(f"routed DEF: {where}: no point of a path: ( {x} {y} {close}")
            to = (at[0] if x == "*" else int(x), at[1] if y == "*" else int(y))
            if at is not None:
                if at[0] != to[0] and at[1] != to[1]:
                    raise SynthError(f"routed DEF: {where}: a slanting wire from {at} to {to}")
                wires.append(Wire(layer, at, to))
            at = to
        else:
            vias.append(Via(*via_layers(word), at))
    return wires, vias


def read(text):
    """{net: Route} of the wires that qrouter laid. It repeats wire ends at pins as special nets, which add nothing."""
    nets = re.search(r"^NETS \d+ ;\n(.*?)^END NETS", text, re.S | re.M)
    if not nets:
        raise SynthError("routed DEF: no NETS")
    found = {}
    for body in re.split(r"^- ", nets[1], flags=re.M)[1:]:
        name = body.split()[0]
        _, routed, laid = body.partition("+ ROUTED")
        wires, vias = [], []
        if routed:
            for part in laid.rstrip().removesuffix(";").split("NEW"):
                more_wires, more_vias = path(part.split(), name)
                wires += more_wires
                vias += more_vias
        found[name] = Route(tuple(wires), tuple(vias))
    return found


def lengths_um(routes):
    """um of wire by layer."""
    found = {one.name: 0 for one in lef.read().layers}
    for route in routes.values():
        for wire in route.wires:
            found[wire.layer] += wire.length
    return {name: length / exchange.PER_UM for name, length in found.items() if length}
