# SPDX-License-Identifier: Apache-2.0
"""DAC sec. 1 and 4: decoupled affine computation, against the baseline, an affine unit and a prefetcher.

paper     what the paper says, in numbers
grid      the jobs
measures  numbers from results: speed, instructions, loads, predicates
claims    each statement of the paper, beside it ours
causes    the statistics and experiments that show why ours differs
tables    the numbers as tables
plots     ... and as plots
study     what scripts/evaluate asks of it
"""
