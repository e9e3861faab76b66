# SPDX-License-Identifier: Apache-2.0
"""gpgpusim.csv: what the other simulator counted."""
import csv
import pathlib

FILE = pathlib.Path(__file__).resolve().parent / "gpgpusim.csv"
SIMULATOR = "GPGPU-Sim 4.2 (branch dev, 6b244a5d)"
CONFIGURATION = "SM2_GTX480"
MEASURED = "2026-11-28"


def load():
    """{(kernel, SMs, change): (cycles, warp instructions)}"""
    with FILE.open(newline="") as file:
        return {(row["kernel"], int(row["sms"]), row["change"]): (int(row["cycles"]), int(row["warp_instructions"]))
                for row in csv.DictReader(file)}
