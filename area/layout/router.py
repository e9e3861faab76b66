# SPDX-License-Identifier: Apache-2.0
"""Qrouter: wires for the nets of a placed block. What it says of its success is not taken for granted: wires.tree looks."""
import shutil
import subprocess

from area.synth import SynthError, technology

from . import floorplan, lef

PROGRAM = "qrouter"
PLACED, ROUTED = "placed.def", "routed.def"

# Its own sequence: each net by itself; then those that failed, with others ripped up; then all once more, for shorter ones.
SCRIPT = f"""verbose 0
read_lef {technology.FOLDER / lef.FILE}
layers {floorplan.LAYERS}
via stack {floorplan.LAYERS - 1}
vdd vdd
gnd gnd
read_def {PLACED}
qrouter::standard_route {ROUTED} false
quit
"""


def run(folder, seconds):
    """Routes folder/placed.def; the text of routed.def."""
    if not shutil.which(PROGRAM):
        raise SynthError(f"{PROGRAM} is missing: scripts/bootstrap area")
    (folder / "route.tcl").write_text(SCRIPT)
    (folder / ROUTED).unlink(missing_ok=True)
    try:
        done = subprocess.run([PROGRAM, "-nog", "-s", "route.tcl"], cwd=folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        raise SynthError(f"{folder}: {PROGRAM} took longer than {seconds:g} s; --timeout gives it more") from None
    (folder / "qrouter.log").write_text(done.stdout + done.stderr)
    if done.returncode or not (folder / ROUTED).exists():
        raise SynthError(f"{folder}: {PROGRAM} ended with {done.returncode}; it says\n{(done.stdout + done.stderr)[-1500:]}")
    return (folder / ROUTED).read_text()
