# SPDX-License-Identifier: Apache-2.0
"""Lengths of processes and functions in rtl/, from the first to the last line of each (scripts/lint --measures).

A function counts as a process does, or a process would become short by one long function. A constructor does not: it
wires instances, and the instances of a twin stand in no process.
"""
import dataclasses
import re

from .source_text import closing, line_at

REGISTERED = re.compile(r"\b(?:SC_METHOD|SC_THREAD|SC_CTHREAD|HEDDLE_ON_EDGE)\(\s*(\w+)")
FUNCTION = re.compile(r"[\w>&*]\s+([a-z_]\w*)\s*(?=\()")
BODY = re.compile(r"\s*(?:(?:const|noexcept|override)\s*)*\{")
NO_FUNCTION = {"if", "for", "while", "switch", "catch", "constexpr", "return"}
BLOCK = re.compile(r"\balways(?:_comb|_ff|_latch)?\b")
ROUTINE = re.compile(r"\b(function|task)\b[^;(]*?(\w+)\s*[;(]")
TOKEN = re.compile(r"[A-Za-z_]\w*|[()\[\]{};@]|\S")
HEADED = ("if", "for", "foreach", "while", "repeat", "wait")
CASES = ("case", "casez", "casex")
TARGET = re.compile(r"(?<!['\w])([A-Za-z_]\w*)[^;=<]*<?=(?!=)")
LABEL = re.compile(r"[\w']+\s*:\s+")  # of a branch of a case


@dataclasses.dataclass(frozen=True)
class Process:
    file: str
    name: str
    line: int
    lines: int

    def key(self):
        return f"{self.file} {self.name}"


def of_span(file, name, text, first, last):
    begin = line_at(text, first)
    return Process(file, name, begin, line_at(text, last) - begin + 1)


def of_header(file, text):
    """Processes of SystemC: methods that a header registers."""
    for name in dict.fromkeys(REGISTERED.findall(text)):
        head = re.search(rf"(?:\bHEDDLE_CLOCKED\(\s*{name}\s*\)|\bvoid\s+{name}\s*\(\s*\))\s*\{{", text)
        if head is None:
            raise ValueError(f"{file}: the process {name} is registered, and its body is not found")
        yield of_span(file, name, text, head.start(), closing(text, head.end() - 1))
    yield from functions(file, text, set(REGISTERED.findall(text)))


def functions(file, text, processes_of_file):
    """Functions of a header besides its processes and constructors. A second one of the same name has a number."""
    seen = {}
    for found in FUNCTION.finditer(text):
        name = found[1]
        body = BODY.match(text, closing(text, found.end()) + 1)
        if body and name not in NO_FUNCTION and name not in processes_of_file:
            seen[name] = seen.get(name, 0) + 1
            key = name if seen[name] == 1 else f"{name} ({seen[name]})"
            yield of_span(file, key, text, found.start(), closing(text, body.end() - 1))


class Statements:
    """The ends of statements of SystemVerilog."""

    def __init__(self, text):
        self.text = text

    def token(self, at):
        """(token, its index, the index behind it) at `at` or later."""
        found = TOKEN.search(self.text, at)
        if found is None:
            raise ValueError("the file ends in a statement")
        return found[0], found.start(), found.end()

    def behind_brackets(self, at):
        _, opening, _ = self.token(at)
        return closing(self.text, opening) + 1

    def behind(self, at):
        """Index behind the statement that begins at `at`."""
        word, _, after = self.token(at)
        if word in ("unique", "unique0", "priority"):
            return self.behind(after)
        if word == "@":
            return self.behind(self.behind_brackets(after))
        if word == "begin":
            return self.behind_words(after, ("begin",), "end")
        if word in CASES:
            return self.behind_words(after, CASES, "endcase")
        if word in HEADED:
            end = self.behind(self.behind_brackets(after))
            follows, _, after_else = self.token(end) if self.text[end:].strip() else ("", end, end)
            return self.behind(after_else) if word == "if" and follows == "else" else end
        while word != ";":
            after = closing(self.text, after - 1) + 1 if word in "([{" else after
            word, _, after = self.token(after)
        return after

    def behind_words(self, at, openings, end):
        depth = 1
        for found in re.compile(rf"\b({'|'.join(openings)}|{end})\b").finditer(self.text, at):
            depth += -1 if found[0] == end else 1
            if depth == 0:
                return found.end()
        raise ValueError(f"no {end} in the rest of the file")


def without_heads(text):
    """Text of a process without `if (...)`, `for (...)`, `case (...)`, `begin` and `else`: what is left assigns."""
    kept, at = "", 0
    for found in re.finditer(r"(?:\b(?:if|for|foreach|while|case[xz]?|repeat)\s*|@\s*)(?=\()", text):
        if found.start() >= at:
            kept, at = kept + text[at:found.start()], closing(text, found.end()) + 1
    return re.sub(r"\b(?:begin|end|else|unique|priority)\b", "", kept + text[at:])


def name_of_block(kind, text):
    """An always block is named by its label, or by what it assigns first: no other block assigns that."""
    label = re.match(r"[^;]*?\bbegin\s*:\s*(\w+)", text)
    if label:
        return f"{kind} {label[1]}"
    target = TARGET.search(LABEL.sub("", without_heads(text)))
    return f"{kind} of {target[1]}" if target else kind


def of_twin(file, text):
    """Processes of SystemVerilog: always blocks, functions and tasks."""
    seen = {}
    statements = Statements(text)
    for found in BLOCK.finditer(text):
        end = statements.behind(found.end())
        name = name_of_block(found[0], text[found.end():end])
        seen[name] = seen.get(name, 0) + 1  # branches of a generate may assign the same
        yield of_span(file, name if seen[name] == 1 else f"{name} ({seen[name]})", text, found.start(), end - 1)
    for found in ROUTINE.finditer(text):
        end = re.compile(rf"\bend{found[1]}\b").search(text, found.end())
        yield of_span(file, f"{found[1]} {found[2]}", text, found.start(), end.end() - 1)


def processes(sources, suffix):
    """All of files with this suffix, the longest first."""
    of = of_twin if suffix == ".sv" else of_header
    found = [one for file, text in sources.items() if file.endswith(suffix) for one in of(file, text)]
    return sorted(found, key=lambda one: (-one.lines, one.key()))
