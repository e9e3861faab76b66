# SPDX-License-Identifier: Apache-2.0
"""What the gates of stack and scoreboard spend on a warp instruction: area/energy.json, of a kernel on the netlists."""
from area.model.report import table
from area.synth import energy


def rows(runs):
    for mechanism, kept in runs.items():
        for block, found in kept["blocks"].items():
            yield (f"`{mechanism}`", block, f"{found['nets']:,}", f"{found['toggles'] / found['edges']:.0f}", f"{found['pj']:.0f}",
                   f"{energy.pj_an_instruction(kept, 'pj', block):,.0f}",
                   f"{energy.pj_an_instruction(kept, 'flops_pj', block):,.0f}")
        yield (f"`{mechanism}`", "both", "", "", "", f"{energy.pj_an_instruction(kept):,.0f}",
               f"{energy.pj_an_instruction(kept, 'flops_pj'):,.0f}")


def text():
    runs = energy.load()
    kernel = next(iter(runs.values()))["kernel"]
    counts = ", ".join(f"{kept['cycles']:,} cycles under `{mechanism}`" for mechanism, kept in runs.items())
    instructions = next(iter(runs.values()))["warp_instructions"]
    return f"""## What the gates spend
Switching energy of the cells at point tiny (180 nm, 1.8 V), of stack and scoreboard as netlists in the SM: `{kernel}` with two
warps, {instructions:,} warp instructions, {counts}. Changes of every net are counted in Icarus Verilog, energies are those of
osu018's liberty file, by OpenSTA (`scripts/netlist_run --update`; test area.netlists). Gates take no time there, so no glitch
is counted; wires and clock tree are not there, leakage is left out. Every array is flops at this point, all of them clocked in
each cycle in which the SM's clock runs: that is most of it, and memories of a bigger point spend otherwise.

{table(("mechanism", "netlist", "nets", "changes an edge", "pJ an edge", "pJ a warp instruction", "of them in flops"), list(rows(runs)), right=range(2, 7))}
"""
