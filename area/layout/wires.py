# SPDX-License-Identifier: Apache-2.0
"""What the wires of a net are electrically: which ends hang together, resistance and capacitance from end to end."""
import dataclasses

from . import exchange, lef, routed, shapes

# A via has no resistance in the LEF. The LEF's metals are those of MOSIS' run T3AZ of TSMC's 0.18 um (sheets of 0.08, 0.07
# and 0.03 ohm, 38, 19, 13, 8, 8, 3 aF/um2); its contacts from metal1 are 4.96, 9.57, 14.31, 18.87 and 21.40 ohm, and a via the
# difference of two (TSMC_SCN018_T3AZ.txt, MOSIS parametric test results).
VIA_OHM = {"metal1": 4.96, "metal2": 4.61, "metal3": 4.74, "metal4": 4.56, "metal5": 2.53}
NOTHING_OHM = 0.001  # metal on metal


@dataclasses.dataclass(frozen=True)
class Tree:
    """One net: nodes are numbers, ends among them."""
    ends: dict  # (cell or "PIN", pin) -> node
    ff: dict  # node -> capacitance to the substrate
    ohm: tuple  # (node, node, ohm), without loops
    parts: int  # 1 when all ends hang together


class Union:
    def __init__(self):
        self.parent = {}

    def find(self, one):
        self.parent.setdefault(one, one)
        while self.parent[one] != one:
            self.parent[one] = one = self.parent[self.parent[one]]
        return one

    def join(self, one, other):
        """False where they were together already."""
        one, other = self.find(one), self.find(other)
        self.parent[one] = other
        return one != other


def on(wire, point):
    (x, y), (x0, x1), (y0, y1) = point, sorted((wire.a[0], wire.b[0])), sorted((wire.a[1], wire.b[1]))
    return x0 <= x <= x1 and y0 <= y <= y1


def stops_of(route):
    """By layer: where its wires end and its vias stand."""
    stops = {}
    for wire in route.wires:
        stops.setdefault(wire.layer, set()).update((wire.a, wire.b))
    for via in route.vias:
        for layer in (via.lower, via.upper):
            stops.setdefault(layer, set()).add(via.at)
    return stops


def pieces(route):
    """Its wires, cut at the stops: (layer, point, point)."""
    stops, found = stops_of(route), {}
    for wire in route.wires:
        cuts = sorted(point for point in stops[wire.layer] if on(wire, point))
        found.update({(wire.layer, a, b): None for a, b in zip(cuts, cuts[1:])})  # what is laid twice is there once
    return list(found)


def metal_of(route):
    """(shape, (layer, point)) of each piece and of both sides of each via."""
    for layer, a, b in pieces(route):
        yield shapes.of_wire(routed.Wire(layer, a, b)), (layer, a)
    for via in route.vias:
        for layer in (via.lower, via.upper):
            yield shapes.of_via(via, layer), (layer, via.at)


def tree(ends, route):
    """ends: {end: shapes}. Metal that touches is one; what is joined twice is so by its first wire, since trees are what
    timing takes."""
    layers = {one.name: one for one in lef.read().layers}
    union, ohm, ff = Union(), [], {}

    def link(a, b, resistance):
        if union.join(a, b):
            ohm.append((a, b, resistance))

    for layer, a, b in pieces(route):
        length = (abs(a[0] - b[0]) + abs(a[1] - b[1])) / exchange.PER_UM
        for end in (a, b):
            ff[layer, end] = ff.get((layer, end), 0) + length * layers[layer].ff_per_um / 2
        link((layer, a), (layer, b), length * layers[layer].ohm_per_um)
    for via in route.vias:
        link((via.lower, via.at), (via.upper, via.at), VIA_OHM[via.lower])
    metal, bins = list(metal_of(route)), shapes.Bins()
    for shape, node in metal:
        bins.add(shape, node)
    for touch_centre in (True, False):  # an end hangs on the point that lies in it, else on whatever touches it
        for end, own in ends.items():
            for shape in own:
                for other, node in bins.near(shape):
                    if shape.touches(other) and (not touch_centre or shape.holds(node[1])):
                        link(("end", end), node, NOTHING_OHM)
    for shape, node in metal:  # what touches without a common point
        for other, partner in bins.near(shape):
            if shape.touches(other):
                link(node, partner, NOTHING_OHM)
    numbers = {}
    for node in [*(("end", end) for end in ends), *union.parent]:
        numbers.setdefault(node, len(numbers) + 1)
    return Tree({end: numbers["end", end] for end in ends}, {numbers[node]: value for node, value in ff.items()},
                tuple((numbers[a], numbers[b], value) for a, b, value in ohm),
                len({union.find(("end", end)) for end in ends}))


def shorts(plan, netlist, routes):
    """Pairs of nets whose metal overlaps, and nets that lie on a cell's own metal."""
    bins, found = shapes.Bins(), set()
    net_of = {end: net for net, ends in netlist.nets().items() for end in ends}
    for end, own in shapes.of_ends(netlist, plan).items():
        for shape in own:
            bins.add(shape, net_of.get(end, f"{end[0]}/{end[1]}"))
    for shape in shapes.blocked(plan):
        bins.add(shape, "a cell")
    for net, route in routes.items():
        for shape, _ in metal_of(route):
            found.update(tuple(sorted((net, other))) for metal, other in bins.near(shape)
                         if other != net and shape.overlaps(metal))
        for shape, _ in metal_of(route):
            bins.add(shape, net)
    return sorted(found)
