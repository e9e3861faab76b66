# SPDX-License-Identifier: Apache-2.0
"""SPEF: what the wires take, for OpenSTA."""
HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "{top}"
*DATE ""
*VENDOR ""
*PROGRAM "area.layout"
*VERSION ""
*DESIGN_FLOW ""
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 FF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""


def net_text(net, tree, direction, times):
    """direction: {end: I or O}, as the end itself sees it. times: every capacitance by so much."""
    names = {node: f"{cell}:{pin}" if cell != "PIN" else pin for (cell, pin), node in tree.ends.items()}

    def name(node):
        return names.get(node, f"{net}:{node}")

    lines = [f"*D_NET {net} {times * sum(tree.ff.values()):.4f}", "*CONN"]
    lines += [f"*{'P' if end[0] == 'PIN' else 'I'} {name(node)} {direction[end]}" for end, node in tree.ends.items()]
    lines += ["*CAP", *(f"{i} {name(node)} {times * ff:.5f}" for i, (node, ff) in enumerate(tree.ff.items(), 1))]
    lines += ["*RES", *(f"{i} {name(a)} {name(b)} {ohm:.4f}" for i, (a, b, ohm) in enumerate(tree.ohm, 1)), "*END"]
    return "\n".join(lines) + "\n"


def text(top, trees, direction, times=1):
    """trees: {net: wires.Tree}."""
    return HEAD.format(top=top) + "".join("\n" + net_text(net, tree, direction, times) for net, tree in trees.items())
