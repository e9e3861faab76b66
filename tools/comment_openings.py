# SPDX-License-Identifier: Apache-2.0
"""Comments that open with `Of`, `Whose`, `Who` or `Whom`: their first sentence is a fragment (scripts/lint --measures).

It is a rule of wording that scripts/lint --words applies to pages and messages, here for comments on lines of their own
in rtl/, sim/ and tlm/; consecutive lines are one comment. Other fragments are not counted: a program that does not
parse English cannot separate them from the name of a thing ("entries beneath the TOS"), which is allowed. A longer list
of words (Where, By, In and others) was tried: about 14 of 100 comments that it found were sentences.
"""
import dataclasses
import re

from .lint_words import OPENING

PLACES = [f"{room}/**/*{suffix}" for room in ("rtl", "sim", "tlm") for suffix in (".h", ".cpp", ".sv")]
LINE = re.compile(r"\s*//[/!]?<?\s*(.*)$")


@dataclasses.dataclass(frozen=True)
class Comment:
    file: str
    line: int
    text: str

    def opens_without_subject(self):
        return OPENING.match(self.text) is not None


def comments_of(file, text):
    """Comments that begin with a letter; the licence and directives of tools are none."""
    found, begun = [], None
    for number, line in enumerate([*text.splitlines(), ""], 1):
        words = LINE.match(line)
        if words:
            begun = begun or (number, [])
            begun[1].append(words[1])
        elif begun:
            found.append(Comment(file, begun[0], " ".join(begun[1])))
            begun = None
    return [one for one in found if re.match(r"[A-Za-z]", one.text) and not one.text.startswith(("SPDX", "verilator"))]


def comments(root):
    files = sorted({file for pattern in PLACES for file in root.glob(pattern)})
    return [one for file in files for one in comments_of(str(file.relative_to(root)), file.read_text())]
