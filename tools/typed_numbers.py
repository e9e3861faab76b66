# SPDX-License-Identifier: Apache-2.0
"""Numbers that a person types, read in one place: what is none, or is outside its range, is refused by argparse with
the option's name, the word as it was typed, the range and the unit; the help shows an option's range as `heddle`'s own
options have it (sim/cli/number_option.h)."""
import argparse
import re

WHOLE = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]+")
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")


def grouped(number):
    return f"{number:,}" if isinstance(number, int) else f"{number:,g}"


def described(kind, least, most, unit):
    return f"{kind} from {grouped(least)} to {grouped(most)}" + (f" ({unit})" if unit else "")


def whole(text, least, most, unit=""):
    """\\throws ValueError with what was expected"""
    if not WHOLE.fullmatch(text) or not least <= int(text, 16 if text[:2] in ("0x", "0X") else 10) <= most:
        raise ValueError(f"'{text}' is not {described('a whole number', least, most, unit)}")
    return int(text, 16 if text[:2] in ("0x", "0X") else 10)


def number(text, least, most, unit=""):
    """\\throws ValueError with what was expected"""
    if not NUMBER.fullmatch(text) or not least <= float(text) <= most:
        raise ValueError(f"'{text}' is not {described('a number', least, most, unit)}")
    return float(text)


def add(parser, name, least, most, unit="", what="", read=whole, **more):
    """An option or argument with such a number. A positional argument keeps its name in the help and in messages."""
    def typed(text):
        try:
            return read(text, least, most, unit)
        except ValueError as error:
            raise argparse.ArgumentTypeError(error) from None
    kind = name.upper() if name[0] != "-" else "UINT" if read is whole else "NUMBER"
    return parser.add_argument(name, type=typed, metavar=kind, help=f"{what} [{least} - {most}]", **more)
