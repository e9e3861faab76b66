# SPDX-License-Identifier: Apache-2.0
"""A statement of a paper that has a number, and how ours is compared with it."""
import dataclasses
import typing

from .page import MISSING, percent, table

NEAR = 0.01  # ours: two shares agree when they are within a percentage point


@dataclasses.dataclass(frozen=True)
class Claim:
    name: str  # by which causes.yaml speaks of it
    source: str
    what: str
    says: str  # the paper
    ours: typing.Callable  # of the study's Measures; a number or None
    agrees: typing.Callable  # of that number
    kernels: tuple  # whom it is about
    text: typing.Callable = percent
    is_first: bool = False  # the paper has no number


def near(share):
    return lambda ours: abs(ours - share) <= NEAR


def at_most(share):
    return lambda ours: ours <= share


def at_least(share):
    return lambda ours: ours >= share


def said(claim, ours):
    return MISSING if ours is None else claim.text(ours)


def against_paper(m, some, paper, cause):
    """A table, claim by claim: the paper, ours, and why. \\param cause  of a claim that differs"""
    rows = []
    for claim in some:
        ours = claim.ours(m)
        if ours is None:
            why = "not measured"
        elif claim.is_first:
            why = "the first figure"
        elif claim.agrees(ours):
            why = "agrees"
        else:
            why = cause(claim)
        rows.append((claim.source, claim.what, claim.says, said(claim, ours), why))
    return table(("source", "what", paper, "ours", "cause of a difference"), rows, (2, 3))
