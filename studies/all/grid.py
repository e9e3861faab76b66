# SPDX-License-Identifier: Apache-2.0
"""The jobs: every kernel of ours under every mechanism, on one SM of two machines, with its share of the memory."""
from harness.job import Job
from tools import unit_files

# Written to show one thing each: in the tables, and in no mean.
MICRO = ("common_call", "diverge", "hazard", "nest", "reorder", "trip_count", "vector_ops", "wide_address")
PROGRAMS = ("back_propagation", "bfs", "bitonic_sort", "black_scholes", "convolution", "cross_section_lookup", "dxt_compression",
            "fft", "histogram", "hmm_search", "hot_spot", "laplace", "lattice_boltzmann", "lu_decomposition", "matrix_multiply",
            "mc_gpu", "mcb", "md5_search", "multipole_lookup", "needleman_wunsch", "path_finding", "path_tracer",
            "photon_transport", "quicksort", "ray_tracing", "reduce", "scan", "stencil_3d", "suffix_match", "transpose",
            "vector_add")
KERNELS = (*PROGRAMS, *MICRO)
LEFT_OUT = {"spin_lock": "only convergence barriers end it", "bfs_queue": "its paths depend on time"}

# Stacks and splits as DPE compares them, barriers, decoupling and prefetching: 48 warps of 32 lanes, two schedulers.
WIDE = "hpca13"
# Where warps are formed: 16 warps of 16 lanes, a barrel. Registers so that no kernel spills (DWF's study says what spills cost).
BARREL = "micro07"
BARREL_MACHINE = {"settings": "registers=16384", "max_registers": 64}


def of_stack(divergence, scoreboard="shadow", **more):
    return {"divergence": divergence, "scoreboard": scoreboard, **more}


def described(is_reference):
    """The mechanisms that name this study in their unit.yaml."""
    return {one.studies["all"]: of_stack(one.name, one.scoreboard) for one in unit_files.grouped(unit_files.load())
            if "all" in one.studies and one.is_reference == is_reference}


BASE = "SPE"
SPE = of_stack("spe", "baseline")
BARRIERS = of_stack("barrier", "baseline")
DPE = of_stack("dpe")
AFFINE_BRANCHES = {"affine": "dac", "affine_branches": "affine"}  # accesses behind any other branch stay in the warps
SINGLE = {  # one mechanism each
    **described(is_reference=False),
    "barriers (predicted)": {**BARRIERS, "reconverge": "predicted"},
    "barriers (automatic)": {**BARRIERS, "reconverge": "automatic"},
    "DAC": {**SPE, "affine": "dac"},
    "DAC (affine branches)": {**SPE, **AFFINE_BRANCHES},
    "CAE": {**SPE, "affine": "cae"},
    "MTA": {**SPE, "prefetch": "mta"},
}
REFERENCES = described(is_reference=True)  # no hardware
PAIRS = {  # what stands beside each other: (one, other)
    "DPE + DAC": ({**DPE, "affine": "dac"}, "DPE", "DAC"),
    "DPE + DAC (affine branches)": ({**DPE, **AFFINE_BRANCHES}, "DPE", "DAC (affine branches)"),
    "DPE + MTA": ({**DPE, "prefetch": "mta"}, "DPE", "MTA"),
    "DWS50 + MTA": ({**of_stack("dws50"), "prefetch": "mta"}, "DWS50", "MTA"),
    "barriers + MTA": ({**BARRIERS, "prefetch": "mta"}, "barriers", "MTA"),
}
ON_WIDE = {BASE: SPE, **SINGLE, **REFERENCES, **{name: pair[0] for name, pair in PAIRS.items()}}


def of_barrel(divergence, register_file=""):
    return {"divergence": divergence, "scoreboard": "barrel", "register_file": register_file}


ON_BARREL = {
    BASE: of_barrel("spe"),
    "serial": of_barrel("serial"),
    "DPE": of_barrel("dpe"),
    "DWS50": of_barrel("dws50"),
    "barriers": of_barrel("barrier"),
    "formation (majority)": of_barrel("formation"),
    "formation (post-dominators)": of_barrel("formation_pdpri"),
    "formation (time stamp)": of_barrel("formation_time_stamp"),
    "formation (any lane)": of_barrel("formation", "ideal"),
    "MIMD": of_barrel("mimd"),
}
BARREL_REFERENCES = ("formation (any lane)", "MIMD")  # no hardware
MACHINES = {WIDE: ON_WIDE, BARREL: ON_BARREL}

# Other data, by the seed of a kernel's driver: how much of a speed is the data's, and where it lies in memory.
SEEDS = (2, 3)
WITH_SEEDS = ("DPE", "DWS50", "barriers", "DAC")

# What a mechanism cannot run: {mechanism: (kernels, why)}. Each is refused by name, or named as what it is.
HAS_CTA_BARRIERS = ("back_propagation", "bitonic_sort", "convolution", "dxt_compression", "histogram", "hot_spot", "laplace",
                    "lu_decomposition", "needleman_wunsch", "path_finding", "quicksort", "reduce", "scan", "stencil_3d", "vector_ops")
CANNOT = {
    "serial": (HAS_CTA_BARRIERS, "lanes wait at a CTA barrier for lanes that their warp has masked"),
    "DWS50": (("common_call",), "splits that came from different calls meet in the function, and cannot go back to both"),
}
CANNOT["DWS50 (ideal)"] = CANNOT["DWS50 + MTA"] = CANNOT["DWS50"]


def runs(kernel, mechanism):
    return kernel not in CANNOT.get(mechanism, ((), ""))[0]


def programs(mechanism):
    """Those that it can run."""
    return [kernel for kernel in PROGRAMS if runs(kernel, mechanism)]


def job(kernel, mechanism, point=WIDE, **changes):
    """\\param mechanism  of MACHINES[point]"""
    machine = BARREL_MACHINE if point == BARREL else {}
    return Job(kernel, point=point, **{**machine, **MACHINES[point][mechanism], **changes})


def grid():
    """{part: jobs}: the machines, ideal memory, which says who waits for memory, and other data."""
    parts = {point: [job(kernel, mechanism, point) for mechanism in mechanisms for kernel in KERNELS if runs(kernel, mechanism)]
             for point, mechanisms in MACHINES.items()}
    seeds = [job(kernel, mechanism, seed=seed) for seed in SEEDS for mechanism in (BASE, *WITH_SEEDS)
             for kernel in programs(mechanism)]
    return {**parts, "ideal": [job(kernel, BASE, memory="ideal") for kernel in KERNELS], "seeds": seeds}


def is_quick(one):
    return one.kernel in ("diverge", "hazard") and one.memory == "timed"


def write_inputs(folder):
    """No job reads any."""
    folder.mkdir(parents=True, exist_ok=True)
