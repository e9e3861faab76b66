# SPDX-License-Identifier: Apache-2.0
"""Edits of a twin's comparators and adders, in the flattened RTLIL of the twin: a comparison that does not look at one
bit of a wide field, a sum whose carry does not enter one bit.

All edits stand in one model. An input `cut_keep` has a bit for each: 1 leaves the twin as it is, 0 makes the edit. Cells
of one place in the source (lanes of a generate loop, calls of a function) are edited together, as an edit of the text
would be.

With `values`, another model: the twin as it is, the properties assumed, and for each edit of each cell an assertion that
the cell's value is the same with it.
"""
import dataclasses
import pathlib
import random
import re

COMPARES = {"$eq", "$ne", "$eqx", "$nex", "$lt", "$le", "$gt", "$ge"}
SUMS = {"$add", "$sub"}
INPUT = "cut_keep"
ANY = "$cut_any"


@dataclasses.dataclass(frozen=True)
class Cut:
    file: str
    line: int
    text: str  # of the source
    kind: str
    bit: int

    def __str__(self):
        what = "the carry into bit" if self.kind in SUMS else "bit"
        return f"{self.file}:{self.line}: `{self.text}` without {what} {self.bit}"


def text_at(place):
    """(path, line, text) of FILE:LINE.COLUMN-LINE.COLUMN."""
    path, first, left, last, right = re.fullmatch(r"(.*):(\d+)\.(\d+)-(\d+)\.(\d+)", place).groups()
    lines = pathlib.Path(path).read_text().splitlines()[int(first) - 1:int(last)]
    lines[-1] = lines[-1][:int(right) - 1]
    lines[0] = lines[0][int(left) - 1:]
    return path, int(first), " ".join(" ".join(lines).split())


class Cutter:
    """Use it once: text = cutter.edit(text), then cutter.cuts[i] is what bit i of the input makes. Fields of `wide` bits
    are cut: what narrower ones hold is seen at the proof's point. Of the sources `twin` those that are its `own` are cut:
    the others are of blocks that stand in it, which are cut by themselves."""

    def __init__(self, twin, own, wide, seed, values=False):
        self.twin, self.own, self.wide, self.seed, self.values = {str(t) for t in twin}, {str(t) for t in own}, wide, seed, values
        self.cuts, self.places = [], {}
        self.widths = {}

    def edit(self, text):
        for found in re.finditer(r"^  wire (.*)$", text, re.M):
            *words, name = found[1].split()
            self.widths[name] = int(words[words.index("width") + 1]) if "width" in words else 1
        lines = text.split("\n")
        out, source, at = [], "", 0
        while at < len(lines):
            line = lines[at]
            if found := re.match(r'  attribute \\src "(.*)"$', line):
                source = found[1]
            if not (found := re.match(r"  cell (\$\w+) ", line)):
                out.append(line)
                at += 1
                continue
            end = lines.index("  end", at) + 1
            if found[1] == "$assert" and self.values:
                lines[at] = line.replace("$assert", "$assume")
            out += self.cell(found[1], source, lines[at:end], len(out))
            at = end
        wire = f"  wire width {max(1, len(self.cuts))} input 99999 \\{INPUT}"
        module = next(i for i, line in enumerate(out) if line.startswith("module "))
        if self.values:  # its assertions are asked for in one state: abc's bmc3 wants at least a register
            out[module + 1:module + 1] = [f"  wire {ANY}", f"  cell $ff {ANY}_register", "    parameter \\WIDTH 1",
                                          f"    connect \\D \\{INPUT} [0]", f"    connect \\Q {ANY}", "  end"]
        return "\n".join([*out[:module + 1], wire, *out[module + 1:]])

    def cell(self, kind, source, body, number):
        place = next((s for s in reversed(source.split("|")) if s.split(":")[0] in self.twin), ":")  # the innermost
        if place.split(":")[0] not in self.own or ":0.0-" in place or kind not in COMPARES | SUMS:  # 0.0: an address of a memory
            return body
        numbers = {key: int(value) for key, value in re.findall(r"parameter \\(\w+) (\d+)$", "\n".join(body), re.M)}
        ports = dict(re.findall(r"connect \\(\w+) (.*)$", "\n".join(body), re.M))
        cuts = self.cuts_at(place, kind, self.live_bits(kind, numbers, ports))
        if not cuts:
            return body
        make = cut_sum if kind in SUMS else cut_compare
        if not self.values:
            return make(body, numbers, ports, cuts, f"$cut${number}")
        out = list(body)
        for bit, n in cuts:
            name = f"$value${number}${bit}"
            width = numbers["Y_WIDTH"]
            copy = [f"  cell {kind} {name}$cell", *connected(body, "Y", name)[1:]]
            cut = make(copy, numbers, {**ports, "Y": name}, [(bit, None)], f"$cut${number}${bit}")
            out += wire(name, width) + wire(name + "$same", 1) + cut
            out += cell("$eq", name + "$eq", ports["Y"], name, name + "$same", (width, width, 1))
            out += [f"  cell $assert \\value_{n}_{number}", f"    connect \\A {name}$same", f"    connect \\EN {ANY}", "  end"]
        return out

    def live_bits(self, kind, numbers, ports):
        """The bits that can differ: neither constant on both sides nor the same on both."""
        a, b = (self.bits(ports[port], numbers[port + "_WIDTH"]) for port in "AB")
        width = max(len(a), len(b)) if kind in COMPARES else numbers["Y_WIDTH"]
        a, b = ((side + ["0"] * width)[:width] for side in (a, b))
        return [i for i in range(width) if a[i] != b[i] and not (a[i] in "01x" and b[i] in "01x")]

    def cuts_at(self, place, kind, live):
        """[(bit, number)]: the top bit of the field and one more that is not among the lowest."""
        if (place, kind) not in self.places:
            path, line, text = text_at(place)
            dice = random.Random(f"{self.seed} {pathlib.Path(path).name} {text}")  # in another shape the same
            chosen = {live[-1], dice.choice(live[self.wide // 2:])} if len(live) >= self.wide else ()
            self.places[place, kind] = [(bit, len(self.cuts) + i) for i, bit in enumerate(sorted(chosen))]
            self.cuts += [Cut(pathlib.Path(path).name, line, text, kind, bit) for bit in sorted(chosen)]
        return [(bit, number) for bit, number in self.places[place, kind] if bit in live]

    def bits(self, spec, width):
        """What each bit of a signal is, from the lowest on: 0, 1, x or a name."""
        out = []
        for token in reversed(re.findall(r"\d+'[01xzm-]+|[\\$]\S+(?: \[\d+(?::\d+)?\])?|(?<!\S)\d+(?!\S)", spec)):
            if found := re.match(r"(\d+)'(.*)", token):
                out += reversed(found[2].replace("z", "x").replace("-", "x"))
            elif token.isdigit():
                out += [str(int(token) >> bit & 1) for bit in range(width)]
            else:
                name, _, part = token.partition(" [")
                high, _, low = part.rstrip("]").partition(":")
                first, last = (int(low or high), int(high)) if part else (0, self.widths[name] - 1)
                out += [f"{name}[{bit}]" for bit in range(first, last + 1)]
        return out


def keep(n):
    """The bit of the input that leaves cut n out; of no input, where the cut always stands."""
    return "1'0" if n is None else f"\\{INPUT} [{n}]"


def wire(name, width):
    return [f"  wire width {width} {name}"]


def cell(kind, name, a, b, y, widths, signed=0):
    a_width, b_width, y_width = widths
    return [f"  cell {kind} {name}", f"    parameter \\A_SIGNED {signed}", f"    parameter \\A_WIDTH {a_width}",
            f"    parameter \\B_SIGNED {signed}", f"    parameter \\B_WIDTH {b_width}",
            f"    parameter \\Y_WIDTH {y_width}", f"    connect \\A {a}", f"    connect \\B {b}",
            f"    connect \\Y {y}", "  end"]


def connected(body, port, to):
    """The cell with another signal at that port."""
    return [f"    connect \\{port} {to}" if line.startswith(f"    connect \\{port} ") else line for line in body]


def cut_compare(body, numbers, ports, cuts, name):
    """Both sides pass a mask."""
    out = []
    for side in "AB":
        width = numbers[side + "_WIDTH"]
        mask = ["1'1"] * width
        for bit, number in cuts:
            if bit < width:
                mask[bit] = keep(number)
        out += wire(name + side, width)
        out += cell("$and", name + side + "_and", ports[side], "{ " + " ".join(reversed(mask)) + " }", name + side,
                    (width, width, width))
        body = connected(body, side, name + side)
    return out + body


def cut_sum(body, numbers, ports, cuts, name):
    """Of a sum s = a + b the carries are a ^ b ^ s; a sum without the carry into bit i is s minus 2^i where there is one,
    above bit i and at it. A difference likewise."""
    width = numbers["Y_WIDTH"]
    signed = numbers["A_SIGNED"] & numbers["B_SIGNED"]
    wires, out, kind = [], [], body[0].split()[1]
    for port in "AB":
        wires += wire(name + port, width)
        out += [f"  cell $pos {name}{port}_pos", f"    parameter \\A_SIGNED {signed}",
                f"    parameter \\A_WIDTH {numbers[port + '_WIDTH']}", f"    parameter \\Y_WIDTH {width}",
                f"    connect \\A {ports[port]}", f"    connect \\Y {name}{port}", "  end"]
    whole = last = name + "S"
    wires += wire(whole, width)
    for bit, number in cuts:
        ab, carry, lost, given, rest = (f"{name}_{bit}_{part}" for part in ("ab", "carry", "lost", "given", "rest"))
        wires += wire(ab, 1) + wire(carry, 1) + wire(lost, 1) + wire(given, 1) + wire(rest, width)
        out += cell("$xor", ab + "_c", f"{name}A [{bit}]", f"{name}B [{bit}]", ab, (1, 1, 1))
        out += cell("$xor", carry + "_c", ab, f"{whole} [{bit}]", carry, (1, 1, 1))
        out += [f"  cell $not {given}_c", "    parameter \\A_SIGNED 0", "    parameter \\A_WIDTH 1",
                "    parameter \\Y_WIDTH 1", f"    connect \\A {keep(number)}", f"    connect \\Y {given}", "  end"]
        out += cell("$and", lost + "_c", carry, given, lost, (1, 1, 1))
        parts = [f"{width - bit - 1}'" + "0" * (width - bit - 1), lost, f"{bit}'" + "0" * bit]
        amount = "{ " + " ".join(part for part in parts if not part.startswith("0'")) + " }"
        out += cell("$sub" if kind == "$add" else "$add", rest + "_c", last, amount, rest, (width, width, width))
        last = rest
    return [*wires, *connected(body, "Y", whole), *out, f"  connect {ports['Y']} {last}"]
