# SPDX-License-Identifier: Apache-2.0
"""Does another simulator count the same cycles? Five kernels against GPGPU-Sim with its GTX 480 configuration.

kernels/      the PTX, of clang, as both ran it
gpgpusim.csv  its cycles, measured outside: as configured, and with one parameter changed at a time
inputs        the data of the launches
grid          the jobs: the same launches here, and with the same parameters changed
tables        both side by side, and what each parameter changes
plots         the ratios
study         what scripts/evaluate asks of it
"""
