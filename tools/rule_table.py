# SPDX-License-Identifier: Apache-2.0
"""Which covers of a block's bench say that a rule of its README was at work: tb/*/rules.yaml, a file a folder of benches.

covers         {block: {rule: patterns of a shell}}; `like: BLOCK` takes the rules of that block that are not named here
by_no_program  {block: {rule: why no program of ours can reach it}}; a reason that many share is a word of REASONS
not_counted    {block: why programs do not count there, although its README has rules}
programs       [{run: options of `heddle run`, reaches: {block: rules}}], for rules that our kernels do not reach as they
               run by default
"""
import pathlib
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"covers": dict, "by_no_program": dict, "not_counted": dict, "programs": list}
REASONS = {"illegal": "what the SM asks is legal"}


def read(file):
    said = yaml.safe_load(file.read_text())
    for kind in said:
        if not isinstance(said[kind], KINDS.get(kind, ())):
            sys.exit(f"{file.relative_to(ROOT)}: {kind}: expected one of {', '.join(KINDS)}, the last a list")
    return said


class RuleTable:
    """All files as one table."""

    def __init__(self, root=ROOT):
        said = [read(file) for file in sorted(root.glob("tb/**/rules.yaml"))]
        self.covers, self.by_no_program, self.not_counted = (
            {block: value for one in said for block, value in one.get(kind, {}).items()}
            for kind in ("covers", "by_no_program", "not_counted"))
        self.programs = [program for one in said for program in one.get("programs", ())]
        for rules in self.covers.values():
            if like := rules.pop("like", None):
                rules.update({rule: patterns for rule, patterns in self.covers[like].items() if rule not in rules})
        for reasons in self.by_no_program.values():
            reasons.update({rule: REASONS.get(why, why) for rule, why in reasons.items()})
