# SPDX-License-Identifier: Apache-2.0
"""One run of a kernel on a machine, or one limit study of it: what a grid is made of."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Job:
    """Fields are options of `heddle run`; they say all that is not the program's or the kernel's. What is not said stays
    out of the command line, so that a new field makes no old result another one."""
    kernel: str
    divergence: str = "spe"
    scoreboard: str = "baseline"  # nothing: that of the mechanism's paper
    point: str = "hpca13"
    settings: str = ""  # of --set: KEY=VALUE,...
    sms: int = 1
    memory: str = "timed"
    size: str = "small"
    warps: int = 0  # 0: as many as the size asks for
    input: str = ""  # a file, from the folder of the study's inputs
    seed: int = 1
    level: str = "O2"  # of clang, for the kernel
    command: str = "run"  # or "limit": heddle limit, which has neither mechanism nor memory
    register_file: str = ""  # that of the mechanism's paper
    max_registers: int = 0  # a thread; 0: as many as the point says
    block_threads: int = 0  # a block; 0: as many as the kernel chooses
    coarsen: int = 0  # work items a thread; 0: as many as the kernel chooses
    reconverge: str = "default"  # or predicted, automatic: convergence barriers
    deconfliction: str = "dynamic"  # or static
    soft_threshold: int = -1  # -1: lanes wait for all that may come
    affine: str = "none"  # or dac, cae: what computes what is affine in the thread index
    affine_batch: str = "full"  # or free
    affine_enqueue: str = "strict"  # or loose
    affine_branches: str = "all"  # or affine
    prefetch: str = "none"  # or mta
    # A file, from the folder of the study's inputs, instead of a kernel of ours, and the words behind it; in them INPUTS/
    # is that folder.
    ptx: str = ""

    def words(self, inputs="INPUTS"):
        """The command line behind `heddle`. \\param inputs  the folder of the study's inputs"""
        file, *how = self.ptx.split() or [""]
        words = [self.command, *(["--ptx", f"{inputs}/{file}", *(word.replace("INPUTS/", f"{inputs}/") for word in how)] if file else [self.kernel])]
        if self.command == "run":
            words += ["--divergence", self.divergence, *(["--scoreboard", self.scoreboard] if self.scoreboard else [])]
        words += ["--point", self.point]
        if self.settings:
            words += ["--set", self.settings]
        if self.command == "run":
            words += ["--sms", str(self.sms), "--memory", self.memory]
        words += ["--size", self.size]
        for option, value in (("--register-file", self.register_file), ("--max-registers", self.max_registers),
                              ("--block-threads", self.block_threads), ("--coarsen", self.coarsen)):
            words += [option, str(value)] if value else []
        if self.reconverge != "default":
            words += ["--reconverge", self.reconverge, "--deconfliction", self.deconfliction]
        if self.soft_threshold >= 0:
            words += ["--soft-threshold", str(self.soft_threshold)]
        for option, value, usual in (("--affine", self.affine, "none"), ("--affine-batch", self.affine_batch, "full"),
                                     ("--affine-enqueue", self.affine_enqueue, "strict"),
                                     ("--affine-branches", self.affine_branches, "all"), ("--prefetch", self.prefetch, "none")):
            words += [option, value] if value != usual else []
        if self.warps:
            words += ["--warps", str(self.warps)]
        if self.input:
            words += ["--input", f"{inputs}/{self.input}"]
        if self.level != "O2":
            words += ["--level", self.level]
        return [*words, "--seed", str(self.seed)]

    def text(self):
        """As a person types it."""
        return " ".join(["scripts/heddle", *self.words()])

    def short(self):
        """For a line of progress: what differs from the usual."""
        more = [f"{field.name}={getattr(self, field.name)}" for field in dataclasses.fields(self)[2:]
                if getattr(self, field.name) not in ("", field.default)]
        return " ".join((self.kernel, self.divergence, *more))


FIELDS = tuple(field.name for field in dataclasses.fields(Job))
