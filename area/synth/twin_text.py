# SPDX-License-Identifier: Apache-2.0
"""The text of a twin as Yosys reads it here: without comments, and a statement a line.

Yosys names cells by the line that they come from, and what the mapper makes of equal logic depends on names, by up to 2%.
So comments, empty lines and line breaks must not move lines, or a figure would move where no word did.
"""
import re

COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.S)
DIRECTIVE = re.compile(r"^\s*`(?:include|define|undef|ifdef|ifndef|else|endif|timescale|default_nettype)\b")


def plain(text):
    """A directive of the preprocessor stays a line of its own."""
    lines, pending = [], []
    for line in COMMENT.sub(lambda found: found[1] or " ", text).splitlines():
        if DIRECTIVE.match(line):
            lines += [" ".join(pending), line.strip()]
            pending = []
        else:
            pending += line.split()
    lines.append(" ".join(pending))
    return "".join(f"{statement}\n" for line in lines for statement in re.split(r"(?<=;) ", line) if statement)
