"""What the paths of an SVG are: the commands of SVG 2 (9.3) that pmon writes."""

import re

COORDINATES = {"M": 2, "m": 2, "l": 2, "h": 1, "v": 1}


def parts_of(path):
    """The points of each part of a path element, which begins with a move: [[(x, y)]]."""
    parts, x, y = [], 0.0, 0.0
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", path.get("d")):
        values = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        count = COORDINATES[command]
        if len(values) % count or not values:
            raise ValueError(f"{command}{numbers}")
        for at in range(0, len(values), count):
            across = values[at] if command != "v" else 0
            down = values[at + count - 1] if command != "h" else 0
            x, y = (across, down) if command == "M" else (x + across, y + down)
            if command in "Mm":
                parts.append([])
            parts[-1].append((x, y))
    return parts


def points_of(path):
    return [point for part in parts_of(path) for point in part]
