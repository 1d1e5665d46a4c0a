# drawing.py - lines on two logarithmic scales, as SVG in pmon's colours
# SPDX-License-Identifier: MIT
#
# pmon chart draws values over time; here both scales are logarithmic, so that what is linear is a
# straight line that rises a decade in a decade.

import math
from html import escape

LIGHT = ["#0072b2", "#d55e00", "#009e73"]
DARK = ["#56b4e9", "#e69f00", "#00b987"]
WIDTH, HEIGHT = 420, 280  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 30, 40
LEGEND = 26

STYLE = "".join(
    ["text{font:12px system-ui,sans-serif;fill:#656d76}.t{font-weight:600;fill:#1f2328}"
     ".p{fill:#ffffff}.g{stroke:#e6e8eb}.a{stroke:#a0a7af;fill:none}"
     "polyline{fill:none;stroke-width:2}",
     *(f".s{i}{{stroke:{c}}}circle.s{i}{{fill:{c}}}" for i, c in enumerate(LIGHT)),
     "@media(prefers-color-scheme:dark){text{fill:#9198a1}.t{fill:#e6edf3}.p{fill:#14161a}"
     ".g{stroke:#2a2e35}.a{stroke:#5f6670}",
     *(f".s{i}{{stroke:{c}}}circle.s{i}{{fill:{c}}}" for i, c in enumerate(DARK)), "}"])


def decades(numbers):
    """The powers of ten around positive numbers; at least one decade."""
    low, high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
    return low, max(high, low + 1)


def short(power):
    for unit, size in (("G", 9), ("M", 6), ("k", 3), ("", 0), ("m", -3), ("µ", -6), ("n", -9)):
        if power >= size:
            return f"{10 ** (power - size)}{unit}"
    return f"{10.0 ** power:g}"


class Panel:
    """A title, the name of the horizontal scale, and {name: [(x, y), ...]}.

    A line without points is not drawn, and leaves the colours of the others as they are.
    """

    def __init__(self, title, across, lines):
        self.title, self.across, self.lines = title, across, lines
        points = [p for line in lines.values() for p in line]
        self.x, self.y = decades([p[0] for p in points]), decades([p[1] for p in points])

    def place(self, x, y):
        width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return (LEFT + width * (math.log10(x) - self.x[0]) / (self.x[1] - self.x[0]),
                HEIGHT - BOTTOM - height * (math.log10(y) - self.y[0]) / (self.y[1] - self.y[0]))

    def grid(self):
        out = []
        for power in range(self.x[0], self.x[1] + 1):
            x, bottom = self.place(10.0 ** power, 10.0 ** self.y[0])
            out.append(f'<path class="g" d="M{x:.1f} {TOP}V{bottom:.1f}"/><text x="{x:.1f}" '
                       f'y="{bottom + 15:.1f}" text-anchor="middle">{short(power)}</text>')
        for power in range(self.y[0], self.y[1] + 1):
            left, y = self.place(10.0 ** self.x[0], 10.0 ** power)
            out.append(f'<path class="g" d="M{left:.1f} {y:.1f}H{WIDTH - RIGHT}"/><text '
                       f'x="{left - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">'
                       f'{short(power)}</text>')
        return out

    def svg(self, offset):
        out = [f'<g transform="translate({offset},0)"><text class="t" x="{LEFT}" y="18">'
               f'{escape(self.title)}</text>', *self.grid(),
               f'<path class="a" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
               f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">'
               f'{escape(self.across)}</text>']
        for i, line in enumerate(self.lines.values()):
            if not line:
                continue
            places = [self.place(*p) for p in line]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            out.append(f'<polyline class="s{i}" points="{path}"/>')
            out += [f'<circle class="s{i}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places]
        return "\n".join([*out, "</g>"])


def figure(panels):
    """Panels side by side, all of the same lines, and below them what the lines are."""
    width, height = WIDTH * len(panels), HEIGHT + LEGEND
    out = ['<svg xmlns="http://www.w3.org/2000/svg" '
           f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
           f"<style>{STYLE}</style>", f'<rect class="p" width="{width}" height="{height}"/>']
    out += [panel.svg(i * WIDTH) for i, panel in enumerate(panels)]
    x = LEFT
    for i, (name, line) in enumerate(panels[0].lines.items()):
        if not line:
            continue
        out.append(f'<path class="s{i}" stroke-width="2" d="M{x} {HEIGHT + 6}h22"/>'
                   f'<text x="{x + 28}" y="{HEIGHT + 10}">{escape(name)}</text>')
        x += 110
    return "\n".join([*out, "</svg>", ""])
