# SPDX-License-Identifier: Apache-2.0
"""What every number of the page is: the definitions of `heddle list statistics`, and those of the page's own."""
import json
import subprocess

from . import markup
from .runs import Refused

PAGE = (
    ("page.gain", "gain", "times", "cycles of the reference over the mechanism's own, on the same kernel; of several kernels "
     "the geometric mean, of those that ended under both"),
    ("page.why", "why", "", "of what the faster run saves, the largest part: issues or a reason of stalls, in scheduler cycles; "
     "then, of lanes used, AvgPath, idle cycles and warp instructions, the one that changed by the largest factor, as the cycles "
     "did"),
    ("page.largest_stall", "largest stall", "share", "the most frequent reason why a scheduler did not issue, of the scheduler "
     "cycles"),
    ("page.scheduler_time", "cycles of a scheduler", "cycles", "scheduler cycles / schedulers: issues and all reasons of stalls "
     "together are the cycles of the run"),
    ("page.equals_oracle", "equals oracle", "", "memory is byte for byte that of the untimed oracle; where the order of threads "
     "may matter, the kernel's own check holds"),
    ("page.bits", "bits added", "bits", "that the blocks of an SM's issue slices hold (control flow unit, scoreboard, "
     "instruction buffers, scheduler), and those of decoupling or of tags for an affine unit, beyond those of the reference, from "
     "`heddle area`"),
    ("page.gain_a_kibit", "gain a Kibit", "%", "(gain - 1) / Kibit added"),
    ("page.mm2", "mm2 added", "mm2 at 90 nm", "of the same blocks and the issue gate, as mapped for area/baseline.json; a dash "
     "where not all of them were"))


def definitions(heddle):
    """[{key, unit, of_launches, of_sms, name, meaning}]"""
    done = subprocess.run([heddle, "list", "statistics", "--json", "-"], text=True, capture_output=True)
    if done.returncode:
        raise Refused(f"{heddle} list statistics: {done.stderr.strip() or done.stdout.strip()}")
    return json.loads(done.stdout)


def definition_row(key, name, unit, meaning, launches="", sms=""):
    words = [name, key if not key.startswith("page.") else "", unit, meaning, launches, sms]
    return markup.row([markup.text(words[0]), *(('class="word"', markup.text(word)) for word in words[1:])],
                      f' id="{markup.anchor(key)}"')


def section(known):
    rows = [definition_row(*own) for own in PAGE]
    rows += [definition_row(one["key"], one["name"], one["unit"], one["meaning"], one["of_launches"], one["of_sms"])
             for one in known]
    headers = [markup.header(words, is_text=True) for words in ("statistic", "key in JSON", "unit", "meaning", "of launches", "of SMs")]
    return markup.table("Definitions", headers, rows, "glossary")
