# SPDX-License-Identifier: Apache-2.0
"""Sentences from numbers: who gains most on which kernel, and what of the cycles it saves."""
from harness.page import listed

from . import figures, markup

SHOWN = 6  # names of runs in a sentence


def reason_key(reason):
    return "warp_instructions" if reason == figures.ISSUE else f"stalls.{reason}"


def reason_name(reason):
    return markup.link(reason_key(reason), "issues" if reason == figures.ISSUE else reason)


def where_from(base, run):
    """Of a run that is faster: which cycles it does not need any more."""
    less = figures.saved(base, run)
    total = base["scheduler_cycles"] - run["scheduler_cycles"]
    reason, count = next(iter(less.items()))
    if total <= 0 or count <= 0:
        return ""
    before, now = (figures.cycles_by_reason(one).get(reason, 0) for one in (base, run))
    of_saved = "more than it saves in all" if count > total else f"{count / total:.0%} of what it saves"
    what = "" if reason == figures.ISSUE else "stalls, "
    return (f"fewer {what}{reason_name(reason)}: {before:,} → {now:,} {markup.link('scheduler_cycles', 'scheduler cycles')}, "
            f"{of_saved}")


def changed(base, run):
    found = figures.largest_change(base, run)
    if found is None:
        return ""
    key, name, before, now = found
    return f"{markup.link(key, name)} {before} → {now}"


def why(study, run):
    """Of the best run of a kernel."""
    base = study.base(run.kernel)
    if study.gain(run) < 1 + figures.LEAST:
        return "nothing gains; " + (changed(base, run) or "all is nearly the same")
    return "; ".join(filter(None, (where_from(base, run), changed(base, run))))


def on_average(study, best, gains):
    """The mechanism whose mean gain is the largest. \\param gains  {kernel: gain}"""
    name, over = markup.text(best), markup.text(study.reference)
    most, least = max(gains, key=gains.get), min(gains, key=gains.get)
    if len(gains) == 1:
        return f"<strong>{name} gains most</strong>: {gains[most]:.3f}x as fast as {over} on {markup.text(most)}."
    return (f"<strong>{name} gains most on average</strong>: {figures.mean(gains.values()):.3f}x as fast as {over}, the "
            f"{markup.link('page.gain', 'geometric mean')} of {len(gains)} kernels; it gains most on {markup.text(most)} "
            f"({gains[most]:.3f}x) and least on {markup.text(least)} ({gains[least]:.3f}x).")


def largest(study, best):
    """Of all gains, where that is another mechanism's."""
    gain, kernel, name = max((gain, kernel, name) for name in study.others() for kernel, gain in study.gains(name).items())
    return "" if name == best else \
        f"The largest gain of all is that of {markup.text(name)} on {markup.text(kernel)}: {gain:.3f}x."


def without_gain(study):
    bests = [run for run in map(study.best, study.kernels) if run]
    flat = sum(study.gain(run) < 1 + figures.LEAST for run in bests)
    return f"On {flat} of {len(bests)} kernels nothing gains {figures.LEAST:.1%} or more." if flat and bests[1:] else ""


def without_numbers(study):
    under = {}
    for run in study.runs:
        if not run.ended:
            under.setdefault((run.kernel, run["status"]), []).append(run.mechanism)
    names = [f"{kernel} under {names[0] if len(names) == 1 else f'{len(names)} mechanisms'} ({status})"
             for (kernel, status), names in under.items()]
    shown = names[:SHOWN] + ([f"{len(names) - SHOWN} more"] if names[SHOWN:] else [])
    return f"Without numbers: {markup.text(listed(shown))}." if names else ""


def overall(study):
    """Of all kernels."""
    means = {name: figures.mean(study.gains(name).values()) for name in study.others() if study.gains(name)}
    if means:
        best = max(means, key=means.get)
        said = [on_average(study, best, study.gains(best)), largest(study, best), without_gain(study)]
    elif study.others():
        said = [f"No kernel has ended both under {markup.text(study.reference)} and under another mechanism."]
    else:
        said = ["One mechanism alone: there is nothing to compare it with. Give runs of others too "
                "(<code>--divergence spe,dpe</code>)."]
    return f"<p>{' '.join(filter(None, [*said, without_numbers(study)]))}</p>"


def kernel_rows(study):
    """A row a kernel, the largest gain first."""
    known = [(study.gain(study.best(kernel)), study.best(kernel)) for kernel in study.kernels if study.best(kernel)]
    for gain, run in sorted(known, key=lambda pair: -pair[0]):
        kind = "gain" if gain >= 1 + figures.LEAST else "loss" if gain <= 1 - figures.LEAST else ""
        yield markup.row([f'<a href="#kernel-{markup.text(run.kernel)}">{markup.text(run.kernel)}</a>',
                          ('class="word"', markup.text(run.mechanism)), (f'class="{kind}"', markup.times(gain)),
                          ('class="word"', why(study, run))], f' data-kernel="{markup.text(run.kernel)}"')


def section(study):
    rows = list(kernel_rows(study))
    table = markup.table(f"The best mechanism of each kernel beside {study.reference}, and why",
                         [markup.header("kernel"), markup.header("best", is_text=True), markup.header("gain", "page.gain"),
                          markup.header("why", "page.why", is_text=True)], rows, "why-table") if rows else ""
    return f"{overall(study)}\n{table}"
