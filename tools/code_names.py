# SPDX-License-Identifier: Apache-2.0
"""What people call a PC: the letter of its basic block, and its line of source. One table for all mechanisms, though the
code of some has other PCs (barriers, pushes, an affine stream): what they share is the line of PTX."""
import json
import pathlib
import subprocess


def letters(number):
    """A to Z, then AA, AB, ..."""
    text = ""
    while number >= 0:
        text, number = chr(ord("A") + number % 26) + text, number // 26 - 1
    return text


class Blocks:
    """The basic blocks of a kernel as it is compiled for a stack, in the order of their code."""

    def __init__(self, heddle, ptx, kernel, options=()):
        compiled = subprocess.run([heddle, "compile", ptx, "--entry", kernel, "--json", "-", *options], text=True,
                                  capture_output=True, check=True)
        self.code = json.loads(compiled.stdout)[0]
        self.labels = [block["name"] for block in self.code["blocks"]]
        self.of_pc, self.of_line, self.lines = {}, {}, []
        for number, block in enumerate(self.code["blocks"]):
            lines = [one["line"] for one in block["instructions"]]
            self.lines.append((min(lines), max(lines)))
            self.of_pc |= {one["pc"]: number for one in block["instructions"]}
            for line in lines:
                self.of_line.setdefault(line, number)

    def source(self, number, code):
        """The first and the last line of source of a block, as far as its code has some."""
        texts = [code.source[pc] for pc, block in code.block.items() if block == number]
        return texts[0] if len(set(texts)) < 2 else f"{texts[0]} to {texts[-1]}"

    def in_affine_stream(self):
        """Blocks by PC of the stream that an affine warp runs."""
        return {one["pc"]: self.of_pc[one["from_pc"]] for one in self.code["affine"]["affine_stream"]}


class Code:
    """The code that a mechanism ran, as the profile of its run has it: block and source line of each PC."""

    def __init__(self, profile, blocks):
        self.block, self.source, block, source = {}, {}, 0, ""
        for one in profile["code"]:
            block = blocks.of_line.get(one["line"], block)
            if "source_file" in one:
                source = f"{pathlib.Path(one['source_file']).name}:{one['source_line']}"
            elif not source:
                source = f"{pathlib.Path(profile['file']).name}:{one['line']}"
            self.block[one["pc"]], self.source[one["pc"]] = block, source


class Table:
    """Numbers for texts, in the order of their names and numbers."""

    def __init__(self, texts):
        def natural(text):
            name, _, number = text.rpartition(":")
            return name, int(number)
        self.texts = sorted(set(texts), key=natural)
        self.keys = {text: number for number, text in enumerate(self.texts)}


def translate_file(words):
    return "".join(f"{number} {word}\n" for number, word in enumerate(words))
