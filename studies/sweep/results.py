# SPDX-License-Identifier: Apache-2.0
"""What comes of a sweep: a row a job, as studies have it, with the name of its mechanism."""
from harness.files import replace
from harness.results import Results, row_of

OF_THE_RUN = ("scoreboard", "register_file")  # what a job may leave to the mechanism's paper, and the run says


def row(record, label):
    found = {"mechanism": label, **row_of(record)}
    return found | {key: record["run"].get(key, "") for key in OF_THE_RUN if not found[key]}


def collected(plan, store):
    """Of the jobs that are done, each once, in the order of the plan."""
    rows = [row(store.load(key), plan.labels[key]) for key in plan.jobs if store.is_done(key)]
    return Results(plan.name, rows)


def write(plan, store, folder):
    """The files, and how many rows they have."""
    results = collected(plan, store)
    files = {folder / "results.json": results.json(), folder / "results.csv": results.csv()}
    for file, text in files.items():
        replace(file, text)
    return list(files), len(results.rows)
