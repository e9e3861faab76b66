# SPDX-License-Identifier: Apache-2.0
"""HTML, as text: escaped, and numbers as people read them."""
import html
import re

from harness.page import MISSING, number, of_whole as percent


def text(value):
    return html.escape(str(value))


def anchor(key):
    """Of a definition in the glossary."""
    return "g-" + re.sub(r"\W+", "-", key).strip("-")


def link(key, words):
    """To the definition of a statistic."""
    return f'<a href="#{anchor(key)}">{text(words)}</a>'


def count(value):
    return number(value)


def decimal(value, digits=3):
    return number(value, digits)


def times(value):
    return MISSING if value is None else f"{value:.3f}x"


def anything(value):
    """A statistic of whatever kind."""
    return decimal(value) if isinstance(value, float) else count(value)


def header(words, key=None, mechanism=None, is_text=False):
    """A column that sorts when its button is pressed, with a way to its definition."""
    of = (f' data-mechanism="{text(mechanism)}"' if mechanism else "") + (' class="word"' if is_text else "")
    why = f'<a class="why" href="#{anchor(key)}" aria-label="definition of {text(words)}">?</a>' if key else ""
    breaking = text(words).replace("/", "/<wbr>")
    return f'<th scope="col" aria-sort="none"{of}><button type="button">{breaking}</button>{why}</th>'


def row(cells, attributes=""):
    """The first cell is the row's header. Cells are HTML, or (attributes, HTML)."""
    def cell(one):
        return f"<td {one[0]}>{one[1]}" if isinstance(one, tuple) else f"<td>{one}"
    return f"<tr{attributes}><th scope=row>{cells[0]}{''.join(map(cell, cells[1:]))}"


def table(caption, headers, rows, kind=""):
    """Closing tags that HTML does not need are left out of the rows: there are tens of thousands of cells."""
    return (f'<div class="wide" tabindex="0" role="region" aria-label="{text(caption)}">'
            f'<table class="{kind}"><caption>{text(caption)}</caption><thead><tr>{"".join(headers)}</tr></thead>'
            f'<tbody>{"".join(rows)}</tbody></table></div>')


def unfolding(summary, inside, attributes=""):
    return f"<details{attributes}><summary>{summary}</summary>{inside}</details>"
