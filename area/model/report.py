# SPDX-License-Identifier: Apache-2.0
"""The model's tables as Markdown, which is also what the command prints."""
from . import constants as c
from . import validation
from .access import SETUP_FO4


def table(header, rows, right=()):
    """Markdown; columns whose index is in `right` are numbers."""
    rows = [header, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]

    def line(row):
        cells = [cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        return "| " + " | ".join(cells) + " |"
    rule = "|" + "|".join("-" * (w + 1) + ":" if i in right else "-" * (w + 2) for i, w in enumerate(widths)) + "|"
    return "\n".join([line(rows[0]), rule, *map(line, rows[1:])])


def percent(ratio):
    return f"{100 * (ratio - 1):+.0f}%"


def validation_table():
    rows = [(r.figure.name, r.figure.given, r.figure.assumed, f"{r.figure.paper:g}", f"{r.model:.4f}", percent(r.ratio),
             percent(r.left_out) if r.fitted else "not fitted",
             f"{r.figure.other}: {percent(r.other)}" if r.figure.other else "")
            for r in validation.validate()]
    return table(("structure", "the paper gives", "we assume", "CACTI 4.2, mm2", "model, mm2", "error",
                  "error, left out of the fit", "error with another assumption"), rows, right=(3, 4, 5, 6))


def accuracy_text():
    a = validation.accuracy()
    return f"{a}\nWith every other assumption of the last column at once the factor is {a.other_rms:.2f}."


def times_table():
    rows = [(f.source, f"{f.words} x {f.width}", f.node, f"{f.ns:.3g}", f"{f.fo4:.1f}", f"{f.model():.1f}",
             percent(f.model() / f.fo4), percent(validation.time_left_out(f))) for f in validation.CACTI_TIMES]
    rows += [(f.source, f"{f.words} x {f.width}", f.node, f"{f.ns:.3g}", f"{f.fo4:.1f}", f"{f.model():.1f}",
              percent(f.model() / f.fo4), "not fitted") for f in validation.COMPILED]
    both, left_out = validation.time_accuracy()
    return table(("source", "words x bits, 1RW", "nm", "ns", "FO4", "model, FO4", "error", "left out of the fit"), rows,
                 right=range(2, 8)) + f"\nAgainst CACTI 5.3: a factor of {left_out:.2f} (RMS, each left out of the fit; " \
        f"{both:.2f} with it)."


def doubling_text():
    return f"{validation.gates_a_doubling(1):.2f} FO4, and {validation.gates_a_doubling():.2f} with it"


def arrays_table():
    rows = [(name, f"{um2:.0f}", f"{model:.0f}", percent(model / um2)) for name, um2, model in validation.mapped()]
    return table(("array", "mapped, um2 a bit", "M9", "error"), rows, right=range(1, 4))


def conclusions_table():
    def number(value, unit):
        return "" if value is None else f"{value:.1f}%" if unit == "%" else f"{value:.3f}"
    rows = [(x.what, *(number(v, x.unit) for v in (x.paper, x.recomputed, x.model, x.direct)))
            for x in validation.conclusions()]
    return table(("mm2 at 90 nm", "paper", "from its figures", "from the model's",
                  "the model, decoders counted directly"), rows, right=(1, 2, 3, 4))


def constants_table():
    rows = [(name.lower().replace("_", " "), f"{value:.6g} {value.unit}".rstrip(), value.kind, value.source)
            for name, value in vars(c).items() if isinstance(value, c.Constant)]
    return table(("constant", "value", "kind", "source"), rows)


def access_text(time):
    """Parts in FO4 at 180 nm."""
    lines = []
    for what, parts in (("read", time.read), ("search", time.search)):
        if parts:
            lines.append(f"{what} {sum(parts.values()):.1f} FO4 after the edge: " +
                         ", ".join(f"{name} {fo4:.1f}" for name, fo4 in parts.items()))
    return "\n".join([*lines, f"setup {SETUP_FO4:.1f} FO4"])


def memory_text(area):
    lines = [f"{area.mm2:.6f} mm2, {area.um2_per_bit:.2f} um2 a bit, cells {100 * area.efficiency:.0f}%; "
             f"{area.bits:,} bits in {area.subarrays:.1f} subarrays of {area.subarray_rows:.1f} x "
             f"{area.subarray_columns:.1f}, cell {area.cell_um2:.2f} um2"]
    lines += [f"  {name:18} {mm2:.6f}" for name, mm2 in area.breakdown.items()]
    return "\n".join(lines)


def cost_table(costs):
    def number(value):
        return "" if value is None else f"{value:.4f}"
    rows = [(k.block, k.structure, f"{k.kind} {k.ports}".rstrip(), f"{k.entries:,} x {k.columns}", number(k.mm2),
             number(k.gates_mm2), "NOT COSTED: " + k.problem if k.problem else "; ".join(k.assumptions)) for k in costs]
    return table(("block", "structure", "kind", "entries x bits", "array, mm2", "flops and gates, mm2", "assumptions"),
                 rows, right=(3, 4, 5))


def cost_text(costs, what):
    """The table and the accuracy. No sum: the blocks of a point are alternatives."""
    return "\n".join([f"Memories of {what}; other flops and logic are not here", "", cost_table(costs), "",
                      accuracy_text().splitlines()[0],
                      "Flops and gates are a rough lower bound (osu018 cells, no wires), not validated; synthesis says "
                      "more."])
