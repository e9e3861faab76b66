# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a view of GTKWave, whatever its waveform: for views and flight_recorder."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from view_zoom import DECIMAL, rows_of  # noqa: E402

# What must be a word, by the end of the signal's name; PCs only where the papers (or the case) name them.
WORDS = re.compile(r"(\.op|op_i|\.kind|kind_q_\d+|\.compare|phase_q_\d+|\.error|\.rpc|rpc_q(_\d+)?|\.target)\[|"
                   r"scoreboard\.\S*\.id\[|head_(left|right)_i_\d+\.([abcd]|guard)\[")
PCS = re.compile(r"(\.pc|\.pc_[lr]|pc_q_\d+_\d+|commit_pc_i_\d+)\[")
NAMED_CASES = ("dpe_fig1", "dpe_fig3", "dwf_fig9", "dwf_sec42", "spin_lock", "pathological", "iteration_delay")


def faults_of(text, command, root):
    rows = list(rows_of(text))
    if not rows or rows[0][0] != "SystemC.cycle[31:0]":
        yield "the first row is not the cycle counter"
    for signal, flags, words in rows:
        named = any(case in command for case in NAMED_CASES)
        if words is None and (WORDS.search(signal) or named and PCS.search(signal)):
            yield f"{signal} is shown as a number"
        elif words is not None and not flags & DECIMAL:
            yield f"{signal}: translate files are for decimal rows"
        elif words is not None and not (root / words).is_file():
            yield f"{signal}: there is no {words}"
