#!/usr/bin/env python3
"""Draw predicted against measured, log-log, one color for each source, as SVG.

    plot_accuracy.py OUT.svg TITLE UNIT MEASURED.csv PREDICTIONS.csv [MEASURED.csv PREDICTIONS.csv ...]

PREDICTIONS.csv is what `stint validate KIND MEASURED.csv --per-row PREDICTIONS.csv` writes; MEASURED.csv gives
which source a row is from.
"""
import csv
import math
import sys

COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2",
           "#7f7f7f", "#bcbd22", "#393b79", "#637939"]
WIDTH, HEIGHT, LEFT, TOP, SIDE = 860, 560, 64, 40, 470


def read_points(pairs, unit):
    """(source, measured, predicted) of every scored row that has this unit."""
    for measured, predicted in pairs:
        with open(measured, newline="", encoding="utf-8") as file:
            sources = {r["id"]: r["source"].split("@")[0] for r in csv.DictReader(file)}
        with open(predicted, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["predicted"] and row["measured"] and row["unit"] == unit:
                    yield (sources.get(row["id"], "?"), float(row["measured"]),
                           float(row["predicted"]))


def short(source):
    return source.replace("github:", "").replace("https://", "")[:34]


def draw(points, title, unit):
    values = [v for p in points for v in p[1:]]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def place(value):
        return (math.log10(value) - low) / (high - low) * SIDE

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="24" font-size="15">{title}</text>']
    for power in range(low, high + 1):
        at = place(10 ** power)
        x, y = LEFT + at, TOP + SIDE - at
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{TOP + SIDE}" stroke="#ddd"/>')
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + SIDE}" y2="{y:.1f}" stroke="#ddd"/>')
        label = f"{10 ** power:g}" if -3 < power < 5 else f"1e{power}"
        out.append(f'<text x="{x:.1f}" y="{TOP + SIDE + 16}" text-anchor="middle">{label}</text>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    clip = f'<clipPath id="box"><rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}"/></clipPath>'
    out.append(clip + '<g clip-path="url(#box)">')
    for factor, dash in ((1, ""), (1.25, "4 4"), (0.8, "4 4")):
        shift = math.log10(factor) / (high - low) * SIDE
        out.append(f'<line x1="{LEFT}" y1="{TOP + SIDE - shift:.1f}" x2="{LEFT + SIDE}" '
                   f'y2="{TOP - shift:.1f}" stroke="#555" stroke-dasharray="{dash}"/>')
    sources = sorted({p[0] for p in points})
    for source, measured, predicted in points:
        color = COLOURS[sources.index(source) % len(COLOURS)]
        out.append(f'<circle cx="{LEFT + place(measured):.1f}" cy="{TOP + SIDE - place(predicted):.1f}" '
                   f'r="2.6" fill="{color}" fill-opacity="0.55"/>')
    out.append("</g>")
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#333"/>')
    out.append(f'<text x="{LEFT + SIDE / 2}" y="{HEIGHT - 14}" text-anchor="middle">measured, {unit}</text>')
    out.append(f'<text transform="translate(16 {TOP + SIDE / 2}) rotate(-90)" text-anchor="middle">'
               f'predicted, {unit}</text>')
    for i, source in enumerate(sources):
        y = TOP + 12 + 18 * i
        count = sum(p[0] == source for p in points)
        out.append(f'<circle cx="{LEFT + SIDE + 18}" cy="{y - 4}" r="4" fill="{COLOURS[i % len(COLOURS)]}"/>')
        out.append(f'<text x="{LEFT + SIDE + 28}" y="{y}">{short(source)} ({count})</text>')
    out.append(f'<text x="{LEFT + SIDE + 12}" y="{TOP + SIDE - 4}" fill="#555">dashed: 25 % off</text></svg>')
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) < 6 or len(sys.argv) % 2 != 0:
        sys.exit(__doc__)
    out, title, unit, files = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    points = list(read_points(zip(files[::2], files[1::2]), unit))
    with open(out, "w", encoding="utf-8") as file:
        file.write(draw(points, title, unit))


if __name__ == "__main__":
    main()
