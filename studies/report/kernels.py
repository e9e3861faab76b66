# SPDX-License-Identifier: Apache-2.0
"""What the page says of one kernel: charts, each with its numbers beside it, and its branches."""
from . import branches, figures, markup, over_time

REASONS = 10  # with a colour of their own: the most frequent of all runs; issues are one of them
OTHER = "other reasons"


def reasons_of(study):
    """Of all runs, issues first, then the most frequent ones."""
    total = {}
    for run in filter(lambda run: run.ended, study.runs):
        for reason in figures.cycles_by_reason(run):
            total[reason] = total.get(reason, 0) + figures.share(run, reason)
    total.pop(figures.ISSUE, None)
    return [figures.ISSUE, *(reason for reason in sorted(total, key=total.get, reverse=True) if total[reason] > 0)]


def cycles_of(run, reasons):
    """A scheduler's, for the chart: they add up to the run's. What has no colour of its own is one."""
    by_reason, each = figures.cycles_by_reason(run), run["scheduler_cycles"] / run["cycles"]
    shown = [round(by_reason.get(reason, 0) / each) for reason in reasons[:REASONS]]
    return shown + [round(sum(by_reason.get(reason, 0) for reason in reasons[REASONS:]) / each)] * (len(reasons) > REASONS)


def shares(counts):
    """Per cent of all issues."""
    return [round(100 * count / sum(counts), 2) for count in counts]


def depths(run):
    """Issues by depth; none where no stack ever held a second entry."""
    return run.get("stack_depth.issues_at_depth") if run.get("stack_depth.max") > 1 else []


def data(study, kernel):
    """For the charts, in the order of the kernel's runs that have ended."""
    runs = [run for run in study.of(kernel) if run.ended]
    reasons = reasons_of(study)
    samples = over_time.KEPT_IF_MANY if len(study.runs) > over_time.MANY else over_time.MOST
    return {"mechanisms": [study.mechanisms.index(run.mechanism) for run in runs],
            "stalls": [cycles_of(run, reasons) for run in runs],
            "lanes": [shares(run["active_lanes"])[1:] for run in runs],
            "depth": [shares(depths(run)) if depths(run) else [] for run in runs],
            "time": [over_time.of(run, samples) for run in runs]}


def by_mechanism(caption, columns, runs, cells_of):
    """A row a run."""
    return markup.table(caption, [markup.header("mechanism"), *columns],
                        [markup.row([markup.text(run.mechanism), *cells_of(run)],
                                    f' data-mechanism="{markup.text(run.mechanism)}"') for run in runs], "small")


def stall_table(kernel, runs):
    reasons = [reason for reason in figures.cycles_by_reason(runs[0])
               if any(figures.cycles_by_reason(run).get(reason) for run in runs)]
    headers = [markup.header(reason, "warp_instructions" if reason == figures.ISSUE else f"stalls.{reason}")
               for reason in reasons]
    return by_mechanism(f"{kernel}: shares of the scheduler cycles", headers, runs,
                        lambda run: [markup.percent(figures.share(run, reason)) for reason in reasons])


def histogram_table(caption, name, runs, counts_of):
    """Columns that are empty of all runs are left out."""
    of_runs = {run.mechanism: counts_of(run) for run in runs}
    bins = [i for i in range(max(map(len, of_runs.values()))) if any(i < len(of) and of[i] for of in of_runs.values())]

    def cells(run):
        counts = of_runs[run.mechanism]
        return [markup.percent(counts[i] / sum(counts)) if i < len(counts) and counts[i] else "" for i in bins]
    return by_mechanism(caption, [markup.header(f"{name}{i}") for i in bins], runs, cells)


TIME_ROWS = (("warps", "resident warps", 0), ("ipc", "IPC", 3), ("paths", "AvgPath", 2), ("lanes", "lanes an issue", 1),
             ("idle", "idle cycles, %", 1))


def time_table(kernel, runs):
    rows = []
    for run in runs:
        samples = over_time.of(run, over_time.SHOWN)
        for key, name, digits in TIME_ROWS:
            values = [markup.decimal(value, digits) for value in samples[key]]
            rows.append(markup.row([markup.text(run.mechanism), ('class="word"', name), *values,
                                    *[""] * (over_time.SHOWN - len(values))],
                                   f' data-mechanism="{markup.text(run.mechanism)}"'))
    headers = [markup.header("mechanism"), markup.header("what", is_text=True),
               *(markup.header(f"part {part}") for part in range(1, over_time.SHOWN + 1))]
    return markup.table(f"{kernel}: its time in {over_time.SHOWN} parts", headers, rows, "small")


def figure(chart, kernel, caption, alternative, wide=False):
    """A chart, and its numbers for who does not see it."""
    name = f"{chart}, {kernel}"
    return (f'<figure class="{"chart broad" if wide else "chart"}"><figcaption>{caption}</figcaption><div class=plot>'
            f'<canvas role="img" aria-label="{markup.text(name)}: its numbers are in the table behind it" '
            f'data-chart="{chart}" data-of="{markup.text(kernel)}"></canvas></div>'
            f'{markup.unfolding("numbers", alternative) if alternative else ""}</figure>')


def time_figures(kernel, runs, command):
    with_time = [run for run in runs if run.data.get("timeline")]
    if not with_time:
        return (f"<p class=note>How it went over time: run it with <code>--timeline 512</code>, "
                f"<code>{markup.text(command)}</code>.</p>")
    charts = (("warps", f"Occupancy: {markup.link('timeline.resident_warps', 'resident warps')} over the run's cycles"),
              ("ipc", f"{markup.link('ipc', 'Instructions a cycle')} over the run's cycles"),
              ("paths", f"Paths of the issued warp ({markup.link('avg_path', 'AvgPath')}) over the run's cycles"),
              ("lanes", f"{markup.link('timeline.thread_instructions', 'Active lanes')} of an issue over the run's cycles"))
    return "".join(figure(f"time_{chart}", kernel, caption, "") for chart, caption in charts) + \
        markup.unfolding("numbers of these four", time_table(kernel, with_time), ' class="broad"')


def flat(numbers, before=""):
    """{"memory_system.l1_hits": 5}"""
    for key, value in numbers.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield before + key, value


def all_statistics(kernel, runs, definitions):
    numbers = [dict(flat(run.data)) for run in runs]
    known = [one for one in definitions if any(of.get(one["key"]) for of in numbers)]
    headers = [markup.header("statistic"), markup.header("unit", is_text=True),
               *(markup.header(run.mechanism, mechanism=run.mechanism) for run in runs)]
    rows = [markup.row([markup.link(one["key"], one["name"]), ('class="word"', markup.text(one["unit"])),
                        *((f'data-mechanism="{markup.text(run.mechanism)}"', markup.anything(of.get(one["key"])))
                          for run, of in zip(runs, numbers))]) for one in known]
    return markup.unfolding("All statistics that are not zero",
                            markup.table(f"{kernel}: statistics", headers, rows, "small"), ' class="broad"')


def command_of(study, kernel, option):
    """That would make what is missing."""
    names = list(dict.fromkeys(run["divergence"] for run in study.of(kernel)))
    return f"heddle run {kernel} --divergence {','.join(names)} {option} --json FILE"


def parts(study, kernel, runs, definitions):
    yield figure("stalls", kernel, f"Where the cycles went: {markup.link('page.scheduler_time', 'issues and reasons of stalls')}"
                 ", of a scheduler", stall_table(kernel, runs), wide=True)
    yield figure("lanes", kernel, f"{markup.link('active_lanes', 'Active lanes')}: share of the issues",
                 histogram_table(f"{kernel}: issues by active lanes", "W", runs, lambda run: run["active_lanes"]))
    if stacked := [run for run in runs if depths(run)]:
        deepest = max(stacked, key=lambda run: run.get("stack_depth.max"))
        yield figure("depth", kernel, f"{markup.link('stack_depth.issues_at_depth', 'Stack depth')}: share of the issues; "
                     f"{markup.link('stack_depth.max', 'deepest')} {deepest.get('stack_depth.max')}, under "
                     f"{markup.text(deepest.mechanism)}",
                     histogram_table(f"{kernel}: issues by stack depth", "depth ", stacked, depths))
    yield time_figures(kernel, runs, command_of(study, kernel, "--timeline 512"))
    yield f'<div class="broad">{branches.table(kernel, runs, command_of(study, kernel, "--profile"))}</div>'
    yield all_statistics(kernel, runs, definitions)


def section(study, kernel, definitions, is_open):
    runs = [run for run in study.of(kernel) if run.ended]
    name, best = markup.text(kernel), study.best(kernel)
    head = f'<h3>{name}</h3> <span class="best">' + \
        (f"best {markup.text(best.mechanism)}, {markup.times(study.gain(best))}" if best else
         f"{len(runs)} run{'s' if len(runs) != 1 else ''}") + "</span>"
    failed = "".join(f"<p class=note>{markup.text(run.mechanism)}: {markup.text(run['status'])}: "
                     f"{markup.text(run['message'].splitlines()[0] if run['message'] else '')}</p>"
                     for run in study.of(kernel) if not run.ended)
    inside = failed + (f'<div class="charts">{"".join(parts(study, kernel, runs, definitions))}</div>' if runs else "")
    return markup.unfolding(head, inside, f' class="kernel" id="kernel-{name}" data-kernel="{name}"{" open" * is_open}')
