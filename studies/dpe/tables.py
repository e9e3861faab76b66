# SPDX-License-Identifier: Apache-2.0
"""The paper's figures as tables of ours, and the tables around them."""
from harness import claims as the_claims
from harness.page import MISSING, number, of_whole, percent, table

from . import claims, evidence, grid, paper
from .measures import mean

KINDS = (("interleavable", tuple(paper.INTERLEAVABLE)), ("non-interleavable", tuple(paper.OTHERS)))


def against_paper(m, some=claims.CLAIMS, in_short=False):
    """Claim by claim: the paper, ours, and why. \param in_short  causes without their evidence"""
    causes = evidence.load(claims.CLAIMS)
    return the_claims.against_paper(m, some, "DPE", lambda claim: evidence.cause(causes, claim, m, in_short))


def figure(columns, of, text, kinds=KINDS):
    """A row a program and a mean of each kind. \\param of  number of (kernel, column)  \\param text  of a number"""
    rows = []
    for kind, kernels in kinds:
        rows += [(paper.name(kernel), *(text(of(kernel, column)) for column in columns)) for kernel in kernels]
        rows.append((f"*mean, {kind}*", *(text(mean(of(kernel, column) for kernel in kernels)) for column in columns)))
    return table(("", *columns), rows, range(1, 1 + len(columns)))


def two_digits(value):
    return number(value, 2)


def avg_path(m, kinds=KINDS):
    return figure(("SPE", "DPE", *grid.IDEAL_DWS), lambda kernel, mechanism: m.value(kernel, mechanism, "avg_path"), two_digits,
                  kinds)


def lanes(m, kinds=KINDS):
    return figure(("SPE", "DPE", *grid.IDEAL_DWS), lambda kernel, mechanism: m.value(kernel, mechanism, "lane_utilisation"),
                  of_whole, kinds)


def change(m, key, kinds=KINDS):
    return figure(("DPE", *grid.IDEAL_DWS), lambda kernel, mechanism: m.change(kernel, mechanism, key), percent, kinds)


def speed(m, kinds=KINDS):
    return figure(tuple(grid.MECHANISMS)[1:], lambda kernel, mechanism: m.gain(kernel, mechanism), percent, kinds)


def sweep(m, key, usual, sizes):
    """The gain of DPE at each size of a cache."""
    columns = {f"{size // grid.KIB} KB": grid.cache(key, size, usual) for size in sorted((*sizes, usual))}
    return figure(tuple(columns), lambda kernel, column: m.gain(kernel, "DPE", **columns[column]), percent, KINDS[:1])


def experiments(m):
    """The gain of DPE with something taken away."""
    columns = {"as it is": {}, "ideal memory": {"memory": "ideal"}, "one SM": {"sms": 1},
               "one SM, all of the memory": {"sms": 1, "memory": "chip"}, "other data": {"seed": 2},
               "fetch of a cycle": {"settings": "fetch_latency=1"}, "-O1": {"level": "O1"}, "-O3": {"level": "O3"},
               "no false dependencies": {"over": "SPE without false dependencies"}}
    return figure(tuple(columns), lambda kernel, column: m.gain(kernel, "DPE", **columns[column]), percent)


def millions_of(count):
    return MISSING if count is None else f"{count / 1e6:,.1f} M"


def data_sets(m):
    rows = []
    for kernel, (name, millions) in paper.TABLE_2.items():
        row = m.row(kernel, "SPE") or {}
        ours = row.get("oracle_thread_instructions")
        share = None if ours is None else ours / (1e6 * millions)
        equal = {True: "yes", False: "order matters"}.get(row.get("equals_oracle"), MISSING)
        rows.append((name, f"[{kernel}](../../kernels/README.md)", f"{millions:,} M", millions_of(ours),
                     MISSING if share is None else f"{share:.3g}", equal, row.get("message") or MISSING))
    head = ("DPE Table 2", "ours", "thread instructions there", "here", "share", "equals the oracle", "its own check")
    return table(head, rows, (2, 3, 4))


def larger(m):
    rows = []
    for kernel, how in grid.LARGER.items():
        instructions = [m.value(kernel, "SPE", "oracle_thread_instructions", **which) for which in ({}, how)]
        gains = [m.gain(kernel, "DPE", **which) for which in ({}, how)]
        rows.append((paper.name(kernel), *map(millions_of, instructions), *map(percent, gains)))
    return table(("", "thread instructions", "with more data", "gain of DPE", "with more data"), rows, range(1, 5))
