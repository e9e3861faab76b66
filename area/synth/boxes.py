"""Memories that stay black boxes: the arrays of a twin that the SystemC block declares as RAM or CAM.

Each gets a module of its own with plain ports: clk, r<i>_addr and r<i>_data for each read port, w<i>_addr, w<i>_en and
w<i>_data for each write port. A port whose address is constant has no address pin: such are the ports of a reset or of
"all seen". The area of a box is the area model's; its read time is technology.read_ns.
"""
import dataclasses

from . import inventory, technology

NUMBERS = ("SIZE", "WIDTH", "ABITS", "RD_PORTS", "WR_PORTS")  # parameters of Yosys's $mem_v2 that shape its ports


@dataclasses.dataclass(frozen=True)
class Port:
    address: int  # width in bits; 0: the constant `at`
    at: int
    enable: int = 1  # of a write: 1, or a bit of data each


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
            yield "output", f"r{i}_data", self.width
        for i, port in enumerate(self.writes):
            if port.address:
                yield "input", f"w{i}_addr", port.address
            yield "input", f"w{i}_en", port.enable
            yield "input", f"w{i}_data", self.width


def number(cell, name):
    return int(cell["parameters"][name], 2)


def block_of(cell):
    """The module that an array was written in: its file."""
    return cell["attributes"]["src"].split("/")[-1].split(".")[0]


def port_of(cell, side, index, address_bits):
    width = number(cell, "ABITS")
    bits = cell["connections"][side + "_ADDR"][index * width:(index + 1) * width]
    constant = all(bit in ("0", "1") for bit in bits)
    at = sum(1 << i for i, bit in enumerate(bits) if bit == "1") if constant else 0
    enable = 1
    if side == "WR":
        data = number(cell, "WIDTH")
        enables = cell["connections"]["WR_EN"][index * data:(index + 1) * data]
        enable = 1 if len(set(enables)) == 1 else data
    return Port(0 if constant else address_bits, at - number(cell, "OFFSET") if constant else 0, enable)


def boxes_of(memories, found):
    """The black boxes among the memories of a twin. found: the report of `heddle area`."""
    boxes = []
    for name, cell in sorted(memories.items()):
        row = inventory.row_of(found, block_of(cell), name.split(".")[-1])
        if row is None or row["kind"] not in ("RAM", "CAM"):
            continue
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


def techmap(box):
    """A rule for Yosys's techmap: this $mem_v2 becomes the box."""
    pins = [".clk(WR_CLK[0])"]
    for side, ports in (("RD", box.reads), ("WR", box.writes)):
        pin = side[0].lower()
        for i, port in enumerate(ports):
            if port.address:
                pins.append(f".{pin}{i}_addr({side}_ADDR[{i}*ABITS +: {port.address}])")
            if side == "WR":
                pins.append(f".w{i}_en(WR_EN[{i}*WIDTH +: {port.enable}])")
            pins.append(f".{pin}{i}_data({side}_DATA[{i}*WIDTH +: WIDTH])")
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
  {box.module} memory (
    {inner}
  );
endmodule
"""


def behaviour(box):
    """The box for simulation: reads at once, writes at the edge, a later port wins."""
    lines = [f"  reg [{box.width - 1}:0] word [0:{box.words - 1}];"]
    for i, port in enumerate(box.reads):
        lines.append(f"  assign r{i}_data = word[{f'r{i}_addr' if port.address else port.at}];")
    lines.append("  always @(posedge clk) begin")
    for i, port in enumerate(box.writes):
        at = f"w{i}_addr" if port.address else port.at
        if port.enable == 1:
            lines.append(f"    if (w{i}_en) word[{at}] <= w{i}_data;")
        else:
            lines += [f"    if (w{i}_en[{b}]) word[{at}][{b}] <= w{i}_data[{b}];" for b in range(port.enable)]
    return header(box) + "\n".join(lines + ["  end", "endmodule", ""])


def liberty(boxes):
    """The boxes for OpenSTA. Read time from the address, or since the edge; what a box is given is there by a flop's
    setup. Outputs drive any load: abc has put buffers behind them."""
    widths = sorted({width for box in boxes for _, _, width in box.ports})
    types = "".join(f"type (bits_{w}) {{ base_type : array; data_type : bit; bit_width : {w}; bit_from : {w - 1}; "
                    f"bit_to : 0; downto : true; }}\n" for w in widths)
    units = "".join(line + "\n" for line in technology.liberty_units())
    return f"library (boxes) {{\n{units}{types}" + "".join(map(liberty_cell, boxes)) + "}\n"


def arc(related, kind, values):
    """One timing group; values: (what, ns)."""
    rows = " ".join(f'{what} (scalar) {{ values ("{ns:.4f}"); }}' for what, ns in values)
    return f'timing () {{ related_pin : "{related}"; timing_type : {kind}; {rows} }}\n'


def liberty_cell(box):
    flop = technology.measured()
    access = technology.read_ns(box.words, box.width)

    def delay(ns):
        slew = flop["flop_slew_ns"]
        return ("cell_rise", ns), ("cell_fall", ns), ("rise_transition", slew), ("fall_transition", slew)

    addressed = {f"r{i}_data": f"r{i}_addr" for i, port in enumerate(box.reads) if port.address}
    buses = []
    for direction, name, width in box.ports:
        timing = ""
        if direction == "output":
            since_edge = flop["flop_clk_to_q_ns"] + (access if name in addressed else 0)
            timing = arc("clk", "rising_edge", delay(since_edge))
            if name in addressed:
                timing += "".join(arc(f"{addressed[name]}[{bit}]", "combinational", delay(access))
                                  for bit in range(technology.address_bits(box.words)))
        elif name.startswith("w"):
            setup = flop["flop_setup_ns"]
            timing = arc("clk", "setup_rising", (("rise_constraint", setup), ("fall_constraint", setup)))
        load = f"capacitance : {technology.PIN_PF};" if direction == "input" else ""
        buses.append(f"bus ({name}) {{ bus_type : bits_{width}; direction : {direction}; {load}\n{timing}}}\n")
    clock = f"pin (clk) {{ direction : input; clock : true; capacitance : {technology.PIN_PF}; }}\n"
    return f"cell ({box.module}) {{ area : 0;\n{clock}{''.join(buses)}}}\n"
