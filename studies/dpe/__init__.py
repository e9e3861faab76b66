# SPDX-License-Identifier: Apache-2.0
"""DPE sec. 4 to 7: the evaluation of dual-path execution, repeated.

paper     what the paper says, in numbers
grid      the jobs
measures  numbers from results: gains, changes, means
claims    each statement of the paper, beside it ours
evidence  the statistics and experiments that show why ours differs; causes.yaml says which of them for which claim
tables    the figures as tables
plots     ... and as plots
study     what scripts/evaluate asks of it
"""
