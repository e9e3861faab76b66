# SPDX-License-Identifier: Apache-2.0
"""Writes the GTKWave view of one waveform of a bench, beside the waveform.

  python3 -m tools.case_view BLOCK WAVEFORM.vcd --bench PROGRAM [--point P] [--case NAME]

The saved views waveforms/BLOCK*.gtkw are the templates: the one with the most signals in the waveform is used. Each row
takes the width that its signal has there; rows and groups without a signal are left out. PCs have the names that this
case gives them (PROGRAM --case NAME --filter), or numbers where it gives none. Prints the view's file.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from .vcd import read_vcd
from .view_zoom import TRANSLATED, zoom_for

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"(\+\{.*?\} )?(SystemC\.[^\s\[]+)(\[\d+:\d+\])?$")
NUMBER = "@24"  # decimal
NO_PC = "".join(f"{2 ** bits - 1} none\n" for bits in (16, 32))


def base_of(signal):
    return signal.split("[")[0]


def filter_of_case(program, point, case, place):
    """The translate file with the names that the case gives its PCs; None where it gives none."""
    if case is None:
        return None
    words = [program, *(["--point", point] if point else []), "--case", case, "--filter"]
    run = subprocess.run(words, text=True, capture_output=True)
    if run.returncode or not run.stdout.strip():
        return None
    place.write_text("0 -\n" + run.stdout + NO_PC)
    return place


def is_of_a_case(name):
    """BLOCK.CASE.filter names the PCs of one case; resolve_op.filter the values of an enum."""
    return pathlib.Path(name).stem.count(".") > 0


def rewritten(lines, signals, names, root):
    """The rows of a template as this waveform has them."""
    flags, pending, words = NUMBER, [], None
    for line in lines:
        if line.startswith("@"):
            flags = line
        elif line.startswith("^"):
            words = line.split(maxsplit=1)[1]
        elif line.startswith("[color]"):
            pending.append(line)
        elif line.startswith("-"):
            yield flags
            yield line
        elif found := ROW.match(line):
            alias, base, _ = found.groups()
            if base in signals:
                if words and is_of_a_case(words):
                    words = str(names) if names else None
                elif words:
                    words = str(root / words)
                is_word = words is not None and int(flags[1:], 16) & TRANSLATED
                yield flags if is_word or not int(flags[1:], 16) & TRANSLATED else NUMBER
                if is_word:
                    yield f"^1 {words}"
                yield from pending
                yield f"{alias or ''}{signals[base]}"
            pending, words = [], None
        else:
            yield line


def without_empty_groups(lines):
    """A group is @800200 or @c00200 and its name, then @1000200 or @1401200 and its name."""
    kept = []
    for line in lines:
        if line.startswith("-") and len(kept) > 2 and kept[-1].startswith("@1") and kept[-2] == line and \
                kept[-3] in ("@800200", "@c00200"):
            del kept[-3:]
        else:
            kept.append(line)
    return kept


def template_for(block, signals, root):
    """The saved view of this block with the most rows in the waveform."""
    def there(view):
        return sum(bool(found) and found[2] in signals for found in map(ROW.match, view.read_text().splitlines()))
    views = sorted([*root.glob(f"waveforms/{block}.gtkw"), *root.glob(f"waveforms/{block}_*.gtkw")],
                   key=lambda view: (-there(view), len(view.name)))
    return views[0] if views and there(views[0]) else None


def view_of(block, waveform, program, point=None, case=None, root=ROOT):
    """Writes the view beside the waveform; its file, or None where no saved view has a signal of it."""
    changes, last = read_vcd(waveform)
    signals = {base_of(name): name for name in changes}
    template = template_for(block, signals, root)
    if template is None:
        return None
    names = filter_of_case(program, point, case, waveform.with_suffix(".filter"))
    command = f"scripts/tb {block}" + (f" --point {point}" if point else "") + (f" --case {case}" if case else "") + " --trace"
    body = [line for line in template.read_text().splitlines() if not line.startswith("[*]")]
    body = without_empty_groups(rewritten(body, signals, names, root))
    start = next(iter(re.findall(r"\[timestart\] (\d+)", "\n".join(body))), "0")
    is_same_case = case is not None and f"--case {case} " in template.read_text()
    if not is_same_case or int(start) >= last:
        body = ["[timestart] 0" if line.startswith("[timestart]") else line for line in body]
    text = "\n".join([f"[*] {block}{', case ' + case if case else ''}{', at ' + point if point else ''}:", f"[*]   {command}",
                      *body]) + "\n"
    text = re.sub(r"^\*\S+", f"*{zoom_for(text, changes, last, root):.6f}", text, flags=re.M)
    place = waveform.with_suffix(".gtkw")
    place.write_text(text)
    return place


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("block")
    parser.add_argument("waveform", type=pathlib.Path)
    parser.add_argument("--bench", required=True, metavar="PROGRAM")
    parser.add_argument("--point")
    parser.add_argument("--case")
    args = parser.parse_args()
    view = view_of(args.block, args.waveform.resolve(), args.bench, args.point, args.case)
    if view is None:
        sys.exit(f"case_view: no view waveforms/{args.block}*.gtkw has a signal of {args.waveform}")
    print(view.relative_to(pathlib.Path.cwd()) if view.is_relative_to(pathlib.Path.cwd()) else view)


if __name__ == "__main__":
    main()
