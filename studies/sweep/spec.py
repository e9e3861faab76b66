# SPDX-License-Identifier: Apache-2.0
"""SPEC.yaml: which jobs a sweep has. `example.yaml` shows the format.

kernels, ptx     what runs: names of ours, or `all`; files of one's own, with what heddle run needs to launch them
mechanisms       NAME: {OPTION: VALUE}, the name is a column of the results
options          OPTION: VALUE or a list of them
points, seeds    lists; default: hpca13, 1

Each of one with each of all others is a job. Files are as the spec's folder sees them, and are copied: what is edited
later is of the next sweep.
"""
import dataclasses
import itertools
import pathlib
import re

from harness.job import Job
from harness.program import digest
from tools.nearest import no_such

from .vocabulary import MECHANISM, key_of
from .yaml_lines import Reader

KEYS = ("kernels", "ptx", "mechanisms", "options", "points", "seeds")
PTX_KEYS = ("file", "entry", "grid", "block", "shared", "args", "name")
DWS = re.compile(r"dws([1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(_ideal)?")  # the threshold is part of the name
SIZES = re.compile(r"[1-9]\d*(,[1-9]\d*){0,2}")


@dataclasses.dataclass
class Spec:
    jobs: dict  # {job: name of its mechanism}
    files: dict  # {name in the folder of inputs: path}

    def write_inputs(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, file in self.files.items():
            (folder / name).write_bytes(file.read_bytes())


def read(file, vocabulary):
    """\\throws BadSpec"""
    reader = Reader(file)
    return _Sweep(reader, vocabulary).spec()


class _Sweep:
    def __init__(self, reader, vocabulary):
        self.reader, self.words, self.files = reader, vocabulary, {}
        self.parts = reader.mapping(reader.root, "", KEYS)

    def spec(self):
        programs = self._kernels() + self._ptx()
        if "kernels" not in self.parts and "ptx" not in self.parts:
            self.reader.wrong(self.reader.root, "", "no kernels and no ptx, so there is nothing to run")
        mechanisms, options = self._mechanisms(), self._options()
        points = self._list("points", "point", self.words.points, ["hpca13"])
        seeds = self._seeds()
        self.reader.check()
        self._check_settings(points, options)
        jobs = {}
        for program, point, option, seed, (name, mechanism) in itertools.product(programs, points, options, seeds,
                                                                                mechanisms.items()):
            jobs[Job(**{"scoreboard": "", **program, **option, **mechanism}, point=point, seed=seed)] = name
        self.reader.check()
        return Spec(jobs, self.files)

    def _list(self, key, kind, known, usual):
        """Of names."""
        if key not in self.parts:
            return usual

        def check(value, where, node):
            if str(value) in known:
                return str(value)
            return self.reader.wrong(node, where, no_such(kind, str(value), known))
        return self.reader.values(self.parts[key], key, check)

    def _kernels(self):
        node = self.parts.get("kernels")
        if node is not None and getattr(node, "value", "") == "all":
            return [{"kernel": kernel} for kernel in self.words.kernels]
        return [{"kernel": kernel} for kernel in self._list("kernels", "kernel", self.words.kernels, [])]

    def _seeds(self):
        if "seeds" not in self.parts:
            return [1]

        def check(value, where, node):
            return value if is_number(value) and value >= 0 else self.reader.wrong(
                node, where, f"'{node.value}', expected a number from 0 on")
        return self.reader.values(self.parts["seeds"], "seeds", check)

    def _mechanisms(self):
        """{name: {field: value}}"""
        if "mechanisms" not in self.parts:
            return {"spe": {"divergence": "spe"}}
        found = {}
        for name, node in self.reader.mapping(self.parts["mechanisms"], "mechanisms").items():
            where = f"mechanisms.{name}"
            fields = {}
            for key, value in self.reader.mapping(node, where, MECHANISM).items():
                option = self.words.options[key]
                fields[option.field] = self._value(option, self.reader.scalar(value, f"{where}.{key}"), f"{where}.{key}", value)
            same = next((other for other, its in found.items() if its == fields), None)
            if same is not None:
                self.reader.wrong(node, where, f"the same as {same}")
            found[name] = fields
        if not found:
            self.reader.wrong(self.parts["mechanisms"], "mechanisms", "none, so there would be no job")
        return found

    def _options(self):
        """Each of one with each of the others, as [{field: value}]."""
        if "options" not in self.parts:
            return [{}]
        known = [key for key in self.words.options if key != "divergence"]
        in_mechanisms = {key for node in self._mapping_nodes("mechanisms") for key in keys_of(node)}
        axes = []
        for key, node in self.reader.mapping(self.parts["options"], "options", known).items():
            option, where = self.words.options[key], f"options.{key}"
            if key in in_mechanisms:
                self.reader.wrong(node, where, "a mechanism says it, too")
            values = self.reader.values(node, where, lambda value, where, node, option=option:
                                        self._value(option, value, where, node))
            axes.append([(option.field, value) for value in values])
        return [dict(one) for one in itertools.product(*axes)]

    def _mapping_nodes(self, key):
        node = self.parts.get(key)
        return [value for _, value in node.value] if node is not None and isinstance(node.value, list) else []

    def _value(self, option, value, where, node):
        """As a job has it, or None: said."""
        if value is None:
            return None
        if option.is_number:
            most = value if option.most is None else option.most
            if is_number(value) and option.least <= value <= most:
                return value
            return self.reader.wrong(node, where, f"'{node.value}', expected {option.expected()}")
        value = str(value)
        if option.field == "input":
            return self._copied(value, where, node)
        if option.choices and value not in option.choices and not (option.field == "divergence" and DWS.fullmatch(value)):
            return self.reader.wrong(node, where, no_such(key_of(option.field), value, option.choices))
        if re.search(r"\s", value):
            return self.reader.wrong(node, where, f"'{value}', expected {option.expected()} without blanks")
        return value

    def _check_settings(self, points, options):
        """A point at another size is one that there can be."""
        node = self.reader.mapping(self.parts["options"], "options").get("set") if "options" in self.parts else None
        for settings in dict.fromkeys(option["settings"] for option in options if option.get("settings")):
            for point in points:
                if problem := self.words.setting_problem(point, settings):
                    self.reader.wrong(node, "options.set", f"'{settings}' of {point}: {problem}")

    def _ptx(self):
        if "ptx" not in self.parts:
            return []
        found = []
        for number, node in enumerate(self.reader.items(self.parts["ptx"], "ptx"), 1):
            found.append(self._ptx_file(node, f"ptx.{number}"))
        names = [program["kernel"] for program in found]
        for name in {name for name in names if name and names.count(name) > 1}:
            self.reader.wrong(self.parts["ptx"], "ptx", f"two are called '{name}'; tell them apart with `name: ...`")
        return found

    def _ptx_file(self, node, where):
        """Its job's fields."""
        parts = self.reader.mapping(node, where, PTX_KEYS)
        if "file" not in parts:
            self.reader.wrong(node, where, "no file, expected `file: MY.ptx`")
        file = self._copied(self._text(parts, "file", where), f"{where}.file", parts.get("file")) or ""
        words = [file]
        for key in ("entry", "grid", "block", "shared"):
            text = self._text(parts, key, where)
            if key in ("grid", "block") and text and not SIZES.fullmatch(text):
                self.reader.wrong(parts[key], f"{where}.{key}", f"'{text}', expected X, 'X,Y' or 'X,Y,Z'")
            if text and key == "shared" and not text.isdigit():
                self.reader.wrong(parts[key], f"{where}.{key}", f"'{text}', expected a number of bytes")
            words += [f"--{key}", text] if text else []
        for item in self.reader.items(parts["args"], f"{where}.args") if "args" in parts else ():
            words += ["--arg", self._argument(item, f"{where}.args")]
        name = self._text(parts, "name", where) or (pathlib.Path(file).name.partition(".")[0])
        return {"kernel": name, "ptx": " ".join(words)}

    def _text(self, parts, key, where):
        """Of a part, or nothing."""
        if key not in parts:
            return ""
        value = self.reader.scalar(parts[key], f"{where}.{key}")
        if value is not None and re.search(r"\s", parts[key].value):
            value = self.reader.wrong(parts[key], f"{where}.{key}", f"'{parts[key].value}', expected no blanks in it")
        return "" if value is None else parts[key].value

    def _argument(self, node, where):
        if self.reader.scalar(node, where) is None:
            return ""
        text = node.value
        if re.search(r"\s", text):
            self.reader.wrong(node, where, f"'{text}', expected zeros:BYTES, file:PATH or a number")
        kind, _, name = text.partition(":")
        if kind == "file":
            return f"file:INPUTS/{self._copied(name, where, node)}"
        return text

    def _copied(self, name, where, node):
        """The name of a file among the inputs; what is in it is part of that, so that what is edited is another job."""
        if not name:
            return None
        file = self.reader.file.parent / name
        if not file.is_file():
            return self.reader.wrong(node, where, f"no file {file}")
        inside = f"{file.stem}.{digest(file.read_bytes())[:10]}{file.suffix}"
        if re.search(r"\s", inside):
            return self.reader.wrong(node, where, f"'{name}', expected no blanks in it")
        self.files[inside] = file
        return inside


def keys_of(node):
    return [key.value for key, _ in node.value] if isinstance(node.value, list) else []


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)
