# SPDX-License-Identifier: Apache-2.0
"""Area and timing of the twins: Yosys and abc onto Debian's osu018 cells, OpenSTA for the critical path.

blocks      which twins there are, and their fragments at a design point
inventory   what `heddle area` says about their storage
yosys       runs Yosys: elaboration, mapping
boxes       memories that stay black boxes: which, and what stands in for each
technology  the cell library, and figures measured on it
timing      runs OpenSTA and names a path in RTL terms
flow        one twin from source to figures, cached by content
report      tables for people
baseline    area/baseline.json
scaling     the same over a parameter, with a plot
gates       the mapped netlist as one more twin of the block's own bench
recording   what a recording of a block's ports says of itself
"""


class SynthError(Exception):
    """What a user can act on; the message says how."""
