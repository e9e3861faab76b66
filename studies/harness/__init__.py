"""What every study shares: jobs that run side by side and are never run twice, and the files that come of them.

job      one `heddle run`, and the words of its command line
program  which program that is, and what of it decides a result
store    results, one file a job, whole or not there
runner   many jobs at once, with progress
results  the committed JSON and CSV: a row a job
page     Markdown from numbers
cli      scripts/evaluate
"""
