"""Every constant of the area model, with where it comes from.

Lengths are in F, the feature size of the process: 0.09 um at 90 nm.
CACTI 4.2: the layout dimensions of HP Labs' CACTI 4.2, stated for 0.8 um and scaled with F (method: WRL 2001/2 and
HPL-2006-86). osu018: the standard cells of Debian's qflow-tech-osu018, um2 over (0.18 um)^2.
kind   published  a dimension that the source states
       derived    computed here from published dimensions; the note says how
       fitted     chosen so that the model meets the seven figures of DWF sec. 4.4
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
FLOP_WRITE_PORT = Constant(1235, "F2", "derived", OSU018 + "an AOI22X1 (40 um2) a bit, for each write port")
FLOP_READ_PORT = Constant(617, "F2", "derived", OSU018 + "half an AOI22X1 a bit, for each read port")
FLOP_SEARCH_PORT = Constant(2099, "F2", "derived", OSU018 + "an XNOR2X1 and half a NAND2X1 (56 + 12 um2) a bit, for "
                            "each search port")

# ---- organisation ----
SUBARRAY = Constant(5.7, "", "fitted", "a fast memory of B bits has subarrays of SUBARRAY x sqrt(B) bits")
