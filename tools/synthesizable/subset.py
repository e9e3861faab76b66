# SPDX-License-Identifier: Apache-2.0
"""What may stand in a process and in the functions that it calls: words, types, calls and loops. All else is refused,
whether or not another rule finds it."""
import re

from .source import ARITHMETIC, ASSIGN, after, closing, closing_angle, split, statement_end

KEYWORDS = set("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr
const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false float for
friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
public register reinterpret_cast return short signed sizeof static static_assert static_cast struct switch template this
thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
xor_eq""".split())
WORDS = set("""bool break case const constexpr default else false for if int long return short signed static_cast switch
true typename unsigned using void""".split())
OWN_RULES = {"static"}  # rules.py has more to say of them
# What conditional_t chooses from is looked at where the alias is read.
NUMBERS = ARITHMETIC - {"char"} | {"signed", "sc_uint", "sc_int", "sc_biguint", "sc_bigint", "conditional_t"}
METHODS = {"read", "write", "range"}
MACROS = {"HEDDLE_EACH_SET"}
STATEMENTS = {"if", "for", "switch", "static_assert"}


class Names:
    """What the names of one function mean: types, and constants by the way that constants are written."""

    def __init__(self, tree, header, function):
        self.tree, self.header = tree, header
        self.aliases = {}  # name: what it may stand for, in this file or in another
        for one in tree.headers:
            for name, type_ in one.aliases.items():
                self.aliases.setdefault(name, set()).add(type_.base)
        self.enums = {name for one in tree.headers for name in one.enums}
        body = function.body if function else []
        self.local_aliases = {body[i + 1].text for i, t in enumerate(body[:-2])
                              if t.text == "using" and body[i + 2].text == "="}
        owners = {function.owner.name} if function and function.owner else set()
        self.parameters = {name for name in header.template_parameters} | owners

    def is_type(self, name, seen=(), others=()):
        if name in others or name in NUMBERS or name in self.enums or name in self.tree.records or name in self.local_aliases or \
                name in self.parameters:
            return True
        if name in seen:
            return False
        return any(self.is_type(base, (*seen, name), others) for base in self.aliases.get(name, ()))


def find_outside_subset(tree, header, function, locals_, at):
    """Findings of one function that a process reaches; `at` makes one of a token."""
    tokens, names = function.body, Names(tree, header, function)
    yield from words(tokens, at)
    yield from types(names, function, locals_, at)
    yield from calls(names, function, at)
    yield from loops(function, at)
    yield from masks(tree, header, function, at)


def words(tokens, at):
    for i, token in enumerate(tokens):
        if token.kind == "id" and token.text in KEYWORDS - WORDS - OWN_RULES:
            yield at(i, "word", token.text)
        elif token.text in ("->", "...") or token.text.startswith("'") or \
                token.text == "*" and i and tokens[i - 1].text in ("(", "=", ",", "return", ";", "{", "}"):
            yield at(i, "word", token.text)
        elif token.kind == "num" and re.search(r"\.|^\d+[eE]", token.text) and not token.text.startswith("0x"):
            yield at(i, "word", token.text)
        elif token.text == ":" and i > 1 and tokens[i - 1].kind == "id" and tokens[i - 2].text in (";", "{", "}") and \
                tokens[i - 1].text != "default":
            yield at(i - 1, "word", f"the label {tokens[i - 1].text}")


def types(names, function, locals_, at):
    for variable in locals_:
        base = variable.type.base
        is_parameter = any(variable is parameter for parameter in function.parameters)
        if variable.type.pointer:
            yield at(0 if is_parameter else variable.at, "type", f"{variable.name} is a pointer")
        elif not names.is_type(base) and (is_parameter or base not in KEYWORDS):  # `words` has found the others
            yield at(0 if is_parameter else variable.at, "type", f"{variable.name} is of {base}")
    if function.returns.base not in ("void", "") and not names.is_type(function.returns.base):
        yield at(0, "type", f"{function.name} returns {function.returns.base}")


def member_types(tree, header, owner):
    """(member, what it is) of a module or a record that is beyond the subset. A module may hold modules."""
    names = Names(tree, header, None)
    modules = {c.name for h in tree.headers for c in h.classes if c.module}
    for member in owner.members.values():
        base = member.type.base
        if member.type.pointer or member.type.reference:
            yield member, "a pointer"
        elif not names.is_type(base) and not (owner.module and names.is_type(base, others=modules)):
            yield member, f"of {base}"


def calls(names, function, at):
    tokens, tree = function.body, names.tree
    declared = {v.at for v in function.parameters}
    for i, token in enumerate(tokens[:-1]):
        if token.kind != "id" or token.text in KEYWORDS:
            continue
        n = i + 1
        if tokens[n].text == "<" and closing_angle(tokens, n):
            n = closing_angle(tokens, n) + 1
        if n >= len(tokens) or tokens[n].text != "(" or i in declared:
            continue
        before = tokens[i - 1].text if i else ";"
        if before == ".":
            known = token.text in METHODS
        elif i and tokens[i - 1].kind == "id" and before not in KEYWORDS or before in (">",) and is_declaration(tokens, i):
            continue  # a variable and its initialiser: `types` looks at it
        else:
            known = token.text in tree.functions or token.text in MACROS or names.is_type(token.text)
        qualified = before == "::" and i > 1 and tokens[i - 2].text == "std"
        if not known and not qualified:
            yield at(i, "call", token.text)


def is_declaration(tokens, i):
    """Whether the name at i follows a type that ends in `>`."""
    n = i - 1
    while n > 0 and tokens[n].text not in (";", "{", "}", "("):
        n -= 1
    return tokens[n].text != "(" and tokens[n + 1].kind == "id" and tokens[n + 2].text in ("<", "::")


def recursive(tree, functions):
    """Those that reach themselves."""
    called = {}
    for f in functions:
        called[id(f)] = found = []
        for i, some in tree.called(tree.where[id(f)], f.body):
            of_another = i > 1 and f.body[i - 1].text == "::" and f.owner and f.body[i - 2].text != f.owner.name
            found += [g for g in some if not (of_another and g.owner is f.owner)]
    for function in functions:
        seen, wait = set(), list(called.get(id(function), ()))
        while wait:
            one = wait.pop()
            if id(one) not in seen:
                seen.add(id(one))
                wait += called.get(id(one), ())
        if id(function) in seen:
            yield function


def is_constant(tokens):
    """By the project's names a constant begins with a capital letter; `f::Name` is one of a class."""
    return bool(tokens) and all(
        t.kind == "num" or t.kind == "id" and (t.text[0].isupper() or i + 1 < len(tokens) and tokens[i + 1].text == "::")
        or t.text in ("+", "-", "*", "/", "%", "::", "<", ">", "(", ")", "<<", ">>") for i, t in enumerate(tokens))


def loops(function, at):
    tokens = function.body
    for i, token in enumerate(tokens[:-1]):
        if token.text != "for" or tokens[i + 1].text != "(":
            continue
        end = closing(tokens, i + 1)
        parts = split(tokens[i + 2:end], ";")
        if len(parts) != 3:
            if ";" in [t.text for t in tokens[i + 2:end]]:
                yield at(i, "loop-bound", "a part is missing")
            continue  # over a range: a rule of its own
        begin, bound, step = parts
        if "?" in [t.text for t in bound]:
            yield at(i, "loop-choice")
            continue
        name = begin[1].text if len(begin) > 3 and begin[0].text == "unsigned" and begin[2].text == "=" else None
        compare = next((n for n, t in enumerate(bound) if t.text in ("<", "<=", "!=", ">", ">=")), None)
        left = bound[:compare] if compare else []
        counts = [t.text for t in left if t.kind == "id"] == [name]
        if name is None or not is_constant(begin[3:]) or not counts or not is_constant(bound[compare + 1:]) or \
                not steps_by_constant(step, name):
            yield at(i, "loop-bound", " ".join(t.text for t in tokens[i + 2:end]))
            continue
        until = statement_end(tokens, i)
        for n in range(end + 1, until):
            if tokens[n].text == name and tokens[n - 1].text not in (".", "::") and \
                    (n + 1 < until and tokens[n + 1].text in ASSIGN or tokens[n - 1].text in ("++", "--")):
                yield at(n, "loop-bound", f"{name} changes within the loop")


def steps_by_constant(step, name):
    texts = [t.text for t in step]
    if texts in (["++", name], ["--", name], [name, "++"], [name, "--"]):
        return True
    return len(texts) > 2 and texts[0] == name and texts[1] in ASSIGN - {"="} and is_constant(step[2:])


def masks(tree, header, function, at):
    """HEDDLE_EACH_SET reads its mask once in a simulation, and before each bit in a tool's text."""
    tokens = function.body
    for i, token in enumerate(tokens):
        if token.text != "HEDDLE_EACH_SET" or tokens[i + 1].text != "(":
            continue
        end = closing(tokens, i + 1)
        mask = split(tokens[i + 2:end])[2]
        looked_at = {t.text for n, t in enumerate(mask) if t.kind == "id" and (n == 0 or mask[n - 1].text not in (".", "::"))}
        until = statement_end(tokens, end + 1)
        for n in range(end + 1, until):
            if tokens[n].text in looked_at and changes(tree, header, tokens, n, until):
                yield at(n, "each-set-mask", tokens[n].text)


def changes(tree, header, tokens, n, until):
    """Whether the variable at n is written there: assigned, counted, or given to a function by reference."""
    if tokens[n - 1].text in ("++", "--"):
        return True
    if tokens[n - 1].text in (".", "::"):
        return False
    i = n + 1
    while i < until and tokens[i].text == "[":
        i = closing(tokens, i) + 1
    while i + 1 < until and tokens[i].text == "." and tokens[i + 1].text not in METHODS:
        i += 2
    if i < until and tokens[i].text in ASSIGN:
        return True
    if i >= until or tokens[i].text not in (",", ")") or tokens[n - 1].text not in (",", "("):
        return False
    open_, argument = n - 1, 0
    depth = 0
    while open_ > 0 and not (tokens[open_].text == "(" and depth == 0):
        depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(tokens[open_].text, 0)
        argument += tokens[open_].text == "," and depth == 0
        open_ -= 1
    called = tokens[open_ - 1].text if open_ else ""
    return any(argument < len(f.parameters) and f.parameters[argument].type.reference and
               not f.parameters[argument].type.const for f in tree.functions.get(called, ()))
