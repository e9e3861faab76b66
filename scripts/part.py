# SPDX-License-Identifier: Apache-2.0
"""Which part of a long campaign a run does: all of it, or with HEDDLE_SEED=N in the environment every tenth item, N saying
which of the ten. tests/kit/part.h is the same in C++.

scripts/test sets HEDDLE_SEED to the number of the commit, so that commits look at different parts and a failure can be
repeated; scripts/fuzz whole runs everything.
"""
import os

SHARE = 10


def part_of(items, share=SHARE):
    """Some of `items`, at least one, in their order: one of so many."""
    seed = os.environ.get("HEDDLE_SEED", "")
    if not seed:
        return list(items)
    return [item for i, item in enumerate(items) if (i + int(seed)) % share == 0] or list(items[:1])


def said(done, items, what):
    """What a run prints: how much of the campaign it was."""
    if len(done) == len(items):
        return f"all {len(items)} {what}"
    seed = os.environ.get("HEDDLE_SEED", "")
    how = f", chosen by HEDDLE_SEED={seed}; all of them: scripts/fuzz whole" if seed else ""
    return f"{len(done)} of {len(items)} {what}{how}"
