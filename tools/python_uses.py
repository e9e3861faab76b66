# SPDX-License-Identifier: Apache-2.0
"""What a Python program uses of a tree: modules that it imports, places that it loads modules from, programs that it
runs.

A path has no root here: `ROOT / "scripts/units"` is scripts/units, whatever ROOT is. A name stands for what its
function, or else the module, assigns to it, where that is a path, a word or a list of such.
"""
import ast
import dataclasses
import warnings

LOADERS = ("SourceFileLoader", "spec_from_file_location", "run_path")
RUNNERS = {"subprocess": ("run", "Popen", "call", "check_call", "check_output"),
           "os": ("system", "popen", "execv", "execve", "execvp", "execvpe", "posix_spawn")}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclasses.dataclass
class Uses:
    imports: list = dataclasses.field(default_factory=list)  # names with dots; of `from a import b` a.b
    loads: list = dataclasses.field(default_factory=list)  # paths of modules that are loaded by path, and of sys.path
    runs: list = dataclasses.field(default_factory=list)  # paths and words that a program is called with
    paths: list = dataclasses.field(default_factory=list)  # that are put together with `/`, for whatever purpose


def parsed(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # escapes of strings are not looked at here
        return ast.parse(text)


def assigned_in(node):
    """{name: its values} of a module or a function, without the functions inside it."""
    found = {}
    ahead = list(ast.iter_child_nodes(node))
    while ahead:
        child = ahead.pop(0)
        if isinstance(child, ast.Assign):
            for target in child.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(child.value)
        if not isinstance(child, FUNCTIONS):
            ahead += ast.iter_child_nodes(child)
    return found


class Scope:
    """What names stand for at a place of a program."""

    def __init__(self, assigned):
        self.assigned = assigned

    def text_of(self, node, seen=()):
        """A path or a word; what is not known of it is left out."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name) and node.id in self.assigned and node.id not in seen:
            return self.text_of(self.assigned[node.id][0], (*seen, node.id))
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Add)):
            between = "/" if isinstance(node.op, ast.Div) else ""
            return self.text_of(node.left, seen) + between + self.text_of(node.right, seen)
        if isinstance(node, ast.JoinedStr):
            return "".join(self.text_of(part, seen) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.text_of(node.value, seen)
        if isinstance(node, ast.Call) and node.args and name_of(node.func) in ("str", "Path"):
            return self.text_of(node.args[0], seen)
        if isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Attribute):  # x.resolve()
            return self.text_of(node.func.value, seen)
        return ""

    def texts_in(self, nodes, seen=()):
        """The paths and words in some expressions, each whole."""
        for node in nodes:
            if isinstance(node, ast.Name):
                values = self.assigned.get(node.id, ()) if node.id not in seen else ()
                lists = [value for value in values if isinstance(value, (ast.List, ast.Tuple)) or self.text_of(value)]
                yield from self.texts_in(lists, (*seen, node.id))
            elif text := self.text_of(node).lstrip("/"):
                yield text
            else:
                yield from self.texts_in(ast.iter_child_nodes(node), seen)


def collect(node, scope, found):
    """Adds the uses of a node, and of those inside it, to `found`."""
    if isinstance(node, FUNCTIONS):
        scope = Scope({**scope.assigned, **assigned_in(node)})
    if isinstance(node, ast.Import):
        found.imports += [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        found.imports += [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Call) and name_of(node.func) == "import_module":
        found.imports += filter(None, [scope.text_of(node.args[0])])
    elif isinstance(node, ast.Call) and (name_of(node.func) in LOADERS or is_sys_path(node.func)):
        found.loads += scope.texts_in(node.args)
    elif isinstance(node, ast.Call) and is_runner(node.func):
        found.runs += scope.texts_in(node.args)
    elif isinstance(node, ast.Assign) and any(map(is_sys_path, node.targets)):
        found.loads += scope.texts_in([node.value])
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        found.paths.append(scope.text_of(node).lstrip("/"))
    for child in ast.iter_child_nodes(node):
        collect(child, scope, found)


def name_of(function):
    """The last name of `a.b.c`."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def is_sys_path(node):
    """`sys.path`, a part of it, or a method of it."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and node.attr == "path" and name_of(node.value) == "sys":
            return True
        node = node.value
    return False


def is_runner(function):
    return isinstance(function, ast.Attribute) and function.attr in RUNNERS.get(name_of(function.value), ())


def uses_of(text):
    """\\param text  of a program. \\throws SyntaxError"""
    tree, found = parsed(text), Uses()
    collect(tree, Scope(assigned_in(tree)), found)
    return found


def imports_inside(folder):
    """{module: modules of the same folder that it imports}, of a package whose modules import each other with a dot."""
    modules = {file.stem: parsed(file.read_text()) for file in folder.glob("*.py")}
    return {name: {word for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1
                   for word in ([node.module] if node.module else [alias.name for alias in node.names])}
            for name, tree in modules.items()}
