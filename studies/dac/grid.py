# SPDX-License-Identifier: Apache-2.0
"""The jobs of the study: every kernel with and without an affine warp, its comparators, ideal memory, dual-path execution,
and machines with other queues."""
from harness.job import Job

POINT = "isca17"
KERNELS = ("back_propagation", "bfs", "bitonic_sort", "black_scholes", "common_call", "convolution", "cross_section_lookup", "diverge",
           "dxt_compression", "fft", "hazard", "histogram", "hmm_search", "hot_spot", "laplace", "lattice_boltzmann",
           "lu_decomposition", "matrix_multiply", "mc_gpu", "mcb", "md5_search", "multipole_lookup", "needleman_wunsch", "nest",
           "path_finding", "path_tracer", "photon_transport", "quicksort", "ray_tracing", "reduce", "reorder", "scan", "stencil_3d",
           "suffix_match", "transpose", "trip_count", "vector_add", "vector_ops", "wide_address")
# Written to show one thing each: in the tables, and in no mean.
MICRO = ("common_call", "diverge", "hazard", "nest", "reorder", "trip_count", "vector_ops", "wide_address")
PROGRAMS = tuple(kernel for kernel in KERNELS if kernel not in MICRO)
LEFT_OUT = {"spin_lock": "it is a spin lock", "bfs_queue": "its paths depend on time"}
# Ours, for the lanes of a warp: at most one in ten branches of the baseline parts its threads.
MOST_PARTED = 0.1
# What the paper compares, by the options of `heddle run`.
MACHINES = {"baseline": {}, "DAC": {"affine": "dac"}, "CAE": {"affine": "cae"}, "MTA": {"prefetch": "mta"}}
SCOREBOARDS = {"spe": "baseline", "dpe": "shadow"}
# Ours, as the paper says little of it: when a batch begins, what waits for a full predicate queue, and whether the affine warp
# waits at branches that the warps decide.
OWN = {"affine_branches": "affine"}
VARIANTS = {"as it is": {}, "batches take what is free": {"affine_batch": "free"}, "only enq.pred waits": {"affine_enqueue": "loose"},
            "no branch that the warps decide": OWN, "all three": {"affine_batch": "free", "affine_enqueue": "loose", **OWN}}
# Machines with other queues, by name: keys of the design point.
QUEUES = {"queues of one": "atq_entries=1,warp_queue_entries=1", "tuple queue of 4": "atq_entries=4",
          "tuple queue of 64": "atq_entries=64", "warp queues of 2": "warp_queue_entries=2",
          "warp queues of 16": "warp_queue_entries=16", "both of these": "atq_entries=64,warp_queue_entries=16"}
# Of these, by what holds them up: regular ones that gain and lose, and one of much divergence.
QUEUED = ("vector_add", "matrix_multiply", "hot_spot", "stencil_3d", "convolution", "bfs")
IDEAL = {"memory": "ideal"}


def job(kernel, machine="baseline", divergence="spe", **changes):
    """\\param machine  of MACHINES"""
    return Job(kernel, divergence, SCOREBOARDS[divergence], **{"point": POINT, **MACHINES[machine], **changes})


def grid():
    """{part: jobs}. A job may stand in several parts."""
    return {
        "main": [job(kernel, machine) for kernel in KERNELS for machine in MACHINES],
        "ideal": [job(kernel, machine, **IDEAL) for kernel in KERNELS for machine in ("baseline", "DAC")],
        "dpe": [job(kernel, machine, "dpe") for kernel in KERNELS for machine in ("baseline", "DAC")]
               + [job(kernel, "DAC", "dpe", **OWN) for kernel in KERNELS],
        "variants": [job(kernel, "DAC", **how) for kernel in KERNELS for how in VARIANTS.values()],
        "queues": [job(kernel, "DAC", settings=settings) for kernel in QUEUED for settings in QUEUES.values()],
    }


def is_quick(one):
    return one.kernel in ("vector_add", "matrix_multiply") and one.divergence == "spe" and not one.settings


def write_inputs(folder):
    """No job reads any."""
    folder.mkdir(parents=True, exist_ok=True)
