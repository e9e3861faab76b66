# SPDX-License-Identifier: Apache-2.0
"""Area and time of blocks over a key of the design point, or a parameter of the twin, with a plot."""
import pathlib

from tools.output_file import with_folder

from . import SynthError, flow, report, technology


def plot_of(args, done):
    """Draws them; where the plot lies."""
    key, _ = args.scale
    lines = {}
    for twin, figures in done:
        lines.setdefault(report.title(figures), []).append((dict(twin.overrides)[key],
                                                            flow.scaled(figures, args.node)))
    target = pathlib.Path(args.plot) if args.plot else \
        args.build / "synth" / f"{'_'.join(args.blocks)}_over_{key}.svg"
    plot(lines, key, args.point or flow.SMALL, args.node, target)
    return target


def plot(lines, key, point, node, target):
    """mm2 and ns over the key. lines: title -> [(value, figures)]; a broken line: the part in memories."""
    import matplotlib  # a second to load, and only plots need it
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "heddle"  # the same plot, byte for byte, each time
    from matplotlib import pyplot
    figure, (areas, times) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for title, samples in lines.items():
        at = [value for value, _ in samples]
        whole = [f["logic_mm2"] + (f["memory_mm2"] or 0) for _, f in samples]
        line, = areas.plot(at, whole, marker="o", label=title)
        memories = [f["memory_mm2"] or 0 for _, f in samples]
        if any(memories):
            areas.plot(at, memories, linestyle="--", marker=".", color=line.get_color())
        times.plot(at, [f["ns"] for _, f in samples], marker="o", color=line.get_color())
    areas.set_ylabel(f"mm2 at {node:g} nm (broken: memories)")
    times.set_ylabel(f"longest path, ns at {technology.NODE} nm")
    for axes in (areas, times):
        axes.set_xlabel(f"{key}, the rest as {point}")
        axes.set_ylim(bottom=0)
        axes.set_xticks(sorted({value for samples in lines.values() for value, _ in samples}))
        axes.grid(alpha=0.3)
    areas.legend(fontsize=8)
    try:
        figure.savefig(with_folder(target), metadata={"Date": None} if target.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        raise SynthError(f"{target}: the plot cannot be written: {error}") from None
    pyplot.close(figure)
