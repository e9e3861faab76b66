# SPDX-License-Identifier: Apache-2.0
"""Which machine the committed results are of.

The number moves when the cycles of all mechanisms do, since the machine beneath them is another: then no row of an earlier
machine comes out as it did. Until its study is made anew (`scripts/evaluate STUDY`) its page says so, and the table of it in the
README of the whole too; no row is run again.
"""
NUMBER = 2
WHAT = {  # of each machine, what it has that the one before had not
    1: "as first built",
    2: "caches, DRAM, instruction fetch and rates of units as their sources have them (`heddle run --explain-point`), credits of "
       "the crossbar and a dispatcher over wires, no jumps to the next instruction in any program",
}


def mark(study, of_machine):
    """For a page whose results are of an earlier machine; nothing where they are not."""
    if of_machine == NUMBER:
        return ""
    return (f"> **Of an earlier machine** ({of_machine}; ours is {NUMBER}: {WHAT[NUMBER]}). These figures hold for the programs that they "
            f"name and not for today\'s; `scripts/evaluate {study}` makes them anew.\n")


def short_mark(study, of_machine):
    """For a table in the README of the whole."""
    if of_machine == NUMBER:
        return ""
    return f"> Of an earlier machine ([why](studies/{study}/README.md)), and not of today's program.\n"


def marked(page, note):
    """A page, or a table, with its mark: below the title, where it has one."""
    if not note:
        return page
    title, rest = page.split("\n", 1) if page.startswith("# ") else ("", page)
    return "\n".join(part for part in (title, note, rest) if part)
