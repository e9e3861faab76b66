# SPDX-License-Identifier: Apache-2.0
"""The mechanisms that a built `heddle` lists."""
import json
import subprocess


def listed(heddle, option=None):
    """Rows of `heddle list mechanisms --json -`: option, name, source, what; of --divergence block, paths, scoreboard,
    register_files, variant_of and is_reference too. \param option  rows of this one only"""
    text = subprocess.run([heddle, "list", "mechanisms", "--json", "-"], text=True, capture_output=True, check=True).stdout
    return [row for row in json.loads(text) if option in (None, row["option"])]
