# SPDX-License-Identifier: Apache-2.0
"""Rectangles of metal: of wires, vias and pins, in the die. Integers are 1/1000 um."""
import dataclasses

from . import exchange, lef

VIA_HALF = {"metal6": 250}  # of the square of a via, by its upper layer; every other one of the LEF is 0.4 um wide
USUAL_VIA_HALF = 200


@dataclasses.dataclass(frozen=True)
class Shape:
    layer: str
    x0: int
    y0: int
    x1: int
    y1: int

    def touches(self, other):
        return (self.layer == other.layer and self.x0 <= other.x1 and other.x0 <= self.x1
                and self.y0 <= other.y1 and other.y0 <= self.y1)

    def holds(self, point):
        return self.x0 <= point[0] <= self.x1 and self.y0 <= point[1] <= self.y1

    def overlaps(self, other):
        return (self.layer == other.layer and self.x0 < other.x1 and other.x0 < self.x1
                and self.y0 < other.y1 and other.y0 < self.y1)


def half_width(layer):
    return next(exchange.units(one.width / 2) for one in lef.read().layers if one.name == layer)


def of_wire(wire):
    """A wire reaches half its width beyond its ends."""
    half = half_width(wire.layer)
    (x0, x1), (y0, y1) = sorted((wire.a[0], wire.b[0])), sorted((wire.a[1], wire.b[1]))
    return Shape(wire.layer, x0 - half, y0 - half, x1 + half, y1 + half)


def of_via(via, layer):
    (x, y), half = via.at, VIA_HALF.get(via.upper, USUAL_VIA_HALF)
    return Shape(layer, x - half, y - half, x + half, y + half)


def in_die(plan, place, rectangle):
    """A rectangle of a cell as it was placed."""
    macro = lef.read().macro(place.kind)
    layer, x0, y0, x1, y1 = rectangle
    if place.turned:
        x0, x1 = macro.width - x1, macro.width - x0
    if plan.upside_down(place):
        y0, y1 = macro.height - y1, macro.height - y0
    left, foot = plan.corner_um(place)
    return Shape(layer, *map(exchange.units, (left + x0, foot + y0, left + x1, foot + y1)))


def of_port(plan, port):
    """The square that exchange.pin_lines gave it."""
    layer = lef.read().layers[2 if port.side in ("left", "right") else 1]
    x, y = map(exchange.units, plan.port_um(port))
    half = half_width(layer.name)
    return Shape(layer.name, x - half, y - half, x + half, y + half)


def of_ends(netlist, plan):
    """{(cell or "PIN", pin): its shapes}."""
    found = {("PIN", port.name): [of_port(plan, port)] for port in plan.ports}
    places = {place.name: place for place in plan.cells}
    for cell in netlist.cells:
        place = places[cell.name]
        for pin, rectangles in lef.read().macro(cell.kind).pins.items():
            found[cell.name, pin] = [in_die(plan, place, one) for one in rectangles]
    return found


def blocked(plan):
    """Metal of cells that is no signal pin's."""
    return [in_die(plan, place, one) for place in (*plan.cells, *plan.fillers)
            for one in lef.read().macro(place.kind).blocked]


class Bins:
    """Shapes by place, so that neighbours are found without asking everybody."""

    SIDE = 10000

    def __init__(self):
        self.members = {}

    def over(self, shape):
        for x in range(shape.x0 // self.SIDE, shape.x1 // self.SIDE + 1):
            for y in range(shape.y0 // self.SIDE, shape.y1 // self.SIDE + 1):
                yield shape.layer, x, y

    def add(self, shape, value):
        for where in self.over(shape):
            self.members.setdefault(where, []).append((shape, value))

    def near(self, shape):
        """(shape, value) of what may touch it; some come twice."""
        for where in self.over(shape):
            yield from self.members.get(where, ())
