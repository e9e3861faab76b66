# SPDX-License-Identifier: Apache-2.0
"""The jobs of the study: DWF's mechanisms on the programs of sec. 5 at the machine of Tables 1 and 2, and the experiments
that take a cause away."""
from harness.job import Job
from harness.program import ROOT
from tools import design_points

from . import paper

POINT = "micro07"
REGISTERS = design_points.load()[POINT]["max_registers"]  # a thread
STACKS = {"serial": "serial", "PDOM": "spe"}
POLICIES = {"DMaj": "formation", "DMin": "formation_minority", "DTime": "formation_time_stamp", "DPdPri": "formation_pdpri",
            "DPC": "formation_program_counter"}
# As the page calls them: control flow unit and register file (Fig. 10); all on the barrel SM.
MECHANISMS = {
    **{name: (unit, "static") for name, unit in STACKS.items()},
    **{name: (unit, "ideal") for name, unit in POLICIES.items()},
    "MIMD": ("mimd", "ideal"),
    "DMaj, lane aware": ("formation", "lane_aware"),
    "DMaj, naive": ("formation", "naive"),
    "DPdPri, lane aware": ("formation_pdpri", "lane_aware"),
}
HEADLINE = ("PDOM", "DMaj", "DMaj, lane aware", "DPdPri", "DPdPri, lane aware", "MIMD")  # of what most claims speak
BEYOND = {name: (unit, "static") for name, unit in (("DPE", "dpe"), ("DWS50", "dws50"), ("barriers", "barrier"))}
# On one core with its share of the memory, where eight would cost too much time: with all threads of a core.
ONE_CORE = {"hmm_search": 16}  # warps
# Programs that need more registers run in a file of twice the size. Ours: the L1 writes through, and what is
# spilled would go to DRAM; the part `spills` shows what it costs.
MORE_REGISTERS = {"hmm_search": 64, "lattice_boltzmann": 64}
WIDER_FILE = "registers=16384"
# Programs that serialisation cannot run, as lanes wait at a barrier for lanes that their warp has masked.
NO_SERIAL = ("bitonic_sort", "lu_decomposition")
# Experiments: what they set, for all mechanisms.
ONE_STAGE_LESS = "fetch_latency=1"
# All latencies of PDOM nine cycles more: a warp then comes round a stage earlier than under formation, which is what the
# paper says of its own (sec. 6). As it is a warp of PDOM's comes round in half the time: its stack is updated at issue, and
# our formation hardware takes six cycles from commit to issue (rtl/warp_formation), where the paper gives none.
AS_LONG = ("alu_latency=17,multiplier_latency=19,special_latency=33,shared_latency=33,l1_hit_latency=19,"
           "constant_hit_latency=33")
# One pipeline for all instructions, as in Fig. 2: none waits for a unit.
ONE_PIPELINE = "special_interval=1,operand_words=4,load_store_queue=32"
# The pipeline as Fig. 2 has it, "register read, execute, memory and writeback stages", for all instructions and mechanisms
# alike, on-chip memories too; hits of the cache take the 10 cycles of Table 2. A full core then has more warps than a warp
# takes cycles to come round, also under formation.
AS_FIG_2 = ("alu_latency=2,multiplier_latency=2,special_latency=2,shared_latency=2,constant_hit_latency=2,"
            f"{ONE_PIPELINE}")
SHORT = ("PDOM", "DMaj", "DMaj, lane aware", "DPdPri", "MIMD")
EXTRA_STAGE = ("fft", "matrix_multiply")  # of which the paper says that the stage makes them slower
MANY_UNITS = ("black_scholes", "fft")  # that wait for units most
REFERENCES = {"PDOM, as long": ("spe", "static")}  # in no figure: what takes causes away
SETTINGS = {"PDOM, as long": AS_LONG}
CHAINS = (100, 200)  # additions that wait for one another, of a lone warp
PATHOLOGICAL = {  # bodies of the if of Fig. 7, in instructions; 3: as it is drawn
    3: "pathological_3", 12: "pathological_12", 48: "pathological_48", 96: "pathological_96"}
# Kernels without warp-wide operations that the paper does not have: all others but those left out. On one core, as most fill no more.
APPENDIX = ("back_propagation", "bfs", "bfs_queue", "convolution", "cross_section_lookup", "diverge", "dxt_compression", "hazard",
            "histogram", "hot_spot", "laplace", "md5_search", "multipole_lookup", "needleman_wunsch", "nest", "path_finding",
            "path_tracer", "photon_transport", "quicksort", "ray_tracing", "reduce", "reorder", "scan", "stencil_3d",
            "suffix_match", "transpose", "trip_count", "vector_add", "vector_ops", "wide_address")
OF_SR = ("common_call", "mc_gpu", "mcb")
LEFT_OUT = {"spin_lock": "it never ends on a reconvergence stack",
            **{kernel: "it came later, with SR's study" for kernel in OF_SR}}


def together(*settings):
    return ",".join(one for one in settings if one)


def job(kernel, mechanism, **changes):
    """\\param changes  fields of Job that are not the study's usual ones; settings are added to the usual ones"""
    divergence, register_file = (MECHANISMS | BEYOND | REFERENCES)[mechanism]
    settings = together(WIDER_FILE if kernel in MORE_REGISTERS else "", SETTINGS.get(mechanism, ""), changes.pop("settings", ""))
    usual = {"point": POINT, "sms": 1 if kernel in ONE_CORE else paper.CORES, "warps": ONE_CORE.get(kernel, 0),
             "max_registers": MORE_REGISTERS.get(kernel, REGISTERS), "block_threads": paper.THREADS,
             "register_file": "" if register_file == "static" else register_file}
    return Job(kernel, divergence, "barrel", settings=settings, **{**usual, **changes})


def spilled(kernel, mechanism):
    """With the registers that the paper's file has."""
    one = job(kernel, mechanism, max_registers=REGISTERS)
    return Job(**{**one.__dict__, "settings": ""})


def chain(length, mechanism, **changes):
    """A lone warp, each of whose additions waits for the one before."""
    return job(f"chain_{length}", mechanism, sms=1, block_threads=0, memory="ideal", **changes,
               ptx=f"chain_{length}.ptx --entry chain --block {paper.LANES} --arg zeros:64")


def of_width(kernel, mechanism, lanes, **changes):
    """256 threads in narrower warps."""
    if lanes == paper.LANES:
        return job(kernel, mechanism, **changes)
    warps = paper.THREADS // lanes
    more = {"warps": warps} if kernel in ONE_CORE else {}
    return job(kernel, mechanism, settings=f"warps={warps},lanes={lanes}", **{**changes, **more})


def of_appendix(kernel, mechanism):
    """With more registers, as some would spill."""
    settings = together(WIDER_FILE, SETTINGS.get(mechanism, ""))
    one = job(kernel, mechanism, sms=1, max_registers=64)
    return Job(**{**one.__dict__, "settings": settings})


def limit(kernel):
    return Job(kernel, command="limit", point=POINT, max_registers=MORE_REGISTERS.get(kernel, REGISTERS),
               block_threads=paper.THREADS)


def limit_of_pathological(body):
    return Job(PATHOLOGICAL[body], command="limit", point=POINT,
               ptx=f"{PATHOLOGICAL[body]}.ptx --entry pathological --block 128 --arg zeros:512")


def runs(kernel, mechanism):
    return not (mechanism == "serial" and kernel in NO_SERIAL)


def jobs(kernels, mechanisms, **changes):
    return [job(kernel, mechanism, **changes) for kernel in kernels for mechanism in mechanisms if runs(kernel, mechanism)]


def grid():
    """{part: jobs}. A job may stand in several parts."""
    kernels, pair = tuple(paper.KERNELS), ("PDOM", "DMaj")
    return {
        "headline": jobs(kernels, HEADLINE),
        "main": jobs(kernels, MECHANISMS),
        "ideal_memory": jobs(kernels, ("serial", "PDOM", *REFERENCES, "DMaj", "MIMD"), memory="ideal"),
        "widths": [of_width(kernel, "PDOM", lanes, memory="ideal") for lanes in paper.WIDTHS for kernel in kernels],
        "limit": [*map(limit, kernels), *map(limit_of_pathological, PATHOLOGICAL)],
        "one_stage_less": jobs(EXTRA_STAGE, ["DMaj"], settings=ONE_STAGE_LESS),
        "as_long": jobs(kernels, REFERENCES),
        "one_pipeline": jobs(MANY_UNITS, (*REFERENCES, "DMaj"), settings=ONE_PIPELINE),
        "chain": [chain(length, mechanism) for length in CHAINS for mechanism in (*pair, "MIMD", *REFERENCES)]
                 + [chain(length, mechanism, settings=AS_FIG_2) for length in CHAINS for mechanism in pair],
        "as_fig_2": jobs(kernels, SHORT, settings=AS_FIG_2),
        "spills": [spilled(kernel, mechanism) for kernel in MORE_REGISTERS for mechanism in pair],
        "beyond": jobs(kernels, BEYOND),
        "appendix": [of_appendix(kernel, mechanism) for kernel in APPENDIX for mechanism in (*pair, *REFERENCES)],
    }


CHAIN = """.version 7.0
.target sm_70
.address_size 64
.visible .entry chain(.param .u64 data)
{
  .reg .u32 %t, %v; .reg .u64 %data, %at;
  ld.param.u64 %data, [data];
  mov.u32 %t, %tid.x;
  mov.u32 %v, %t;
  // here
  mul.wide.u32 %at, %t, 4;
  add.u64 %at, %data, %at;
  st.global.u32 [%at], %v;
  ret;
}
"""


def is_quick(one):
    return one.kernel == "bitonic_sort" and one.memory == "timed" and not one.settings


def pathological(body):
    """DWF Fig. 7 in PTX, with a body of so many instructions."""
    text = (ROOT / "tests/ptx/pathological.ptx").read_text()
    add = "  add.u32 %v, %v, 1;\n"
    return text.replace(add, add * (body - 2))


def write_inputs(folder):
    """Files that jobs read, made from nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    for body, name in PATHOLOGICAL.items():
        (folder / f"{name}.ptx").write_text(pathological(body))
    for length in CHAINS:
        (folder / f"chain_{length}.ptx").write_text(CHAIN.replace("  // here\n", "  add.u32 %v, %v, %t;\n" * length))
