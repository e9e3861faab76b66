# SPDX-License-Identifier: Apache-2.0
"""Why ours differs: a study's causes.yaml names, for a claim, statistics and experiments that take something away; here
they become sentences, with numbers from the results. A claim that differs and has no cause there is not yet explained."""
import re

import yaml
from tools.nearest import no_such

from .page import PageError


class BadCauses(PageError):
    """causes.yaml says what it may not."""


def load(claims, evidence, file):
    """{claim: [(evidence, its options, words)]}. \\param evidence  {name: what makes the sentence}  \\throws BadCauses"""
    known = {claim.name: claim for claim in claims}
    causes = {}
    for name, items in (yaml.safe_load(file.read_text()) or {}).items():
        if name not in known:
            raise BadCauses(f"{file.name}: {no_such('claim', name, known)}")
        for item in items:
            item = dict(item)
            kind, words = item.pop("evidence", ""), item.pop("because", "")
            if kind not in evidence:
                raise BadCauses(f"{file.name}, {name}: {no_such('evidence', kind, evidence)}")
            if re.search(r"\d", words):
                raise BadCauses(f"{file.name}, {name}: 'because' has a number; numbers are made from results")
            item.setdefault("kernels", known[name].kernels)
            causes.setdefault(name, []).append((evidence[kind], item, words))
    return causes


def cause(causes, claim, m, in_short=False):
    """The cell of the table. \\param in_short  the causes whose evidence is there, without it"""
    sentences = []
    for sentence, options, words in causes.get(claim.name, []):
        said = sentence(m, **options)
        if said is not None and in_short:
            sentences += [words] if words else []
        elif said is not None:
            sentences.append(f"{words}: {said}" if words else said)
    return "; ".join(sentences) if sentences else "not yet explained"
