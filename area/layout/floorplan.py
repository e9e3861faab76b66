# SPDX-License-Identifier: Apache-2.0
"""From what Graywolf says to a die: rows of sites one on the other, every second upside down, so that they share a rail;
cells on sites, filler cells between them, ports on tracks at the rim. Integers are sites, rows and tracks."""
import dataclasses

from area.synth import SynthError

from . import lef, placer

MARGIN = (4, 3)  # tracks between core and rim; ours
LAYERS = 6  # that signals are routed in: all. In four, 549 of a dual-path stack's 6,936 nets stayed unrouted


@dataclasses.dataclass(frozen=True)
class Place:
    name: str
    kind: str
    site: int
    row: int  # from 0
    turned: bool


@dataclasses.dataclass(frozen=True)
class Port:
    name: str
    side: str
    track: int  # of the die, along the side


@dataclasses.dataclass(frozen=True)
class Floorplan:
    sites: int  # in a row
    rows: int
    cells: tuple  # Place
    fillers: tuple  # Place
    ports: tuple  # Port

    def site_um(self):
        return lef.read().site

    @property
    def core_um(self):
        """Width and height."""
        width, height = self.site_um()
        return self.sites * width, self.rows * height

    @property
    def tracks(self):
        """Vertical ones from left to right, horizontal ones from bottom to top."""
        layers = lef.read().layers
        return (self.sites + 2 * MARGIN[0],
                round(self.rows * self.site_um()[1] / layers[0].pitch) + 2 * MARGIN[1])

    @property
    def die_um(self):
        layers = lef.read().layers
        return self.tracks[0] * layers[1].pitch, self.tracks[1] * layers[0].pitch

    def corner_um(self, place):
        """Left and foot of a cell, in the die."""
        layers = lef.read().layers
        width, height = self.site_um()
        return MARGIN[0] * layers[1].pitch + place.site * width, MARGIN[1] * layers[0].pitch + place.row * height

    def port_um(self, port):
        layers = lef.read().layers
        across, up = self.tracks
        x = {"left": 0, "right": across - 1}.get(port.side, port.track) * layers[1].pitch + layers[1].offset
        y = {"bottom": 0, "top": up - 1}.get(port.side, port.track) * layers[0].pitch + layers[0].offset
        return x, y

    @staticmethod
    def upside_down(place):
        return place.row % 2 == 1


def nearest_free(wanted, taken, last, what):
    """The track next to `wanted` that nobody has."""
    for distance in range(last + 1):
        for track in (wanted - distance, wanted + distance):
            if 0 <= track <= last and track not in taken:
                return track
    raise SynthError(f"no track is left for {what}: {len(taken)} ports on a side of {last + 1} tracks")


def on_sites(netlist, cells):
    """Places of the cells, and sites of the longest row."""
    macros, width = lef.read(), lef.read().site[0]
    left = min(one.x for one in cells.values())
    places = [Place(cell.name, cell.kind, round((cells[cell.name].x - left) / width), cells[cell.name].row - 1,
                    cells[cell.name].turned) for cell in netlist.cells]
    ends, most = {}, 0
    for place in sorted(places, key=lambda p: (p.row, p.site)):
        if place.site < ends.get(place.row, 0):
            raise SynthError(f"{place.name} ({place.kind}) lies on its neighbour in row {place.row}, site {place.site}")
        ends[place.row] = place.site + round(macros.macro(place.kind).width / width)
        most = max(most, ends[place.row])
    return tuple(places), most


def fillers_between(places, sites, rows):
    macros, width = lef.read(), lef.read().site[0]
    free = {(row, site) for row in range(rows) for site in range(sites)}
    for place in places:
        free -= {(place.row, place.site + i) for i in range(round(macros.macro(place.kind).width / width))}
    return tuple(Place(f"f{i}", "FILL", site, row, False) for i, (row, site) in enumerate(sorted(free)))


def made(netlist, cells, ports):
    """cells, ports: of placer.run."""
    missing = [cell.name for cell in netlist.cells if cell.name not in cells]
    missing += [pin.name for pin in netlist.pins if pin.name not in ports]
    if missing:
        raise SynthError(f"{placer.PROGRAM} did not place {', '.join(missing[:5])}")
    places, sites = on_sites(netlist, cells)
    rows = 1 + max(place.row for place in places)
    plan = Floorplan(sites, rows, places, fillers_between(places, sites, rows), ())
    layers, across_up = lef.read().layers, plan.tracks
    left, foot = min(one.x for one in cells.values()), min(one.y for one in cells.values())
    taken, found = {}, []
    for pin in netlist.pins:
        side = placer.SIDES[ports[pin.name].row]
        upright = side in ("left", "right")
        at = ((ports[pin.name].y - foot) / layers[0].pitch + MARGIN[1] if upright else
              (ports[pin.name].x - left) / layers[1].pitch + MARGIN[0])
        track = nearest_free(int(at), taken.setdefault(side, set()), across_up[upright] - 1, pin.port)
        taken[side].add(track)
        found.append(Port(pin.name, side, track))
    return dataclasses.replace(plan, ports=tuple(found))
