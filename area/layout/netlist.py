# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist with names that every tool takes: cells c<N>, ports p<N> (or their own, if they are one plain word), nets
n<N>, or as their first port. Graywolf and qrouter stumble over brackets and backslashes."""
import dataclasses

from area.synth import SynthError


@dataclasses.dataclass(frozen=True)
class Cell:
    name: str
    kind: str
    pins: dict  # pin -> net


@dataclasses.dataclass(frozen=True)
class Pin:
    """A port of the block, a bit of it."""
    name: str
    port: str  # as the block has it: name[index]
    net: str
    direction: str  # input or output


@dataclasses.dataclass(frozen=True)
class Netlist:
    cells: tuple
    pins: tuple
    lone: tuple  # ports of one end only, as the block has them: constant, or that nobody reads

    def nets(self):
        """Net -> its ends (cell or "PIN", pin); two at least."""
        found = {}
        for pin in self.pins:
            found.setdefault(pin.net, []).append(("PIN", pin.name))
        for cell in self.cells:
            for pin, net in cell.pins.items():
                found.setdefault(net, []).append((cell.name, pin))
        return {net: ends for net, ends in found.items() if len(ends) > 1}


def of_module(module, where):
    """From Yosys' JSON."""
    ends, names = {}, {}
    bits = [bits[0] for cell in module["cells"].values() for bits in cell["connections"].values()]
    ports = [(f"{name}[{i + port.get('offset', 0)}]" if len(port["bits"]) > 1 else name, bit, port["direction"])
             for name, port in module["ports"].items() for i, bit in enumerate(port["bits"])]
    for bit in [*bits, *(bit for _, bit, _ in ports)]:
        ends[bit] = ends.get(bit, 0) + 1
    pins, lone = [], []
    for i, (port, bit, direction) in enumerate(ports):
        if isinstance(bit, str) or ends[bit] == 1:
            lone.append(port)
            continue
        name = port if "[" not in port else f"p{i}"
        pins.append(Pin(name, port, names.setdefault(bit, name), direction))
    constant = [f"{name}.{pin}" for name, cell in module["cells"].items() for pin, bits in cell["connections"].items()
                if isinstance(bits[0], str)]
    if constant:
        raise SynthError(f"{where}: the library has no cell that ties {', '.join(constant[:5])} to a constant")
    cells = tuple(Cell(f"c{i}", cell["type"], {pin: names.get(bits[0], f"n{bits[0]}")
                                               for pin, bits in cell["connections"].items()})
                  for i, cell in enumerate(module["cells"].values()))
    return Netlist(cells, tuple(pins), tuple(lone))
