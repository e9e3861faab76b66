# SPDX-License-Identifier: Apache-2.0
"""The rules: what a SystemC synthesis tool refuses, or takes and gets wrong (DESIGN sec. 4)."""
import dataclasses
import re

from .source import ARITHMETIC, ASSIGN, PAIRS, after, closing, closing_angle, colon_of, locals_of, split, statement_end
from .subset import find_outside_subset, member_types, recursive

RULES = {
    "report": "text for people outside HEDDLE_REPORT(...)",
    "report-helper": "what HEDDLE_REPORT defines is called outside it: a synthesis tool does not see it",
    "report-effect": "HEDDLE_REPORT changes something: a synthesis tool does not see it",
    "own-operator": "a type with operators of one's own in a process; compare records with a named function",
    "lambda": "a lambda",
    "range-for": "for over a range; count with an unsigned",
    "std": "std:: beyond fixed-width integers",
    "early-return": "return before the end of a function, or more than one",
    "loop-break": "break out of a loop; use a found-flag",
    "nested-record": "a record in a record",
    "record-literal": "a record made in an expression; declare it blank and fill it field by field",
    "record-constructor": "a constructor in a record",
    "sc-type": "sc_lv or sc_inout",
    "static-local": "a static local",
    "global": "a variable outside classes and functions, or a static member",
    "next-trigger": "next_trigger",
    "const-call": "a const local made by a call stands in another call's argument; make it not const",
    "call-argument": "a call as argument of a plain integer parameter; put it in a local",
    "record-choice": "?: between records; use if",
    "output-field": "port.read().field of an output, or of what the same process writes; copy the record first",
    "enum-default": "default: in a switch over an enum class; switch over unsigned(...)",
    "inner-constant": "a constant expression as inner index of a two-dimensional array; put it in a local",
    "fall-through": "code runs on into the next case",
    "case-break": "the last case does not end in break",
    "shared-member": "a plain member that one process writes and another uses; make it an sc_signal",
    "tool-macro": "__SC_TOOL__; only rtl/base/clocked.h, each_set.h, link.h and links.h name it",
    "vector-argument": "x[i].read() as argument by reference: the index is lost; read into a local record first",
    "loop-choice": "?: in a loop's bound; put the loop into an if",
    "local-initialiser": "a local array of a struct with initialisers in place; clear it by a loop",
    "debug-type": "NDEBUG decides what a tool sees; make it independent of it under __SC_TOOL__",
    "word": "a keyword or an operator that is not of the subset",
    "type": "a type that is not of the subset: integers, sc_uint and sc_int, enums, records",
    "call": "a call of what is neither of the tree nor read, write or range",
    "recursion": "a function that reaches itself",
    "loop-bound": "a loop that does not count an unsigned between constants",
    "each-set-mask": "the mask of HEDDLE_EACH_SET changes in its body: simulation and tool part",
}
INTEGERS_OF_STD = re.compile(r"u?int(8|16|32|64)_t|size_t|\w+_[vt]")
COMPARISONS = {"==", "!="}
LAMBDA_AFTER = {"(", ",", "=", "return", "&&", "||", "!", "?", ";", "{", "}"}


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    detail: str = ""

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {RULES[self.rule]}{': ' + self.detail if self.detail else ''}"


class Tree:
    """All headers together: what a name means, and what the processes reach."""

    def __init__(self, headers):
        self.headers = headers
        self.functions = {}
        self.where = {}
        for header in headers:
            for function in header.functions:
                self.functions.setdefault(function.name, []).append(function)
                self.where[id(function)] = header
        plain = [c for h in headers for c in h.classes if not c.module and (c.record or c.members)]
        self.records = self.with_aliases({c.name for c in plain})
        self.declared = self.with_aliases({c.name for c in plain if c.record})  # by HEDDLE_RECORD
        self.initialised = self.with_aliases({c.name for c in plain if any(m.init for m in c.members.values())})

    def with_aliases(self, records):
        """Other names of these types, in any header, too."""
        before = -1
        while len(records) != before:
            before = len(records)
            records |= {name for h in self.headers for name, type_ in h.aliases.items() if type_.base in records}
        return records

    def is_record(self, header, name):
        if name in header.enums:
            return False
        if name in header.aliases:
            return header.aliases[name].base in self.records
        return name in self.records

    def is_integer(self, header, type_):
        """A plain one, passed by value."""
        base = header.aliases[type_.base].base if type_.base in header.aliases else type_.base
        return base in ARITHMETIC and not type_.reference

    def called(self, header, body):
        """(token, functions) of each call of a function of the tree; a file's own functions hide the others."""
        for i, token in enumerate(body[:-1]):
            if token.kind == "id" and body[i + 1].text == "(" and token.text in self.functions:
                found = self.functions[token.text]
                own = [f for f in found if self.where[id(f)] is header]
                yield i, own or found

    def reached(self, roots):
        seen, wait = {}, list(roots)
        while wait:
            function = wait.pop()
            if id(function) not in seen:
                seen[id(function)] = function
                for _, functions in self.called(self.where[id(function)], function.body):
                    wait += functions
        return list(seen.values())

    def processes(self):
        """(header, module, name, the functions that the process reaches)"""
        for header in self.headers:
            for module in header.classes:
                for name in dict.fromkeys(module.processes):
                    roots = [f for f in module.functions if f.name == name]
                    yield header, module, name, self.reached(roots)


class Body:
    """One function's hardware with what its names mean."""

    def __init__(self, tree, header, function):
        self.tree, self.header, self.function = tree, header, function
        self.tokens = function.body
        self.locals = locals_of(function)

    def variable(self, name, at):
        """The last declaration of the name before token `at`, a local or a member."""
        found = self.function.owner.members.get(name) if self.function.owner else None
        parameters = self.function.parameters
        for variable in self.locals:
            if variable.name == name and (variable.at < at < variable.until or any(variable is p for p in parameters)):
                found = variable
        return found

    def record_value(self, begin, end):
        """Whether the expression tokens[begin:end] is a record: a variable, a port that is read, or a call."""
        tokens = self.tokens
        while begin < end and tokens[begin].text == "(" and closing(tokens, begin) == end - 1:
            begin, end = begin + 1, end - 1
        if begin >= end or tokens[begin].kind != "id":
            return False
        i = begin
        while i + 2 < end and tokens[i + 1].text == "::":
            i += 2
        name, i = tokens[i], i + 1
        if i < end and tokens[i].text == "<":
            i = (closing_angle(tokens, i) or i) + 1
        calls = i < end and tokens[i].text in ("(", "{")
        if calls and self.tree.is_record(self.header, name.text):
            record, i = True, closing(tokens, i) + 1
        elif calls and name.text in self.tree.functions:
            own = [f for f in self.tree.functions[name.text] if self.tree.where[id(f)] is self.header]
            record = any(self.tree.is_record(self.tree.where[id(f)], f.returns.base)
                         for f in own or self.tree.functions[name.text])
            i = closing(tokens, i) + 1
        else:
            variable = self.variable(name.text, begin)
            record = variable is not None and self.tree.is_record(self.header, variable.type.base)
        while i < end:
            if tokens[i].text == "[":
                i = closing(tokens, i) + 1
            elif tokens[i].text == "." and i + 2 < end and tokens[i + 1].text == "read" and tokens[i + 2].text == "(":
                i = closing(tokens, i + 2) + 1
            else:
                return False  # a field, or an operator
        return record

    def operand_end(self, i):
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text in PAIRS and text != "{":
                i = closing(self.tokens, i)
            elif self.tokens[i].kind not in ("id", "num") and text not in (".", "::", "->"):
                break
            i += 1
        return i

    def operand_begin(self, i):
        """Of the operand that ends before token i."""
        while i > 0:
            text = self.tokens[i - 1].text
            if text in (")", "]"):
                depth = 0
                while True:
                    i -= 1
                    depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(self.tokens[i].text, 0)
                    if depth == 0:
                        break
            elif self.tokens[i - 1].kind in ("id", "num") and text != "return" or text in (".", "::", "->"):
                i -= 1
            else:
                break
        return i


def find_in_function(tree, header, function):
    """Everything that one function's own text shows."""
    body = Body(tree, header, function)
    tokens = body.tokens

    def at(i, rule, detail=""):
        return Finding(header.path, tokens[i].line if tokens else function.line, rule, detail)

    yield from reports(header, function, at, tokens)
    yield from returns(function, at, tokens)
    yield from breaks(at, tokens)
    yield from switches(tree, at, tokens)
    yield from calls(body, at)
    yield from vector_arguments(body, at)
    yield from local_initialisers(body, at)
    yield from find_outside_subset(tree, header, function, body.locals, at)
    for i, token in enumerate(tokens):
        text, before = token.text, tokens[i - 1].text if i else ";"
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if text == "[" and before in LAMBDA_AFTER and following != "[":
            yield at(i, "lambda")
        if text == "for" and following == "(" and ";" not in [t.text for t in tokens[i:closing(tokens, i + 1)]]:
            yield at(i, "range-for")
        if text == "std" and following == "::" and not INTEGERS_OF_STD.fullmatch(tokens[i + 2].text):
            yield at(i, "std", f"std::{tokens[i + 2].text}")
        if text == "static":
            yield at(i, "static-local")
        if text in COMPARISONS and (body.record_value(body.operand_begin(i), i) or
                                    body.record_value(i + 1, body.operand_end(i + 1))):
            yield at(i, "own-operator", f"{text} of records")
        if text == "?":
            colon = colon_of(tokens, i)
            end = colon + 1
            while end < len(tokens) and tokens[end].text not in (";", ",", ")", "]", "}", ":", "?"):
                end = after(tokens, end)
            if body.record_value(i + 1, colon) or body.record_value(colon + 1, end):
                yield at(i, "record-choice")
        if text == "{":
            yield from record_literal(body, at, i)
        if text == "(" and before not in ("if", "for") and tree.is_record(header, before) and tokens[i - 2].text != ".":
            yield at(i, "record-literal", before)
        if token.kind == "id" and following == "[":
            yield from inner_constant(body, at, i)


def reports(header, function, at, tokens):
    for i, token in enumerate(tokens):
        if token.text.startswith("SC_REPORT_"):
            yield at(i, "report", token.text)
        elif token.kind == "str" and token.text.startswith('"'):
            yield at(i, "report", token.text)
        elif token.text in header.report_functions and i + 1 < len(tokens) and tokens[i + 1].text == "(" and \
                not any(f.name == token.text for f in header.functions):
            yield at(i, "report-helper", token.text)
    for report in function.reports:
        for i, token in enumerate(report):
            declares = token.text == "=" and i > 1 and report[i - 1].kind == "id" and \
                (report[i - 2].kind == "id" or report[i - 2].text in ("*", "&", ">"))
            writes = token.text == "write" and report[i - 1].text == "."
            if writes or token.text in ASSIGN and not declares:
                yield Finding(header.path, token.line, "report-effect", token.text)


def returns(function, at, tokens):
    """The only one is the last statement of the function."""
    for i, token in enumerate(tokens):
        if token.text == "return" and (statement_end(tokens, i) < len(tokens) or not tokens_at_top(tokens, i)):
            yield at(i, "early-return", function.name)


def tokens_at_top(tokens, i):
    depth, n = 0, 0
    while n < i:
        depth += {"{": 1, "}": -1}.get(tokens[n].text, 0)
        n += 1
    return depth == 0 and (i == 0 or tokens[i - 1].text in (";", "}"))


def breaks(at, tokens):
    """The innermost loop or switch around a break is a switch."""
    around = []
    for i, token in enumerate(tokens):
        if token.text in ("for", "while", "switch") and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            begin = closing(tokens, i + 1) + 1
            if begin < len(tokens):
                around.append((begin, statement_end(tokens, begin), token.text))
        elif token.text == "do":
            around.append((i + 1, statement_end(tokens, i + 1), "do"))
    for i, token in enumerate(tokens):
        if token.text == "break":
            inside = [a for a in around if a[0] <= i < a[1]]
            if not inside or max(inside)[2] != "switch":
                yield at(i, "loop-break")


def switches(tree, at, tokens):
    for i, token in enumerate(tokens):
        if token.text != "switch":
            continue
        open_ = closing(tokens, i + 1) + 1
        end = closing(tokens, open_)
        labels = []  # (index of the word, index after the colon)
        n = open_ + 1
        while n < end:
            if tokens[n].text in ("case", "default"):
                colon = n
                while tokens[colon].text != ":":
                    colon = after(tokens, colon)
                labels.append((n, colon + 1))
                n = colon + 1
            else:
                n = statement_end(tokens, n)
        by_enumerator = False
        for k, (word, begin) in enumerate(labels):
            until = labels[k + 1][0] if k + 1 < len(labels) else end
            code = [t.text for t in tokens[begin:until]]
            while code and code[-1] == "}" and code[0] == "{" and closing(tokens, begin) == begin + len(code) - 1:
                begin, code = begin + 1, code[1:-1]
            by_enumerator |= tokens[word].text == "case" and tokens[word + 1].text != "unsigned" and \
                any(t.text == "::" for t in tokens[word:labels[k][1]])
            if k + 1 < len(labels) and code and code[-2:] != ["break", ";"] and "return" not in code[-4:]:
                yield at(word, "fall-through")
            if k + 1 == len(labels) and code[-2:] != ["break", ";"]:
                yield at(word, "case-break")
        over_number = tokens[i + 2].text in ("unsigned", "static_cast")
        for word, _ in labels:
            if tokens[word].text == "default" and by_enumerator and not over_number:
                yield at(word, "enum-default")


def calls(body, at):
    tree, header, tokens = body.tree, body.header, body.tokens
    found = list(tree.called(header, tokens))
    where = {i for i, _ in found}
    made_by_call = []
    for variable in body.locals:
        if variable.type.const and not variable.type.reference and not tree.is_record(header, variable.type.base) and \
                any(True for _ in tree.called(header, variable.init)):
            made_by_call.append(variable)
    for i, functions in found:
        end = closing(tokens, i + 1)
        for n in range(i + 2, end):
            name = tokens[n].text
            if tokens[n].kind == "id" and tokens[n - 1].text not in (".", "::", "->") and \
                    any(body.variable(name, n) is variable for variable in made_by_call):
                yield at(n, "const-call", f"{name} in a call of {tokens[i].text}")
        begin = i + 2
        for k, part in enumerate(split(tokens[i + 2:end])):
            plain = any(k < len(f.parameters) and tree.is_integer(tree.where[id(f)], f.parameters[k].type)
                        for f in functions)
            for n in range(begin, begin + len(part)):
                if n in where and plain:
                    yield at(n, "call-argument", f"{tokens[n].text} in a call of {tokens[i].text}")
            begin += len(part) + 1


def vector_arguments(body, at):
    """f(x[i].read()), where f takes a record by reference."""
    tokens = body.tokens
    for i, functions in body.tree.called(body.header, tokens):
        begin = i + 2
        if tokens[i - 1].text == "::":  # of another class, or of this one
            functions = body.tree.functions[tokens[i].text]
        for k, part in enumerate(split(tokens[i + 2:closing(tokens, i + 1)])):
            texts = [t.text for t in part]
            by_reference = any(k < len(f.parameters) and f.parameters[k].type.reference for f in functions)
            if by_reference and texts[-3:] == ["read", "(", ")"] and "]" in texts and \
                    texts[-5:-3] == ["]", "."]:
                yield at(begin, "vector-argument", f"{texts[0]} in a call of {tokens[i].text}")
            begin += len(part) + 1


def local_initialisers(body, at):
    for variable in body.locals:
        if variable.type.dimensions and variable.type.base in body.tree.initialised and \
                not any(variable is p for p in body.function.parameters):
            yield at(variable.at, "local-initialiser", f"{variable.name} of {variable.type.base}")


def record_literal(body, at, i):
    tokens, before = body.tokens, body.tokens[i - 1].text if i else ";"
    returns_record = body.tree.is_record(body.header, body.function.returns.base)
    declared = next((v for v in body.locals if i and v.at in (i - 1, i - 2) and v.name == tokens[v.at].text and
                     tokens[i - 1].text in ("=", v.name)), None)
    if declared is not None:
        if body.tree.is_record(body.header, declared.type.base) and not declared.type.dimensions:
            yield at(i, "record-literal", declared.name)
    elif before in ("(", ",") or before == "return" and returns_record or \
            i and tokens[i - 1].kind == "id" and body.tree.is_record(body.header, before):
        yield at(i, "record-literal")
    elif before == "=" and body.record_value(body.operand_begin(i - 1), i - 1):
        yield at(i, "record-literal")


def inner_constant(body, at, i):
    tokens = body.tokens
    variable = body.variable(tokens[i].text, i)
    if variable is None or variable.type.ports or variable.type.dimensions < 2:
        return
    inner = closing(tokens, i + 1) + 1
    if inner < len(tokens) and tokens[inner].text == "[":
        index = tokens[inner + 1:closing(tokens, inner)]
        # By the house's names a constant begins with a capital letter.
        constant = all(t.kind != "id" or t.text[0].isupper() or t.text in ARITHMETIC for t in index)
        if constant and not (len(index) == 1 and index[0].kind == "num"):
            yield at(inner, "inner-constant", f"{tokens[i].text}[..][{' '.join(t.text for t in index)}]")


def uses_of_members(tree, header, module, functions):
    """(name, token, written, field read) of each use of a member in the functions of a process."""
    for function in functions:
        if function.owner is not module:
            continue
        body = Body(tree, header, function)
        tokens = body.tokens
        for i, token in enumerate(tokens):
            if token.kind != "id" or (i and tokens[i - 1].text in (".", "->", "::")):
                continue
            variable = body.variable(token.text, i)
            if variable is None or module.members.get(token.text) is not variable:
                continue
            n = i + 1
            while n < len(tokens) and tokens[n].text == "[":
                n = closing(tokens, n) + 1
            texts = [t.text for t in tokens[n:n + 6]]
            while not variable.type.ports and tokens[n].text == "." and tokens[n + 1].kind == "id":  # a field
                n += 2
                while tokens[n].text == "[":
                    n = closing(tokens, n) + 1
            counts = i and tokens[i - 1].text in ("++", "--")
            written = texts[:2] == [".", "write"] or tokens[n].text in ASSIGN or counts
            yield token, variable, written, texts[:5] == [".", "read", "(", ")", "."]


def find_between_processes(tree, header, module, processes):
    """What depends on which process writes what."""
    users, writers = {}, {}
    for name, functions in processes:
        uses = list(uses_of_members(tree, header, module, functions))
        written = {token.text for token, _, writes, _ in uses if writes}
        for token, variable, _, field in uses:
            output = "sc_out" in variable.type.ports
            if field and variable.type.ports and (output or token.text in written):
                yield Finding(header.path, token.line, "output-field", token.text)
            if not variable.type.ports:
                users.setdefault(token.text, {}).setdefault(name, token.line)
        for member in written:
            writers.setdefault(member, set()).add(name)
    for member, lines in users.items():
        for name, line in lines.items():
            if writers.get(member, set()) - {name}:
                yield Finding(header.path, line, "shared-member", f"{member} in {name}")


def find_in_header(tree, header, hardware):
    """What stands outside functions."""
    def at(line, rule, detail=""):
        return Finding(header.path, line, rule, detail)

    for directive in header.directives:
        for offset, line in enumerate(directive.text.split("\n")):
            if "__SC_TOOL__" in line.split("//")[0] and not header.path.endswith(
                    ("rtl/base/clocked.h", "rtl/base/each_set.h", "rtl/base/link.h", "rtl/base/links.h")):
                yield at(directive.line + offset, "tool-macro")
        asks = directive.text.split("//")[0]
        if re.search(r"\bNDEBUG\b", asks) and "!defined(__SC_TOOL__)" not in asks:
            yield at(directive.line, "debug-type")
    for token in header.tokens:
        if token.text in ("sc_lv", "sc_inout"):
            yield at(token.line, "sc-type", token.text)
        if token.text == "next_trigger":
            yield at(token.line, "next-trigger")
    for line, name in header.globals:
        yield at(line, "global", name)
    for line in header.operators:
        yield at(line, "own-operator")
    for c in header.classes:
        if c.operators and c.name in hardware:
            for line in c.operators:
                yield at(line, "own-operator", c.name)
        if c.record:
            for body in c.constructors:
                yield at(body[0].line if body else c.line, "record-constructor", c.name)
        if c.module and c.processes or c.record:
            for member, what in member_types(tree, header, c):
                yield at(member.line, "type", f"{member.name} is {what}")
        if not c.module:
            for member in c.members.values():
                if tree.is_record(header, member.type.base) and member.type.base in tree.declared:
                    yield at(member.line, "nested-record", member.name)


def names_in_hardware(tree, functions):
    """Every word of the functions that processes reach, and of the members of modules and records."""
    words = {token.text for function in functions for token in function.body}
    for header in tree.headers:
        for c in header.classes:
            if c.module or c.record:
                words |= {member.type.base for member in c.members.values()}
        words |= {type_.base for name, type_ in header.aliases.items() if name in words}
    return words


def find(headers):
    tree = Tree(headers)
    findings, hardware, by_module = set(), {}, {}
    for header, module, name, functions in tree.processes():
        hardware.update({id(f): f for f in functions})
        by_module.setdefault(id(module), (header, module, []))[2].append((name, functions))
    for function in hardware.values():
        findings |= set(find_in_function(tree, tree.where[id(function)], function))
    for function in recursive(tree, list(hardware.values())):
        findings.add(Finding(tree.where[id(function)].path, function.line, "recursion", function.name))
    for header, module, processes in by_module.values():
        findings |= set(find_between_processes(tree, header, module, processes))
    words = names_in_hardware(tree, hardware.values())
    for header in headers:
        findings |= set(find_in_header(tree, header, words))
    return sorted(findings)
