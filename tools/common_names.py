# SPDX-License-Identifier: Apache-2.0
"""Which local names of a SystemC block its SystemVerilog twin has too (scripts/lint --measures).

A block is a folder of rtl/ with a twin: its headers against its .sv files and the packages that these read; of rtl/base
each header with a package: against that and the twins that read it. A local name is declared there, in lower case with
two letters or more: a variable, a parameter, a function, or a field of a record. Ports (`_i`, `_o`) are none: benches
hold them equal. Nor is a local of the block alone with the name of one of its ports (`status`, what `status_i` has):
SystemC reads and writes a record through a local, where the twin has the port itself. Types and constants (`Entry`,
`Depth`) are none, nor are processes of SystemC, and what stands in HEDDLE_REPORT: that is text for people, no hardware.
A rule that is a function in SystemC may be a label in the twin: of a process, of a nested or a generate block, or of an
assertion; an instance `i_board` is `board`, and two signals `opens0` and `opens1` are `opens`. A word that is
SystemVerilog's own (`edge`, `bit`) is none: no twin can declare it.
"""
import dataclasses
import pathlib
import re

from .process_lines import REGISTERED
from .source_text import closing

NAME = r"[a-z]\w+"
PORT = re.compile(r"_n?[io]$")
PACKAGE = re.compile(r"\b(\w+_pkg)::")
# A type stands before a declared name of C++. clang-format writes `Type& name` and `a & b`, `Kind<n> name` and `a > b`.
AFTER_TYPE = re.compile(rf"((?:\w|\S[>&*]|\w>>))\s+({NAME})\s*(?=[=;,(){{\[]|:(?!:))")
EACH = re.compile(rf"\bHEDDLE_EACH_SET\(\s*({NAME})")
CLASS = re.compile(rf"\bclass ({NAME})")
REPORT = re.compile(r"\bHEDDLE_REPORT\(")
BINDING = re.compile(r"\bauto&?&?\s*\[([^\]]*)\]")
NOT_TYPES = set("return else case new delete throw goto public private protected operator using typename class struct "
                "enum namespace template explicit typedef sizeof default break continue".split())
TYPES = set("bool char int unsigned signed long short float double void auto const constexpr static inline "
            "mutable".split())
SV_TYPED = re.compile(rf"(\w|\]|\))\s+({NAME})\s*(?=[=;,(\[)]|$)", re.M)
SV_NOT_TYPES = set("begin end else return assign case endcase endfunction endtask endgenerate endmodule endpackage "
                   "import export if for initial final always_comb always_ff always or and not posedge negedge "
                   "parameter unique priority default module package do while".split())
SV_LABEL = re.compile(rf"\bbegin\s*:\s*(\w+)|\b({NAME})\s*:\s*(?:assert|assume|cover)\b|\bi_(\w+)\s*\(")
SV_OWN = set("before begin bit edge event join matches release with".split())  # those that blocks here have
SV_TYPES = {"logic", "int", "bit", "signed", "unsigned", "integer", "automatic", "genvar", "void"}


@dataclasses.dataclass(frozen=True)
class Block:
    name: str
    common: frozenset
    alone: frozenset  # names that only the SystemC block has

    def count(self):
        return len(self.common) + len(self.alone)

    def share(self):
        return len(self.common) / self.count() if self.count() else 1.0


def further(text, at, follows):
    """Names behind commas of the declaration whose first name ends at `at`: `logic a, b;`."""
    while at < len(text):
        if text[at] in "([{":
            at = closing(text, at) + 1
        elif text[at] == ",":
            found = follows.match(text, at)
            if found is None:
                return
            yield found[1]
            at = found.end()
        elif text[at] in ");:}]":
            return
        else:
            at += 1


FURTHER_CPP = re.compile(r",\s*[*&]?([a-z]\w*)\s*(?=[=;,({\[)])")
FURTHER_SV = re.compile(r",\s*([a-z]\w*)\s*(?=[=;,\[)])")


def declared(text, first, follows, not_types, types):
    names = set()
    for found in first.finditer(text):
        before = re.search(r"\w+$", text[max(0, found.start() - 40):found.end(1)])
        if before and (before[0] in not_types or before[0].isdigit()) or found[2] in not_types:
            continue
        names.add(found[2])
        names.update(further(text, found.end(2), follows))
    return {name for name in names if len(name) > 1 and not PORT.search(name)} - not_types - types


def without_reports(text):
    while found := REPORT.search(text):
        text = text[:found.start()] + text[closing(text, found.end() - 1) + 1:]
    return text


def names_of_header(text):
    text = without_reports(text)
    names = declared(text, AFTER_TYPE, FURTHER_CPP, NOT_TYPES, TYPES) | set(EACH.findall(text))
    for bound in BINDING.findall(text):
        names.update(re.findall(NAME, bound))
    return names - set(REGISTERED.findall(text)) - set(CLASS.findall(text)) - SV_OWN


def names_of_twin(text):
    labels = {name for found in SV_LABEL.findall(text) for name in found if name}
    names = declared(text, SV_TYPED, FURTHER_SV, SV_NOT_TYPES, SV_TYPES)
    return names | labels | {name[:-1] for name in names if name[-1] == "0" and name[:-1] + "1" in names}


def names_of_ports(text):
    """The names of its ports without their ending: `status` of `status_i`."""
    return {PORT.sub("", name) for name in re.findall(rf"\b{NAME}", text) if PORT.search(name)}


def packages_read(files, sources):
    read = {name for file in files if file.endswith(".sv") for name in PACKAGE.findall(sources[file])}
    return [file for file in sources if file.endswith("_pkg.sv") and pathlib.PurePath(file).stem in read]


def files_of_blocks(sources):
    """{name of a block: files}"""
    folders = {str(pathlib.PurePath(file).parent) for file, text in sources.items() if re.search(r"\bmodule\b", text)}
    for folder in folders:
        yield folder, [file for file in sources if str(pathlib.PurePath(file).parent) == folder]
    for file in sources:
        header = file.replace("_pkg.sv", ".h")
        if file.startswith("rtl/base/") and file.endswith("_pkg.sv") and header in sources:
            read = re.compile(rf"\b{pathlib.PurePath(file).stem}::")
            yield header[:-2], [file, header, *(twin for twin in sources if twin.endswith(".sv") and read.search(sources[twin]))]


def blocks(sources):
    found = []
    for name, files in sorted(files_of_blocks(sources)):
        headers = [sources[file] for file in files if file.endswith(".h")]
        ours = set().union(*map(names_of_header, headers))
        ports = set().union(*map(names_of_ports, headers))
        twins = {*(file for file in files if file.endswith(".sv")), *packages_read(files, sources)}
        theirs = set().union(*(names_of_twin(sources[file]) for file in twins))
        found.append(Block(name.removeprefix("rtl/"), frozenset(ours & theirs), frozenset(ours - theirs - ports)))
    return found


def whole(found):
    """Share over all blocks, and the two numbers that it is made of."""
    common, count = sum(len(one.common) for one in found), sum(one.count() for one in found)
    return common / count, common, count
