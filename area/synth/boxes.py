# SPDX-License-Identifier: Apache-2.0
"""Memories that stay black boxes: the arrays of a twin that the SystemC block declares as RAM or CAM.

Each gets a module of its own with plain ports: clk, r<i>_addr, r<i>_en and r<i>_data for each read port, w<i>_addr, w<i>_en
and w<i>_data for each write port. A port whose address is constant has no address pin: such are the ports of a reset or of
"all seen". A read port that is declared `read first` or `write first` is clocked: the address is taken at the edge, with an
r<i>_en unless it always reads. The box itself reads first; what a write-first port passes by is gates beside it.

A box is an array, with the area model's time, or flops and gates where those take less. Those are mapped with the rest up to
FLOP_BITS, and above stay a box, whose area is a rough lower bound and whose time is extrapolated (technology.read_ns).
"""
import dataclasses
import pathlib

from area.model import access
from area.model.structures import areas_of, parse_ports

from . import SynthError, inventory, technology

NUMBERS = ("SIZE", "WIDTH", "ABITS", "RD_PORTS", "WR_PORTS")  # parameters of Yosys's $mem_v2 that shape its ports
FLOP_BITS = 4096  # what is measured; more would also take abc minutes


@dataclasses.dataclass(frozen=True)
class Port:
    address: int  # width in bits; 0: the constant `at`
    at: int
    enable: int = 1  # of a write: 1, or a bit of data each; of a clocked read: 1, or 0 where it always reads
    clocked: bool = False
    passes: tuple = ()  # write ports whose word a read at the same edge shows


@dataclasses.dataclass(frozen=True)
class Box:
    cell: str  # name of the array in the flattened twin, g_lane[0].tid_q
    row: dict  # of the inventory
    words: int
    width: int
    reads: tuple
    writes: tuple
    parameters: tuple  # of Yosys's cell, (name, value)

    @property
    def module(self):
        return "memory_" + "".join(c if c.isalnum() else "_" for c in self.cell)

    @property
    def pattern(self):
        """For Yosys's select, to which brackets are a class."""
        return self.cell.replace("[", "?").replace("]", "?")

    @property
    def bits(self):
        return self.words * self.width

    @property
    def ports(self):
        """(direction, name, width), without the clock."""
        for i, port in enumerate(self.reads):
            if port.address:
                yield "input", f"r{i}_addr", port.address
            if port.clocked and port.enable:
                yield "input", f"r{i}_en", 1
            yield "output", f"r{i}_data", self.width
        for i, port in enumerate(self.writes):
            if port.address:
                yield "input", f"w{i}_addr", port.address
            yield "input", f"w{i}_en", port.enable
            yield "input", f"w{i}_data", self.width

    @property
    def built(self):
        """'array', or 'flops' where those take less."""
        array, flops, _ = built_of(self.row, self.words, self.width)
        return "array" if array is not None and array <= flops else "flops"

    def times(self):
        """ns: (from the edge to the word of a clocked port, setup of its address, from an address to the word of one that
        is read at once)."""
        flop = technology.measured()
        if self.built == "flops":
            read = technology.read_ns(self.words, self.width)
            return flop["flop_clk_to_q_ns"], read + flop["flop_setup_ns"], read
        _, _, (ports, subarrays) = built_of(self.row, self.words, self.width)
        addressed = dataclasses.replace(ports, read=max(1, ports.read), search=0)
        ns = flop["fo4_ns"] * access(self.words, self.width, addressed, subarrays=subarrays).read_fo4
        return ns, flop["flop_setup_ns"], ns - flop["flop_clk_to_q_ns"]


def built_of(row, words, width):
    """mm2 of a memory of this row as an array (None where all is seen at once) and as flops, and how the array is made:
    its ports, and its subarrays where the row says."""
    fields = {}
    for field in row["fields"]:
        fields[field["name"].lower()] = fields.get(field["name"].lower(), 0) + field["bits"]
    ports, searched, a_lane, _, seen, _ = parse_ports(row["ports"], fields)
    subarrays = 1 if a_lane else None
    arrays, flops = areas_of(words, width, ports, searched, subarrays, technology.NODE)
    return None if seen else sum(one.mm2 for one in arrays), flops, (ports, subarrays)


def declared(row):
    """'read first' or 'write first' of a memory that takes its address at the edge; '' of one that is read at once."""
    return next((part for part in (p.strip() for p in row["ports"].split(",")) if part in ("read first", "write first")),
                "")


def number(cell, name):
    return int(cell["parameters"][name], 2)


def flag(cell, name, index):
    """Bit `index` of a parameter, of which the last is written first."""
    return cell["parameters"][name][::-1][index:index + 1] == "1"


def block_of(cell):
    """The module that an array was written in: its file, the last one where modules stand in each other (`a.sv:30|b.sv:18`)."""
    return pathlib.PurePath(cell["attributes"]["src"].split("|")[-1].split(":")[0]).stem


def bits_of(cell):
    return number(cell, "SIZE") * number(cell, "WIDTH")


def known_row(name, cell, found):
    """The row of the inventory that has this array, or None."""
    return inventory.row_of(found, block_of(cell), name.split(".")[-1])


def memory_rows(memories, found):
    """[(name, cell, row of the inventory)] of the arrays that are declared RAM or CAM."""
    rows = [(name, cell, known_row(name, cell, found)) for name, cell in sorted(memories.items())]
    return [(name, cell, row) for name, cell, row in rows if row is not None and row["kind"] in ("RAM", "CAM")]


def port_of(cell, side, index, address_bits):
    width = number(cell, "ABITS")
    bits = cell["connections"][side + "_ADDR"][index * width:(index + 1) * width]
    constant = all(bit in ("0", "1") for bit in bits)
    at = sum(1 << i for i, bit in enumerate(bits) if bit == "1") if constant else 0
    port = Port(0 if constant else address_bits, at - number(cell, "OFFSET") if constant else 0)
    if side == "WR":
        data = number(cell, "WIDTH")
        enables = cell["connections"]["WR_EN"][index * data:(index + 1) * data]
        return dataclasses.replace(port, enable=1 if len(set(enables)) == 1 else data)
    if not flag(cell, "RD_CLK_ENABLE", index):
        return port
    writes = number(cell, "WR_PORTS")
    return dataclasses.replace(port, clocked=True, enable=int(cell["connections"]["RD_EN"][index] != "1"),
                               passes=tuple(i for i in range(writes)
                                            if flag(cell, "RD_TRANSPARENCY_MASK", index * writes + i)))


def difference(name, cell, row):
    """What a clocked port of Yosys's cell has that the idiom (README) has not, or the declaration does not say; ''."""
    says = declared(row)
    for i in range(number(cell, "RD_PORTS")):
        port = port_of(cell, "RD", i, 1)
        if not says or not port.address:
            continue
        if not port.clocked:
            return f"{name} is declared '{says}', but Yosys finds it read at once: something stands between array and register"
        if bool(port.passes) != (says == "write first"):
            return f"{name} is declared '{says}', but it {'' if port.passes else 'does not '}show a write of its own edge"
        for reset in ("RD_ARST", "RD_SRST"):
            if cell["connections"][reset][i] != "0":
                return f"{name}: its read port is reset, which no RAM does"
    return ""


def to_box(memories, found):
    """The names of the arrays that become boxes."""
    names = []
    unknown = [name for name, cell in memories.items() if bits_of(cell) > FLOP_BITS and known_row(name, cell, found) is None]
    if unknown:
        raise SynthError(f"arrays of more than {FLOP_BITS} bits that `heddle area` does not have: {', '.join(sorted(unknown))}")
    for name, cell, row in memory_rows(memories, found):
        words, width = number(cell, "SIZE"), number(cell, "WIDTH")
        array, flops, _ = built_of(row, words, width)
        if words * width > FLOP_BITS or (array is not None and array <= flops):
            names.append((name, bool(declared(row))))
    return names


def boxes_of(memories, found, names):
    """Boxes of these arrays. memories: as they are once the declared read ports are clocked."""
    boxes = []
    for name, cell, row in memory_rows(memories, found):
        if name not in names:
            continue
        if problem := difference(name, cell, row):
            raise SynthError(problem)
        words = number(cell, "SIZE")
        address_bits = technology.address_bits(words)
        boxes.append(Box(name, row, words, number(cell, "WIDTH"),
                         tuple(port_of(cell, "RD", i, address_bits) for i in range(number(cell, "RD_PORTS"))),
                         tuple(port_of(cell, "WR", i, address_bits) for i in range(number(cell, "WR_PORTS"))),
                         tuple((key, number(cell, key) if key in NUMBERS else 0) for key in cell["parameters"])))
    return boxes


# ---- what stands in for a box ----
def header(box):
    pins = ["input clk"] + [f"{direction} [{width - 1}:0] {name}" for direction, name, width in box.ports]
    return f"module {box.module} (\n  " + ",\n  ".join(pins) + "\n);\n"


def empty_module(box):
    return f"(* blackbox *)\n{header(box)}endmodule\n"


def passed_by(box, i):
    """A write-first port as a read-first one, and beside it, for each write port that it shows: whether that wrote the word
    which was read, the word, and a multiplexer. All hold when nothing is read. A later write port wins."""
    port = box.reads[i]
    enable = f"RD_EN[{i}]" if port.enable else "1'b1"
    lines, shown = [f"  wire [WIDTH-1:0] array_{i};"], f"array_{i}"
    for w in port.passes:
        names = f"{i}_{w}"
        write = box.writes[w].enable
        held = (("same", write, f"WR_EN[{w}*WIDTH +: {write}] & {{{write}{{RD_ADDR[{i}*ABITS +: ABITS] == "
                                f"WR_ADDR[{w}*ABITS +: ABITS]}}}}"), ("word", "WIDTH", f"WR_DATA[{w}*WIDTH +: WIDTH]"))
        for what, width, value in held:
            lines += [f"  wire [{width}-1:0] {what}_{names};",
                      f"  \\$dffe #(.WIDTH({width}), .CLK_POLARITY(1'b1), .EN_POLARITY(1'b1)) {what}_ff_{names} (",
                      f"    .CLK(WR_CLK[0]), .EN({enable}), .D({value}), .Q({what}_{names}));"]
        chosen = f"same_{names}" if write != 1 else f"{{WIDTH{{same_{names}}}}}"
        lines += [f"  wire [WIDTH-1:0] shown_{names} = (word_{names} & {chosen}) | ({shown} & ~{chosen});"]
        shown = f"shown_{names}"
    return lines + [f"  assign RD_DATA[{i}*WIDTH +: WIDTH] = {shown};"], f"array_{i}"


def techmap(box):
    """A rule for Yosys's techmap: this $mem_v2 becomes the box."""
    pins, beside = [".clk(WR_CLK[0])"], []
    for side, ports in (("RD", box.reads), ("WR", box.writes)):
        pin = side[0].lower()
        for i, port in enumerate(ports):
            data = f"{side}_DATA[{i}*WIDTH +: WIDTH]"
            if port.passes:
                lines, data = passed_by(box, i)
                beside += lines
            if port.address:
                pins.append(f".{pin}{i}_addr({side}_ADDR[{i}*ABITS +: {port.address}])")
            if side == "WR":
                pins.append(f".w{i}_en(WR_EN[{i}*WIDTH +: {port.enable}])")
            elif port.clocked and port.enable:
                pins.append(f".r{i}_en(RD_EN[{i}])")
            pins.append(f".{pin}{i}_data({data})")
    parameters = "\n".join(f"  parameter {name} = {value};" for name, value in box.parameters)
    inner = ",\n    ".join(pins)
    return f"""(* techmap_celltype = "$mem_v2" *)
module to_{box.module} (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
{parameters}
  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_CLK;
  input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;
{"".join(line + chr(10) for line in beside)}  {box.module} memory (
    {inner}
  );
endmodule
"""


def behaviour(box):
    """The box for simulation: a clocked port shows the word of before the edge, another reads at once; writes at the edge, a
    later port wins."""
    lines = [f"  reg [{box.width - 1}:0] word [0:{box.words - 1}];"]
    reads = []
    for i, port in enumerate(box.reads):
        at = f"r{i}_addr" if port.address else port.at
        if port.clocked:
            lines += [f"  reg [{box.width - 1}:0] read{i};", f"  assign r{i}_data = read{i};"]
            reads.append(f"    {f'if (r{i}_en) ' if port.enable else ''}read{i} <= word[{at}];")
        else:
            lines.append(f"  assign r{i}_data = word[{at}];")
    lines += ["  always @(posedge clk) begin", *reads]
    for i, port in enumerate(box.writes):
        at = f"w{i}_addr" if port.address else port.at
        if port.enable == 1:
            lines.append(f"    if (w{i}_en) word[{at}] <= w{i}_data;")
        else:
            lines += [f"    if (w{i}_en[{b}]) word[{at}][{b}] <= w{i}_data[{b}];" for b in range(port.enable)]
    return header(box) + "\n".join(lines + ["  end", "endmodule", ""])


def liberty(boxes):
    """The boxes for OpenSTA. Outputs drive any load: abc has put buffers behind them."""
    widths = sorted({width for box in boxes for _, _, width in box.ports})
    types = "".join(f"type (bits_{w}) {{ base_type : array; data_type : bit; bit_width : {w}; bit_from : {w - 1}; "
                    f"bit_to : 0; downto : true; }}\n" for w in widths)
    units = "".join(line + "\n" for line in technology.liberty_units())
    return f"library (boxes) {{\n{units}{types}" + "".join(map(liberty_cell, boxes)) + "}\n"


def arc(related, kind, values):
    """One timing group; values: (what, ns)."""
    rows = " ".join(f'{what} (scalar) {{ values ("{ns:.4f}"); }}' for what, ns in values)
    return f'timing () {{ related_pin : "{related}"; timing_type : {kind}; {rows} }}\n'


def delay(ns):
    slew = technology.measured()["flop_slew_ns"]
    return ("cell_rise", ns), ("cell_fall", ns), ("rise_transition", slew), ("fall_transition", slew)


def setup(ns):
    return arc("clk", "setup_rising", (("rise_constraint", ns), ("fall_constraint", ns)))


def pin_timing(box, direction, name):
    """The arcs of one bus: a clocked word since the edge; one that is read at once from its address, or since the edge
    that wrote it; setup of all that is taken at the edge."""
    flop = technology.measured()
    clocked, address_setup, at_once = box.times()
    if name.startswith("w"):
        return setup(flop["flop_setup_ns"])
    index, what = name[1:].split("_")
    port = box.reads[int(index)]
    if direction == "input":
        return setup(address_setup if what == "addr" else flop["flop_setup_ns"]) if port.clocked else ""
    if port.clocked:
        return arc("clk", "rising_edge", delay(clocked))
    if not port.address:
        return arc("clk", "rising_edge", delay(flop["flop_clk_to_q_ns"]))
    return arc("clk", "rising_edge", delay(flop["flop_clk_to_q_ns"] + at_once)) + "".join(
        arc(f"r{index}_addr[{bit}]", "combinational", delay(at_once)) for bit in range(port.address))


def liberty_cell(box):
    buses = []
    for direction, name, width in box.ports:
        load = f"capacitance : {technology.PIN_PF};" if direction == "input" else ""
        buses.append(f"bus ({name}) {{ bus_type : bits_{width}; direction : {direction}; {load}\n"
                     f"{pin_timing(box, direction, name)}}}\n")
    clock = f"pin (clk) {{ direction : input; clock : true; capacitance : {technology.PIN_PF}; }}\n"
    return f"cell ({box.module}) {{ area : 0;\n{clock}{''.join(buses)}}}\n"
