"""Pictures of answers: bars that can be told apart in print and by the colour-blind."""

from __future__ import annotations

from pathlib import Path

from ..engine.chances import Chart
from ..engine.errors import RefereeError

# Okabe and Ito's colours, and a hatching for each.
LOOKS = (("#0072B2", ""), ("#E69F00", "//"), ("#009E73", ".."), ("#CC79A7", "xx"), ("#56B4E9", "\\\\"), ("#D55E00", "++"))


def draw(chart: Chart, file: Path) -> None:
    """Draws a chart. RefereeError for another ending than svg or png, or if matplotlib is not installed."""
    if file.suffix.lower() not in (".svg", ".png"):
        raise RefereeError(f"{file}: a picture is an .svg or a .png file")
    try:
        import matplotlib
    except ImportError:
        raise RefereeError("pictures need matplotlib: pip install 'referee-tabletop[plot]'") from None
    matplotlib.use("Agg")
    # The same answer gives the same bytes, and text stays text.
    matplotlib.rcParams.update({"svg.hashsalt": "referee", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(max(5.0, 0.45 * len(chart.labels) * len(chart.series) + 2), 3.6))
    width = 0.8 / len(chart.series)
    for number, (name, values) in enumerate(chart.series):
        colour, hatch = LOOKS[number % len(LOOKS)]
        places = [place + (number - (len(chart.series) - 1) / 2) * width for place in range(len(chart.labels))]
        axes.bar(
            places,
            [float(value) for value in values],
            width,
            label=name,
            color=colour,
            hatch=hatch,
            edgecolor="black",
            linewidth=0.5,
        )
    axes.set_xticks(range(len(chart.labels)), chart.labels, rotation=0 if max(map(len, chart.labels)) < 6 else 45)
    axes.set_title(chart.title)
    axes.set_xlabel(chart.across)
    axes.spines[["top", "right"]].set_visible(False)
    if len(chart.series) > 1:
        axes.legend(frameon=False)
    figure.tight_layout()
    try:
        figure.savefig(file, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)
    finally:
        pyplot.close(figure)
