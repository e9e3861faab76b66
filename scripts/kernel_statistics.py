# SPDX-License-Identifier: Apache-2.0
"""kernels/statistics.json: how each run of the test system.kernel_suite ends, and all that it counts.

Names stand once: a line a run has the values in their order, of which the last zeros are left out.
tests/kit/kernel_statistics.h is the same in C++, and writes the file.
"""
import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parent.parent / "kernels/statistics.json"


def runs():
    """{"KERNEL MECHANISM/SCOREBOARD": {name: value}}, in the order of the file; what is zero is left out. `outcome` is a
    word, all others are counts."""
    known = json.loads(FILE.read_text())
    return {run: {name: value for name, value in zip(known["names"], values) if value} for run, values in known["runs"].items()}
