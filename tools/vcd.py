# SPDX-License-Identifier: Apache-2.0
"""Reads waveforms: the VCD files that benches and `heddle run --trace` write."""
import bisect
import re


def read_vcd(path):
    """(changes by full name, last time): changes are [(time, value)], a value None when a bit is unknown."""
    names, scope, changes, time = {}, [], {}, 0
    by_code = {}
    lines = iter(path.read_text().splitlines())
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scope.append(words[2])
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var":
            name = ".".join(scope + ["".join(words[4:-1])])
            by_code.setdefault(words[3], []).append(name)
            names[name] = changes[name] = []
        elif words[0] == "$enddefinitions":
            break
    for line in lines:
        if not line:
            continue
        if line[0] == "#":
            time = int(line[1:])
            continue
        if line[0] in "01xXzZ":
            bits, code = line[0], line[1:].strip()
        elif line[0] in "bB":
            bits, code = line[1:].split()
        else:
            continue
        value = int(bits, 2) if re.fullmatch("[01]+", bits) else None
        for name in by_code.get(code, []):
            if names[name] and names[name][-1][0] == time:
                names[name].pop()
            names[name].append((time, value))
    return changes, time


class Signals:
    """The signals beneath one scope, by their names there without the bit range, at any time."""

    def __init__(self, changes, scope):
        self.times, self.values = {}, {}
        for name, all_of_it in changes.items():
            if name.startswith(scope + "."):
                short = name[len(scope) + 1:].split("[")[0]
                self.times[short] = [time for time, _ in all_of_it]
                self.values[short] = [value for _, value in all_of_it]

    def __contains__(self, name):
        return name in self.times

    def at(self, name, time):
        """From this time on; None before the first change."""
        place = bisect.bisect_right(self.times[name], time)
        return self.values[name][place - 1] if place else None


def write_vcd(path, signals, length):
    """signals: [(full name, bits, a value a time unit)]; None: nobody drives it."""
    codes = {name: f"s{number}" for number, (name, _, _) in enumerate(signals)}
    lines, scope = ["$timescale 1 ns $end"], []
    for name, bits, _ in signals:
        *into, short = name.split(".")
        kept = next((i for i, (a, b) in enumerate(zip(scope, into)) if a != b), min(len(scope), len(into)))
        lines += ["$upscope $end"] * (len(scope) - kept) + [f"$scope module {part} $end" for part in into[kept:]]
        scope = into
        lines.append(f"$var wire {bits} {codes[name]} {short}{f' [{bits - 1}:0]' if bits > 1 else ''} $end")
    lines += ["$upscope $end"] * len(scope) + ["$enddefinitions $end"]
    for time in range(length):
        changed = [(name, bits, values[time]) for name, bits, values in signals
                   if time == 0 or values[time] != values[time - 1]]
        if changed or time == length - 1:
            lines.append(f"#{time}")
        for name, bits, value in changed:
            text = "z" if value is None else format(value, "b")
            lines.append(f"b{text} {codes[name]}" if bits > 1 else f"{text}{codes[name]}")
    path.write_text("\n".join([*lines, f"#{length}", ""]))
