# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG, the same bytes each time."""


def bars(axes, names, series, label):
    """Groups of bars, one a name. \\param series  {name: values, None where nothing is known}"""
    names, width = list(names), 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        places = [at + (number - (len(series) - 1) / 2) * width for at in range(len(names))]
        axes.bar(places, [float("nan") if value is None else value for value in values], width, label=name)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_ylabel(label)
    axes.axhline(0, color="grey", linewidth=0.6)


def in_percent(value):
    return None if value is None else 100 * value


def draw(m, figures, folder):
    """Writes them; the files. \\param figures  {file: (draws on (m, figure), size in inches)}"""
    import matplotlib  # a second to load

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "heddle"
    from matplotlib import pyplot

    files = []
    for name, (of, size) in figures.items():
        figure = pyplot.figure(figsize=size, layout="constrained")
        of(m, figure)
        files.append(folder / name)
        figure.savefig(files[-1], metadata={"Date": None})
        pyplot.close(figure)
    return files
