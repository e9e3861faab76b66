# SPDX-License-Identifier: Apache-2.0
"""Reads a C++ header of rtl/ as far as the rules need it: tokens, classes, their members and functions.

It is no compiler: templates are not instantiated (libclang does not do that either, and gives no types without it), and
a name means what the file, else any other file, declares by that name. That is enough for the plain C++ of rtl/.
"""
import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<directive>\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<str>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'(?!\w))
  | (?P<id>[A-Za-z_]\w*)
  | (?P<num>\d(?:[\w.']|[eE][+-])*)
  | (?P<op><<=|>>=|\.\.\.|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.VERBOSE | re.DOTALL)
PAIRS = {"(": ")", "[": "]", "{": "}"}
PORTS = {"sc_in", "sc_out", "sc_signal", "sc_vector", "Link", "Links", "Wire"}
ARITHMETIC = {"bool", "unsigned", "int", "long", "short", "char", "uint64", "int64", "uint64_t", "uint32_t", "uint16_t",
              "uint8_t", "int64_t", "int32_t", "size_t"}
NO_TYPE = {"return", "else", "if", "for", "while", "switch", "case", "default", "break", "continue", "using", "delete",
           "new", "do", "goto", "public", "private", "protected", "template", "operator", "sizeof", "this"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    line: int


@dataclasses.dataclass
class Type:
    """Of a variable: `ports` are the wrappers of SystemC around it, outermost first; `base` its own name."""
    base: str
    ports: tuple = ()
    dimensions: int = 0
    const: bool = False
    constexpr: bool = False
    static: bool = False
    reference: bool = False
    pointer: bool = False


@dataclasses.dataclass
class Variable:
    name: str
    type: Type
    at: int  # token
    line: int
    until: int = 1 << 30  # end of its block
    init: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Function:
    name: str
    line: int
    parameters: list
    returns: Type
    body: list  # tokens between its braces, without what stands in HEDDLE_REPORT
    owner: "Class" = None
    reports: list = dataclasses.field(default_factory=list)  # token lists: HEDDLE_REPORT's arguments in the body


@dataclasses.dataclass
class Class:
    name: str
    line: int
    bases: list = dataclasses.field(default_factory=list)
    record: bool = False
    members: dict = dataclasses.field(default_factory=dict)
    functions: list = dataclasses.field(default_factory=list)
    constructors: list = dataclasses.field(default_factory=list)
    processes: list = dataclasses.field(default_factory=list)
    operators: list = dataclasses.field(default_factory=list)  # lines

    @property
    def module(self):
        return "sc_module" in self.bases


@dataclasses.dataclass
class Header:
    path: str
    tokens: list
    directives: list
    classes: list = dataclasses.field(default_factory=list)
    functions: list = dataclasses.field(default_factory=list)  # those of classes too
    aliases: dict = dataclasses.field(default_factory=dict)
    enums: set = dataclasses.field(default_factory=set)
    globals: list = dataclasses.field(default_factory=list)  # (line, name)
    operators: list = dataclasses.field(default_factory=list)  # of no class
    report_functions: set = dataclasses.field(default_factory=set)  # names defined inside HEDDLE_REPORT
    template_parameters: set = dataclasses.field(default_factory=set)  # that are types


def tokenize(text):
    tokens, directives, line, position = [], [], 1, 0
    while position < len(text):
        found = TOKEN.match(text, position)
        word = found.group()
        if found.lastgroup == "directive":
            directives.append(Token("directive", word, line))
        elif found.lastgroup != "space":
            tokens.append(Token(found.lastgroup, word, line))
        line += word.count("\n")
        position = found.end()
    return tokens, directives


def closing(tokens, at):
    """Index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].kind == "op":
            if tokens[i].text in PAIRS:
                depth += 1
            elif tokens[i].text in PAIRS.values():
                depth -= 1
                if depth == 0:
                    return i
    raise SyntaxError(f"line {tokens[at].line}: no end of '{tokens[at].text}'")


def after(tokens, i):
    """Index after the token at i; of an opening bracket, after the one that closes it."""
    return closing(tokens, i) + 1 if tokens[i].text in PAIRS else i + 1


def closing_angle(tokens, at):
    """Index of the `>` that closes the `<` at `at`; None when it is a comparison."""
    depth, i = 0, at
    while i < len(tokens):
        text = tokens[i].text
        if text == "<":
            depth += 1
        elif text == ">":
            depth -= 1
            if depth == 0:
                return i
        elif text in ("(", "["):
            i = closing(tokens, i)
        elif text in (";", "{", "}", ")", "]", "&&", "||", "="):
            return None
        i += 1
    return None


def split(tokens, separator=","):
    """At each separator outside brackets."""
    parts, part, i, angle = [], [], 0, 0
    while i < len(tokens):
        text = tokens[i].text
        end = i
        if text in PAIRS:
            end = closing(tokens, i)
        elif text == "<" and i and tokens[i - 1].kind == "id":
            end = closing_angle(tokens, i) or i
        if text == separator and end == i:
            parts.append(part)
            part = []
        else:
            part += tokens[i:end + 1]
        i = end + 1
    return parts + [part] if part or parts else []


def read_type(tokens, at):
    """(Type, next index) of the type that begins at `at`; None where none does."""
    found = Type("")
    i, names = at, []
    while i < len(tokens):
        token = tokens[i]
        if token.text in ("const", "constexpr", "static", "inline", "typename", "mutable", "explicit", "virtual"):
            if token.text in ("const", "constexpr", "static"):
                setattr(found, token.text, True)
            i += 1
        elif token.kind == "id" and token.text not in NO_TYPE and (
                not names or token.text in ARITHMETIC and names[-1].text in ARITHMETIC or tokens[i - 1].text == "::"):
            names.append(token)
            i += 1
            if i < len(tokens) and tokens[i].text == "<":
                end = closing_angle(tokens, i)
                if end is None:
                    return None
                if token.text in PORTS:
                    inner = read_type(tokens[i + 1:end], 0)
                    if inner is None:
                        return None
                    found.base, found.ports = inner[0].base, (token.text, *inner[0].ports)
                i = end + 1
        elif token.text == "::" and i + 1 < len(tokens):
            i += 1
        elif token.text in ("&", "*", "&&") and names:
            found.reference = True
            found.pointer |= token.text == "*"
            i += 1
        else:
            break
    if not names:
        return None
    if not found.ports:
        found.base = names[-1].text
    return found, i


def read_variables(tokens, at):
    """The variables that a declaration beginning at `at` makes; [] when none begins there."""
    read = read_type(tokens, at)
    if read is None:
        return []
    type_, i = read
    if i >= len(tokens) or tokens[i].kind != "id" or tokens[i].text in NO_TYPE | ARITHMETIC or i + 1 >= len(tokens) or \
            tokens[i + 1].text not in ("=", ";", ",", "{", "(", "[", ")", ":"):
        return []
    variables = []
    while i < len(tokens) and tokens[i].kind == "id":
        variable = Variable(tokens[i].text, dataclasses.replace(type_), i, tokens[i].line)
        i += 1
        while i < len(tokens) and tokens[i].text == "[":
            variable.type.dimensions += 1
            i = closing(tokens, i) + 1
        begin = i
        while i < len(tokens) and tokens[i].text not in (",", ";", ")", ":"):
            if tokens[i].text == "<" and tokens[i - 1].kind == "id":
                i = closing_angle(tokens, i) or i
            elif tokens[i].text == "?":  # its colon ends nothing
                i = colon_of(tokens, i)
            i = after(tokens, i)
        variable.init = tokens[begin:i]
        variables.append(variable)
        if i < len(tokens) and tokens[i].text == ",":
            i += 1
            while i < len(tokens) and tokens[i].text in ("&", "*"):
                i += 1
        else:
            break
    return variables


def colon_of(tokens, question):
    depth, i = 0, question
    while i < len(tokens):
        text = tokens[i].text
        if text in PAIRS:
            i = closing(tokens, i)
        elif text == "?":
            depth += 1
        elif text == ":":
            depth -= 1
            if depth == 0:
                return i
        elif text == ";":
            break
        i += 1
    raise SyntaxError(f"line {tokens[question].line}: no ':' of '?'")


def locals_of(function):
    """Parameters and local variables, in order of declaration."""
    found, ends, tokens = list(function.parameters), [], function.body
    for i, token in enumerate(tokens):
        while ends and i >= ends[-1]:
            ends.pop()
        before = tokens[i - 1].text if i else ";"
        in_for = before == "(" and i > 1 and tokens[i - 2].text == "for"
        if token.text == "{":
            ends.append(closing(tokens, i))
        elif (in_for or before in (";", "{", "}", "else", ":")) and token.kind == "id" and token.text not in NO_TYPE:
            for variable in read_variables(tokens, i):
                variable.until = ends[-1] if ends else len(tokens)
                if in_for:
                    variable.until = statement_end(tokens, i - 2)
                found.append(variable)
    return found


def statement_end(tokens, i):
    """Index after the statement that begins at i."""
    if tokens[i].text == "{":
        return closing(tokens, i) + 1
    if tokens[i].text in ("if", "for", "while", "switch"):
        word = tokens[i].text
        i += 2 if tokens[i + 1].text == "constexpr" else 1
        i = statement_end(tokens, closing(tokens, i) + 1)
        if word == "if" and i < len(tokens) and tokens[i].text == "else":
            i = statement_end(tokens, i + 1)
        return i
    while i < len(tokens) and tokens[i].text != ";":
        i = after(tokens, i)
    return i + 1


def without_reports(tokens):
    """(tokens outside HEDDLE_REPORT, its arguments): what a synthesis tool sees, and what it does not. A static_assert
    is no hardware either, and of SC_REPORT_* only the word stays."""
    kept, reports, i = [], [], 0
    while i < len(tokens):
        if tokens[i].text.startswith("SC_REPORT_") and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            kept.append(tokens[i])
            i = closing(tokens, i + 1)
        elif tokens[i].text in ("HEDDLE_REPORT", "static_assert") and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            end = closing(tokens, i + 1)
            if tokens[i].text == "HEDDLE_REPORT":
                reports.append(tokens[i + 2:end])
            i = end
            kept.append(Token("op", ";", tokens[i].line))
        else:
            kept.append(tokens[i])
        i += 1
    return kept, reports


class Reader:
    def __init__(self, header):
        self.header = header

    def scope(self, tokens, owner=None):
        """Declarations of a namespace, or of the class `owner`."""
        i = 0
        while i < len(tokens):
            i = self.declaration(tokens, i, owner)

    def declaration(self, tokens, i, owner):
        text = tokens[i].text
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if text == "namespace":
            while tokens[i].text != "{":
                i += 1
            end = closing(tokens, i)
            self.scope(tokens[i + 1:end], owner)
            return end + 1
        if text == "template" and following == "<":
            end = closing_angle(tokens, i + 1) or self.angle_of_template(tokens, i + 1)
            self.header.template_parameters |= {tokens[n].text for n in range(i + 3, end)
                                                if tokens[n - 1].text in ("typename", "class")}
            return end + 1
        if text == "using":
            end = next(n for n in range(i, len(tokens)) if tokens[n].text == ";")
            if tokens[i + 2].text == "=":
                read = read_type(tokens[i + 3:end], 0)
                self.header.aliases[following] = read[0] if read else Type("")
                refused = [t.text for t in tokens[i + 3:end] if t.text in ("float", "double", "char")]
                if refused:  # among what std::conditional_t chooses from
                    self.header.aliases[following].base = refused[0]
            return end + 1
        if text == "enum":
            self.header.enums.add(tokens[i + 2 if following in ("class", "struct") else i + 1].text)
            while tokens[i].text not in (";", "{"):
                i += 1
            return closing(tokens, i) + 1 if tokens[i].text == "{" else i + 1
        if text in ("class", "struct"):
            return self.class_(tokens, i)
        if text == "HEDDLE_RECORD" and owner:
            owner.record = True
            return closing(tokens, i + 1) + 1
        if text == "HEDDLE_CLOCKED" and owner and following == "(":
            name, open_ = tokens[i + 2].text, i + 4
            owner.processes.append(name)
            end = closing(tokens, open_)
            self.function(Function(name, tokens[i].line, [], Type("void"), tokens[open_ + 1:end], owner), owner)
            return end + 1
        if text == "SC_CTOR" and owner:
            while tokens[i].text != "{":
                i += 1
            end = closing(tokens, i)
            self.constructor(tokens[i + 1:end], owner)
            return end + 1
        if text in ("public", "private", "protected"):
            return i + 2
        if text in (";", "friend"):
            return i + 1
        return self.statement(tokens, i, owner)

    @staticmethod
    def angle_of_template(tokens, at):
        depth = 0
        for i in range(at, len(tokens)):
            depth += {"<": 1, ">": -1}.get(tokens[i].text, 0)
            if depth == 0:
                return i
        raise SyntaxError(f"line {tokens[at].line}: no end of a template's parameters")

    def class_(self, tokens, i):
        made = Class(tokens[i + 1].text, tokens[i].line)
        i += 2
        while tokens[i].text not in ("{", ";"):
            if tokens[i].kind == "id":
                made.bases.append(tokens[i].text)
            i += 1
        if tokens[i].text == ";":
            return i + 1
        end = closing(tokens, i)
        self.header.classes.append(made)
        self.scope(tokens[i + 1:end], made)
        return end + 1

    def constructor(self, body, owner):
        owner.constructors.append(body)
        for n, token in enumerate(body):
            if token.text in ("SC_METHOD", "SC_CTHREAD", "SC_THREAD"):
                owner.processes.append(body[n + 2].text)

    def function(self, function, owner):
        function.body, function.reports = without_reports(function.body)
        self.header.functions.append(function)
        if owner:
            owner.functions.append(function)

    def statement(self, tokens, begin, owner):
        """A function, or variables."""
        i, name_at, assigned = begin, None, False
        while i < len(tokens) and tokens[i].text not in (";", "{"):
            if tokens[i].text == "<" and not assigned and tokens[i - 1].kind == "id":
                i = closing_angle(tokens, i) or i
            elif tokens[i].text == "(":
                if not assigned and name_at is None and tokens[i - 1].kind in ("id", "op") and i > begin:
                    name_at = i - 1
                i = closing(tokens, i)
            elif tokens[i].text == "[":
                i = closing(tokens, i)
            elif tokens[i].text == "=":
                assigned = True
            i += 1
        head = tokens[begin:i]
        end = i
        if i < len(tokens) and tokens[i].text == "{":
            end = closing(tokens, i)
            if name_at is None:  # an initialiser in braces; the declaration goes on
                while end < len(tokens) and tokens[end].text != ";":
                    end = after(tokens, end)
        if any(token.text == "operator" for token in head):
            (owner.operators if owner else self.header.operators).append(head[0].line)
        elif name_at is not None:
            self.callable(tokens, begin, name_at, i, end, owner)
        else:
            self.variables(tokens[begin:end + 1], owner)
        return end + 1

    def callable(self, tokens, begin, name_at, i, end, owner):
        name = tokens[name_at].text
        close = closing(tokens, name_at + 1)
        if owner and name == owner.name:
            self.constructor(tokens[i + 1:end] if end > i else [], owner)
        elif end > i:  # a definition
            parameters = [v for part in split(tokens[name_at + 2:close])
                          for v in read_variables([*part, Token("op", ";", tokens[close].line)], 0)[:1]]
            read = read_type(tokens[:name_at], begin)
            self.function(Function(name, tokens[name_at].line, parameters, read[0] if read else Type("void"),
                                   tokens[i + 1:end], owner), owner)

    def variables(self, tokens, owner):
        for variable in read_variables(tokens, 0):
            if variable.type.constexpr:
                continue
            if owner and not variable.type.static:
                owner.members[variable.name] = variable
            else:
                self.header.globals.append((variable.line, variable.name))


def for_the_tool(tokens, directives):
    """Without what stands in the #else of an #ifdef __SC_TOOL__: the simulation alone sees it."""
    unseen, inside, since = [], [], None
    for directive in directives:
        word = re.match(r"#\s*(\w*)", directive.text)[1]
        if word.startswith("if"):
            inside.append(directive.text.split("//")[0].split()[1:] == ["__SC_TOOL__"])
        elif word == "else" and inside[-1]:
            since = directive.line
        elif word == "endif" and inside.pop() and since is not None:
            unseen.append((since, directive.line))
            since = None
    return [t for t in tokens if not any(begin < t.line < end for begin, end in unseen)]


def read_header(path, text):
    tokens, directives = tokenize(text)
    tokens = for_the_tool(tokens, directives)
    outside, inside = without_reports(tokens)
    header = Header(path, outside, directives)
    # Functions keep the reports in their bodies, so the scopes are read with them; what stands in HEDDLE_REPORT beside
    # functions is read on its own, for the names.
    Reader(header).scope(drop_scope_reports(tokens))
    for report in inside:
        helper = Header(path, [], [])
        try:
            Reader(helper).scope(report)
        except (SyntaxError, StopIteration, IndexError):
            continue  # a statement
        header.report_functions |= {function.name for function in helper.functions}
    return header


def drop_scope_reports(tokens):
    """Without the HEDDLE_REPORTs and static_asserts that stand beside functions, in a class or namespace."""
    kept, i, depth_of_function, depth = [], 0, None, 0
    while i < len(tokens):
        text = tokens[i].text
        if text == "{":
            depth += 1
            if depth_of_function is None and i and tokens[i - 1].text in (")", "const", "override", "noexcept"):
                depth_of_function = depth
        elif text == "}":
            if depth_of_function == depth:
                depth_of_function = None
            depth -= 1
        if text in ("HEDDLE_REPORT", "static_assert") and depth_of_function is None and tokens[i + 1].text == "(":
            i = closing(tokens, i + 1) + 1
            kept.append(Token("op", ";", tokens[i - 1].line))
            continue
        kept.append(tokens[i])
        i += 1
    return kept
