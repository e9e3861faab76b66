# SPDX-License-Identifier: Apache-2.0
"""DWF Table 1, row by row, and sec. 4.4."""
import dataclasses

from area.model import accuracy
from area.model.report import conclusions_table, percent, table
from area.model.validation import validate

from . import layout
from .facts import number

POINT = "micro07"
UNIT = "warp_formation"  # what holds them all


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of Table 1, and where it is found here."""
    structure: str
    entries: int
    content: str
    bits: int
    implementation: str
    mm2: float
    figure: str  # of `heddle area`
    model: str  # of area/model
    block: str
    shape: str = ""
    instances: int = 1  # of the block

    def twin(self, facts):
        return facts.twin(f"{self.block}.{POINT}{'_' + self.shape if self.shape else ''}")


TABLE_1 = (
    Row("Warp Update Register", 2, "TID 8 x 16, PC 32, REQ 8", 336, "register, no decoder", 0.008,
        "warp update registers", "warp update register", "warp_update_register", "aware", 2),
    Row("PC-Warp LUT", 32, "PC 32, OCC 16, IDX 8", 1792, "2-way, 2RP 2WP", 0.189, "PC-warp LUT", "PC-warp LUT",
        "pc_warp_lut", "aware"),
    Row("Warp Pool", 256, "TID 8 x 16, PC 32, data 8", 43008, "17 decoders, 1RWP 2WP", 0.702, "warp pool", "warp pool",
        "warp_pool"),
    Row("Warp Allocator", 256, "IDX 8", 2048, "memory array", 0.061, "warp allocator", "warp allocator",
        "warp_allocator"),
    Row("Issue Logic (Majority)", 32, "PC 32, counter 8", 1280, "fully assoc., 4RP 4WP", 1.511,
        "issue logic (Majority)", "issue logic (Majority)", "issue_logic", "majority"))


def storage_table(facts):
    bits = {}  # ours, by block of the unit
    for structure in facts.storage(POINT)["structures"]:
        if structure["block"] in facts.parts(UNIT):
            bits[structure["block"]] = bits.get(structure["block"], 0) + structure["ours_bits"]
    all_ours = sum(bits.values())
    rows = []
    for row in TABLE_1:
        found = facts.figure(POINT, f"{row.figure}: bits")
        ours = bits.pop(row.block)
        rows.append((row.structure, row.entries, row.content, f"{row.bits:,}", f"{int(found['here']):,}",
                     found["difference"], f"{ours:,}", found["remark"]))
    for block, ours in bits.items():
        rows.append((f"not in Table 1: {block}", "", "", "", "", "", f"{ours:,}", ""))
    total = facts.figure(POINT, "dynamic warp formation: bits")
    rows.append(("Total", "", "", f"{int(total['paper']):,}", f"{int(total['here']):,}", total["difference"],
                 f"{all_ours:,}", total["remark"]))
    return table(("structure", "entries", "entry, bits", "paper, bits", "here, as the paper counts", "difference",
                  "ours beside them", "remark"), rows, right=(1, 3, 4, 5, 6))


def twin_columns(twin, instances):
    if twin is None:
        return ("-",) * 8
    return (number(instances * twin.logic_mm2), number(instances * twin.memory_mm2), number(instances * twin.mm2),
            f"{instances * twin.cells:,}", f"{instances * twin.flops:,}", f"{instances * twin.memory_bits:,}",
            f"{twin.ns:.2f}", f"{twin.fo4:.0f}")


def area_table(facts):
    models = {r.figure.name: r for r in validate()}
    rows = [(row.structure, row.implementation, f"{row.mm2:.3f}", f"{models[row.model].model:.3f}",
             percent(models[row.model].ratio), *twin_columns(row.twin(facts), row.instances)) for row in TABLE_1]
    paper, model = sum(row.mm2 for row in TABLE_1), sum(models[row.model].model for row in TABLE_1)
    twins = [(row.twin(facts), row.instances) for row in TABLE_1]
    sums = wired = ("-",) * 3
    if all(twin for twin, _ in twins):
        cells, memories = (sum(n * getattr(twin, key) for twin, n in twins) for key in ("logic_mm2", "memory_mm2"))
        sums = map(number, (cells, memories, cells + memories))
        laid = layout.factors()[0] * cells
        wired = map(number, (laid, memories, laid + memories))
    rows.append(("Total", "", f"{paper:.3f}", f"{model:.3f}", percent(model / paper), *sums, "", "", "", "", ""))
    rows.append(("... cells laid out", "", "", "", "", *wired, "", "", "", "", ""))
    return table(("structure", "implementation (paper)", "paper, CACTI 4.2, mm2", "our model, mm2", "error",
                  "our twin: cells, mm2", "memories, mm2", "sum, mm2", "cells", "flops", "bits in memories", "ns",
                  "FO4"), rows, right=range(2, 13))


def text(facts):
    return f"""## DWF Table 1, row by row
At {POINT} (16 warps x 16 lanes, 256 threads), a core. The paper counts 8 of the 16 REQ bits that its text needs; a
counter of 256 threads needs a ninth bit. Both are ours.

{storage_table(facts)}

Area at 90 nm. The paper's figures are memories alone, by CACTI 4.2; so is *our model*. *Our twin* is the whole block: its
cells by synthesis, and by the model the arrays that it has as memories. Where it keeps entries in flip-flops because all
of them are compared at once (PC-warp LUT, issue logic), those are cells. *Laid out*: cells times {layout.factors()[0]:.2f}, as measured
(*From cells to a layout*); the model's memories have their wires.

{area_table(facts)}

{accuracy()}

### Its conclusions, sec. 4.4
{conclusions_table()}

The lane decoders are a difference of two figures of 6 mm2; area/model/README.md says why ours has the other sign.
"""
