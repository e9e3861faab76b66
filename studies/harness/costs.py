# SPDX-License-Identifier: Apache-2.0
"""What jobs cost, from those that were measured, and how many make a task."""
import heapq

from .results import NoResults, Results, row_of

GUESS = 30.0  # CPU seconds of a job when nothing was measured: rather too small a task than one without an end


def like(job):
    """Of jobs that take about as long."""
    return job.kernel, job.size, job.warps, job.sms, job.coarsen


class Costs:
    """CPU seconds of a job: as it took before, whatever the program was then; else as jobs of its kernel and size took on
    average, else as its kernel's did, else as all did. \\param rows  (job, seconds)"""

    def __init__(self, rows):
        self.known = {}
        for job, seconds in rows:
            for what in (job, like(job), job.kernel, None):
                total, count = self.known.get(what, (0.0, 0))
                self.known[what] = total + seconds, count + 1

    def __call__(self, job):
        total, count = next((self.known[what] for what in (job, like(job), job.kernel, None) if what in self.known), (GUESS, 1))
        return total / count


def known_costs(study_folder, jobs, records):
    """Of the jobs of a study."""
    rows = []
    try:
        old = Results.read(study_folder / "results.json")
        rows += [(job, row["cpu_seconds"]) for job in jobs if (row := old.find(job)) is not None]
    except NoResults:
        pass
    rows += [(job, row_of(record)["cpu_seconds"]) for job, record in records.items()]
    return Costs(rows)


def chunks(jobs, costs, seconds):
    """The jobs in parts of about so many CPU seconds each, the longest first; one that takes longer is alone."""
    weights = {job: max(0.01, costs(job)) for job in jobs}
    count = max(1, round(sum(weights.values()) / seconds)) if jobs else 0
    parts = [(0.0, number, []) for number in range(count)]
    for job in sorted(jobs, key=lambda one: -weights[one]):
        filled, number, part = heapq.heappop(parts)
        part.append(job)
        heapq.heappush(parts, (filled + weights[job], number, part))
    return [part for _, _, part in sorted(parts, key=lambda one: one[1]) if part]
