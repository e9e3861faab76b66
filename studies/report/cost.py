# SPDX-License-Identifier: Apache-2.0
"""What a mechanism costs beside what it gains: bits and mm2 that an SM has beyond those of the reference."""
import dataclasses
import json
import re
import sys

from harness.program import ROOT

sys.path.insert(0, str(ROOT))
from area.page import cost, facts  # noqa: E402
from area.synth import SynthError, inventory  # noqa: E402

from . import figures, markup  # noqa: E402
from .runs import Refused  # noqa: E402

EXPECTED = "expected what `heddle area --point POINT --json FILE` writes"


@dataclasses.dataclass
class Cost:
    mechanism: str
    gain: float
    bits: int    # None: not known
    mm2: float   # None: not mapped


def unit_of(divergence):
    """The row of cost.UNITS with the same blocks; None: it has other ones."""
    if re.fullmatch(r"dws\d+", divergence):  # N is no hardware
        return "dws50"
    return next((one.variant_of or one.name for one in cost.IN_SLICES if one.name == divergence), None)


def storage_file(file):
    """{block: bits}"""
    try:
        return cost.bits_by_block(json.loads(file.read_text()))
    except OSError as error:
        raise Refused(f"{file}: cannot be read ({error.strerror}); {EXPECTED}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(f"{file}: no storage of a point; {EXPECTED}") from error


def point_of(study):
    """Of all runs; None: they have several."""
    points = {run["point"] for run in study.runs}
    return points.pop() if len(points) == 1 else None


def affine_unit(run):
    """dac, cae or nothing."""
    return (run.data.get("affine") or {}).get("unit", "")


def is_known(run):
    """It has nothing whose bits are in no table: a prefetcher, units without blocks."""
    return unit_of(run["divergence"]) is not None and run["prefetcher"] in ("", "none")


class Costs:
    """Of the point of a study: bits from `heddle area`, mm2 from area/baseline.json. `why_not` is empty where they are
    known."""

    def __init__(self, study, build, area_file):
        self.point, self.why_not, self.bits, self.facts = point_of(study), "", {}, None
        try:
            if area_file:
                self.bits = storage_file(area_file)
            elif self.point is None:
                self.why_not = "the runs are of several design points"
            else:
                self.bits = cost.bits_by_block(inventory.report(build, self.point))
            if self.point == cost.POINT:
                self.facts = facts.Facts(build)
        except SynthError as error:
            self.why_not = str(error).splitlines()[0]

    def bits_of(self, run):
        try:
            if not is_known(run):
                return None
            affine = cost.bits_of_affine(self.bits, affine_unit(run), self.point) if affine_unit(run) else 0
            return affine + cost.bits_of_divergence(self.bits, unit_of(run["divergence"]), run["scoreboard"], self.point)
        except (SynthError, KeyError):  # another scoreboard, or none of such a block at the point
            return None

    def mm2_of(self, run):
        try:
            if not is_known(run) or not self.facts:
                return None
            affine = cost.of_affine(self.facts, affine_unit(run)).mm2 if affine_unit(run) else 0.0
            slices = cost.of_divergence(self.facts, unit_of(run["divergence"]), run["scoreboard"]).mm2
            return None if None in (affine, slices) else affine + slices
        except (SynthError, KeyError):
            return None

    def of(self, study):
        """A row a mechanism, the reference first."""
        first = {run.mechanism: run for run in reversed(study.runs)}
        base = first[study.reference]
        base_bits, base_mm2 = self.bits_of(base), self.mm2_of(base)

        def beyond(own, of_base):
            return None if own is None or of_base is None else own - of_base
        return [Cost(name, figures.mean(study.gains(name).values()), beyond(self.bits_of(first[name]), base_bits),
                     beyond(self.mm2_of(first[name]), base_mm2))
                for name in [study.reference, *study.others()] if study.gains(name)]


def plus(value, digits=0):
    return markup.MISSING if value is None else f"{value:+,.{digits}f}"


def table(study, rows):
    kibit = [None if row.bits is None else row.bits / 1024 for row in rows]
    per = [None if not more or more <= 0 else 100 * (row.gain - 1) / more for row, more in zip(rows, kibit)]
    headers = [markup.header("mechanism"), markup.header("gain", "page.gain"), markup.header("bits added", "page.bits"),
               markup.header("Kibit added", "page.bits"), markup.header("gain a Kibit, %", "page.gain_a_kibit"),
               markup.header("mm2 added", "page.mm2")]
    body = [markup.row([markup.text(row.mechanism), markup.times(row.gain), plus(row.bits), plus(more, 1), plus(each, 3),
                        plus(row.mm2, 3)], f' data-mechanism="{markup.text(row.mechanism)}"')
            for row, more, each in zip(rows, kibit, per)]
    return markup.table(f"Gain and cost over {study.reference}, of an SM", headers, body, "cost")


def scatter(chart, caption, rows, known):
    if sum(known(row) is not None for row in rows) < 2:
        return ""
    return (f'<figure class=chart><figcaption>{caption}</figcaption><div class="plot tall"><canvas role=img '
            f'data-chart="{chart}" aria-label="{markup.text(caption)}: its numbers are in the table below"></canvas></div>'
            "</figure>")


def section(study, rows, why_not):
    if why_not or all(row.bits is None for row in rows):
        why = why_not or "no block of these mechanisms is in its table"
        return (f"<p class=note>Bits are not known: {markup.text(why)}. Of another point: <code>heddle area --set ... --json "
                "FILE</code>, and here <code>--area FILE</code>.</p>" + table(study, rows))
    unknown = [row.mechanism for row in rows if row.bits is None]
    note = f"<p class=note>Not counted: {markup.text(', '.join(unknown))}.</p>" if unknown else ""
    return ('<div class="charts">' +
            scatter("cost_bits", "Gain against bits added to an SM", rows, lambda row: row.bits) +
            scatter("cost_mm2", "Gain against mm2 added to an SM", rows, lambda row: row.mm2) +
            "</div>" + table(study, rows) + note)
