# SPDX-License-Identifier: Apache-2.0
"""What the compiler sees of a program's branches, before it runs: from `heddle compile KERNEL --json`.

A divergent branch is one that lanes of a warp may take differently. Its *region* is what can run between it and its
reconvergence point. It is a *loop* if the region leads back to it; else an *if* if one of its sides is empty, and an *if/else*
if both have instructions of their own.
"""
import dataclasses
import functools
import json
import subprocess

from harness.page import PageError
from harness.program import Program


@dataclasses.dataclass(frozen=True)
class Features:
    """Counts over all kernels of a program."""
    branches: int  # conditional
    divergent: int
    loops: int  # of the divergent ones
    ifs: int
    if_elses: int
    nesting: int  # divergent regions around an instruction, at most
    shorter_side: float  # instructions of an if/else's shorter side, mean over them; 0: there is none
    barriers: int  # CTA barriers


def reachable(blocks, first, end):
    """Blocks from `first` on before `end`."""
    found, todo = set(), [first]
    while todo:
        block = todo.pop()
        if block == end or block in found:
            continue
        found.add(block)
        todo += blocks[block]["successors"]
    return found


def divergent_branches(blocks):
    """(block, its sides: sets of blocks before the reconvergence point)"""
    at = {block["first"]: number for number, block in enumerate(blocks)}
    for number, block in enumerate(blocks):
        if block["may_diverge"] and len(block["successors"]) > 1:
            yield number, [reachable(blocks, successor, at.get(block["rpc"])) for successor in block["successors"]]


def instructions(blocks, some):
    return sum(blocks[number]["last"] - blocks[number]["first"] + 1 for number in some)


def of_kernel(blocks):
    """(loops, ifs, shorter sides of if/elses, depth of nesting)"""
    loops, ifs, shorter, around = 0, 0, [], [0] * len(blocks)
    for number, sides in divergent_branches(blocks):
        region = set().union(*sides)
        for one in region:
            around[one] += 1
        own = [side - set().union(*(other for other in sides if other is not side)) for side in sides]
        if number in region:
            loops += 1
        elif min(map(len, own)) == 0:
            ifs += 1
        else:
            shorter.append(min(instructions(blocks, side) for side in own))
    return loops, ifs, shorter, max(around, default=0)


def of_kernels(kernels):
    """Of one program's."""
    each = [of_kernel(kernel["blocks"]) for kernel in kernels]
    shorter = [length for _, _, sides, _ in each for length in sides]
    branches = [kernel["branches"] for kernel in kernels]
    texts = [one["text"] for kernel in kernels for block in kernel["blocks"] for one in block["instructions"]]
    return Features(sum(one["divergent"] + one["uniform"] for one in branches), sum(one["divergent"] for one in branches),
                    sum(one[0] for one in each), sum(one[1] for one in each), len(shorter), max(one[3] for one in each),
                    sum(shorter) / len(shorter) if shorter else 0.0, sum("bar" in text.split() or text.startswith("bar") for text in texts))


@functools.lru_cache
def program():
    return Program()


@functools.lru_cache
def of(name):
    """Of a kernel of ours. \\throws PageError"""
    done = subprocess.run([program().path, "compile", name, "--json", "-"], text=True, capture_output=True)
    if done.returncode:
        raise PageError(f"heddle compile {name}: {done.stderr.strip() or done.stdout.strip()}")
    return of_kernels(json.loads(done.stdout))
