# SPDX-License-Identifier: Apache-2.0
"""The page that `heddle report` makes of runs: README.md says which file does what."""
