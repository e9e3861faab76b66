# SPDX-License-Identifier: Apache-2.0
"""What every study shares: jobs that run side by side and are never run twice, and the files that come of them.

job      one `heddle run`, and the words of its command line
program  which program that is, and what of it decides a result
store    results, one file a job, whole or not there
lease    who runs a job now
files    what the two are built on
runner   many jobs at once, with progress
costs    how long jobs take, and how many make a task
engine   here, or slurm: tasks of a cluster's, whose worker runs jobs of a plan
results  the committed JSON and CSV: a row a job
page     Markdown from numbers
cli      scripts/evaluate
"""
