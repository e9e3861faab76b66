"""Which part of a long campaign a run does: all of it, or with HEDDLE_SEED=N in the environment a share that N chooses.

scripts/test sets HEDDLE_SEED to the number of the commit, so that each commit looks at another part and a failure can be
repeated; scripts/fuzz whole runs everything.
"""
import os
import random

SHARE = 3  # one in so many


def part_of(items, campaign):
    """Some of `items`, at least one, in their order; `campaign` is a name, so that two campaigns choose apart."""
    seed = os.environ.get("HEDDLE_SEED", "")
    if not seed:
        return list(items)
    count = -(-len(items) // SHARE)
    chosen = set(random.Random(f"{seed} {campaign}").sample(range(len(items)), count))
    return [item for i, item in enumerate(items) if i in chosen]


def said(done, items, what):
    """The line that a run prints: how much of the campaign it was."""
    seed = os.environ.get("HEDDLE_SEED", "")
    if not seed:
        return f"all {len(items)} {what}"
    return f"{len(done)} of {len(items)} {what}, chosen by HEDDLE_SEED={seed}; all of them: scripts/fuzz whole"
