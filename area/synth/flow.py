# SPDX-License-Identifier: Apache-2.0
"""One twin from source to figures. What Yosys and OpenSTA found is kept under build/synth by the content of all that it
depends on, so that a second run is instantaneous."""
import ast
import fcntl
import hashlib
import json
import pathlib
import resource
import subprocess

from area.model.structures import cost_row

from . import SynthError, blocks, boxes as box, inventory, naming, technology, timing, yosys

TARGET_NS = 5  # what abc aims at when it chooses and sizes cells
SECONDS = 600  # for one run of Yosys
RULER = 2  # counts up when a memory takes another time or area than before: 2 has the area model's times
# Outputs on the way of a loop through several blocks, whose arrival is kept beside the longest path of the loop.
STAGES = {"issue_slice": ("hazard_o", "grant_o")}
SMALL = "tiny"  # the design point that says what is a memory where a twin is at none
HERE = pathlib.Path(__file__).resolve().parent
TOOL = [HERE / name for name in ("yosys.py", "boxes.py", "timing.py", "technology.py")]
TOOL += [HERE.parent / "model" / name for name in ("access.py", "constants.py", "memory.py")]


def cpu_seconds():
    """Of the programs that were run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def yosys_version():
    try:
        return subprocess.run(["yosys", "-V"], text=True, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise SynthError("yosys is missing: scripts/bootstrap test") from None


def content_of(twin, memories, target_ns):
    """A digest of everything that the netlist depends on. memories: what is a RAM or a CAM."""
    digest = hashlib.sha256(yosys_version().encode())
    for file in TOOL:  # as it is understood: a comment changes nothing
        digest.update(ast.dump(ast.parse(file.read_text())).encode())
    for file in (technology.MEASURED, technology.LIBERTY):
        digest.update(file.read_bytes())
    digest.update(repr((twin.block, twin.texts(), memories, target_ns, technology.own and technology.measured())).encode())
    return digest.hexdigest()


def memories_of(found):
    return sorted({(row["block"].split(" ")[0], row["structure"], row["ports"]) for row in found["structures"]
                   if row["kind"] in ("RAM", "CAM")})


def folder_of(build, twin):
    place = build / "synth"
    if technology.own:  # a folder a library
        place /= f"libraries/{technology.LIBERTY.stem}"
    return place / twin.name


def synthesised(build, twin, found, target_ns=TARGET_NS, seconds=SECONDS, say=lambda what: None):
    """Figures of the logic, from the cache where nothing changed. found: the report of `heddle area`, for what is a
    memory. The folder holds cells.v, boxes.v (for simulation) and the logs."""
    technology.cell_areas()  # before anything long: says when the library is missing
    folder = folder_of(build, twin)
    folder.mkdir(parents=True, exist_ok=True)
    content = content_of(twin, memories_of(found), target_ns)
    with open(folder / "lock", "w") as lock:  # two tests may want the same twin at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        return kept_or_made(folder, content, twin, found, target_ns, seconds, say)


def kept_or_made(folder, content, twin, found, target_ns, seconds, say):
    file = folder / "figures.json"
    if file.exists():
        kept = json.loads(file.read_text())
        if kept["content"] == content:
            return kept
        file.unlink()
    began = cpu_seconds()
    say("elaborates")
    bits, memories = yosys.elaborate(twin, folder, seconds)
    names = box.to_box(memories, found)
    if clocked := [name for name, at_edge in names if at_edge]:
        memories = yosys.clock_reads(twin, folder, clocked, seconds)
    boxes = box.boxes_of(memories, found, {name for name, _ in names})
    (folder / "boxes.v").write_text("".join(map(box.behaviour, boxes)))
    (folder / "boxes_empty.v").write_text("".join(map(box.empty_module, boxes)))
    (folder / "boxes.lib").write_text(box.liberty(boxes))
    for one in boxes:
        (folder / f"box_{one.module}.v").write_text(box.techmap(one))
    say("maps")
    module = yosys.to_cells(twin, boxes, folder, target_ns, seconds)
    say("times")
    path = timing.longest(twin.block, bool(boxes), folder)
    start, through, end = timing.described(path, module, boxes)
    stages = {port: round(timing.longest(twin.block, bool(boxes), folder, f"-to [get_ports {port}*]").ns, 3)
              for port in STAGES.get(twin.block, ())}
    areas = technology.cell_areas()
    kinds = [cell["type"] for cell in module["cells"].values()]
    modules = {one.module for one in boxes}
    unknown = {kind for kind in kinds if kind not in areas and kind not in modules}
    if unknown or modules - set(kinds):
        raise SynthError(f"{twin.name}: cells of no library: {sorted(unknown)}; memories that were lost: "
                         f"{sorted(modules - set(kinds))}")
    kept = {"content": content, "block": twin.block, "shape": twin.shape, "point": twin.point, "bits": bits,
            "boxes": [{"array": one.cell, "block": one.row["block"].split(" ")[0], "structure": one.row["structure"],
                       "words": one.words, "width": one.width, "read_ports": len(one.reads),
                       "write_ports": len(one.writes), "built": one.built,
                       "at_once": any(port.address and not port.clocked for port in one.reads),
                       "access_ns": round(one.times()[0], 4)} for one in boxes],
            "cells": len(kinds) - len(boxes), "flops": sum(map(technology.is_flop, kinds)),
            "um2": sum(areas.get(kind, 0) for kind in kinds), "ns": path.ns, "fo4": technology.fo4(path.ns),
            "path": {"from": start, "through": through, "to": end}, "stages": stages, "cpu_seconds": round(cpu_seconds() - began, 1)}
    file.write_text(json.dumps(kept, indent=1) + "\n")
    return kept


# ---- beside it: storage, and the area of the memories ----
def memory_costs(figures, found, lanes):
    """[(structure, array bits, Cost at the library's node)] of the black boxes of one instance of a block."""
    groups = {}
    for one in figures["boxes"]:
        groups.setdefault((one["block"], one["structure"]), []).append(one)
    costs = []
    for (block, structure), members in groups.items():
        bits = sum(one["words"] * one["width"] for one in members)
        row = next(r for r in inventory.rows_of(found, block) if r["structure"] == structure)
        if inventory.bits(row) != bits * row["instances"]:
            raise SynthError(f"{block}.{structure}: `heddle area` has {inventory.bits(row)} bits in {row['instances']} "
                             f"instances, the twin {bits}")
        one_instance = {**row, "entries": row["entries"] // row["instances"], "instances": 1}
        costs.append((structure, bits, cost_row(one_instance, lanes, technology.NODE)))
    return costs


def figures_of(build, twin, target_ns=TARGET_NS, seconds=SECONDS, say=lambda what: None):
    """Logic, storage and memories of a twin; areas in mm2 at the library's node. A corner of a bench, or a
    changed parameter, is no design point: nobody says how its memories are divided, and their area is None."""
    corner = not blocks.is_design_point(twin)
    where = (SMALL,) if corner else (twin.point, twin.overrides, twin.block)
    say("asks for its storage")
    found = inventory.report(build, *where)
    figures = synthesised(build, twin, found, target_ns, seconds, say)
    figures["at"] = " ".join([twin.point, *(f"{key}={value}" for key, value in twin.overrides)])
    figures["node"] = technology.NODE
    figures["logic_mm2"] = figures["um2"] * 1e-6
    figures["memory_bits"] = sum(one["words"] * one["width"] for one in figures["boxes"])
    if corner:
        return {**figures, "paper_bits": None, "ours_bits": None, "memory_mm2": None, "mm2": None, "memories": []}
    named = {end: naming.in_words(figures["path"][end], found, twin.block) for end in ("from", "to")}
    values = blocks.point_values(twin.point, blocks.of_point(twin.overrides))
    costs = memory_costs(figures, found, values["lanes"])
    problems = [f"{structure}: {cost.problem}" for structure, _, cost in costs if cost.problem]
    if problems:
        raise SynthError(f"{figures['block']}: the area model refuses {'; '.join(problems)}")
    paper, ours = inventory.storage(found, twin.block, figures["bits"]) or (None, None)
    memory = sum(cost.built_mm2 for _, _, cost in costs)
    return {**figures, "path": {**figures["path"], **named}, "paper_bits": paper, "ours_bits": ours,
            "memory_mm2": memory, "mm2": figures["logic_mm2"] + memory,
            "memories": [{"structure": structure, "bits": bits, "mm2": cost.built_mm2, "array_mm2": cost.mm2,
                          "ports": cost.ports, "kind": cost.kind, "assumptions": list(cost.assumptions)}
                         for structure, bits, cost in costs]}


AREAS = ("logic_mm2", "memory_mm2", "mm2")


def scaled(figures, node):
    """Areas at another node, by the square of the feature size, as the area model scales (M8). Times are not scaled."""
    factor = (node / figures["node"]) ** 2
    memories = [{**one, "mm2": one["mm2"] * factor} for one in figures["memories"]]
    areas = {key: None if figures[key] is None else figures[key] * factor for key in AREAS}
    return {**figures, **areas, "memories": memories, "node": node}
