# SPDX-License-Identifier: Apache-2.0
"""The jobs of a sweep or a study as a file of its folder, for those who were not there when they were chosen: tasks of
Slurm, status, collect.

FOLDER/plan.json, and beside it jobs (store.py), inputs, slurm (slurm.py).
"""
import dataclasses
import json
import os
import pathlib

from .files import replace
from .job import Job
from .program import Program, built_here

VERSION = 1


class NoPlan(Exception):
    """There is none, or it is not what this program writes, or not of this program."""


@dataclasses.dataclass
class Plan:
    name: str
    program: dict  # path, is_own, build folder, identity
    jobs: dict  # by key
    labels: dict  # of keys: by what name the sweep knows the mechanism
    engine: dict = dataclasses.field(default_factory=dict)  # how it was started: options of engine.py

    @staticmethod
    def of(name, program, inputs, labels, engine):
        """\\param labels  {job: label}"""
        keys = {job: program.key(job, inputs) for job in labels}
        return Plan(name, {"path": str(program.path), "is_own": program.is_own, "build": str(built_here()),
                           "identity": program.identity()},
                    {key: job for job, key in keys.items()}, {keys[job]: label for job, label in labels.items()}, engine)

    @staticmethod
    def file(folder):
        return folder / "plan.json"

    def write(self, folder):
        jobs = [{"key": key, "label": self.labels[key], "job": changed(job)} for key, job in self.jobs.items()]
        whole = {"version": VERSION, "name": self.name, "program": self.program, "engine": self.engine, "jobs": jobs}
        folder.mkdir(parents=True, exist_ok=True)
        replace(self.file(folder), json.dumps(whole, indent=1) + "\n")

    @staticmethod
    def read(folder):
        """\\throws NoPlan"""
        file = Plan.file(folder)
        try:
            whole = json.loads(file.read_text())
            if whole["version"] != VERSION:
                raise NoPlan(f"{file} has version {whole['version']}, this program reads {VERSION}")
            jobs = {one["key"]: Job(**one["job"]) for one in whole["jobs"]}
            return Plan(whole["name"], whole["program"], jobs, {one["key"]: one["label"] for one in whole["jobs"]},
                        whole["engine"])
        except OSError:
            raise NoPlan(f"no sweep in {folder}: it has no plan.json") from None
        except (ValueError, KeyError, TypeError):
            raise NoPlan(f"{file} is not what a sweep writes") from None

    def its_program(self):
        """\\throws NoPlan  the program is another one by now"""
        os.environ["BUILD_DIR"] = self.program["build"]
        program = Program(None if self.program["is_own"] else pathlib.Path(self.program["path"]))
        if program.identity() != self.program["identity"]:
            raise NoPlan(f"{program.path} is another program than when {self.name} was begun, and so would be the results; "
                         "begin it again with the command that began it")
        return program


def changed(job):
    """Fields that are not as usual."""
    return {field.name: getattr(job, field.name) for field in dataclasses.fields(job)
            if getattr(job, field.name) != field.default}
