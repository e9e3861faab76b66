# SPDX-License-Identifier: Apache-2.0
"""A waveform as a picture, with the rows of a GTKWave view: scripts/render_wave. The same files give the same picture,
byte for byte."""
import argparse
import html
import pathlib
import re
import sys

from . import live_rows, typed_numbers
from .output_file import write_file
from .vcd import read_vcd

COLOURS = {0: "#2a6f3f", 1: "#b3261e", 2: "#a85500", 3: "#8a6d00", 4: "#2a6f3f", 5: "#1f5fa8", 6: "#4b3fa0", 7: "#86308c"}
ROW, HEAD, NAMES_CHAR, VALUE_CHAR = 22, 26, 6.6, 6.4
FINEST = 6  # pixels: where time units are narrower, only those that have a number are drawn, and a bit is one line


def read_filter(view, name):
    """Words by the text that they replace: a translate file, named from the folder where GTKWave is started."""
    path = next((p for p in (pathlib.Path(name), view.resolve().parent.parent / name) if p.exists()), None)
    if path is None:
        sys.exit(f"render_wave: {view} wants the translate file {name}, which is not there")
    return dict(line.split(maxsplit=1) for line in path.read_text().splitlines() if line and line[0] != "#")


def read_view(path):
    """(rows, start): rows are ("group", text) or ("signal", alias, name, colour, format, words)."""
    rows, flags, colour, start, words = [], 0x22, 0, 0, {}

    def signal(alias, name):
        form = "d" if flags & 4 else "b" if flags & 8 else "x"
        rows.append(("signal", alias, name, colour, form, words if flags & 0x2000 else {}))

    for line in path.read_text().splitlines():
        if line.startswith("@"):
            flags = int(line[1:], 16)
        elif line.startswith("[color]"):
            colour = int(line.split()[1])
        elif line.startswith("[timestart]"):
            start = int(line.split()[1])
        elif line.startswith("-"):
            if not flags & 0x1000000:  # the end of a group repeats its name
                rows.append(("group", line[1:]))
        elif line.startswith("+{"):
            alias, name = re.fullmatch(r"\+\{(.*)\} (\S+)", line).groups()
            signal(alias, name)
            colour = 0
        elif line.startswith("^"):
            words = read_filter(path, line.split(maxsplit=1)[1])
        elif line and line[0] not in "[*#$<":
            signal(line.split(".")[-1], line.split()[0])
            colour = 0
    return rows, start


def only(rows, groups):
    """The rows before the first group, and those of the groups named."""
    kept, wanted = [], True
    for row in rows:
        if row[0] == "group":
            wanted = row[1] in groups
        if wanted:
            kept.append(row)
    missing = set(groups) - {row[1] for row in rows if row[0] == "group"}
    if missing:
        sys.exit(f"render_wave: the view has no group {', '.join(sorted(missing))}")
    return kept


def segments(changes, start, end):
    """[(from, to, value)] over the window."""
    found, value, since = [], None, start
    for time, new in changes:
        if time <= start:
            value = new
        elif time < end:
            found.append((since, time, value))
            since, value = time, new
    found.append((since, end, value))
    merged = []
    for piece in found:
        if merged and merged[-1][2] == piece[2]:
            merged[-1] = (merged[-1][0], piece[1], piece[2])
        elif piece[1] > piece[0]:
            merged.append(piece)
    return merged


def split(pieces, dead):
    """The same pieces, cut where a dead span begins or ends: what is live has its value written in it."""
    cuts = sorted({time for span in dead for time in span})
    for begin, finish, value in pieces:
        edges = [begin, *(time for time in cuts if begin < time < finish), finish]
        yield from ((first, last, value) for first, last in zip(edges, edges[1:]))


def dimmed(dead, x, top):
    """White over what is not live, so that it is seen and does not look like state."""
    return [f'<rect x="{x(begin):.1f}" y="{top + 2}" width="{x(finish) - x(begin):.1f}" height="{ROW - 3}" fill="#ffffff" '
            'fill-opacity="0.75"/>' for begin, finish in dead]


def draw(rows, changes, start, end, width, live):
    left = 24 + NAMES_CHAR * max(len(row[1]) for row in rows)
    cell = (width - left - 10) / (end - start)
    height = HEAD + ROW * len(rows) + 8
    x = lambda time: left + (time - start) * cell
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 1000, 10**9) if n * cell >= 26)
    for time in range(start, end + 1) if cell >= FINEST else range(-(-start // every) * every, end + 1, every):
        shade = "#d8d8d8" if time % every == 0 else "#f0f0f0"
        out.append(f'<line x1="{x(time):.1f}" y1="{HEAD - 6}" x2="{x(time):.1f}" y2="{height - 6}" stroke="{shade}"/>')
        if time % every == 0 and time < end:
            out.append(f'<text x="{x(time) + cell / 2:.1f}" y="14" fill="#666666" text-anchor="middle">{time}</text>')
    for number, row in enumerate(rows):
        top = HEAD + ROW * number
        if row[0] == "group":
            out.append(f'<rect x="0" y="{top + 2}" width="{width}" height="{ROW - 4}" fill="#eef2f7"/>'
                       f'<text x="6" y="{top + 15}" font-weight="bold" fill="#222222">{html.escape(row[1])}</text>')
            continue
        _, alias, name, colour, form, words = row
        colour = COLOURS.get(colour, COLOURS[0])
        out.append(f'<text x="16" y="{top + 15}" fill="#222222">{html.escape(alias)}</text>')
        high, low, middle = top + 4, top + ROW - 4, top + ROW / 2
        one_bit = "[" not in name
        dead, previous = live.dead(number, start, end), None
        if one_bit and cell < FINEST:
            steps = "".join(f"V{high if value else low}H{x(finish):.1f}"
                            for _, finish, value in segments(changes[name], start, end) if value is not None)
            out += [f'<path d="M{left:.1f},{low}{steps}" fill="none" stroke="{colour}"/>', *dimmed(dead, x, top)]
            continue
        for begin, finish, value in split(segments(changes[name], start, end), dead):
            a, b = x(begin), x(finish)
            if one_bit and value is not None:
                level = high if value else low
                if previous is not None and previous != level:
                    out.append(f'<line x1="{a:.1f}" y1="{high}" x2="{a:.1f}" y2="{low}" stroke="{colour}"/>')
                if value:
                    out.append(f'<rect x="{a:.1f}" y="{high}" width="{b - a:.1f}" height="{low - high}" fill="{colour}" '
                               'fill-opacity="0.15"/>')
                out.append(f'<line x1="{a:.1f}" y1="{level}" x2="{b:.1f}" y2="{level}" stroke="{colour}" '
                           'stroke-width="1.5"/>')
                previous = level
                continue
            bits = int(re.search(r"\[(\d+):", name).group(1)) + 1 if not one_bit else 1
            digits = "" if value is None else str(value) if form == "d" else \
                format(value, f"0{bits}b") if form == "b" else format(value, f"0{(bits + 3) // 4}x")
            word = words.get(digits)
            if word == "-" or value is None or value == 0 and word is None:  # nothing there
                out.append(f'<line x1="{a:.1f}" y1="{middle}" x2="{b:.1f}" y2="{middle}" stroke="#bbbbbb"/>')
                if form == "d" and value == 0 and word is None and b - a > 14:
                    out.append(f'<text x="{(a + b) / 2:.1f}" y="{top + 15}" fill="#999999" text-anchor="middle" '
                               'style="paint-order:stroke" stroke="#ffffff" stroke-width="4">0</text>')
                continue
            text = word or (format(value, "x") if form == "x" else digits)
            out.append(f'<path d="M{a:.1f},{middle} L{a + 3:.1f},{high} H{b - 3:.1f} L{b:.1f},{middle} L{b - 3:.1f},{low} '
                       f'H{a + 3:.1f} Z" fill="{colour}" fill-opacity="0.12" stroke="{colour}"/>')
            if len(text) * VALUE_CHAR <= b - a - 2:
                out.append(f'<text x="{(a + b) / 2:.1f}" y="{top + 15}" fill="#111111" text-anchor="middle">{text}</text>')
            else:
                out.append(f'<title>{html.escape(alias)} from {begin}: {text}</title>')
        out += dimmed(dead, x, top)
    return "\n".join(out + ["</svg>", ""])


def main(words, description=None):
    """\\param words  of the command line of scripts/render_wave"""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vcd", type=pathlib.Path)
    parser.add_argument("gtkw", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    typed_numbers.add(parser, "--from", 0, 10**15, "time units", "first time shown (default: the view's [timestart])",
                      dest="start")
    typed_numbers.add(parser, "--to", 0, 10**15, "time units", "time after the last shown (default: the end)", dest="end")
    parser.add_argument("--groups", help="only these groups of the view, and what stands before the first")
    parser.add_argument("--live", action="append", default=[], metavar="ROWS:CONDITION", help=live_rows.HELP)
    typed_numbers.add(parser, "--width", 100, 100000, "pixels", "of the picture (default %(default)s)", default=1100)
    options = parser.parse_args(words)
    for path in (options.vcd, options.gtkw):
        if not path.exists():
            sys.exit(f"render_wave: no file {path}")
    changes, last = read_vcd(options.vcd)
    rows, start = read_view(options.gtkw)
    if options.groups:
        rows = only(rows, options.groups.split(","))
    missing = [row[2] for row in rows if row[0] == "signal" and row[2] not in changes]
    if missing:
        sys.exit(f"render_wave: {options.vcd} has no signal {', '.join(missing[:5])}")
    start = options.start if options.start is not None else start
    end = options.end if options.end is not None else last + 1
    if not rows or end <= start:
        sys.exit(f"render_wave: nothing to draw from {start} to {end}")
    try:
        live = live_rows.LiveRows(options.live, rows, changes)
    except ValueError as error:
        sys.exit(f"render_wave: --live: {error}")
    write_file(options.out, draw(rows, changes, start, end, options.width, live))
