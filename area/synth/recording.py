# SPDX-License-Identifier: Apache-2.0
"""What a recording of a block's ports (heddle run --record) says of itself, and the point at which the block's bench has
the same widths and parameters."""
import gzip

from . import SynthError, blocks

EXPECTED = "expected a file of heddle run --record BLOCK=FILE"


def head_of(file):
    """{"block": ..., "point": ..., "parameters": ..., "run": ...} of a recording."""
    head = {}
    try:
        with gzip.open(file, "rt", encoding="latin-1") as lines:
            if next(lines, "").strip() != "heddle ports 1":
                raise SynthError(f"{file} is no recording; {EXPECTED}")
            for line in lines:
                key, _, rest = line.strip().partition(" ")
                if key == "edges":
                    return head
                head.setdefault(key, rest)
    except (OSError, EOFError) as error:
        raise SynthError(f"{file}: {error}; {EXPECTED}") from None
    raise SynthError(f"{file} ends in its head; {EXPECTED}")


def settings_of(head):
    """Design point, and [KEY=VALUE, ...] that change it."""
    point, *settings = head["point"].split()
    return point, settings + head["parameters"].split()


def twin_of(build, head):
    point, settings = settings_of(head)
    overrides = tuple((key, int(value)) for key, _, value in (setting.partition("=") for setting in settings))
    return blocks.twins(build, [head["block"]], point, overrides)[0]


def parameters(twin):
    """Of each package, whatever the point is called."""
    return [(name, text.split("\n", 1)[1]) for name, text in twin.fragments]


def bench_point(build, head):
    """The point of the block's bench with the widths and parameters of the recording."""
    block, wanted = head["block"], parameters(twin_of(build, head))
    points = [line.split()[1] for line in (build / "benches.txt").read_text().splitlines() if line.split()[0] == block]
    for point in points:
        twin = blocks.corner_or_point(blocks.announced(build)[block], point)
        if twin is not None and parameters(twin) == wanted:
            return point
    raise SynthError(f"the recording is of {head['point'].strip()} {head['parameters']}; the bench of {block} is built at "
                     f"{', '.join(points)}, and none of them has these widths and parameters")
