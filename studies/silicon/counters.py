# SPDX-License-Identifier: Apache-2.0
"""What Nsight Compute counts for us, and its CSV. Names: `ncu --query-metrics` of version 2019.4 and later (Volta and newer)."""
import csv
import io

# Ours: (metric there, what it is). Launches of a program add up.
COUNTERS = {
    "cycles": ("sm__cycles_elapsed.max", "cycles of a launch, of the SM that takes longest"),
    "warp_instructions": ("smsp__inst_executed.sum", "instructions that warps issued"),
    "thread_instructions": ("smsp__thread_inst_executed.sum", "of these, of each thread that was there"),
    "l1_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors of 32 bytes that global loads asked of L1"),
    "l1_sector_hits": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "of these, those that it had"),
    "l2_sectors": ("lts__t_sectors.sum", "sectors that L2 was asked for"),
    "dram_bytes_read": ("dram__bytes_read.sum", "bytes"),
    "dram_bytes_written": ("dram__bytes_write.sum", "bytes"),
    "nanoseconds": ("gpu__time_duration.sum", "of a launch"),
}
# The CSV gives each metric in the unit that suits it: to bytes and nanoseconds.
UNITS = {"": 1, "inst": 1, "cycle": 1, "sector": 1, "byte": 1, "Kbyte": 10**3, "Mbyte": 10**6, "Gbyte": 10**9,
         "nsecond": 1, "usecond": 10**3, "msecond": 10**6, "second": 10**9, "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


class BadCsv(Exception):
    """It is not what `ncu --csv --page raw` prints."""


def number(text, unit, name):
    """\\throws BadCsv"""
    if unit not in UNITS:
        raise BadCsv(f"{name} is in '{unit}', expected one of {', '.join(filter(None, UNITS))}")
    try:
        return round(float(text.replace(",", "")) * UNITS[unit])
    except ValueError:
        raise BadCsv(f"{name} is '{text}', expected a number: has this GPU no such metric?") from None


def read(text):
    """({counter: sum over launches}, launches) of what `ncu --csv --page raw` printed. \\throws BadCsv"""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        raise BadCsv("there is no line that begins with \"ID\": ncu has counted nothing")
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[first:]))))
    if len(rows) < 2:
        raise BadCsv("there is no launch")
    units, launches = rows[0], [row for row in rows[1:] if row["ID"]]
    counted = {}
    for name, (metric, _) in COUNTERS.items():
        if metric not in units:
            raise BadCsv(f"{metric} is missing, of {name}")
        counted[name] = sum(number(row[metric], units[metric] or "", metric) for row in launches)
    return counted, len(launches)
