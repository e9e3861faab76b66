# SPDX-License-Identifier: Apache-2.0
"""DPE sec. 6.5, sentence by sentence."""
from area.model.report import table

from .facts import number, ratio

POINT = "hpca13"
SPE, DPE = "single_path_stack", "dual_path_stack"
SHALLOW = "hpca13,spe_depth=11,dpe_depth=7"  # as deep as the paper's benchmarks went


def stack_lines(facts):
    def line(what):
        f = facts.figure(POINT, what)
        return f["paper"], f["here"], f["difference"], f["remark"]
    yield ("each stack entry with DPE requires 160 bits", *line(f"{DPE}: bits an entry"))
    yield ("the SPE stack requires 96 bits", *line(f"{SPE}: bits an entry"))
    for name, block, depth in (("SPE", SPE, 11), ("DPE", DPE, 7)):
        yield (f"maximum depth {depth} with {name}: bits a warp",
               *line(f"{block}: bits a warp at the paper's depth of {depth}"))
    for name, depth in (("SPE", 11), ("DPE", 7)):
        ours, kernel = facts.deepest(name.lower())
        yield (f"maximum depth with {name}", f"{depth}", f"{ours}", f"{ours - depth:+d}" if ours != depth else "0",
               f"of our kernels, {kernel} (`heddle run all`)")
    paper = (7 * 160) / (11 * 96)
    here = [int(facts.figure(POINT, f"{block}: bits a warp at the paper's depth of {depth}")["here"])
            for block, depth in ((DPE, 7), (SPE, 11))]
    yield ("a very similar overall size of structure: DPE over SPE", f"{paper:.2f}", ratio(*here), "",
           "bits, at the paper's depths")
    for point, remark in ((SHALLOW, "mm2, cells and memories, at the paper's depths"),
                          (POINT, f"mm2, as deep as no kernel can overflow")):
        spe, dpe = facts.twin(f"{SPE}.{point}"), facts.twin(f"{DPE}.{point}")
        if spe and dpe:
            yield ("... the same as area", "", ratio(dpe.mm2, spe.mm2), "", remark)
            yield ("... and as cells beside the memories", "", ratio(dpe.logic_mm2, spe.logic_mm2), "",
                   f"{dpe.ns:.1f} against {spe.ns:.1f} ns")


def scoreboard_lines(facts):
    shadow = facts.figure(POINT, "scoreboard: shadow bits, share of an entry")
    yield ("the shadow bit accounts for 7-14% of the scoreboard storage", shadow["paper"], shadow["here"],
           shadow["difference"], shadow["remark"])
    both = facts.figure(POINT, "scoreboard: entries, dual over single")
    yield ("the two paths roughly double the cost of the scoreboard: entries", both["paper"], both["here"],
           both["difference"], both["remark"])
    for point in (POINT, "tiny"):
        dual, single = (facts.twin(f"scoreboard.{point}_{shape}") for shape in ("shadow", "baseline"))
        if dual and single:
            yield ("... bits of the block", "about 2", ratio(dual.bits, single.bits), "",
                   f"{point}: {dual.bits:,} against {single.bits:,}, shadow bits and all")
            yield ("... area", "about 2", ratio(dual.mm2, single.mm2), "",
                   f"{point}: {number(dual.mm2, 4)} against {number(single.mm2, 4)} mm2")
            yield ("the additional logic is very simple: longest path", "", f"{dual.ns - single.ns:+.2f} ns", "",
                   f"{point}: {dual.ns:.2f} against {single.ns:.2f} ns")
            break


def measured_pair(facts, block, dual, single):
    """[(point, row, row)] of two shapes of a block at the first point where both were measured."""
    rows = [(point, *(facts.twin(f"{block}.{point}_{shape}") for shape in (dual, single))) for point in (POINT, "tiny")]
    return [row for row in rows if all(row)][:1]


def scheduler_lines(facts):
    for point, dual, single in measured_pair(facts, "warp_scheduler", "pairs", "warps"):
        yield ("the warp scheduler hardware also roughly doubles", "about 2", ratio(dual.mm2, single.mm2), "",
               f"{point}: picker alone, {number(dual.mm2, 4)} against {number(single.mm2, 4)} mm2")
    for point, dual, single in measured_pair(facts, "instruction_buffer", "paths2", "paths1"):
        yield ("... because decoded instructions of both paths require storage: bits of the instruction buffers", "about 2",
               ratio(dual.bits, single.bits), "", f"{point}: {dual.bits:,} against {single.bits:,}, of one scheduler")
        yield ("... area", "about 2", ratio(dual.mm2, single.mm2), "",
               f"{point}: {number(dual.mm2, 4)} against {number(single.mm2, 4)} mm2")


def shadow_layouts(facts):
    """Which entry meets which end of the paper's 7-14%."""
    layouts = (("register, S (pending is being there)", lambda register: register + 1),
               ("register, P, S", lambda register: register + 2),
               ("register, P, S and a warp of 48", lambda register: register + 2 + 6))
    rows = []
    for what, bits in layouts:
        shares = [100 / bits(register) for register in (6, 8)]
        rows.append((what, *(f"{bits(register)}" for register in (6, 8)), *(f"{share:.1f}%" for share in shares)))
    board = [r for r in facts.storage(POINT)["structures"] if r["block"] == "scoreboard (shadow)"]
    ours = sum(r["paper_bits"] for r in board) // max(r["entries"] for r in board)
    rows.append(("ours: 256 registers, 32 predicates and the carry; P, S", "-", f"{ours}", "-", f"{100 / ours:.1f}%"))
    return table(("entry", "bits, 64 registers", "bits, 256 registers", "S of it, 64", "S of it, 256"), rows,
                 right=range(1, 5))


def text(facts):
    lines = [*stack_lines(facts), *scoreboard_lines(facts), *scheduler_lines(facts)]
    return f"""## DPE sec. 6.5, line by line
At {POINT} (48 warps x 32 lanes, two schedulers), where nothing else is said.

{table(("the paper says", "paper", "here", "difference", "remark"), lines, right=(1, 2, 3))}

**The 7-14%.** The paper does not give the entry. The upper end is one bit of 7, the least entry for 64 registers. The
lower end is one bit of 14, for which an entry for 256 registers must hold five bits beside register and S. No entry that
grows only by the register's two bits meets both, and none is made up here:

{shadow_layouts(facts)}
"""
