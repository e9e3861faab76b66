# SPDX-License-Identifier: Apache-2.0
"""One HTML file that needs no other: template, style, scripts, the plotting library and the numbers, put together."""
import json
import pathlib
import re

from . import cost, glossary, kernels, markup, summary, tables
from .figures import Study
from .runs import Refused

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = pathlib.Path("/usr/share/javascript/chart.js/chart.min.js")  # Debian's libjs-chart.js
OPEN = 3  # kernels: of so few all are unfolded from the start


def library():
    try:
        return LIBRARY.read_text()
    except OSError as error:
        raise Refused(f"{LIBRARY} is missing: scripts/bootstrap installs it (libjs-chart.js)") from error


def embedded(value):
    """JSON inside a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def machine(study):
    """What all runs have in common."""
    def one(key, form="{}"):
        values = {run[key] for run in study.runs}
        return [form.format(values.pop())] if len(values) == 1 else []
    below = one("memory_below")
    memory = [f"memory {one('memory')[0]} ({below[0]})" if below and below[0] else f"memory {one('memory')[0]}"] \
        if one("memory") else []
    return ", ".join([*one("point", "design point {}"), *one("sms", "SMs: {}"), *memory, *one("seed", "seed {}"),
                      *one("commit", "built from commit {}")])


def mechanism_boxes(study):
    return "".join(f'<label><input type="checkbox" checked value="{markup.text(name)}">{markup.text(name)}</label>'
                   for name in study.mechanisms)


def number_of(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def chart_data(study, costs):
    reasons = kernels.reasons_of(study)
    shown = reasons[:kernels.REASONS] + [kernels.OTHER] * (len(reasons) > kernels.REASONS)
    return {"mechanisms": study.mechanisms, "reference": study.reference, "reasons": shown,
            "kernels": {kernel: kernels.data(study, kernel) for kernel in study.kernels},
            "cost": [{"mechanism": study.mechanisms.index(row.mechanism), "gain": row.gain, "bits": row.bits, "mm2": row.mm2}
                     for row in costs]}


def filled(template, parts):
    """In one go: what is filled in may look like a place to fill."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], template)


def opened(study):
    """Kernels that are unfolded from the start: few, or the one with the largest gain."""
    if len(study.kernels) <= OPEN:
        return set(study.kernels)
    best = [run for run in map(study.best, study.kernels) if run]
    return {max(best, key=study.gain).kernel} if best else set()


def page(runs, heddle, build, reference=None, area_file=None, title=None):
    """The whole text. \\param area_file  of `heddle area --json`; None: asked for the runs' point"""
    study = Study(runs, reference)
    definitions = glossary.definitions(heddle)
    costs = cost.Costs(study, build, area_file)
    rows = costs.of(study)
    unfolded = opened(study)
    what = f"{number_of(len(study.kernels), 'kernel')} under {number_of(len(study.mechanisms), 'mechanism')}"
    title = title or (f"{study.kernels[0]} under {number_of(len(study.mechanisms), 'mechanism')}"
                      if len(study.kernels) == 1 else what)
    return filled((HERE / "template.html").read_text(), {
        "TITLE": markup.text(title), "WHAT": number_of(len(runs), "run"), "MACHINE": markup.text(machine(study)),
        "REFERENCE": markup.text(study.reference), "STYLE": (HERE / "style.css").read_text(),
        "SUMMARY": summary.section(study), "GAINS": tables.of_gains(study), "RUNS": tables.of_runs(study),
        "BOXES": mechanism_boxes(study), "COST": cost.section(study, rows, costs.why_not),
        "KERNELS": "\n".join(kernels.section(study, kernel, definitions, kernel in unfolded) for kernel in study.kernels),
        "GLOSSARY": glossary.section(definitions), "DATA": embedded(chart_data(study, rows)), "LIBRARY": library(),
        "SCRIPT": "\n".join((HERE / name).read_text() for name in ("tables.js", "charts.js"))})
