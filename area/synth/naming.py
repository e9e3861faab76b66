# SPDX-License-Identifier: Apache-2.0
"""A bit of a register in words of the block: left_o[5] is left_o[0].pc[1]. A twin has records and arrays of records as
vectors, entry 0 at the bottom, the first field of a record on top; `heddle area` knows the fields."""
import re

from . import inventory


def field_of(fields, bit):
    """'.pc[1]' for a bit of an entry; '' where the entry has no fields or does not reach so far."""
    names = [f["name"] for f in fields]
    for field in reversed(fields):
        if bit < field["bits"]:
            if not field["name"]:
                return f"[{bit}]"
            whole = names.count(field["name"]) == 1  # a field of which the paper counts a part comes in two
            return f".{field['name']}" + (f"[{bit}]" if whole and field["bits"] > 1 else "")
        bit -= field["bits"]
    return ""


def in_words(end, found, block):
    """An end of a path; what is no register of a block's own stays as it is."""
    register = re.fullmatch(r"register (\w+)((?:\[\d+\])+)", end)
    row = register and inventory.row_of(found, block, register[1])
    if not row:
        return end
    indices = [int(i) for i in re.findall(r"\d+", register[2])]
    width = sum(f["bits"] for f in row["fields"])
    entries = row["entries"] // row["instances"]
    if len(indices) == 1:
        entry, bit = divmod(indices[0], width)
    else:
        entry, bit = indices[0], indices[-1]
    field = field_of(row["fields"], bit)
    if len(indices) > 2 or entry >= entries or bit >= width or not field:
        return end
    return f"register {register[1]}" + (f"[{entry}]" if entries > 1 else "") + field
