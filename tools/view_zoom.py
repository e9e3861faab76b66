# SPDX-License-Identifier: Apache-2.0
"""The zoom on which a view of GTKWave opens: the whole case, as far as no PC, register or address is cut."""
import math
import re

TRANSLATED, DECIMAL = 0x2000, 4


def rows_of(text):
    """(signal, flags, translate file or None) of each row."""
    flags, words = 0, None
    for line in text.splitlines():
        if line.startswith("@"):
            flags = int(line[1:], 16)
        elif line.startswith("^"):
            words = line.split(maxsplit=1)[1]
        elif match := re.fullmatch(r"(?:\+\{.*?\} )?(SystemC\.\S+)", line):
            yield match[1], flags, words if flags & TRANSLATED else None
            words = None


# How GTKWave 3.3 with its own fonts lays a window out, in pixels: measured on pictures of it.
FRAME, NAME, NAME_CHAR, VALUE, VALUE_CHAR = 80, 20, 8.2, 4, 7
LEAST, MOST = 24, 100  # a cycle, which is two units of time
MOST_CYCLES = 25  # that a view must open on if its case is longer: of words, no more fit
WHOLE = re.compile(r"\.(pc|pc_[lr]|rpc|target|base|region|line|tag)\[|(pc|rpc)_q_\d|commit_pc_i_|_q_\d+\.id\[|_i\.id\[")


def geometry(text):
    """(pixels for waves, first time shown, pixels a unit of time)"""
    width, names = (int(re.search(rf"^\[{key}\] (\d+)", text, re.M)[1]) for key in ("size", "signals_width"))
    aliases = re.findall(r"^\+\{(.*?)\} ", text, re.M) + [f"}} {group}" for group in re.findall(r"^-(.+)", text, re.M)]
    waves = width - FRAME - max(names, NAME + NAME_CHAR * max(map(len, aliases)))
    start = int(re.search(r"^\[timestart\] (\d+)", text, re.M)[1])
    return waves, start, 200 * 2 ** float(re.search(r"^\*(\S+)", text, re.M)[1])


def width_of(signal):
    """Its bits. The name of a one-bit signal has no range: the ID of one of two warps, say."""
    range_of = re.search(r"\[(\d+):(\d+)\]$", signal)
    return int(range_of[1]) - int(range_of[2]) + 1 if range_of else 1


def shown(value, bits, flags, words):
    text = str(value) if flags & DECIMAL else format(value, f"0{bits}b") if flags & 8 else format(value, f"0{(bits + 3) // 4}x")
    return words.get(text, text)


def needed(text, changes, last, root):
    """Pixels that a unit of time needs for PCs, registers and addresses to be shown whole; what needs so many."""
    start, most = geometry(text)[1], (0, "")
    for signal, flags, name in rows_of(text):
        if not WHOLE.search(signal) or signal not in changes or name and not (root / name).is_file():
            continue
        words = dict(line.split(maxsplit=1) for line in (root / name).read_text().splitlines()) if name else {}
        of_signal = changes[signal]
        for (time, value), (end, _) in zip(of_signal, [*of_signal[1:], (last, None)]):
            if value is not None and end - max(time, start) >= 2:  # a cycle: within one, an output settles
                word = shown(value, width_of(signal), flags, words)
                most = max(most, ((len(word) * VALUE_CHAR + VALUE) / (end - max(time, start)), f"{signal}, '{word}' at {time}"))
    return most


def zoom_for(text, changes, last, root):
    """On which a view opens: the case from [timestart] to its end, as far as it stays wide enough to read."""
    waves, start, _ = geometry(text)
    unit = min(max(waves / max(last - start, 1), needed(text, changes, last, root)[0], LEAST / 2), MOST / 2)
    return math.ceil(1000 * math.log2(unit / 200)) / 1000
