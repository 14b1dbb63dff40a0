"""Charts as SVG, PNG or PDF, by matplotlib: the same numbers give the same bytes.

matplotlib comes with the extra `plot` and is imported here alone.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from kg.errors import ExportError
from kg.links.figures import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png", ".pdf")
# Eight colours that stay apart for colour-blind readers (Okabe and Ito, "Color universal design", 2008).
_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#7F6BB3", "#999999", "#C8C8C8")
_INK, _GRID = "#333333", "#DDDDDD"
_STYLE = {
    "svg.hashsalt": "paperkg",  # ids in the file are a digest of it
    "svg.fonttype": "none",  # text stays text: light, searchable, editable
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: the same on every machine
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "axes.titlesize": 11.0,
    "axes.titlelocation": "left",
    "text.parse_math": False,  # a name with dollar signs is a name
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
}
_WITHOUT_TIME: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_LONG = 34  # letters of a name on an axis


def draw(charts: Sequence[Chart], suffix: str, *, subtitle: str = "") -> bytes:
    """The charts side by side in one picture.

    Args:
        suffix: one of `SUFFIXES`. subtitle: what the numbers are limited to.

    Raises:
        ExportError: the suffix is unknown, or matplotlib is not installed.
    """
    if suffix.lower() not in SUFFIXES:
        raise ExportError(
            f"figures are not written as {suffix or 'a file without suffix'!r}", hint=f"use {', '.join(SUFFIXES)}"
        )
    try:
        from matplotlib import style
        from matplotlib.figure import Figure
    except ImportError:
        raise ExportError(
            "drawing needs matplotlib, which is not installed", hint="pip install 'paperkg[plot]' adds it"
        ) from None
    kind = suffix.lower().lstrip(".")
    with style.context(["default", _STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a picture shows a box; the text of an SVG is whole
        height = max(4.0, *(0.26 * len(c.places) + 1.1 if c.form == "bars" else 4.0 for c in charts))
        figure = Figure(figsize=(7.2 if len(charts) == 1 else 5.2 * len(charts), height), layout="constrained")
        for chart, axes in zip(charts, figure.subplots(1, len(charts), squeeze=False)[0], strict=True):
            _FORMS[chart.form](axes, chart)
            notes = "; ".join(part for part in (subtitle, chart.note) if part)
            axes.set_title(chart.title + (f"\n{notes}" if notes else ""))
        out = io.BytesIO()
        figure.savefig(out, format=kind, dpi=150, metadata=_WITHOUT_TIME[kind])
    return out.getvalue()


def _columns(axes: Axes, chart: Chart) -> None:
    spots = range(len(chart.places))
    base = [0.0] * len(chart.places)
    for i, series in enumerate(chart.series):
        values = [v or 0.0 for v in series.values]
        axes.bar(spots, values, 0.85, bottom=base, color=_color(i, series.name), label=series.name)
        base = [b + v for b, v in zip(base, values, strict=True)]
    _places(axes, chart)
    _finish(axes, chart, grid="y")
    axes.set_ylim(bottom=0)
    if len(chart.series) > 1:
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles[::-1], labels[::-1], loc="upper left")  # as they lie on one another


def _bars(axes: Axes, chart: Chart) -> None:
    spots = range(len(chart.places))
    base = [0.0] * len(chart.places)
    for i, series in enumerate(chart.series):
        values = [v or 0.0 for v in series.values]
        axes.barh(spots, values, 0.75, left=base, color=_color(i, series.name), label=series.name)
        base = [b + v for b, v in zip(base, values, strict=True)]
    for spot, total in zip(spots, base, strict=True):
        axes.annotate(f"{total:,.0f}", (total, spot), (3, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(spots, [_short(place) for place in chart.places])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(chart.places) - 0.4, -0.6)
    axes.margins(x=0.08)
    _finish(axes, chart, grid="x", swapped=True)
    if len(chart.series) > 1:
        axes.legend(loc="lower right")


def _lines(axes: Axes, chart: Chart) -> None:
    """Lines with their names at their ends, moved apart so that none covers another."""
    last = len(chart.places) - 1
    ends: list[tuple[float, int, str]] = []
    for i, series in enumerate(chart.series):
        values = [float("nan") if v is None else v for v in series.values]
        axes.plot(range(last + 1), values, color=_color(i, series.name), linewidth=1.8, marker="o", markersize=2.5)
        known = [v for v in series.values if v is not None]
        ends.append((known[-1] if known else 0.0, i, series.name))
    axes.set_ylim(bottom=0)
    room = axes.get_ylim()[1] / 20
    ends.sort()
    at = -room / 2
    for value, i, name in ends:
        at = max(value, at + room)
        axes.annotate(_short(name), (last, at), (6, 0), textcoords="offset points", va="center", color=_color(i, name))
    _places(axes, chart)
    _finish(axes, chart, grid="y")


def _places(axes: Axes, chart: Chart) -> None:
    step = max(1, -(-len(chart.places) // 12))
    shown = list(range((len(chart.places) - 1) % step, len(chart.places), step))  # the last one is among them
    axes.set_xticks(shown, [chart.places[i] for i in shown])


def _finish(axes: Axes, chart: Chart, grid: Literal["x", "y"], swapped: bool = False) -> None:
    axes.set_xlabel(chart.y if swapped else chart.x)
    axes.set_ylabel(chart.x if swapped else chart.y)
    axes.grid(axis=grid, color=_GRID, linewidth=0.7)
    axes.set_axisbelow(True)


def _color(i: int, name: str) -> str:
    return {"other": _COLORS[-2], "no venue": _COLORS[-1]}.get(name, _COLORS[i % (len(_COLORS) - 2)])


def _short(name: str) -> str:
    return name if len(name) <= _LONG else name[: _LONG - 1] + "…"


_FORMS = {"columns": _columns, "bars": _bars, "lines": _lines}
