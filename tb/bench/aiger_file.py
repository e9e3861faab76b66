# SPDX-License-Identifier: Apache-2.0
"""A binary AIGER file whose inputs can be set to constants: many variants of one model without a second synthesis."""
import pathlib


def number(data, at):
    """(value, the place behind it) of a number of seven bits a byte."""
    value = shift = 0
    while data[at] & 128:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
    return value | data[at] << shift, at + 1


def encoded(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return out


class AigerFile:
    def __init__(self, path):
        """Reads FILE and FILE.map, which Yosys writes beside it."""
        header, _, rest = pathlib.Path(path).read_bytes().partition(b"\n")
        counts = [int(word) for word in header.split()[1:]] + [0, 0, 0, 0]
        _, inputs, latches, outputs, ands, bad, constraints = counts[:7]
        self.header, self.first = header, inputs + latches + 1
        lines = latches + outputs + bad + constraints
        *self.lines, rest = rest.split(b"\n", lines)
        self.ands, at = [], 0
        for n in range(ands):
            left = 2 * (self.first + n)
            down, at = number(rest, at)
            further, at = number(rest, at)
            self.ands.append((left - down, left - down - further))
        self.map = str(path) + ".map"

    def inputs_of(self, wire):
        """{bit of that input wire: its variable}."""
        fields = (line.split() for line in pathlib.Path(self.map).read_text().splitlines())
        return {int(f[2]): int(f[1]) + 1 for f in fields if f[0] == "input" and f[3] == wire}

    def write(self, path, constants):
        """The same with these variables constant: {variable: 0 or 1}."""
        def literal(old):
            value = constants.get(old >> 1)
            return old if value is None else value ^ (old & 1)

        out = bytearray(self.header + b"\n")
        for line in self.lines:
            first, *others = line.split()
            out += b" ".join([str(literal(int(first))).encode(), *others]) + b"\n"
        for n, pair in enumerate(self.ands):
            low, high = sorted(map(literal, pair))
            out += encoded(2 * (self.first + n) - high) + encoded(high - low)
        pathlib.Path(path).write_bytes(out)
