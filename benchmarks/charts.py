"""Charts of what `make growth` measured, as one SVG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

COLOURS = {"zavandor": "#2b6cb0", "simurgh": "#c05621", "root": "#2f855a"}
AXES = {
    "length": "progress of the game",
    "versions": "versions of the session",
    "seats": "seats",
    "size": "KiB of the state",
}
COSTS = {
    "judgement": "judgement",
    "options": "option list, each",
    "encode": "encoding the state",
    "commit": "action in a session",
}
WIDTH, HEIGHT = 1600, 1000
Kept = Mapping[str, Mapping[str, Any]]


def draw(kept: Kept, path: Path) -> None:
    """A row for each thing that costs may grow with, a column for each cost; microseconds, a line a game."""
    import leather  # of the development environment: the figures are kept where it is not installed, too

    for text in ("title", "legend", "axis_title", "tick"):
        setattr(leather.theme, f"{text}_font_family", "monospace")
    grid = leather.Grid()
    for axis in ("length", "seats", "size"):
        for cost in COSTS:
            along = "versions" if (axis, cost) == ("length", "commit") else axis
            chart = leather.Chart(f"{COSTS[cost]}, us")
            lines = {game: _line(found, along, cost) for game, found in kept.items()}
            for game, line in lines.items():
                chart.add_line(line, name=game.capitalize(), stroke_color=COLOURS[game])
            every = [point for line in lines.values() for point in line]
            least = min(x for x, _ in every) if along == "seats" else 0
            chart.add_x_scale(least, max(least + 1, *(x for x, _ in every)))
            chart.add_y_scale(0, max(y for _, y in every) * 1.05)
            chart.add_x_axis(name=AXES[along])
            grid.add_one(chart)
    grid.to_svg(str(path), WIDTH, HEIGHT)


def _line(found: Mapping[str, Any], axis: str, cost: str) -> list[tuple[float, float]]:
    if axis == "versions":
        return [(v["version"], v["action"]) for v in found["versions"]]
    return [(x, y) for x, y in found[axis][cost]]
