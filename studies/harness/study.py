# SPDX-License-Identifier: Apache-2.0
"""What scripts/evaluate asks of a study whose page holds a paper's claims against ours."""


def functions(measures, drawings, parts, headlines):
    """plots(), draw(), page() and summary().

    \\param measures   of results: what the others ask
    \\param drawings   a module with FIGURES, the files' names, and draw(measures, folder)
    \\param parts      of measures: the page's parts, a text each
    \\param headlines  of measures: the table for the README of the whole
    """
    def plots(results):
        del results
        return list(drawings.FIGURES)

    def draw(results, folder):
        return drawings.draw(measures(results), folder)

    def page(results):
        return "\n\n".join(parts(measures(results))) + "\n"

    def summary(results):
        return headlines(measures(results))

    return plots, draw, page, summary
