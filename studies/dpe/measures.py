# SPDX-License-Identifier: Apache-2.0
"""Numbers from results, against SPE. mean: arithmetic, as we take the paper's averages to be."""
from harness import measures
from harness.measures import least, mean, most

from . import grid

__all__ = ("Measures", "least", "mean", "most")


class Measures(measures.Measures):
    def __init__(self, results):
        super().__init__(results, grid.job, "SPE")
