# SPDX-License-Identifier: Apache-2.0
"""A directed graph as an edge list, for the kernel bfs: what scripts/make_graph prints.

Degrees are skewed, so that lanes of one warp have different numbers of edges: most nodes have a few, some have dozens.
The same arguments give the same text on every machine.
"""
import random


def edges_of(nodes, mean_degree, seed):
    """Yields (from, to): a tree that reaches every node from node 0, then skewed random edges."""
    generator = random.Random(seed)
    for node in range(1, nodes):
        # A parent not far below keeps the search a dozen levels deep.
        yield generator.randrange(node // 4, (node + 1) // 2), node
    for node in range(nodes):
        degree = min(int(generator.paretovariate(1.5) * (mean_degree - 1) / 3), 64)
        for _ in range(degree):
            yield node, generator.randrange(nodes)


def text(nodes=4000, degree=4, seed=1):
    """A comment with the command that prints this, and a line an edge."""
    edges = sorted(set(edges_of(nodes, degree, seed)))
    return "".join([f"# scripts/make_graph --nodes {nodes} --degree {degree:g} --seed {seed}\n", "# from to\n",
                    *(f"{source} {target}\n" for source, target in edges)])
