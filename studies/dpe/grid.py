# SPDX-License-Identifier: Apache-2.0
"""The jobs of the study: DPE sec. 4's mechanisms on the programs of Table 2 at the machine of Table 1, and the experiments
that take a cause away."""

from harness.job import Job
from tools import design_points, edge_list

from . import paper

POINT = "hpca13"
SMS = 15  # Table 1
MOST_THREAD_INSTRUCTIONS = 30_000_000  # a run, ours: the data sets of size small are below
MECHANISMS = {  # as the page calls them: control flow unit and scoreboard
    "SPE": ("spe", "baseline"),
    "DPE": ("dpe", "shadow"),
    "DWS10": ("dws10_ideal", "optimistic"),  # sec. 4: any number of splits, perfect scoreboard
    "DWS50": ("dws50_ideal", "optimistic"),
    "DWS100": ("dws100_ideal", "optimistic"),
    "DWS10, two slots": ("dws10", "shadow"),  # as hardware could be
    "DWS50, two slots": ("dws50", "shadow"),
    "DWS100, two slots": ("dws100", "shadow"),
    "constrained": ("dpe_constrained", "shadow"),  # sec. 6.4
    "optimistic": ("dpe", "optimistic"),  # sec. 6.4
    "forwarding": ("dpe_forwarding", "shadow"),  # sec. 7.1
    "memory split": ("dpe_memory_split", "shadow"),  # sec. 7.2
}
# References that no figure shows: what takes a cause away.
REFERENCES = {
    "SPE without false dependencies": ("spe", "optimistic"),
    "DWS2": ("dws2_ideal", "optimistic"),  # splits where at most two instructions run twice
}
IDEAL_DWS = ("DWS10", "DWS50", "DWS100")
APPENDIX = ("bitonic_sort", "black_scholes", "convolution", "cross_section_lookup", "diverge", "fft", "hazard", "histogram",
            "hmm_search", "lattice_boltzmann", "matrix_multiply", "md5_search", "multipole_lookup", "nest", "path_tracer",
            "reduce", "reorder", "scan", "transpose", "trip_count", "vector_add", "vector_ops", "wide_address")
OF_SR = ("common_call", "mc_gpu", "mcb")
LEFT_OUT = {"spin_lock": "it never ends on a reconvergence stack",
            **{kernel: "it came later, with SR's study" for kernel in OF_SR}}
KIB = 1024
L1_SWEEP = tuple(size * KIB for size in (4, 8, 32, 64))  # beside Table 1's; ours but for the 4 KB that sec. 6.4 names
L2_SWEEP = tuple(size * KIB for size in (192, 384, 1536, 3072))  # ours
# More data that a command line can ask for within the limit: twice as much, of bfs_queue ten searches.
LARGER = {"suffix_match": {"warps": 48}, "bfs": {"input": "graph_8000.txt"}, "bfs_queue": {"size": "medium"}}
FULL = {"suffix_match": {"warps": 180}}  # a program that takes any number of warps, as many as the limit allows
# Of clang beside the usual one.
LEVELS = {"O1": [kernel for kernel in paper.INTERLEAVABLE if kernel != "lu_decomposition"],  # that is beyond the limit
          "O3": paper.INTERLEAVABLE,
          "O0": ["suffix_match"]}  # the one with DPE's deepest stack; most others are beyond the limit
JITTER = tuple(f"crossbar_latency={cycles}" for cycles in (14, 15, 17, 18))  # ours is 16
SWINGS = ("bfs", "path_finding", "bfs_queue", "back_propagation")  # programs of which some lose a little


def job(kernel, mechanism, **changes):
    """\\param changes  fields of Job that are not the study's usual ones"""
    divergence, scoreboard = (MECHANISMS | REFERENCES)[mechanism]
    return Job(kernel, divergence, scoreboard, **{"point": POINT, "sms": SMS, **changes})


def cache(key, size, usual):
    """What a job of a sweep changes: nothing at the usual size."""
    return {} if size == usual else {"settings": f"{key}={size}"}


def has_l2():
    """Whether the design points have an L2 whose size can be set."""
    return "l2_bytes" in design_points.load()[POINT]


def jobs(kernels, mechanisms, **changes):
    return [job(kernel, mechanism, **changes) for kernel in kernels for mechanism in mechanisms]


def sweeps():
    """What the jobs of the two sweeps of caches change."""
    return [{"settings": f"{key}={size}"} for key, sizes in (("l1_bytes", L1_SWEEP), ("l2_bytes", L2_SWEEP)) for size in sizes]


def grid():
    """{part: jobs}. A job may stand in several parts."""
    gain = ("SPE", "DPE")
    interleavable, all_14 = paper.INTERLEAVABLE, paper.TABLE_2
    parts = {
        "main": jobs(all_14, MECHANISMS),
        "l1": [one for size in L1_SWEEP for one in jobs(interleavable, gain, settings=f"l1_bytes={size}")],
        "l2": [one for size in L2_SWEEP for one in jobs(interleavable, gain, settings=f"l2_bytes={size}")],
        "ideal_memory": jobs(all_14, (*gain, "DWS100"), memory="ideal"),
        "one_sm": jobs(all_14, gain, sms=1),  # with its share of the chip's memory
        "one_sm_chip": jobs(all_14, gain, sms=1, memory="chip"),  # with all of it
        "other_data": jobs(all_14, gain, seed=2),
        "larger": [one for kernel, how in LARGER.items() for one in jobs([kernel], gain, **how)],
        "fast_fetch": jobs(interleavable, (*gain, "constrained"), settings="fetch_latency=1"),
        "full": [one for kernel, how in FULL.items() for one in jobs([kernel], gain, **how)],
        "one_sm_more": [*jobs(paper.MISS_MORE, ["DWS100"], sms=1), *jobs(interleavable, ["forwarding"], sms=1, memory="chip")],
        "no_false_dependencies": [one for how in ({}, *sweeps()) for one in
                                  jobs(["stencil_3d"] if how else interleavable, ["SPE without false dependencies"], **how)],
        "rarely_split": jobs(["photon_transport"], ["DWS2"]),
        "levels": [one for level, kernels in LEVELS.items() for one in jobs(kernels, gain, level=level)],
        "jitter": [one for settings in JITTER for one in jobs(SWINGS, gain, settings=settings)],
        "appendix": jobs(APPENDIX, MECHANISMS),
    }
    if not has_l2():  # and with it came --memory chip
        del parts["l2"], parts["one_sm_chip"]
    return parts


def is_quick(one):
    """The shortest kernel and the one that gains most, at few mechanisms."""
    return one.kernel in ("bfs", "lu_decomposition") and one.sms == SMS and one.divergence in ("spe", "dpe") and one.seed == 1


def write_inputs(folder):
    """Files that jobs read, made from nothing; those that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = folder / LARGER["bfs"]["input"]
    if not graph.exists():
        unfinished = graph.with_suffix(".part")
        unfinished.write_text(edge_list.text(nodes=8000))
        unfinished.replace(graph)
