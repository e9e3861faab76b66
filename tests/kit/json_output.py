# SPDX-License-Identifier: Apache-2.0
"""What a program prints as JSON."""
import json
import subprocess


def json_of(program, *words, folder=None):
    """Of `PROGRAM WORDS --json -`, from standard output alone: on standard error a slow run says how far it is."""
    command = [str(word) for word in (program, *words, "--json", "-")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stderr}"
    return json.loads(done.stdout)
