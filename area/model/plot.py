# SPDX-License-Identifier: Apache-2.0
"""The model beside CACTI 4.2's figures, on two logarithmic axes, as SVG."""
import math

from . import validation

SIZE, LEFT, BOTTOM, TOP = 460, 56, 44, 34
LOW, HIGH = 0.004, 10.0  # mm2, both axes
TICKS = (0.01, 0.1, 1, 10)
# To the left of its point, where a label would else leave the plot or meet another one.
LABEL_LEFT = {"warp allocator", "register file", "bank of it", "issue logic (Majority)"}


def svg():
    span = math.log(HIGH / LOW)

    def x(value):
        return LEFT + SIZE * math.log(value / LOW) / span

    def y(value):
        return TOP + SIZE * (1 - math.log(value / LOW) / span)

    def text(px, py, what, anchor="middle", extra=""):
        return f'<text x="{px:.1f}" y="{py:.1f}" text-anchor="{anchor}"{extra}>{what}</text>'

    width, height = LEFT + SIZE + 20, TOP + SIZE + BOTTOM
    spread = validation.accuracy().left_out_rms
    corners = [(LOW, LOW * spread), (HIGH / spread, HIGH), (HIGH, HIGH), (HIGH, HIGH / spread), (LOW * spread, LOW),
               (LOW, LOW)]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="DejaVu Sans, Helvetica, sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           text(width / 2, 20, f"Model and CACTI 4.2 at 90 nm; band: a factor of {spread:.2f}", "middle",
                ' font-size="13"'),
           '<polygon fill="#dce9f7" points="' + " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in corners) + '"/>']
    for tick in TICKS:
        out += [f'<path d="M{x(tick):.1f} {y(LOW):.1f}V{y(HIGH):.1f}M{x(LOW):.1f} {y(tick):.1f}H{x(HIGH):.1f}" '
                'stroke="#d0d0d0"/>',
                text(x(tick), y(LOW) + 16, f"{tick:g}"), text(LEFT - 6, y(tick) + 4, f"{tick:g}", "end")]
    out += [f'<path d="M{x(LOW):.1f} {y(LOW):.1f}L{x(HIGH):.1f} {y(HIGH):.1f}" stroke="#606060"/>',
            f'<rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#606060"/>',
            text(LEFT + SIZE / 2, height - 8, "CACTI 4.2 (DWF sec. 4.4), mm2"),
            text(14, TOP + SIZE / 2, "model, mm2", extra=f' transform="rotate(-90 14 {TOP + SIZE / 2:.1f})"')]
    for row in validation.validate():
        px, py = x(row.figure.paper), y(row.model)
        left = row.figure.name in LABEL_LEFT
        fill = "#1f5fa8" if row.fitted else "#ffffff"
        out += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="{fill}" stroke="#1f5fa8"/>',
                text(px + (-8 if left else 8), py + (-5 if left else 11), row.figure.name, "end" if left else "start")]
    out += [text(LEFT + SIZE - 8, TOP + SIZE - 22, "filled: the fitted constant matters", "end"),
            text(LEFT + SIZE - 8, TOP + SIZE - 8, "open: published dimensions alone", "end"), "</svg>"]
    return "\n".join(out) + "\n"
