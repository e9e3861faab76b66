# SPDX-License-Identifier: Apache-2.0
"""Commands that pages print for people to type."""
import pathlib
import re

MY_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .u64 %rd<2>; .reg .u32 %r<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  st.global.u32 [%rd1], %r1;
  exit;
}
"""
MY_CUDA = 'extern "C" __global__ void k(unsigned* out, unsigned n) { *out = n; }\n'
MINE = {"my.ptx": MY_PTX, "my.cu": MY_CUDA}  # files that a reader has
ENDS_BADLY = {"--divergence spe --max-cycles 5000": "spin_lock"}  # it shows that it never ends


def commands_in(text, is_program):
    """What stands in back quotes, or in a fence behind a $, and begins with a program of ours, in the order of the page."""
    found = [(match.start(), match[1] or match[2] or match[3]) for match in re.finditer(
        r"`((?:scripts|area)/[^`]+)`|^\$ (.+)$|`(ctest [^`]+)`", text, re.M)]
    words = [" ".join(command.split()) for _, command in sorted(found)]
    return list(dict.fromkeys(word for word in words if word.startswith("ctest") or is_program(word.split()[0])))


def is_to_fill_in(command):
    """Whether it has words in place of which a reader types his own."""
    return bool(re.search(r"\b(NAME|FILE|BLOCK|KERNEL|DIR|LEVEL)\b|\.\.\.", command)) or "<" in command or "[" in command


def longest_key(table, command):
    """Of a table by beginnings of commands: the longest one that is the command's; None: there is none."""
    return max((key for key in table if f"{command} ".startswith(f"{key} ")), key=len, default=None)


def expected_end(command):
    """(exit code, a word of the output)"""
    word = next((word for part, word in ENDS_BADLY.items() if part in command), None)
    return (1, word) if word else (0, "")


def write_mine(folder):
    for name, text in MINE.items():
        (pathlib.Path(folder) / name).write_text(text)
