# SPDX-License-Identifier: Apache-2.0
"""DWF sec. 3 to 6: the evaluation of dynamic warp formation, repeated.

paper     what the paper says, in numbers
grid      the jobs
measures  numbers from results: IPC, shares, gains
claims    each statement of the paper, beside it ours
evidence  the statistics and experiments that show why ours differs; causes.yaml says which of them for which claim
tables    the figures as tables
plots     ... and as plots
study     what scripts/evaluate asks of it
"""
