# SPDX-License-Identifier: Apache-2.0
"""Is the model plausible? Five kernels against what the parameters of the machine allow.

grid      the jobs
kernels   what the source of each kernel says by hand: lanes, lines, bytes, chains of dependences
bounds    lower bounds on cycles, from the design point and a run's counts; no run may be faster
tables    both as tables and sentences
study     what scripts/evaluate asks of it
"""
