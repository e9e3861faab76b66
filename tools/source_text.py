# SPDX-License-Identifier: Apache-2.0
"""Text of C++ and SystemVerilog as the measures of the code read it (scripts/lint --measures)."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT = r"//[^\n]*|/\*.*?\*/"
STRING = r'"(?:\\.|[^"\\\n])*"'
CHARACTER = r"'(?:\\.|[^'\\\n])'"  # of C++ alone: in SystemVerilog '0 and 4'd1 are numbers
DIRECTIVE = r"(?m:^[ \t]*#(?:\\\n|[^\n])*)"
CPP = re.compile("|".join((COMMENT, STRING, CHARACTER, DIRECTIVE)), re.S)
SV = re.compile("|".join((COMMENT, STRING, r"(?m:^[ \t]*`\w+[^\n]*)")), re.S)
BRACKETS = {"(": ")", "[": "]", "{": "}"}


def code_of(name, text):
    """Text of a file without comments, literals and directives; what is left stands where it stood."""
    return (SV if name.endswith(".sv") else CPP).sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def closing(text, opening):
    """Index of the bracket that closes the one at index `opening`."""
    depth = 0
    for found in re.compile(r"[()\[\]{}]").finditer(text, opening):
        depth += 1 if found[0] in BRACKETS else -1
        if depth == 0:
            return found.start()
    raise ValueError(f"the bracket at line {line_at(text, opening)} is never closed")


def line_at(text, index):
    return text.count("\n", 0, index) + 1


def read(root, *patterns):
    """{name from the root: text without comments} of the files that match."""
    files = sorted({file for pattern in patterns for file in root.glob(pattern)})
    return {str(file.relative_to(root)): code_of(file.name, file.read_text()) for file in files}
