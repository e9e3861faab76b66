"""The memories of a design point, from what `heddle area --point P --json -` prints. Flops are left to synthesis.

Ports are read as the blocks declare them, for instance "1R2W", "1R2W a lane", "1R1W, 10 searches", "2R2W, 1 search of
IDX", "1R4W, all seen". What that leaves open is settled in `memories_of`, and each row says how.
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
    areas: tuple = ()  # Area of one copy: one, or two when only some columns are searched
    assumptions: tuple = ()
    problem: str = ""


def parse_ports(text, fields):
    """What a block's ports text says: counts, columns searched (None: all), a memory a lane, assumptions."""
    counts = {"R": 0, "W": 0, "RW": 0}
    search, searched, a_lane, assumptions = 0, None, False, []
    for part in (p.strip() for p in text.split(",")):
        named = re.fullmatch(r"(\d+) search(?:es)?(?: of (.+))?", part)
        seen = re.fullmatch(r"all( \w+)? seen", part)
        plain = re.fullmatch(r"((?:\d+(?:RW|R|W))+)( a lane)?", part)
        if named and named[2] and named[2].lower() in fields:
            search += int(named[1])
            searched = fields[named[2].lower()]
        elif named and named[2] == "a set":
            counts["R"] += int(named[1])
            assumptions.append("a search of one set reads its row")
        elif named and not named[2]:
            search += int(named[1])
        elif seen:
            search += 1
            assumptions.append("entries that all are seen at once: one search of all columns")
        elif plain:
            a_lane = bool(plain[2])
            for count, kind in re.findall(r"(\d+)(RW|R|W)", plain[1]):
                counts[kind] += int(count)
        else:
            raise LimitError(f"ports '{text}': '{part}' is none of 2R1W, 2R1W a lane, 3 searches, 1 search of FIELD, "
                             f"2 searches of a set, all seen")
    if not counts["W"] and not counts["RW"]:
        counts["W"] = 1
        assumptions.append("no write port declared: 1")
    return Ports(counts["R"], counts["W"], counts["RW"], search), searched, a_lane, assumptions


def areas_of(rows, columns, ports, searched, subarrays, node):
    """The arrays of one memory, and the same in gates."""
    how = dict(node=node, subarrays=subarrays)
    if not ports.search:
        return (memory(rows, columns, ports, **how),), gates(rows * columns, ports, node)
    if searched in (None, columns):
        return (memory(rows, columns, ports, "CAM", **how),), gates(rows * columns, ports, node)
    plain = dataclasses.replace(ports, search=0)
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
        ports, searched, a_lane, assumptions = parse_ports(row["ports"], fields)
        subarrays = None
        if a_lane:
            if lanes is None:
                raise LimitError("a memory a lane: say how many lanes there are")
            copies, subarrays = copies * lanes, 1
            assumptions.append("a decoder a lane, so one subarray each (DWF Table 1)")
        if entries % copies:
            raise LimitError(f"{entries} entries are not the same number in each of {copies} memories")
        areas, gates_mm2 = areas_of(entries // copies, columns, ports, searched, subarrays, node)
        if len(areas) == 2:
            assumptions.append(f"the {searched} searched columns are an array of their own")
        return Cost(**seen, copies=copies, mm2=copies * sum(a.mm2 for a in areas), gates_mm2=copies * gates_mm2,
                    areas=areas, assumptions=tuple(assumptions))
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
