# SPDX-License-Identifier: Apache-2.0
"""The jobs: five kernels on four machines, under two mechanisms."""
from harness.job import Job

POINT = "hpca13"
# How many warps: enough to fill 15 SMs where a kernel has no data set of its own that would be cut. 0: as size small has.
WARPS = {"diverge": 720, "nest": 720, "suffix_match": 0, "md5_search": 240, "vector_ops": 240}
MECHANISMS = {"SPE": ("spe", "baseline"), "DPE": ("dpe", "shadow")}
MACHINES = {
    "share": {"sms": 1, "memory": "timed"},
    "chip": {"sms": 1, "memory": "chip"},
    "ideal": {"sms": 1, "memory": "ideal"},
    "15 SMs": {"sms": 15, "memory": "timed"},
}


def job(kernel, mechanism, machine):
    divergence, scoreboard = MECHANISMS[mechanism]
    return Job(kernel, divergence, scoreboard, point=POINT, warps=WARPS[kernel], **MACHINES[machine])


def grid():
    return {machine: [job(kernel, mechanism, machine) for kernel in WARPS for mechanism in MECHANISMS] for machine in MACHINES}


def is_quick(one):
    return one.kernel in ("diverge", "nest") and one.sms == 1


def write_inputs(folder):
    folder.mkdir(parents=True, exist_ok=True)
