# SPDX-License-Identifier: Apache-2.0
"""What has become of a sweep's jobs."""
import dataclasses

from harness import slurm
from harness.store import key_of

SHOWN = 20  # jobs of a kind that a list names


@dataclasses.dataclass
class State:
    done: list  # keys
    running: dict  # {key: claim of who runs it}
    failed: dict  # {key: message}
    to_do: list
    differing: list  # files of results that are not equal to the one that counts

    @staticmethod
    def of(plan, store):
        state = State([], {}, {}, [], [])
        for key in plan.jobs:
            state.differing += store.differing(key)
            if store.is_done(key):
                state.done.append(key)
            elif (claim := store.leases.holder(key)) is not None:
                state.running[key] = claim
            elif (record := store.failure(key)) is not None:
                state.failed[key] = record["message"]
            else:
                state.to_do.append(key)
        return state

    def is_whole(self):
        return not (self.failed or self.running or self.to_do or self.differing)

    def counts(self):
        return f"{len(self.done)} done, {len(self.running)} running, {len(self.failed)} failed, {len(self.to_do)} to do"

    def problems(self, plan, store):
        """Lines that name jobs which failed, and results that differ."""
        yield from named("failed", [f"{plan.jobs[key].text()}\n    {why}" for key, why in self.failed.items()])
        for file in self.differing:
            yield f"two results of a job differ: {store.file(key_of(file))} and {file}"

    def missing(self, plan, store):
        """Lines that name all that stands between this and a whole."""
        yield from self.problems(plan, store)
        yield from named("running", [plan.jobs[key].text() for key in self.running])
        yield from named("to do", [plan.jobs[key].text() for key in self.to_do])


def named(what, lines):
    for line in lines[:SHOWN]:
        yield f"{what}: {line}"
    if len(lines) > SHOWN:
        yield f"{what}: and {len(lines) - SHOWN} more"


def report(plan, store, folder):
    """Lines for a person."""
    state = State.of(plan, store)
    yield f"{plan.name}: {len(plan.jobs)} jobs: {state.counts()}"
    yield from named("running", [f"{plan.jobs[key].text()}\n    {of_claim(claim, store.leases.starts(key))}"
                                 for key, claim in state.running.items()])
    yield from state.problems(plan, store)
    if slurm.submissions(folder):
        yield of_slurm(folder)
    if len(state.done) < len(plan.jobs):
        yield f"what is left: heddle sweep resume {folder}"
    elif not state.differing:
        yield f"all are there: heddle sweep collect {folder}"


def of_claim(claim, starts):
    task = f", Slurm's {claim['slurm']}" if claim["slurm"] else ""
    again = f"; start {starts}" if starts > 1 else ""
    return f"on {claim['host']}, process {claim['pid']}{task}, since {claim['since']}{again}"


def of_slurm(folder):
    try:
        states = list(slurm.queue(folder).values())
    except slurm.NoSlurm as why:
        return f"Slurm does not say how its tasks are: {why}"
    if not states:
        return "Slurm has no task of it"
    return "Slurm's tasks: " + ", ".join(f"{states.count(state)} {state.lower()}" for state in sorted(set(states)))
