# SPDX-License-Identifier: Apache-2.0
"""All mechanisms side by side, which no paper has: what each gains, on which programs and why, and what it costs.

grid         the jobs
features     what the compiler sees of a kernel's branches
cost         bits, mm2 and FO4 of what a mechanism adds, from area/
measures     of results: gains, spreads, what changed
statistics   rank correlation, and how likely one is by chance
tables       of all that
profiles     of each mechanism, who gains and who loses
conclusions  what follows, each with the statistics that it stands on
plots        speed against cost; kernel by kernel
study        what scripts/evaluate asks of it
"""
