# SPDX-License-Identifier: Apache-2.0
"""The layout of a twin under build/synth. What takes long, Graywolf's and qrouter's files, is kept by the content of all that
it depends on; what is read from them is worked out anew."""
import ast
import hashlib
import json
import pathlib
import subprocess

from area.synth import SynthError, flow, inventory, technology

from . import block, floorplan, lef, netlist, placer, router

SECONDS = 3600  # for one run of Graywolf or qrouter
HERE = pathlib.Path(__file__).resolve().parent
TOOL = [HERE / name for name in ("exchange.py", "floorplan.py", "lef.py", "netlist.py", "placer.py", "router.py")]


def versions():
    """Of the two programs, as Debian has them."""
    try:
        return subprocess.run(["dpkg-query", "-W", placer.PROGRAM, router.PROGRAM], text=True, capture_output=True).stdout
    except FileNotFoundError:  # not a Debian
        return ""


def content_of(module):
    digest = hashlib.sha256((json.dumps(module["cells"]) + json.dumps(module["ports"]) + versions()).encode())
    for file in TOOL:  # as it is understood: a comment changes nothing
        digest.update(ast.dump(ast.parse(file.read_text())).encode())
    digest.update((technology.FOLDER / lef.FILE).read_bytes())
    return digest.hexdigest()


def mapped(build, twin, say=lambda what: None):
    """(what `heddle area` says, figures of the mapped twin, its module), refusing what has memories that are no cells."""
    found = inventory.report(build, twin.point, twin.overrides, twin.block)
    known = flow.synthesised(build, twin, found, say=say)
    if known["boxes"]:
        arrays = ", ".join(f"{one['structure']} ({one['words']} x {one['width']})" for one in known["boxes"])
        raise SynthError(f"{twin.name}: {arrays}: a memory that is a black box has no outline to place; a smaller --point "
                         "has it as flops")
    module = json.loads((flow.folder_of(build, twin) / "cells.json").read_text())["modules"][twin.block]
    return found, known, module


def placed_and_routed(name, module, folder, seconds, say):
    """(Layout, CPU seconds), from the folder where nothing changed."""
    stamp, content = folder / "content.json", content_of(module)
    if stamp.exists() and (kept := json.loads(stamp.read_text()))["content"] == content:
        cells = netlist.of_module(module, name)
        plan = floorplan.made(cells, *placer.read(folder / placer.RESULT))
        return block.read_back(cells, plan, (folder / router.ROUTED).read_text()), kept["cpu_seconds"]
    laid, spent = block.cpu(lambda: block.placed_and_routed(name, module, folder, seconds, say))
    stamp.write_text(json.dumps({"content": content, "cpu_seconds": spent}) + "\n")
    return laid, spent


def laid_out(build, twin, folder=None, seconds=SECONDS, say=lambda what: None):
    """(figures, Layout) of a twin; in build/synth, or in a folder."""
    found, known, module = mapped(build, twin, say)
    folder = folder or folder_of(build, twin)
    laid, spent = placed_and_routed(twin.name, module, folder, seconds, say)
    say("times")
    figures = block.figures(twin.block, module, laid, folder, found)
    if abs(figures["ns"] - known["ns"]) > 0.001:
        raise SynthError(f"{twin.name}: the netlist under its plain names takes {figures['ns']} ns, cells.v "
                         f"{known['ns']:.3f}")
    return {"of": twin.digest, **figures, "cpu_seconds": spent}, laid


def folder_of(build, twin):
    return flow.folder_of(build, twin) / "layout"
