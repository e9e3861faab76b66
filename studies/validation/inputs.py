# SPDX-License-Identifier: Apache-2.0
"""The data that the launches read, 5 MB, the same as the other simulator read: Python's generator from a fixed seed, so the
order of the draws is part of it."""
import array
import random
import struct

SEED = 7
WORDS = 120 * 128  # of diverge and nest: a word a thread
NODES = 240 * 128  # of the graph of bfs
SIDE = 192  # of the matrices
ELEMENTS = 1920 * 256  # of the vectors
UNSEEN = 0xffffffff
LEVEL = 5  # the level that bfs expands: the one with the most nodes


def words(values):
    return struct.pack(f"{len(values)}I", *values)


def floats(count):
    return [random.random() for _ in range(count)]


def graph():
    """(first edge of each node and the end, edges): degrees of 1 to 15, one node in ten of 16 to 40."""
    first, edges = [0], []
    for _ in range(NODES):
        degree = random.randint(1, 15) if random.random() < 0.9 else random.randint(16, 40)
        edges += [random.randrange(NODES) for _ in range(degree)]
        first.append(len(edges))
    return first, edges


def levels_of(first, edges):
    """The distance of each node from node 0."""
    levels, frontier, level = [UNSEEN] * NODES, [0], 0
    levels[0] = 0
    while frontier:
        found = []
        for node in frontier:
            for other in edges[first[node]:first[node + 1]]:
                if levels[other] == UNSEEN:
                    levels[other] = level + 1
                    found.append(other)
        frontier, level = found, level + 1
    return levels


def write(folder):
    random.seed(SEED)
    (folder / "values.bin").write_bytes(words([random.getrandbits(32) for _ in range(WORDS)]))
    first, edges = graph()
    levels = levels_of(first, edges)
    (folder / "first.bin").write_bytes(words(first))
    (folder / "edges.bin").write_bytes(words(edges))
    (folder / "levels.bin").write_bytes(words([level if level <= LEVEL else UNSEEN for level in levels]))
    for name, count in (("left", SIDE * SIDE), ("right", SIDE * SIDE), ("a", ELEMENTS), ("b", ELEMENTS)):
        (folder / f"{name}.bin").write_bytes(array.array("f", floats(count)).tobytes())
