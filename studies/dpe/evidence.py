"""Why ours differs: causes.yaml names, for a claim, statistics and experiments that take something away; here they become
sentences, with numbers from the results. A claim that differs and has no cause there is not yet explained."""
import pathlib
import re

import yaml
from harness.page import PageError, listed, of_whole, percent
from nearest import no_such

from . import paper
from .measures import mean

CAUSES = pathlib.Path(__file__).resolve().parent / "causes.yaml"


class BadCauses(PageError):
    """causes.yaml says what it may not."""


def named(kernels):
    return listed(paper.name(kernel) for kernel in kernels)


def experiment(words, **changes):
    """A sentence: the mean gain of the kernels with something taken away, and as it is."""
    def sentence(m, kernels, mechanism="DPE", over="SPE"):
        pair = [mean(m.gain(kernel, mechanism, over, **how) for kernel in kernels) for how in (changes, {})]
        if None in pair:
            return None
        return f"{words} {mechanism} gains {percent(pair[0])} over {over} instead of {percent(pair[1])} ({named(kernels)})"
    return sentence


def statistic(m, kernels, key, mechanism="DPE", over="SPE"):
    """A count under one mechanism against another."""
    changes = [m.change(kernel, mechanism, key, over) for kernel in kernels]
    if None in changes:
        return None
    words = listed(f"{paper.name(kernel)} {percent(change)}" for kernel, change in zip(kernels, changes))
    return f"{key} under {mechanism} against {over}: {words}"


def stalls(m, kernels, mechanism="SPE"):
    """What most cycles without an issue wait for."""
    largest = [m.largest_stall(kernel, mechanism) for kernel in kernels]
    if None in largest:
        return None
    words = listed(f"{paper.name(kernel)} {of_whole(share)} {reason}" for kernel, (reason, share) in zip(kernels, largest))
    return f"the largest part of the schedulers' cycles without an issue, under {mechanism}: {words}"


def no_warp(m, kernels, mechanism="SPE"):
    """How much of the machine the data set fills."""
    shares = [[mean(m.stall_share(kernel, mechanism, "no warp", **how) for kernel in kernels) for how in ({}, {"sms": 1})]]
    if None in shares[0]:
        return None
    whole, one = shares[0]
    return (f"schedulers have no warp at all in {of_whole(whole)} of their cycles with all SMs and in {of_whole(one)} with one, "
            f"as the data sets are small ({named(kernels)}, {mechanism})")


EVIDENCE = {
    "ideal_memory": experiment("with a memory where a miss costs a hit", memory="ideal"),
    "one_sm": experiment("on one SM with its share of the memory", sms=1),
    "one_sm_chip": experiment("on one SM with the memory of all,", sms=1, memory="chip"),
    "other_data": experiment("with other data", seed=2),
    "fast_fetch": experiment("with a fetch of a cycle", settings="fetch_latency=1"),
    "statistic": statistic,
    "stalls": stalls,
    "no_warp": no_warp,
}


def load(claims, file=CAUSES):
    """{claim: [(evidence, its options, words)]}. \\throws BadCauses"""
    known = {claim.name: claim for claim in claims}
    causes = {}
    for name, items in (yaml.safe_load(file.read_text()) or {}).items():
        if name not in known:
            raise BadCauses(f"{file.name}: {no_such('claim', name, known)}")
        for item in items:
            item = dict(item)
            kind, words = item.pop("evidence", ""), item.pop("because", "")
            if kind not in EVIDENCE:
                raise BadCauses(f"{file.name}, {name}: {no_such('evidence', kind, EVIDENCE)}")
            if re.search(r"\d", words):
                raise BadCauses(f"{file.name}, {name}: 'because' has a number; numbers are made from results")
            item.setdefault("kernels", known[name].kernels)
            causes.setdefault(name, []).append((EVIDENCE[kind], item, words))
    return causes


def cause(causes, claim, m):
    """The cell of the table."""
    sentences = []
    for sentence, options, words in causes.get(claim.name, []):
        said = sentence(m, **options)
        if said is not None:
            sentences.append(f"{words}: {said}" if words else said)
    return "; ".join(sentences) if sentences else "not yet explained"
