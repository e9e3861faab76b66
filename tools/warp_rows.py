# SPDX-License-Identifier: Apache-2.0
"""What the waveform of one run says of one warp, cycle by cycle, whatever the control flow unit (`heddle waves`)."""
import dataclasses

from . import unit_files
from .vcd import Signals, read_vcd

# By block. Where warps are formed there are none that stay: threads of this one are looked for in what is issued.
UNITS = {one.block: one for one in unit_files.load() if one.family}
# What --trace asks for. An expression: each run has one of the units, and --trace refuses names of the others.
BLOCKS = f"({'|'.join(UNITS)}|warp_scheduler|affine_stack)"
NO_PC = 2**32 - 1


def forms_warps(divergence):
    """Whether there are no warps that stay under this mechanism."""
    return any(one.name == divergence and one.sm_side == "Formation" for one in unit_files.load())


@dataclasses.dataclass
class Path:
    """Lanes that run together, a value a cycle: where (None: nobody), which lanes, whether the path issues."""
    name: str
    pcs: list
    lanes: list
    issues: list


class Warp:
    """Values a cycle. `local`: its number in its issue scheduler; `number`: in the SM."""

    def __init__(self, vcd, issue_slice, local, number, lanes):
        changes, _ = read_vcd(vcd)
        clock = next(of_it for name, of_it in changes.items() if name.startswith("SystemC.cycle"))
        self.times, self.cycles = [time for time, _ in clock], [cycle for _, cycle in clock]
        self.local, self.number, self.lanes = local, number, lanes
        self.parts = {}
        for name in changes:
            scope = name.split(".")
            if len(scope) > 4 and scope[2] in ("affine", f"slice{issue_slice}"):
                self.parts.setdefault(scope[3], ".".join(scope[:4]))
        self.parts = {part: Signals(changes, scope) for part, scope in self.parts.items()}
        self.kind = next(name for name in UNITS if name in self.parts)
        self.side = UNITS[self.kind].sm_side
        self.is_formed = self.side == "Formation"
        self.paths = [self.formed()] if self.is_formed else \
            [self.path(side) for side in ("left", "right")[:int(UNITS[self.kind].paths)]]

    def has(self, name):
        """Of the control flow unit."""
        return name in self.parts[self.kind]

    def values(self, name, part=None):
        signals = self.parts[part or self.kind]
        return [signals.at(name, time) for time in self.times]

    def path(self, side):
        lanes = self.values(f"{side}_o_{self.local}.mask")
        pcs = [pc if there else None for pc, there in zip(self.values(f"{side}_o_{self.local}.pc"), lanes)]
        grants = zip(*(self.values(f"grant_o.{field}", "warp_scheduler") for field in ("valid", "warp", "right")))
        return Path(side, pcs, lanes, [int(valid == 1 and warp == self.local and right == (side == "right"))
                                       for valid, warp, right in grants])

    def formed(self):
        """Of the last issued warp that had some, the threads that started in this one, by their number there."""
        threads = [self.values(f"warp_pool.issued_tid_o_{lane}") for lane in range(self.lanes)]
        taken, issued, at_pc = map(self.values, ("issued_ready_i", "warp_pool.issued_o.lanes", "warp_pool.issued_o.pc"))
        path = Path("issued", [], [], [])
        pc, lanes, self.with_others, all_lanes = None, 0, [], 0
        for at in range(len(self.times)):
            own = sum(1 << tid[at] % self.lanes for lane, tid in enumerate(threads)
                      if taken[at] and issued[at] >> lane & 1 and tid[at] // self.lanes == self.number)
            if own:
                pc, lanes, all_lanes = at_pc[at], own, issued[at]
            path.pcs.append(pc)
            path.lanes.append(lanes)
            path.issues.append(int(own != 0))
            self.with_others.append(all_lanes)
        return path

    def without(self, count):
        """Forgets the first cycles."""
        self.times, self.cycles = self.times[count:], self.cycles[count:]
        for path in self.paths:
            path.pcs, path.lanes, path.issues = path.pcs[count:], path.lanes[count:], path.issues[count:]
        if self.is_formed:
            self.with_others = self.with_others[count:]

    def together(self):
        """A value a cycle: do all lanes of the warp run as one? None: nobody runs that could say so."""
        depths = self.values(f"depth_o_{self.local}") if self.has(f"depth_o_{self.local}") else None
        found, full = [], 0
        for at in range(len(self.times)):
            if depths and not depths[at]:
                full = 0
            running = [path.lanes[at] for path in self.paths if path.lanes[at]]
            full = full or (running[0] if running else 0)
            found.append(all(lanes == full for lanes in running) if running else None)
        return found

    def partings(self):
        """[(where all lanes ran as one last, where they do again or None)], as places in `cycles`."""
        found, last = [], None
        for at, whole in enumerate(self.together()):
            if whole:
                if last is None and found and found[-1][1] is None:
                    found[-1] = (found[-1][0], at)
                last = at
            elif whole is False and last is not None:
                found.append((last, None))
                last = None
        return found
