# SPDX-License-Identifier: Apache-2.0
"""Text of the tree with something else in it."""
import sys


def edited(file, text, old, new):
    """`text`, of `file`, with `new` for `old`; ends the program unless `old` stands there once."""
    if text.count(old) != 1:
        sys.exit(f"{file}: {old!r} stands there {text.count(old)} times, expected once")
    return text.replace(old, new)
