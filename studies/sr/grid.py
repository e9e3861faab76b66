# SPDX-License-Identifier: Apache-2.0
"""The jobs of the study: SR's kinds of programs on its machine with and without predictions, thresholds, coarsening and
the experiments that say why; other mechanisms on the same kernels, there and on the machine of DWF."""
from harness.job import Job

from . import paper

POINT, OTHER_POINT = "cgo20", "micro07"
KERNELS = tuple(paper.KERNELS)
ALL = (*KERNELS, paper.MICRO_BENCHMARK)
# Warps of the grid, where it may have any, and work items a thread.
ANY_WARPS = 8
ITEMS = {"path_tracer": 8, "multipole_lookup": 8, "cross_section_lookup": 8, "mcb": 8, "mc_gpu": 8, "md5_search": 8,
         "common_call": 16}
FIXED = ("ray_tracing",)
LANES = paper.LANES
MECHANISMS = {"SPE": ("spe", "baseline"), "DPE": ("dpe", "shadow"), "DWS50": ("dws50", "shadow"),
              "barriers": ("barrier", "baseline")}
PREDICTED = {"predicted": "dynamic", "predicted, static": "static"}
PICKERS = {"barriers": "barrier", "largest": "barrier_largest", "lowest PC": "barrier_lowest_pc",
           "round robin": "barrier_round_robin"}
SWEPT = ("path_tracer", "cross_section_lookup")  # Fig. 9
THRESHOLDS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 31)
FEW_THRESHOLDS = (4, 16)  # of all others
COARSENED = ("path_tracer", "mcb", "md5_search")
ITEMS_SWEPT = (1, 2, 4, 8)
WARPS_SWEPT = (4, 8, 16, 32)  # of one of them
LIMITED, LIMIT_ITEMS = ("mcb", "md5_search"), 4  # of the limit study, whose time grows with the square of the items
# On micro07: barrel processing, blocks of 256 threads, the wider register file of DWF's study.
BARREL = {"PDOM": ("spe", "static"), "barriers": ("barrier", "static"), "DPE": ("dpe", "static"),
          "DWS50": ("dws50", "static"), "DMaj": ("formation", "ideal")}
BARREL_THREADS, BARREL_REGISTERS, BARREL_SETTINGS, BARREL_WARPS = 256, 64, "registers=16384", 16
# The kernels without predictions; of those whose grid may have any number of warps, so many.
OTHERS = {"back_propagation": 0, "bfs": 8, "bitonic_sort": 0, "black_scholes": 8, "convolution": 0, "diverge": 8, "dxt_compression": 0,
          "fft": 0, "hazard": 8, "histogram": 8, "hmm_search": 8, "hot_spot": 0, "laplace": 0, "lattice_boltzmann": 0,
          "lu_decomposition": 0, "matrix_multiply": 0, "needleman_wunsch": 0, "nest": 8, "path_finding": 0, "quicksort": 0,
          "reduce": 8, "reorder": 8, "scan": 0, "stencil_3d": 0, "transpose": 0, "trip_count": 8, "vector_add": 8, "vector_ops": 8,
          "wide_address": 8}
MEMORY_BOUND = ("cross_section_lookup", "suffix_match")
LEFT_OUT = {"spin_lock": "it is a spin lock", "bfs_queue": "its paths depend on time"}


def runs(kernel, mechanism):
    """Splits that came from different calls may meet in the function, and cannot go back to both (sim/sm)."""
    return not (mechanism == "DWS50" and kernel == paper.MICRO_BENCHMARK)


def size_of(kernel):
    warps = OTHERS[kernel] if kernel in OTHERS else 0 if kernel in FIXED else ANY_WARPS
    return {"warps": warps, "coarsen": ITEMS.get(kernel, 0)}


def job(kernel, mechanism="barriers", **changes):
    """\\param mechanism  of MECHANISMS or PICKERS"""
    divergence, scoreboard = MECHANISMS.get(mechanism) or (PICKERS[mechanism], "baseline")
    return Job(kernel, divergence, scoreboard, **{"point": POINT, **size_of(kernel), **changes})


def predicted(kernel, **changes):
    return job(kernel, **{"reconverge": "predicted", **changes})


def automatic(kernel, **changes):
    return job(kernel, **{"reconverge": "automatic", **changes})


def on_other_point(kernel, mechanism, **changes):
    divergence, register_file = BARREL[mechanism]
    warps = 0 if kernel in FIXED else BARREL_WARPS
    return Job(kernel, divergence, "barrel", point=OTHER_POINT, settings=BARREL_SETTINGS, warps=warps,
               coarsen=ITEMS.get(kernel, 0), block_threads=BARREL_THREADS, max_registers=BARREL_REGISTERS,
               register_file="" if register_file == "static" else register_file, **changes)


def limit(kernel):
    """The best order of a warp's instructions that alignments find."""
    return Job(kernel, command="limit", point=POINT, warps=ANY_WARPS, coarsen=LIMIT_ITEMS)


def both(jobs):
    """As they are, and predicted."""
    return [one for kernel, changes in jobs for one in (job(kernel, **changes), predicted(kernel, **changes))]


def grid():
    """{part: jobs}. A job may stand in several parts."""
    return {
        "main": both((kernel, {}) for kernel in ALL),
        "static": [predicted(kernel, deconfliction="static") for kernel in ALL],
        "automatic": [automatic(kernel) for kernel in KERNELS],
        "thresholds": [predicted(kernel, soft_threshold=threshold) for kernel in SWEPT for threshold in THRESHOLDS],
        "few_thresholds": [predicted(kernel, soft_threshold=threshold) for kernel in KERNELS if kernel not in SWEPT
                           for threshold in FEW_THRESHOLDS],
        "items": both((kernel, {"coarsen": items}) for kernel in COARSENED for items in ITEMS_SWEPT),
        "warps": both((COARSENED[0], {"warps": warps}) for warps in WARPS_SWEPT),
        "limit": [limit(kernel) for kernel in LIMITED],
        "ideal_memory": both((kernel, {"memory": "ideal"}) for kernel in MEMORY_BOUND),
        "pickers": [one for kernel in SWEPT for picker in PICKERS for one in
                    (job(kernel, picker), predicted(kernel, mechanism=picker))],
        "mechanisms": [job(kernel, mechanism) for kernel in ALL for mechanism in MECHANISMS if runs(kernel, mechanism)],
        "others": [one(kernel) for kernel in OTHERS for one in (job, automatic)],
        "other_point": [on_other_point(kernel, mechanism) for kernel in ALL for mechanism in BARREL if runs(kernel, mechanism)]
                       + [on_other_point(kernel, "barriers", reconverge="predicted") for kernel in ALL],
    }


def is_quick(one):
    return one.kernel == "md5_search" and one.point == POINT and one.divergence == "barrier" and one.memory == "timed"


def write_inputs(folder):
    """No job reads any."""
    folder.mkdir(parents=True, exist_ok=True)
