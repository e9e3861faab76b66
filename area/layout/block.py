# SPDX-License-Identifier: Apache-2.0
"""One block from mapped cells to a die, and the figures of it."""
import dataclasses
import shutil

from area.synth import SynthError, naming, technology, timing as paths
from area.synth.flow import cpu_seconds

from . import exchange, floorplan, lef, netlist, placer, routed, router, shapes, timing, wires


@dataclasses.dataclass(frozen=True)
class Layout:
    netlist: netlist.Netlist
    plan: floorplan.Floorplan
    routes: dict  # net -> routed.Route
    trees: dict  # net -> wires.Tree
    shorts: list  # of pairs of nets


def placed_and_routed(name, module, folder, seconds, say=lambda what: None):
    """module: as Yosys has it in cells.json."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cells = netlist.of_module(module, name)
    say("places")
    plan = floorplan.made(cells, *placer.run(cells, folder, seconds))
    (folder / router.PLACED).write_text(exchange.text("block", cells, plan))
    say("routes")
    return read_back(cells, plan, router.run(folder, seconds))


def read_back(cells, plan, text):
    """What a routed DEF says of these nets."""
    routes, ends = routed.read(text), shapes.of_ends(cells, plan)
    nets = cells.nets()
    if missing := sorted(set(nets) - set(routes)):
        raise SynthError(f"{router.ROUTED} has no net {', '.join(missing[:5])}")
    trees = {net: wires.tree({end: ends[end] for end in of_net}, routes[net]) for net, of_net in nets.items()}
    return Layout(cells, plan, routes, trees, wires.shorts(plan, cells, routes))


def ends_of(path, laid, module, where, found):
    """A path's ends as the RTL has them."""
    names = {f"c{i}": name for i, name in enumerate(module["cells"])}
    ports = {pin.name: pin.port for pin in laid.netlist.pins}

    def in_module(pin):
        cell, slash, of_cell = pin.partition("/")
        return f"{names[cell]}/{of_cell}" if slash else ports[pin]

    known = paths.Path(path.ns, tuple((at, in_module(pin)) for at, pin in path.points))
    start, _, end = paths.described(known, module, [])
    return " -> ".join(naming.in_words(one, found, where) for one in (start, end))


def figures(top, module, laid, folder, found):
    """Everything that is committed. found: of `heddle area`, for names."""
    bare, wired, twice = timing.longest(top, laid.netlist, laid.trees, folder)
    macros = lef.read()
    outlines = sum(macros.macro(cell.kind).width * macros.macro(cell.kind).height for cell in laid.netlist.cells)
    core, die = ((width * height) for width, height in (laid.plan.core_um, laid.plan.die_um))
    areas = technology.cell_areas()
    lengths = routed.lengths_um(laid.routes)
    return {"cells": len(laid.netlist.cells), "nets": len(laid.trees), "ports": len(laid.netlist.pins),
            "unrouted": sum(tree.parts > 1 for tree in laid.trees.values()), "shorts": len(laid.shorts),
            "rows": laid.plan.rows, "cells_um2": round(sum(areas[cell.kind] for cell in laid.netlist.cells), 1),
            "outlines_um2": round(outlines, 1), "core_um2": round(core, 1), "die_um2": round(die, 1),
            "wire_um": {name: round(um) for name, um in lengths.items()},
            "vias": sum(len(route.vias) for route in laid.routes.values()),
            "wire_pf": round(sum(sum(tree.ff.values()) for tree in laid.trees.values()) / 1000, 3),
            "ns": round(bare.ns, 3), "wired_ns": round(wired.ns, 3), "twice_ns": round(twice.ns, 3),
            "path": ends_of(bare, laid, module, top, found), "wired_path": ends_of(wired, laid, module, top, found)}


def cpu(of):
    """What `of` returns, and the CPU seconds that its programs took."""
    began = cpu_seconds()
    return of(), round(cpu_seconds() - began, 1)
