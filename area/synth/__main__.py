# SPDX-License-Identifier: Apache-2.0
"""python3 -m area.synth measure: measures the library anew, measured.json. Everything else: scripts/synth."""
import sys

from . import SynthError, measure

if sys.argv[1:] != ["measure"]:
    sys.exit(__doc__)
try:
    measure.main()
except SynthError as error:
    sys.exit(f"area.synth: {error}")
