# SPDX-License-Identifier: Apache-2.0
"""Measures on the library what the flow needs and nobody publishes; writes measured.json.

fo4_ns   an inverter X1 that drives four of its kind, in a chain: half of a rise and a fall, so that slews are its own
flop_*   DFFPOSX1 that drives an inverter: clock to output, slew there, setup
read     words x width flops, read by an address: a fit over the arrays of ARRAYS, mapped and timed by this flow
arrays_um2   area of flops and gates, for rule M9 of the area model; at the usual target
"""
import json
import math
import pathlib
import tempfile

from . import flow, technology, timing, yosys
from .blocks import Twin

def chain():
    """Inverters that each drive four."""
    cell, a, y = technology.INVERTER
    stages = "".join(f"  {cell} i{i} (.{a}(n{i}), .{y}(n{i + 1})); {cell} x{i} (.{a}(n{i})); {cell} y{i} (.{a}(n{i})); "
                     f"{cell} z{i} (.{a}(n{i}));\n" for i in range(6))
    return ("module chain (input a, output z);\n  wire n0, n1, n2, n3, n4, n5, n6;\n  assign n0 = a;\n  assign z = n6;\n"
            f"{stages}endmodule\n")


def two_flops():
    cell, clock, data, out = technology.REGISTER
    inverter, a, y = technology.INVERTER
    return f"""module flop (input clk_i, input d, output q);
  wire a, b;
  {cell} first (.{clock}(clk_i), .{data}(d), .{out}(a)); {inverter} i (.{a}(a), .{y}(b));
  {cell} last (.{clock}(clk_i), .{data}(b), .{out}(q));
endmodule
"""


ARRAYS = [(words, width, 1, 1) for words in (4, 16, 64, 256) for width in (4, 16, 64) if words * width <= 4096]
PORTS = [(2, 32, 1, 1), (8, 32, 1, 1), (16, 32, 2, 1), (16, 32, 1, 2), (16, 32, 2, 2), (32, 32, 4, 1), (8, 68, 1, 2),
         (256, 8, 2, 1)]


def array_text(words, width, reads, writes):
    """An array that is read at once; where the flow has a black box these are flops."""
    bits = technology.address_bits(words)
    pins = ["input logic clk_i"]
    pins += [f"input logic [{bits - 1}:0] at{i}_i, output logic [{width - 1}:0] data{i}_o" for i in range(reads)]
    pins += [f"input logic write{i}_i, input logic [{bits - 1}:0] to{i}_i, input logic [{width - 1}:0] word{i}_i"
             for i in range(writes)]
    written = "".join(f"    if (write{i}_i) word_q[to{i}_i] <= word{i}_i;\n" for i in range(writes))
    read = "".join(f"  assign data{i}_o = word_q[at{i}_i];\n" for i in range(reads))
    return (f"module array (\n  {', '.join(pins)});\n  logic [{width - 1}:0] word_q [{words}];\n"
            f"  always_ff @(posedge clk_i) begin\n{written}  end\n{read}endmodule\n")


def arrivals(text):
    return {pin: float(at) for at, pin in (line.split()[1:] for line in text.splitlines() if line.startswith("at "))}


def fo4(folder):
    (folder / "cells.v").write_text(chain())
    at = arrivals(timing.sta(f"""read_liberty {technology.LIBERTY}
read_verilog cells.v
link_design chain
create_clock -name clock -period {timing.ABUNDANT}
set_input_delay 0 -clock clock [all_inputs]
set_output_delay 0 -clock clock [all_outputs]
{timing.WORST.replace("BETWEEN", "")}""", folder))
    out = technology.INVERTER[2]
    return (at[f"i4/{out}"] - at[f"i2/{out}"]) / 2


def flop(folder):
    """(clock to output, slew, setup) in ns."""
    (folder / "cells.v").write_text(two_flops())
    path = timing.longest("flop", False, folder)
    at = {pin: ns for ns, pin in path.points}
    report = timing.sta(f"""read_liberty {technology.LIBERTY}
read_verilog cells.v
link_design flop
create_clock -name clock -period {timing.ABUNDANT} {technology.CLOCK}
report_checks -path_delay max -from first/{technology.REGISTER[1]} -fields slew -digits 5""", folder)
    out = f"first/{technology.REGISTER[3]}"
    slew = next(line.split()[0] for line in report.splitlines() if out in line)
    return at[out], float(slew), path.ns - path.points[-1][0]


def array(shape, target_ns, folder):
    """(ns from the address to the word, after the driver of the address; um2) of words, width, read and write ports."""
    source = folder / "array.sv"
    source.write_text(array_text(*shape))
    twin = Twin("array", "", "x".join(map(str, shape)), (), (str(source),), ())
    yosys.elaborate(twin, folder, 600)
    module = yosys.to_cells(twin, [], folder, target_ns, 600)
    areas = technology.cell_areas()
    return (timing.longest("array", False, folder, "-from [get_ports at*] -to [get_ports data*]").ns,
            sum(areas[cell["type"]] for cell in module["cells"].values()))


def fitted(samples):
    """Least squares of a + b log2(words) + c log2(width), by the normal equations."""
    rows = [((1, math.log2(words), math.log2(width)), ns) for (words, width), ns in samples.items()]
    matrix = [[sum(x[i] * x[j] for x, _ in rows) for j in range(3)] + [sum(x[i] * ns for x, ns in rows)]
              for i in range(3)]
    for i in range(3):
        matrix[i] = [v / matrix[i][i] for v in matrix[i]]
        for j in range(3):
            if j != i:
                matrix[j] = [v - matrix[j][i] * w for v, w in zip(matrix[j], matrix[i])]
    return [row[3] for row in matrix]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clk_to_q, slew, setup = flop(folder)
        found = {"fo4_ns": fo4(folder), "flop_clk_to_q_ns": clk_to_q, "flop_slew_ns": slew, "flop_setup_ns": setup}
        samples, um2 = {}, {}
        for shape in ARRAYS:
            samples[shape[:2]], _ = array(shape, 1, folder)
            print(f"{shape[0]} x {shape[1]}: {samples[shape[:2]]:.3f} ns", flush=True)
        for shape in ARRAYS + PORTS:
            name = f"{shape[0]} x {shape[1]} {shape[2]}R{shape[3]}W"
            um2[name] = array(shape, flow.TARGET_NS, folder)[1]
            print(f"{name}: {um2[name]:.0f} um2", flush=True)
    a, b, c = fitted(samples)
    found["read"] = {"ns": a, "ns_per_address_bit": b, "ns_per_width_bit": c,
                     "from": {f"{words} x {width}": round(ns, 3) for (words, width), ns in samples.items()}}
    worst = max(abs(a + b * math.log2(w) + c * math.log2(k) - ns) / ns for (w, k), ns in samples.items())
    found["read"]["worst_error"] = worst
    found["arrays_um2"] = um2
    found["how"] = "python3 -m area.synth measure; derivation in measure.py"
    technology.MEASURED.write_text(json.dumps(rounded(found), indent=1) + "\n")


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    return round(value, 4) if isinstance(value, float) else value
