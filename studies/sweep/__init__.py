# SPDX-License-Identifier: Apache-2.0
"""heddle sweep: the jobs that a file names, run here or by Slurm.

spec        the file: kernels, mechanisms, options, points and seeds become jobs
yaml_lines  YAML whose parts know their lines, and what is wrong there
vocabulary  what the program knows: kernels, points, options and their values
state       what is done, running, failed
results     what comes of it: results.json and results.csv
cli         what a person types
"""
