# SPDX-License-Identifier: Apache-2.0
"""Fung, Sham, Yuan and Aamodt, "Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow", MICRO 2007, in
numbers. Its drawings are not at hand: what stands here is said in its text and tables."""

TITLE = "Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow"
CORES, LANES, THREADS = 8, 16, 256  # Table 2; threads of a core
PEAK = CORES * LANES  # thread instructions a cycle
MODULE_BYTES = 8  # Table 2: of each of 8 memory modules, a cycle
# Our kernel and the paper's name, in the order of Fig. 13 and 14.
KERNELS = {"hmm_search": "HMMer", "lattice_boltzmann": "lbm", "black_scholes": "Black", "bitonic_sort": "Bitonic",
           "fft": "FFT", "lu_decomposition": "LU", "matrix_multiply": "Matrix"}
WIDTHS = {4: 0.827, 8: 0.718, 16: 0.49}  # Fig. 6: harmonic mean IPC as a share of the peak, by lanes
# Fig. 13 and 14: used part of the memory's bandwidth, and of cache accesses that miss.
BANDWIDTH = {"PDOM": (0.5860, 0.9320, 0.0496, 0.3621, 0.7990, 0.0076, 0.3802),
             "DMaj": (0.5686, 0.9529, 0.0306, 0.3995, 0.7823, 0.0958, 0.3701)}
MISSES = {"PDOM": (0.0343, 0.1335, 0.0143, 0.1822, 0.0735, 0.0008, 0.0286),
          "DMaj": (0.0185, 0.1353, 0.0134, 0.2460, 0.0686, 0.0030, 0.0290)}
LITTLE_DIVERGENCE = ("black_scholes", "fft", "matrix_multiply")  # sec. 6: there PDOM is faster
GOOD_POLICIES, POOR_POLICIES = ("DMaj", "DPdPri", "DPC"), ("DMin", "DTime")  # sec. 6.1
FEW_LANES = 4  # ours: what "low occupancy" of sec. 6.1 may be


def name(kernel):
    return KERNELS.get(kernel, kernel)


def of(numbers, kernel):
    """Of a row of Fig. 13 or 14."""
    return numbers[list(KERNELS).index(kernel)]
