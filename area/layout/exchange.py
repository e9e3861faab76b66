# SPDX-License-Identifier: Apache-2.0
"""DEF: a floorplan as qrouter reads it, and what it adds."""
from . import floorplan, lef

PER_UM = 1000


def units(um):
    return round(um * PER_UM)


def orientation(plan, place):
    return ("FS", "S")[place.turned] if plan.upside_down(place) else ("N", "FN")[place.turned]


def point(x, y):
    return f"( {units(x)} {units(y)} )"


def track_lines(plan):
    """Of the layers on the common grid. Metal6 has twice the pitch: qrouter takes every second track of metal4 by itself."""
    layers = lef.read().layers
    for one in layers[:floorplan.LAYERS]:
        if one.pitch not in (layers[0].pitch, layers[1].pitch):
            continue
        along = one.direction == "HORIZONTAL"
        yield (f"TRACKS {'Y' if along else 'X'} {units(one.offset)} DO {plan.tracks[along]} STEP {units(one.pitch)} "
               f"LAYER {one.name} ;")


def row_lines(plan):
    width, _ = plan.site_um()
    for row in range(plan.rows):
        first = floorplan.Place("", "FILL", 0, row, False)
        x, y = plan.corner_um(first)
        yield (f"ROW row_{row} core {units(x)} {units(y)} {orientation(plan, first)} DO {plan.sites} BY 1 "
               f"STEP {units(width)} 0 ;")


def pin_lines(netlist, plan):
    """A square of metal as wide as a wire, in the layer that leads inwards. Without `+ NET`: qrouter 1.4 then looks for
    the port under the name of its net, does not find it, and leaves it alone without a word."""
    ports = {port.name: port for port in plan.ports}
    for pin in netlist.pins:
        port = ports[pin.name]
        layer = lef.read().layers[2 if port.side in ("left", "right") else 1]
        half = layer.width / 2
        yield (f"- {pin.name} + DIRECTION {pin.direction.upper()}\n  + LAYER {layer.name} "
               f"{point(-half, -half)} {point(half, half)} + PLACED {point(*plan.port_um(port))} N ;")


def text(name, netlist, plan):
    """The placed block, its nets without wires."""
    components = [f"- {place.name} {place.kind} + PLACED {point(*plan.corner_um(place))} {orientation(plan, place)} ;"
                  for place in (*plan.cells, *plan.fillers)]
    nets = [f"- {net}\n" + "\n".join(f"  ( {cell} {pin} )" for cell, pin in ends) + " ;"
            for net, ends in netlist.nets().items()]
    return "\n".join([
        "VERSION 5.6 ;", "NAMESCASESENSITIVE ON ;", 'DIVIDERCHAR "/" ;', 'BUSBITCHARS "[]" ;', f"DESIGN {name} ;",
        f"UNITS DISTANCE MICRONS {PER_UM} ;", f"DIEAREA {point(0, 0)} {point(*plan.die_um)} ;",
        *row_lines(plan), *track_lines(plan),
        f"COMPONENTS {len(components)} ;", *components, "END COMPONENTS",
        f"PINS {len(netlist.pins)} ;", *pin_lines(netlist, plan), "END PINS",
        f"NETS {len(nets)} ;", *nets, "END NETS", "END DESIGN", ""])
