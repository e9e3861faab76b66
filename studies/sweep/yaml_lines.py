# SPDX-License-Identifier: Apache-2.0
"""YAML whose parts know their lines, so that what is wrong with one is said with its place. All of it is said at once."""
import yaml
from tools.nearest import no_such


class BadSpec(Exception):
    """A text of lines FILE:LINE: KEY: what is wrong."""


class Reader:
    """\\param file  a path; what is wrong with it is kept until check()"""

    def __init__(self, file):
        self.file, self.problems = file, []
        try:
            self.root = yaml.compose(file.read_text(), yaml.SafeLoader)
        except OSError as error:
            raise BadSpec(f"{file}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadSpec(f"{file}: not a text") from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise BadSpec(f"{file}:{mark.line + 1 if mark else 1}: not YAML: {error.problem}") from None

    def wrong(self, node, key, what):
        line = node.start_mark.line + 1 if node is not None else 1
        self.problems.append((line, f"{self.file}:{line}: {key + ': ' if key else ''}{what}"))

    def check(self):
        """\\throws BadSpec"""
        if self.problems:
            raise BadSpec("\n".join(text for _, text in sorted(self.problems, key=lambda problem: problem[0])))

    def mapping(self, node, key, known=None):
        """{name: node}, of the known names. \\param known  None: any name"""
        if not isinstance(node, yaml.MappingNode):
            self.wrong(node, key, f"{shown(node)}, expected KEY: VALUE")
            return {}
        found = {}
        for name_node, value in node.value:
            name = name_node.value if isinstance(name_node, yaml.ScalarNode) else shown(name_node)
            if known is not None and name not in known:
                self.wrong(name_node, key, no_such("key", name, known))
            elif name in found:
                self.wrong(name_node, key, f"'{name}' stands here twice")
            else:
                found[name] = value
        return found

    def items(self, node, key):
        """Of a list; one value is a list of it."""
        if isinstance(node, yaml.SequenceNode):
            if not node.value:
                self.wrong(node, key, "the list is empty, so there would be no job")
            return node.value
        return [node]

    def scalar(self, node, key):
        """Its value, or None: said."""
        if not isinstance(node, yaml.ScalarNode):
            self.wrong(node, key, f"{shown(node)}, expected one value")
            return None
        value = yaml.SafeLoader("").construct_object(node)
        if value is None:
            self.wrong(node, key, "nothing, expected a value")
        return value

    def values(self, node, key, check):
        """Those of a list, each once. \\param check  of (value, key, node), says what is wrong; gives the value, or None"""
        found = []
        for item in self.items(node, key):
            value = self.scalar(item, key)
            value = None if value is None else check(value, key, item)
            if value is not None and value in found:
                self.wrong(item, key, f"'{value}' stands here twice")
            elif value is not None:
                found.append(value)
        return found


def shown(node):
    kind = {yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", type(None): "nothing"}.get(type(node))
    return kind or f"'{node.value}'"
