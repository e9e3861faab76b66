# SPDX-License-Identifier: Apache-2.0
"""Plain technical English where a person reads: pages (*.md), and what programs print (string literals of C++, text and
--help of scripts). CONTRIBUTING.md has the rules with examples.

  scripts/lint --words             fails on text that breaks a rule more often than tools/words_known.txt allows
  scripts/lint --words FILE...     each place in these files, allowed or not
  scripts/lint --words --write     lowers what is allowed to what is there; it never raises a number

What stood before the rules is counted by file and rule in tools/words_known.txt: the numbers only fall.
"""
import ast
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KNOWN = ROOT / "tools/words_known.txt"
CELL = 80  # characters of a table's cell, links by their text

# Refused word: what is said instead. A word is whole; forms are listed.
REFUSED = {
    "nobody": "no warp, no lane, no process: name the thing", "somebody": "name the person or the thing",
    "anybody": "any user, any block: name it", "who": "hardware is \"it\"; a person has a role: the user",
    "whom": "name the thing", "story": "worked example", "stories": "worked examples",
    "deal": "memory split", "deals": "memory splits", "dealt": "split", "house": "tree, project", "wall": "limit, boundary",
    "walls": "limits, boundaries", "crowd": "arriving warps", "errand": "forwarded path", "lift": "forwarded path",
    "hears": "samples", "hear": "sample", "heard": "sampled", "told": "notified, given", "tells": "gives, reports",
    "lives": "is stored, stands in", "dies": "is detected, fails", "lies": "is, stands", "wants": "requests, needs",
    "knows": "has, records", "walks": "iterates over", 
    "speaks": "describes", "listens": "samples", "listen": "sample", "forgets": "clears", "forgotten": "cleared",
}
OPENING = re.compile(r"(?:^|(?<=[.:] ))(Of|Whose|Who|Whom)\b")
WORD = re.compile(r"\b(" + "|".join(REFUSED) + r")\b", re.I)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"`[^`]*`")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def without_code(text):
    return CODE.sub("x", LINK.sub(r"\1", text))


def in_prose(text):
    """(rule, what) of each break in a sentence."""
    plain = without_code(text)
    for found in WORD.finditer(plain):
        yield found[1].lower(), REFUSED[found[1].lower()]
    for found in OPENING.finditer(plain):
        yield "opening", f"a sentence has a subject; this one opens with {found[1]}"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def torn_tables(lines):
    """Rows of tables that begin without a head: an empty line in a table ends it, and what follows is shown as text."""
    for i, line in enumerate(lines):
        begins = line.startswith("|") and (i == 0 or not lines[i - 1].startswith("|"))
        if begins and not (i + 1 < len(lines) and re.match(r"\|[ :|-]+\|$", lines[i + 1])):
            yield i + 1, "table", "a row of a table without a head above it: is there an empty line in the table?"


def in_page(text):
    """(line number, rule, what) of a Markdown page, fences left out."""
    yield from torn_tables(text.splitlines())
    is_fence = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_fence = not is_fence
        elif not is_fence:
            for rule, what in in_prose(line):
                yield number, rule, what
            if line.startswith("|"):
                for cell in cells_of(line):
                    if len(LINK.sub(r"\1", cell)) > CELL:
                        yield number, "cell", f"a table cell of {len(cell)} characters, at most {CELL}"


def in_literals(text):
    """The same of what a C++ program prints: literals with a space in them."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("//", "#include")):
            continue
        for literal in LITERAL.findall(line.split(" //")[0]):
            if " " in literal.strip():
                for rule, what in in_prose(literal):
                    yield number, rule, what


def in_script(text):
    """The same of a script of Python: its --help and its strings."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            for i, line in enumerate(node.value.splitlines()):
                for rule, what in in_prose(line):
                    yield node.lineno + i, rule, what


def in_shell(text):
    """The same of a shell script: its comment at the top is its --help, and what it echoes."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") and not line.startswith("#!") or re.search(r"\b(echo|section)\b", line):
            for rule, what in in_prose(line.lstrip("# ")):
                yield number, rule, what


def reader_of(name, text):
    if name.endswith(".md"):
        return in_page
    if name.endswith((".cpp", ".h")) and not name.startswith(("tests/", "kernels/")):
        return in_literals
    if name.startswith(("scripts/", "studies/", "area/", "tools/")) and (name.endswith(".py") or "python3" in text.split("\n", 1)[0]):
        return in_script
    if name.startswith("scripts/") and "bash" in text.split("\n", 1)[0]:
        return in_shell
    return None


def files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True,
                            capture_output=True, check=True).stdout.split("\n")
    return [name for name in sorted(set(listed)) if name and name != "tools/lint_words.py" and name != "CONTRIBUTING.md"
            and (ROOT / name).is_file()]


def places(names):
    """{(file, rule): [(line, what)]}"""
    found = collections.defaultdict(list)
    for name in names:
        try:
            text = (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
        read = reader_of(name, text)
        for line, rule, what in read(text) if read else ():
            found[name, rule].append((line, what))
    return found


def known():
    allowed = {}
    if KNOWN.exists():
        for line in KNOWN.read_text().splitlines():
            if line and not line.startswith("#"):
                name, rule, count = line.split()
                allowed[name, rule] = int(count)
    return allowed


def write(found, allowed):
    text = ["# SPDX-License-Identifier: Apache-2.0",
            "# Text from before the rules of wording: file, rule, places. scripts/lint --words --write lowers these numbers."]
    for (name, rule), at in sorted(found.items()):
        count = min(len(at), allowed.get((name, rule), 0)) if allowed else len(at)
        if count:
            text.append(f"{name} {rule} {count}")
    KNOWN.write_text("\n".join(text) + "\n")


def main(arguments):
    if "--help" in arguments or "-h" in arguments:
        print(__doc__)
        return 0
    if arguments and arguments != ["--write"]:
        for (name, _), at in places(arguments).items():
            for line, what in at:
                print(f"{name}:{line}: {what}")
        return 0
    found, allowed = places(files()), known()
    if arguments == ["--write"]:
        write(found, allowed)
        return 0
    too_many = {what: at for what, at in found.items() if len(at) > allowed.get(what, 0)}
    for (name, rule), at in sorted(too_many.items()):
        lines = ", ".join(str(line) for line, _ in at)
        print(f"{name}: '{rule}' in {len(at)} places, at most {allowed.get((name, rule), 0)} are allowed (lines {lines}): {at[0][1]}")
    if too_many:
        print("lint --words: CONTRIBUTING.md has the rules of wording; `scripts/lint --words FILE` shows each place", file=sys.stderr)
        return 1
    print(f"words: {sum(map(len, found.values()))} places from before the rules, none new")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
