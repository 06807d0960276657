"""A small labelled table as it is drawn: texts, frames and sums; as lines of text, and as HTML (`TABLE`)."""

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import torch

from utils.common.columns import columns

# Columns of a line of text.
WIDTH = 92


@dataclass(frozen=True)
class GridRow:
    """A row of a table: its label, its cells' texts, and whether each is framed; `group` is the label of a stack."""

    label: str
    cells: list[str]
    framed: list[bool]
    group: str = ""
    total: str = ""


@dataclass(frozen=True)
class Grid:
    """A table as it is drawn; `dashed`: a frame around all of it, because its shape is not what it should be."""

    title: str
    columns: list[str]
    rows: list[GridRow]
    totals: list[str] = field(default_factory=list)
    dashed: bool = False
    corner: str = ""  # what the columns' numbers count, "component …"

    @property
    def has_groups(self) -> bool:
        return any(row.group for row in self.rows)

    @property
    def has_sums(self) -> bool:
        return any(row.total for row in self.rows)

    def starts(self) -> list[int]:
        """Return for each row how many rows of its group begin here; 0 within a group."""
        groups = [row.group for row in self.rows]
        return [groups.count(g) if i == 0 or groups[i - 1] != g else 0 for i, g in enumerate(groups)]


def as_lines(grid: Grid) -> list[str]:
    """Return a table as lines of text, framed cells in brackets."""
    head = [grid.corner, *(f"{column} " for column in grid.columns), *(["Σ "] if grid.has_sums else [])]
    body = [
        [
            f"{row.group}, {row.label}".strip(", "),
            *(f"[{text}]" if frame else f" {text} " for text, frame in zip(row.cells, row.framed, strict=True)),
            *([f"{row.total} "] if grid.has_sums else []),
        ]
        for row in grid.rows
    ]
    if grid.totals:
        body.append(["Σ", *(f" {total} " for total in grid.totals), *([""] if grid.has_sums else [])])
    widths = [max(columns(row[i]) for row in [head, *body]) for i in range(len(head))]
    lines = [grid.title]
    for row in [head, *body] if any(text.strip() for text in head) else body:
        first, *others = (" " * (width - columns(text)) for text, width in zip(row, widths, strict=True))
        cells = [row[0] + first, *(space + text for space, text in zip(others, row[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def beside_each_other(left: list[str], right: list[str]) -> list[str]:
    """Return two tables next to each other, or below each other where the lines would be too long."""
    width = max(map(columns, left)) + 4
    if width + max(map(columns, right)) > WIDTH:
        return [*left, *right]
    pairs = zip_longest(left, right, fillvalue="")
    return [(line + " " * (width - columns(line)) + right_line).rstrip() for line, right_line in pairs]


def number_text(number: float, whole: bool) -> str:
    """Write a number: a whole one without digits behind the point, others with two."""
    if number != number or number in (float("inf"), float("-inf")):
        return "nan" if number != number else "∞" if number > 0 else "−∞"
    text = f"{number:.0f}" if whole else f"{number:.2f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")


def is_whole(value: Any) -> bool:
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return True
    finite = value[value.isfinite()]
    return bool(((finite - finite.round()).abs() < 1e-6).all())


# Defines the macro `table(grid)`; needs the variables `words.sum` and `picture.differs`.
TABLE = """\
{% set label = "padding: 1px 8px; font-weight: normal; text-align: start; white-space: nowrap; border: 0; \
background: transparent" %}
{% set cell = "padding: 1px 8px; text-align: end; font-variant-numeric: tabular-nums; background: transparent" %}
{% macro table(grid) %}
<table dir="ltr" style="border-collapse: collapse; margin: 4px 24px 6px 4px; color: inherit; font-size: inherit; \
{{ 'outline: 3px dashed #C35100; outline-offset: 3px;' if grid.dashed }}">
  <caption style="caption-side: top; text-align: start; color: inherit; padding: 0 0 2px; \
white-space: nowrap"><b>{{ grid.title }}</b></caption>
  <tr style="background: transparent">
    {% if grid.has_groups %}<td style="border: 0"></td>{% endif %}<td style="{{ label }}">{{ grid.corner }}</td>
    {% for column in grid.columns %}
    <th scope="col" style="{{ label }}; text-align: end">{{ column }}</th>
    {% endfor %}
    {% if grid.has_sums %}<th scope="col" style="{{ label }}">{{ words.sum }}</th>{% endif %}
  </tr>
  {% for row in grid.rows %}
  {% set start = grid.starts()[loop.index0] %}
  <tr style="background: transparent">
    {% if grid.has_groups and start %}
    <th scope="rowgroup" rowspan="{{ start }}" style="{{ label }}; vertical-align: top; \
border-inline-end: 2px solid currentColor">{{ row.group }}</th>
    {% endif %}
    <th scope="row" style="{{ label }}">{{ row.label }}</th>
    {% for text in row.cells %}
    {% if row.framed[loop.index0] %}
    <td style="{{ cell }}; border: 3px solid #C35100">\
<b aria-label="{{ text }}, {{ picture.differs }}">{{ text }}</b></td>
    {% else %}
    <td style="{{ cell }}; border: 1px solid rgba(128, 128, 128, 0.55)">{{ text }}</td>
    {% endif %}
    {% endfor %}
    {% if row.total %}<td style="{{ cell }}; border: 0">{{ row.total }}</td>{% endif %}
  </tr>
  {% endfor %}
  {% if grid.totals %}
  <tr style="background: transparent">
    <th scope="row" style="{{ label }}">{{ words.sum }}</th>
    {% for total in grid.totals %}<td style="{{ cell }}; border: 0">{{ total }}</td>{% endfor %}
  </tr>
  {% endif %}
</table>
{% endmacro %}
"""
