# SPDX-License-Identifier: Apache-2.0
"""The two tables over all runs: a row a run, and gains, a row a kernel and a column a mechanism."""
from . import figures, markup


def verdict(run):
    if run["status"] == "ok":
        return "yes" if run["equals_oracle"] else "order matters"
    return run["status"]


def l1_hits(run):
    accesses = run.get("memory_system.l1_accesses")
    return run.get("memory_system.l1_hits") / accesses if accesses else None


def stall_cell(run):
    reason, share = figures.largest_stall(run)
    words = f"{share:.1%} {markup.link('stalls.' + reason, reason)}" if reason else markup.MISSING
    return 'class="word"', words


# Columns behind kernel and mechanism: header, key of its definition, cell of a run that has ended.
COLUMNS = (
    ("cycles", "cycles", lambda study, run: markup.count(run["cycles"])),
    ("gain", "page.gain", lambda study, run: markup.times(study.gain(run))),
    ("IPC", "ipc", lambda study, run: markup.decimal(run["ipc"])),
    ("lanes used", "lane_utilisation", lambda study, run: markup.percent(run["lane_utilisation"])),
    ("AvgPath", "avg_path", lambda study, run: markup.decimal(run["avg_path"])),
    ("idle", "idle_cycles", lambda study, run: markup.percent(figures.idle_share(run))),
    ("warp instr.", "warp_instructions", lambda study, run: markup.count(run["warp_instructions"])),
    ("diverged", "divergent_branches", lambda study, run: markup.percent(figures.diverged(run))),
    ("stack depth", "stack_depth.max", lambda study, run: markup.count(run.get("stack_depth.max"))),
    ("L1 hits", "memory_system.l1_hits", lambda study, run: markup.percent(l1_hits(run))),
    ("largest stall", "page.largest_stall", lambda study, run: stall_cell(run)),
    ("equals oracle", "page.equals_oracle", lambda study, run: ('class="word"', verdict(run))))
TEXTS = ("largest stall", "equals oracle")


def cells(study, run):
    if run.ended:
        return [of(study, run) for _, _, of in COLUMNS]
    return [markup.MISSING] * (len(COLUMNS) - 1) + [('class="word"', verdict(run))]


def run_row(study, run):
    kernel, mechanism = markup.text(run.kernel), markup.text(run.mechanism)
    return markup.row([f'<a href="#kernel-{kernel}">{kernel}</a>', ('class="word"', mechanism), *cells(study, run)],
                      f' data-kernel="{kernel}" data-mechanism="{mechanism}"')


def of_runs(study):
    headers = [markup.header("kernel"), markup.header("mechanism", is_text=True),
               *(markup.header(name, key, is_text=name in TEXTS) for name, key, _ in COLUMNS)]
    return markup.table(f"Runs; gains are over {study.reference}", headers, [run_row(study, run) for run in study.runs],
                        "runs")


def gain_cell(gain, mechanism):
    """Tinted by how much: the eye finds the large ones."""
    of = f'data-mechanism="{markup.text(mechanism)}"'
    if gain is None:
        return of, markup.MISSING
    step = min(3, int(abs(gain - 1) / 0.08) + 1) if abs(gain - 1) >= figures.LEAST else 0
    kind = f"{'gain' if gain > 1 else 'loss'}{step}" if step else ""
    return f'{of} class="{kind}"' if kind else of, markup.times(gain)


def gain_row(study, kernel):
    named = [(study.by_name.get((kernel, name)), name) for name in study.others()]
    base, name = study.base(kernel), markup.text(kernel)
    return markup.row([f'<a href="#kernel-{name}">{name}</a>', markup.count(base["cycles"] if base else None),
                       *(gain_cell(study.gain(run) if run else None, name) for run, name in named)],
                      f' data-kernel="{name}"')


def of_gains(study):
    """Empty where there is one mechanism."""
    if not study.others():
        return ""
    headers = [markup.header("kernel"), markup.header(f"cycles, {study.reference}", "cycles"),
               *(markup.header(name, mechanism=name) for name in study.others())]
    means = [gain_cell(figures.mean(study.gains(name).values()), name) for name in study.others()]
    last = markup.row(["geometric mean", "", *means], ' class="mean"')
    body = markup.table(f"Gain over {study.reference}", headers, [gain_row(study, kernel) for kernel in study.kernels], "gains")
    return body.replace("</tbody>", f"</tbody><tfoot>{last}</tfoot>") if len(study.kernels) > 1 else body
