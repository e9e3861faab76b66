# SPDX-License-Identifier: Apache-2.0
"""The jobs: five launches on one SM, which has the whole memory as there, and on 15; and each with one parameter changed."""
import pathlib
import shutil

from harness.job import Job

from . import inputs

POINT = "hpca13"
FOLDER = pathlib.Path(__file__).resolve().parent / "kernels"
LAUNCHES = {
    "diverge": "--entry diverge --grid 120 --block 128 --arg file:INPUTS/values.bin --arg zeros:61440 --arg 2",
    "nest": "--entry nest --grid 120 --block 128 --arg file:INPUTS/values.bin --arg zeros:61440 --arg 1",
    "bfs": "--entry bfs_expand --grid 240 --block 128 --arg file:INPUTS/first.bin --arg file:INPUTS/edges.bin "
           f"--arg file:INPUTS/levels.bin --arg zeros:122880 --arg {inputs.LEVEL} --arg {inputs.NODES}",
    "matrix_multiply": "--entry matrix_multiply --grid 12,12 --block 16,16 --arg file:INPUTS/left.bin "
                       f"--arg file:INPUTS/right.bin --arg zeros:147456 --arg {inputs.SIDE}",
    "vector_add": "--entry vector_add --grid 1920 --block 256 --arg file:INPUTS/a.bin --arg file:INPUTS/b.bin "
                  f"--arg zeros:1966080 --arg {inputs.ELEMENTS}",
}
MACHINES = {1: "chip", 15: "timed"}  # SMs: memory; a lone SM has the whole memory there
# The change here, and the one of gpgpusim.csv, if it was measured: what is taken from that configuration at its value of
# before, and what the measurements there changed.
AS_CONFIGURED = "as configured"
FULL_RATE = "integer multiply, shift and conversion at full rate"
NEITHER = "both: full rate, and a fetch a scheduler and cycle"
SHORTER, LONGER = "a cycle less on the wires of the crossbar", "a cycle more on the wires of the crossbar"
SECTORS = "DRAM: a burst for each sector of 32 bytes"
CHANGES = {
    AS_CONFIGURED: ("", AS_CONFIGURED),
    FULL_RATE: ("half_rate_interval=1", "integer intervals 1,1,1,1,8,4"),
    "L1 instruction cache of 32 KB": ("icache_bytes=32768", "L1 instruction cache of 64 sets (32 KB)"),
    "a fetch a scheduler and cycle": ("fetches=2", None),
    NEITHER: ("half_rate_interval=1,fetches=2", None),
    "32 MSHRs": ("l1_mshrs=32", "L1 data cache with 32 MSHRs"),
    "linear set index": ("l1_hash_from=0", "L1 data cache with a linear set index"),
    "L1 allocates when a line comes": ("l1_allocate_on_miss=0", None),
    "L1 updates a line that is stored to": ("l1_store_evicts=0", None),
    "DRAM: WL 1, CDLR 1, WR 1, no bank groups": ("dram_twl=1,dram_tcdlr=1,dram_twr=1,dram_bank_groups=1,dram_tccdl=0,dram_trtpl=0",
                                                 "DRAM: WL 1, CDLR 1, WR 1, no bank groups"),
    SECTORS: ("dram_burst_bytes=32", None),
    "20 places from an SM to a partition": ("crossbar_queue=20", None),
    SHORTER: ("crossbar_latency=15", None),  # what of a change is chance: another order of the same requests
    LONGER: ("crossbar_latency=17", None),
    "DRAM: banks folded with rows": ("dram_fold=1,dram_low_banks=1,dram_row_bytes=2048", None),
}


def job(kernel, sms, change=AS_CONFIGURED):
    return Job(kernel, point=POINT, settings=CHANGES[change][0], sms=sms, memory=MACHINES[sms],
               ptx=f"{kernel}.ptx {LAUNCHES[kernel]}")


def grid():
    return {change: [job(kernel, sms, change) for kernel in LAUNCHES for sms in MACHINES] for change in CHANGES}


def is_quick(one):
    return one.sms == 15 and not one.settings


def write_inputs(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in LAUNCHES:
        shutil.copy(FOLDER / f"{kernel}.ptx", folder)
    inputs.write(folder)
