# SPDX-License-Identifier: Apache-2.0
"""Wang and Lin, "Decoupled Affine Computation for SIMT GPUs", ISCA 2017, in numbers. The text at hand ends in sec. 4.4: what
stands here is said in its abstract, sec. 1 and sec. 4."""

TITLE = "Decoupled Affine Computation for SIMT GPUs"
PROGRAMS, COMPUTE_BOUND, MEMORY_BOUND = 29, 11, 18
SPEED_UP = 1.407  # geometric mean of all
COMPUTE_DAC, COMPUTE_CAE = 1.340, 1.110
MEMORY_DAC, MEMORY_MTA = 1.447, 1.167
WARP_INSTRUCTIONS = -0.260
DECOUPLED_LOADS = 0.798  # of global and local loads
AFFINE_SHARE = 0.04  # of warp instructions, issued by the affine warp
SCALAR_PREDICATES, CHEAP_PREDICATES = 0.64, 0.93  # one comparison a CTA; that or two comparisons a warp
ENERGY, DYNAMIC_ENERGY = -0.202, -0.184
