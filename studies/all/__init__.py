"""All mechanisms side by side, which no paper has: what each gains, on which programs and why, and what it costs.

grid      the jobs
features  what the compiler sees of a kernel's branches
cost      bits, mm2 and FO4 of what a mechanism adds, from area/
measures  of results: gains, spreads, what changed
tables    of all that; sentences
plots     cycles gained against cost; gains kernel by kernel
study     what scripts/evaluate asks of it
"""
