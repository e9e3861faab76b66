# SPDX-License-Identifier: Apache-2.0
"""The memories of a design point, from what `heddle area --point P --json -` prints. Flops are left to synthesis.

Ports are read as the blocks declare them, for instance "1R2W", "1R1W, read first", "1R2W a lane", "1R1W, 10 searches",
"2R2W, 1 search of IDX", "1R4W, all seen", "2R1W, all PC seen". What that leaves open is settled in `cost_row`, and each
row says how.
A register file says what its lanes share (DWF Fig. 10): "2R1W a bank" is a memory a lane, divided as any memory;
"2R1W a row" one memory whose row has an entry of each lane, behind one decoder; "2R1W for each lane" one memory with so
many ports for each lane.

Entries that are all seen at once, or a field of them, are no array and nothing is searched there: each bit has a wire of
its own to logic that synthesis counts. So they are flip-flops with the multiplexers of their ports (M9).
"""
import dataclasses
import re

from .memory import LimitError, Ports, gates, memory


@dataclasses.dataclass(frozen=True)
class Cost:
    """A row of the report. It has `mm2`, or a `problem`."""
    block: str
    structure: str
    kind: str
    entries: int
    columns: int
    ports: str
    copies: int = 1
    mm2: float = None
    gates_mm2: float = None  # the same in flip-flops and gates, roughly
    areas: tuple = ()  # arrays of one copy: one, two when only some columns are searched, none where all are seen
    assumptions: tuple = ()
    problem: str = ""

    @property
    def built_mm2(self):
        """As one would build it: an array, or flip-flops and gates where those take less (small tables, many ports)."""
        return None if self.mm2 is None else min(self.mm2, self.gates_mm2)


def parse_ports(text, fields):
    """What a block's ports text says: counts, columns searched (None: all), a memory a lane, assumptions, columns that
    are seen at once, what lanes share (" a bank", " a row", " for each lane", or nothing is said)."""
    counts = {"R": 0, "W": 0, "RW": 0}
    search, searches, a_lane, assumptions, seen, shared = 0, [], False, [], 0, ""
    for part in (p.strip() for p in text.split(",")):
        named = re.fullmatch(r"(\d+) search(?:es)?(?: of (.+))?", part) or re.fullmatch(r"(\d+) of (.+)", part)
        fields_named = named[2].lower().split(" and ") if named and named[2] else []
        shown = re.fullmatch(r"all(?: (\w+))? seen", part)
        if part in ("read first", "write first"):  # what a clocked read port shows of a write at its edge: no area here
            continue
        plain = re.fullmatch(r"((?:\d+(?:RW|R|W))+)( a lane| a bank| a row| for each lane)?", part)
        if fields_named and all(name in fields for name in fields_named):
            search += int(named[1])
            searches.append(fields_named)
        elif named and named[2] == "a set":
            counts["R"] += int(named[1])
            assumptions.append("a search of one set reads its row")
        elif named and not named[2]:
            search += int(named[1])
        elif shown and (shown[1] is None or shown[1].lower() in fields):
            seen = sum(fields.values()) if shown[1] is None else fields[shown[1].lower()]
            assumptions.append(f"{seen} columns are seen at once: flip-flops, not an array")
        elif plain:
            a_lane = plain[2] == " a lane"
            shared = "" if a_lane else plain[2] or ""
            for count, kind in re.findall(r"(\d+)(RW|R|W)", plain[1]):
                counts[kind] += int(count)
        else:
            raise LimitError(f"ports '{text}': '{part}' is none of 2R1W, 2R1W a lane, 2R1W a bank, 2R1W a row, "
                             f"2R1W for each lane, read first, write first, 3 searches, 1 search of FIELD, 2 "
                             f"searches of FIELD and FIELD, 1 of FIELD, 2 searches of a set, all seen, all FIELD seen")
    columns = dict.fromkeys(name for names in searches for name in names)
    searched = sum(fields[name] for name in columns) if searches else None
    if len(searches) > 1:
        assumptions.append(f"each of {search} searches compares {' and '.join(columns)}: more than it needs")
    if not counts["W"] and not counts["RW"]:
        counts["W"] = 1
        assumptions.append("no write port declared: 1")
    return Ports(counts["R"], counts["W"], counts["RW"], search), searched, a_lane, assumptions, seen, shared


def areas_of(rows, columns, ports, searched, subarrays, node):
    """The arrays of one memory, and the same in gates."""
    how = dict(node=node, subarrays=subarrays)
    if not ports.search:
        return (memory(rows, columns, ports, **how),), gates(rows * columns, ports, node)
    if searched in (None, columns):
        return (memory(rows, columns, ports, "CAM", **how),), gates(rows * columns, ports, node)
    # The columns beside those searched are read at the row that is found, if no read port is declared.
    plain = dataclasses.replace(ports, search=0, read=ports.read or (0 if ports.readwrite else ports.search))
    return ((memory(rows, columns - searched, plain, **how), memory(rows, searched, ports, "CAM", **how)),
            gates(rows * (columns - searched), plain, node) + gates(rows * searched, ports, node))


def cost_row(row, lanes, node):
    columns = sum(field["bits"] for field in row["fields"])
    entries, copies = row["entries"], row.get("instances", 1)
    seen = dict(block=row["block"], structure=row["structure"], kind=row["kind"], entries=entries, columns=columns,
                ports=row["ports"])
    try:
        fields = {}
        for field in row["fields"]:  # a field of which the paper counts a part comes in two
            fields[field["name"].lower()] = fields.get(field["name"].lower(), 0) + field["bits"]
        ports, searched, a_lane, assumptions, shown, shared = parse_ports(row["ports"], fields)
        subarrays = None
        if (a_lane or shared) and lanes is None:
            raise LimitError(f"ports '{row['ports']}': say how many lanes there are")
        if a_lane:
            copies, subarrays = copies * lanes, 1
            assumptions.append("a decoder a lane, so one subarray each (DWF Table 1)")
        if shared == " a bank":
            copies = copies * lanes
            assumptions.append("a memory a lane (DWF sec. 4.4: 16 banks)")
        if shared == " a row":
            if entries % lanes:
                raise LimitError(f"{entries} entries are not whole rows of {lanes} lanes")
            columns, entries = columns * lanes, entries // lanes
            assumptions.append("one decoder: a row has an entry of each lane (DWF sec. 4.4)")
        if shared == " for each lane":
            ports = dataclasses.replace(ports, read=ports.read * lanes, write=ports.write * lanes)
            assumptions.append(f"{ports} on every cell: a bound, nobody builds it")
        if entries % copies:
            raise LimitError(f"{entries} entries are not the same number in each of {copies} memories")
        rows = entries // copies
        flops_mm2 = gates(rows * shown, ports, node) if shown else 0
        areas, gates_mm2 = (), 0
        if columns != shown or not shown:
            areas, gates_mm2 = areas_of(rows, columns - shown, ports, searched, subarrays, node)
        if len(areas) == 2:
            assumptions.append(f"the {searched} searched columns are an array of their own")
        return Cost(**seen, copies=copies, mm2=copies * (sum(a.mm2 for a in areas) + flops_mm2),
                    gates_mm2=copies * (gates_mm2 + flops_mm2), areas=areas, assumptions=tuple(assumptions))
    except LimitError as error:
        return Cost(**seen, problem=str(error))


def cost(report, lanes=None, node=90):
    """A Cost for each RAM and CAM of a report; one that cannot be costed says why.

    lanes  of the design point, for structures with a memory a lane
    An optional `instances` of a row is the number of equal memories that its entries are spread over.
    """
    if not isinstance(report, dict) or not isinstance(report.get("structures"), list):
        raise LimitError("this is not what `heddle area --json -` prints: it has no list `structures`")
    return [cost_row(row, lanes, node) for row in report["structures"] if row["kind"] in ("RAM", "CAM")]
