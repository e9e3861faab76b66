# SPDX-License-Identifier: Apache-2.0
"""Every constant of the area model, with where it comes from.

Lengths are in F, the feature size of the process: 0.09 um at 90 nm.
CACTI 4.2: the layout dimensions of HP Labs' CACTI 4.2, stated for 0.8 um and scaled with F (method: WRL 2001/2 and
HPL-2006-86). osu018: the standard cells of Debian's qflow-tech-osu018, um2 over (0.18 um)^2.
kind   published  a dimension that the source states
       derived    computed here from published dimensions; the note says how
       ours       assumed by us; what it changes is said beside it
       fitted     chosen so that the model meets figures of CACTI: one constant of area, one of time
"""

CACTI = "CACTI 4.2"


class Constant(float):
    """A number that knows its unit, its kind and its source."""

    def __new__(cls, value, unit, kind, source):
        self = super().__new__(cls, value)
        self.unit, self.kind, self.source = unit, kind, source
        return self


# ---- cells ----
RAM_CELL_WIDTH = Constant(60**0.5, "F", "published", CACTI + ": a 6T cell of 120 F2, twice as high as wide. "
                          "0.97 um2 at 90 nm; Intel's 90 nm cell is 1.0 um2 (announced 2002)")
RAM_CELL_HEIGHT = Constant(2 * 60**0.5, "F", "published", "as the width")
TRACK = Constant(3.2, "F", "published", CACTI + ": wire pitch, 1.6 wide and 1.6 apart, after Intel's 65 nm process")
TRACKS_PER_PORT = Constant(2, "tracks", "published", CACTI + ": each port beyond the first widens the cell by a pair "
                           "of bit lines and raises it by as much for its word line")
CAM_CELL_WIDTH = Constant(28, "F", "published", CACTI + ": 56 x 61 for 2 x 2 cells with one port")
CAM_CELL_HEIGHT = Constant(30.5, "F", "published", "as the width")
CAM_PORT_WIDTH = Constant(12, "F", "published", CACTI + ": growth for each further port of a CAM cell")
CAM_WRITE_PORT_HEIGHT = Constant(20, "F", "published", CACTI + ": growth for each further write port of a CAM cell")
CAM_READ_PORT_HEIGHT = Constant(15, "F", "published", CACTI + ": growth for each read or search port of a CAM cell")
STRAP_HEIGHT = Constant(7.5, "F", "published", CACTI + ": substrate contacts, once in STRAP_ROWS rows")
STRAP_ROWS = Constant(16, "rows", "published", CACTI)

# ---- stripes beside a subarray ----
ROW_DRIVER_WIDTH = Constant(100, "F", "derived", "for each addressed port: a 3-input NOR (26), an inverter (29) and a "
                            "word-line driver (about 45), " + CACTI)
MATCH_WIDTH = Constant(124, "F", "published", CACTI + ": for each search port, NAND (89) and NOR with inverter (35) "
                       "at the end of the match line")
SENSE_HEIGHT = Constant(190, "F", "published", CACTI + ": sense amplifier, for each read port")
OUTPUT_HEIGHT = Constant(250, "F", "published", CACTI + ": output driver, for each read port")
PRECHARGE_HEIGHT = Constant(130, "F", "derived", "for each write port: precharge of 31, twice 37.5 of write "
                            "transistors, contacts and well spacing of 24, " + CACTI)
INPUT_HEIGHT = Constant(32, "F", "published", CACTI + ": data-in inverters, for each write port and each search port")
COLUMN_MUX_HEIGHT = Constant(40, "F", "derived", "for each addressed port: three contacts of 5.25, " + CACTI + "; two "
                             "pass transistors of about 12, ours")
INTERLEAVE = Constant(2, "columns", "published", CACTI + ": with words interleaved, two columns share an amplifier "
                      "that is then half as high")
PREDECODER = Constant(25e3, "F2", "derived", "for each address bit of each addressed port: 3-to-8 blocks of 59,500 "
                      "(one), 118,600 (two) and 257,000 (three), " + CACTI)
PREDECODED_LINES = Constant(8 / 3, "lines", "derived", "for each address bit: 3 bits become 8 lines")

# ---- the same bits in flip-flops and gates ----
OSU018 = "osu018: "
FLOP = Constant(2963, "F2", "published", OSU018 + "DFFPOSX1, 96 um2")
FLOP_WRITE_PORT = Constant(1481, "F2", "derived", OSU018 + "a MUX2X1 (48 um2) a bit, for each write port; the first holds "
                           "the bit's own value")
FLOP_READ_PORT = Constant(1481, "F2", "derived", OSU018 + "a MUX2X1 a bit, for each read port")
FLOP_SEARCH_PORT = Constant(2099, "F2", "derived", OSU018 + "an XNOR2X1 and half a NAND2X1 (56 + 12 um2) a bit, for "
                            "each search port")

# ---- organisation ----
SUBARRAY = Constant(5.7, "", "fitted", "a fast memory of B bits has subarrays of SUBARRAY x sqrt(B) bits")

# ---- time ----
# Of the library: 180 nm. A delay is in FO4, an inverter that drives four of its kind; there five of logical effort's units
# are one (effort 4, parasitic 1), and a stage of effort 4 is the fastest.
FO4_NS = Constant(0.0991, "ns", "derived", OSU018 + "measured (area/synth/measured.json)")
LAUNCH_NS = Constant(0.1598, "ns", "derived", OSU018 + "DFFPOSX1, clock to output: the address register; measured")
SETUP_NS = Constant(0.1903, "ns", "derived", OSU018 + "DFFPOSX1: setup of all that a memory is given; measured")
INVERTER_FF = Constant(9.32, "fF", "published", OSU018 + "INVX1, its input")
INVERTER_WIDTH = Constant(3 / 0.18, "F", "published", OSU018 + "INVX1, n of 1 um and p of 2 um")
PULL_DOWN_WIDTH = Constant(1 / 0.18, "F", "published", OSU018 + "INVX1, n")
WIRE_OHM = Constant(0.233 * 0.18, "ohm/F", "published", OSU018 + "metal 4 of the LEF, 0.07 a square, 0.3 um wide")
WIRE_FF = Constant(0.0844 * 0.18, "fF/F", "published", OSU018 + "metal 4 of the LEF, area and both edges")
ACCESS_WIDTH = Constant(2, "F", "ours", "access transistor of a cell; the cell's own is as wide and a half. Twice as wide: "
                        "word lines 0.3 FO4 slower, bit lines faster")
SWING = Constant(0.2, "", "published", CACTI + ": a bit line moves by a tenth of the supply, a fifth of a gate's half")
DECODER_EFFORT = Constant(20 / 9, "", "derived", "a NAND3 to predecode and a NAND2 a row: 5/3 x 4/3 of logical effort")
DECODER_PARASITIC = Constant(0.6, "FO4", "derived", "the three units by which their parasitics exceed two inverters'")
SENSE_FO4 = Constant(2, "FO4", "derived", CACTI + ": 0.58 ns at 0.8 um, and 360 ps of FO4 a um of gate (Ho, Mai, Horowitz: "
                     "The Future of Wires, Proc. IEEE 2001)")
OUTPUT_FO4 = Constant(2, "FO4", "ours", "column multiplexer, and a driver")
MARGIN = Constant(1.74, "", "fitted", "all but the launch takes so much more than these formulas, which are of a memory built "
                  "for speed alone, so that the model meets four figures of CACTI 5.3")
REPEATED_WIRE = Constant(1.52, "", "derived", "a wire with repeaters of the best size and distance takes 1.52 sqrt(FO4 r c) "
                         "a length, from the delay of one segment")
