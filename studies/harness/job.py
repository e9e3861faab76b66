"""One run of a kernel on a machine: what a grid is made of."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Job:
    """Fields are options of `heddle run`; they say all that is not the program's or the kernel's."""
    kernel: str
    divergence: str = "spe"
    scoreboard: str = "baseline"
    point: str = "hpca13"
    settings: str = ""  # of --set: KEY=VALUE,...
    sms: int = 1
    memory: str = "timed"
    size: str = "small"
    warps: int = 0  # 0: as many as the size asks for
    input: str = ""  # a file, from the folder of the study's inputs
    seed: int = 1
    level: str = "O2"  # of clang, for the kernel

    def words(self, inputs="INPUTS"):
        """The command line behind `heddle`. \\param inputs  the folder of the study's inputs"""
        words = ["run", self.kernel, "--divergence", self.divergence, "--scoreboard", self.scoreboard, "--point", self.point]
        if self.settings:
            words += ["--set", self.settings]
        words += ["--sms", str(self.sms), "--memory", self.memory, "--size", self.size]
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
                if getattr(self, field.name) != field.default]
        return " ".join((self.kernel, self.divergence, *more))


FIELDS = tuple(field.name for field in dataclasses.fields(Job))
