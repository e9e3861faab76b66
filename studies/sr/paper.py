# SPDX-License-Identifier: Apache-2.0
"""What SR says, where it has numbers; its drawings are not at hand."""
TITLE = "Speculative Reconvergence for Improved SIMT Efficiency"
LANES = 32

# Our kernel: (the program of SR Table 2, or what it stands for; what kind of prediction).
KERNELS = {
    "path_tracer": ("pathtracer", "Loop Merge"),
    "multipole_lookup": ("rsbench", "Loop Merge"),
    "cross_section_lookup": ("xsbench", "Loop Merge"),
    "mcb": ("mcb", "Loop Merge"),
    "mc_gpu": ("mc-gpu", "Loop Merge"),
    "md5_search": ("MeiyaMD5", "Loop Merge"),
    "suffix_match": ("mummer", "Iteration Delay"),
    "photon_transport": ("gpu-mcml", "Iteration Delay"),
    "ray_tracing": ("Optix", "Iteration Delay"),
}
MICRO_BENCHMARK = "common_call"  # Fig. 2(c)

LEAST_GAIN, MOST_GAIN = 0.10, 2.0  # abstract: 10% to 3x, of SIMT efficiency and of speed
BEST_OF_XSBENCH = 4  # sec. 5.3: the inner loop runs until as few as four threads are left
LOW_EFFICIENCY = 0.80  # sec. 5.4
APPLICATIONS, LOW, CANDIDATES, GAINING = 520, 75, 16, 5  # sec. 5.4
