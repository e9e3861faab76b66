# SPDX-License-Identifier: Apache-2.0
"""What a netlist saw and showed in a run of the SM (tb/bench/port_recorder.h), again in Icarus Verilog: cells by osu018's
own models, primitives included, and every flop and memory unknown at power-up.

From the first edge under reset on, each output is what was recorded, in every cycle; an unknown bit is a difference.
"""
import re
import subprocess

from . import SynthError, gates, technology

SHOWN = 5  # differences that are printed


def ports_of(netlist, block):
    """{name: (direction, width)} of a mapped module."""
    body = netlist[netlist.index(f"module {block}("):]  # the list of ports, then a declaration of each
    return {name: (direction, int(top) + 1 if top else 1)
            for direction, top, name in re.findall(r"^  (input|output) (?:\[(\d+):0\] )?(\w+);$", body, re.M)}


def bench(block, ports, recorded):
    """The module that replays. recorded: names of the ports, in the order of the record's words."""
    known = set(ports) - {technology.CLOCK}
    if known != set(recorded):
        raise SynthError(f"{block}: the record has the ports {', '.join(recorded)}, the netlist {', '.join(sorted(known))}")
    outputs = [name for name in recorded if ports[name][0] == "output"]
    kind = {"input": "reg ", "output": "wire"}
    lines = [f"  {kind[way]} [{width - 1}:0] {name};" for name, (way, width) in ports.items()]
    lines += [f"  reg  [{ports[name][1] - 1}:0] want_{name};" for name in outputs]
    checks = "\n".join(f"""        if ({name} !== want_{name}) begin
          wrong = wrong + 1;
          if (wrong <= {SHOWN}) $display("edge %0d: {name} is %h, was %h", edges, {name}, want_{name});
        end""" for name in outputs)
    words = ", ".join(f"want_{name}" if name in outputs else name for name in recorded)
    return f"""module replay;
{chr(10).join(lines)}
  {block} netlist ({", ".join(f".{name}({name})" for name in ports)});
  integer file, found, edges = 0, compared = 0, wrong = 0;
  reg was_reset = 0;
  reg [8*4096-1:0] head;
  initial begin
    {technology.CLOCK} = 0;
    if ($test$plusargs("toggles")) begin  // area/synth/energy.py
      $dumpfile("toggles.vcd");
      $dumpvars(1, netlist);
    end
    file = $fopen("ports", "r");
    found = $fgets(head, file);
    found = $fscanf(file, "{' '.join(['%h'] * len(recorded))}", {words});
    while (found == {len(recorded)}) begin
      #1;
      if (was_reset) begin
        compared = compared + 1;
{checks}
      end
      {technology.CLOCK} = 1;
      #1 {technology.CLOCK} = 0;
      if (!rst_ni) was_reset = 1;
      edges = edges + 1;
      found = $fscanf(file, "{' '.join(['%h'] * len(recorded))}", {words});
    end
    $display("%0d edges, %0d compared, %0d differences", edges, compared, wrong);
  end
endmodule
"""


def models(netlist):
    """osu018's models of the cells that a netlist has, and the primitives that these use, as they stand."""
    used = gates.cells_of(netlist)
    text = technology.MODELS.read_text()
    return "".join(found[0] for found in re.finditer(r"^(module|primitive) (\w+) .*?^end\1[^\n]*\n", text, re.S | re.M)
                   if found[1] == "primitive" or found[2] in used)


def check(block, verilated, record, folder):
    """Edges that were replayed; SynthError on a difference. verilated: the folder that gates.verilated() made. record: the file of
    ports. folder: to work in."""
    folder.mkdir(parents=True, exist_ok=True)
    netlist = (verilated / "netlist.v").read_text()
    with record.open() as lines:
        recorded = lines.readline().split()
    (folder / "replay.v").write_text(bench(block, ports_of(netlist, block), recorded))
    (folder / "netlist.v").write_text(netlist)
    (folder / "models.v").write_text(models(netlist))
    (folder / "ports").unlink(missing_ok=True)
    (folder / "ports").symlink_to(record.resolve())
    gates.run(["iverilog", "-g2005", "-o", "replay", "replay.v", verilated.parent / "boxes.v", "netlist.v", "models.v"], folder, "iverilog")
    said = subprocess.run(["vvp", "-n", "replay"], cwd=folder, text=True, capture_output=True)
    counts = re.search(r"^(\d+) edges, (\d+) compared, (\d+) differences$", said.stdout, re.M)
    if not counts:
        raise SynthError(f"{block}: vvp did not finish:\n{(said.stdout + said.stderr)[-2000:]}")
    edges, compared, wrong = map(int, counts.groups())
    if wrong:
        raise SynthError(f"{block}: {wrong} differences in {edges} edges\n{said.stdout}")
    if not compared:
        raise SynthError(f"{block}: {record} holds no edge after reset")
    return edges
