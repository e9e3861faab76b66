"""The benches that were built: one a block and point, as CMake announces them in build/benches.txt."""


def bench_of(build, block, options):
    """The program that `scripts/tb BLOCK OPTIONS` runs; None where there is none."""
    point = options[options.index("--point") + 1] if "--point" in options else None
    rows = (line.split() for line in (build / "benches.txt").read_text().splitlines())
    return next((path for name, at, path in rows if name == block and point in (None, at)), None)
