# SPDX-License-Identifier: Apache-2.0
"""Rhu and Erez, "The Dual-Path Execution Model for Efficient GPU Control Flow", HPCA 2013, in numbers. Its drawings are not
at hand: what stands here is said in its text and tables."""

TITLE = "The Dual-Path Execution Model for Efficient GPU Control Flow"
# Table 2: our kernel, the paper's name, its thread instructions in millions.
INTERLEAVABLE = {"lu_decomposition": ("LUD", 39), "quicksort": ("QSort", 60), "stencil_3d": ("Stencil", 115),
                 "ray_tracing": ("RAY", 250), "laplace": ("LPS", 72), "suffix_match": ("MUMpp", 148),
                 "photon_transport": ("MCML", 303_000)}
OTHERS = {"dxt_compression": ("DXTC", 18_000), "bfs": ("BFS", 16), "path_finding": ("PathFind", 639),
          "needleman_wunsch": ("NW", 51), "hot_spot": ("HOTSPOT", 110), "bfs_queue": ("BFS2", 26),
          "back_propagation": ("BACKP", 190)}
TABLE_2 = {**INTERLEAVABLE, **OTHERS}
KEEP_LANES = ("lu_decomposition", "quicksort", "photon_transport", "dxt_compression", "back_propagation")  # sec. 6.1
MISS_MORE = ("ray_tracing", "laplace", "path_finding", "hot_spot")  # sec. 6.2, under DWS
DWS50_GAINS = {"lu_decomposition": (0.373, 0.052), "quicksort": (0.128, 0.049)}  # sec. 6.3: over SPE and over DPE
SPE_DEPTH, DPE_DEPTH = 11, 7  # sec. 6.5
L1_BYTES = 16384  # Table 1
L2_BYTES = 768 * 1024


def name(kernel):
    return TABLE_2[kernel][0] if kernel in TABLE_2 else kernel
