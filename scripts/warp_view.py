# SPDX-License-Identifier: Apache-2.0
"""The rows of one warp under one mechanism, and the view of GTKWave that shows those of several one above the other."""
import math

from warp_rows import NO_PC

MAY_BE_ABSENT = ("meets at", "ready", "blocked", "yielded")  # rows that a view has only if something is in them


class Row:
    """form: decimal, hexadecimal, bit, or the translate file whose words it shows."""

    def __init__(self, group, name, alias, bits, form, values, colour):
        self.group, self.name, self.alias, self.bits = group, name, alias, bits
        self.form, self.values, self.colour = form, values, colour


def numbered(pcs, numbers):
    """None where there is no PC, or none that has a number."""
    return [numbers.get(pc) for pc in pcs]


def rows_of(scope, group, warp, code, lines, affine):
    """Of one mechanism. `code`: block and source line of each PC; `lines`: numbers of those; `affine`: blocks by PC of an
    affine warp, if there is one."""
    source = {pc: lines.keys[text] for pc, text in code.source.items()}
    lanes, rows = warp.lanes, []

    def add(name, alias, bits, form, values, colour):
        rows.append(Row(group, f"{scope}.{name}", alias, bits, form, values, colour))

    def add_state(name, alias, bits, form, colour):
        if warp.has(name):
            add(alias.replace(" ", "_"), alias, bits, form, warp.values(name), colour)

    add("cycle", "cycle", 32, "decimal", warp.cycles, 0)
    for path, colour in zip(warp.paths, (4, 5)):
        side = f"{path.name} " if len(warp.paths) > 1 else ""
        add(f"{path.name}.block", f"{side}block", 16, "blocks", numbered(path.pcs, code.block), colour)
        add(f"{path.name}.line", f"{side}line", 16, "lines", numbered(path.pcs, source), colour)
        add(f"{path.name}.pc", f"{side}PC", 32, "decimal", path.pcs, colour)
        add(f"{path.name}.lanes", f"{side}lanes", lanes, "hexadecimal", path.lanes, colour)
        add(f"{path.name}.issues", f"{side}issues", 1, "bit", path.issues, 2)
    if warp.is_formed:
        add("issued.with_others", "with others", lanes, "hexadecimal", warp.with_others, 5)
    if warp.side != "Barriers":  # its depth says no more than that somebody is there
        add_state(f"depth_o_{warp.local}", "depth", 8, "decimal", 6)
    if warp.has(f"rpc_q_{warp.local}"):
        deep = zip(warp.values(f"rpc_q_{warp.local}"), warp.values(f"depth_o_{warp.local}"))
        add("meets", "meets at", 16, "blocks",
            [code.block.get(pc) if depth and pc != NO_PC else None for pc, depth in deep], 6)
    add_state(f"splits_o_{warp.local}", "splits", 8, "decimal", 6)
    for state, colour in (("ready", 6), ("blocked", 1), ("yielded", 3)):
        add_state(f"threads_q_{warp.local}.{state}", state, lanes, "hexadecimal", colour)
    if affine:
        there = zip(warp.values("path_o.pc", "affine_stack"), warp.values("depth_o", "affine_stack"))
        add("affine.block", "affine warp", 16, "blocks", [affine.get(pc) if depth else None for pc, depth in there], 7)
    return rows


def shown(rows, lines):
    """Those that the view has; the others are in the waveform."""
    hidden = ("cycle", ".pc", "left.block", "right.block", "issued.block") if lines else ("cycle", ".pc", ".line")
    return [row for row in rows if not row.name.endswith(hidden) and (row.alias not in MAY_BE_ABSENT or any(row.values))]


def view(title, rows, file, length):
    """A saved view of GTKWave 3.3: numbers of its file format, as tests/waveforms/views reads them."""
    names = 8.2 * (max(len(row.alias) for row in rows) + 4) + 20
    zoom = math.log2(max(4, (1600 - 80 - max(220, names)) / length) / 200)
    out = [*(f"[*] {line}" for line in title), "[timestart] 0", "[size] 1600 900", "[pos] -1 -1", f"*{zoom:.6f} -1 -1",
           "[signals_width] 220", "[sst_expanded] 0"]
    group = None
    for row in rows:
        if row.group != group:
            out += ["@1000200", f"-{group}"] if group else []
            out += ["@800200", f"-{row.group}"]
            group = row.group
        word = row.form not in ("decimal", "hexadecimal", "bit")
        out.append({"decimal": "@24", "hexadecimal": "@22", "bit": "@28"}.get(row.form, "@2024"))
        out += [f"^1 {file}.{row.form}.filter"] if word else []
        bits = f"[{row.bits - 1}:0]" if row.bits > 1 else ""
        out += [f"[color] {row.colour}", f"+{{{row.alias}}} waves.{row.name}{bits}"]
    return "\n".join([*out, "@1000200", f"-{group}", "[pattern_trace] 1", "[pattern_trace] 0", ""])
