# SPDX-License-Identifier: Apache-2.0
"""The suite on a GPU of NVIDIA's, counted by Nsight Compute (scripts/silicon).

cuda_driver, cuda_device, program  the C++ program: our host drivers before NVIDIA's driver
counters                           what is counted, and ncu's CSV
page                               results.json and README.md
cli                                what a person types
"""
