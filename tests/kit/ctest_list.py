# SPDX-License-Identifier: Apache-2.0
"""The tests that a build has."""
import re
import subprocess


def tests_of(build):
    """{name: number, as ctest -I takes it}"""
    listed = subprocess.run(["ctest", "--test-dir", build, "-N"], text=True, capture_output=True, check=True).stdout
    return {name: number for number, name in re.findall(r"^ *Test +#(\d+): (\S+)", listed, re.M)}
