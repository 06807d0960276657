"""A small case as a person sees it: labelled tables of the inputs, and the student's results beside the right ones.

The same picture is drawn as HTML in a notebook and as lines of text elsewhere. Cells that differ have a thick frame and
bold digits, or brackets in text, so that nothing depends on colour alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import torch

from utils.checks.engine.case_grid import (
    TABLE,
    WIDTH,
    Grid,
    GridRow,
    as_lines,
    beside_each_other,
    is_whole,
    number_text,
)
from utils.checks.engine.cases import CaseRun, StoredCase, differing_cells, nearest
from utils.checks.engine.small import Table
from utils.common.columns import wrap
from utils.common.messages import N_, SEMICOLON, Message, translate

# Nobody reads a third pair of tables, so only the names of further differing results are listed.
MOST_PAIRS = 2
# Cells that differ by this much look different with the two digits that are drawn.
SEEN = 0.00999
HEADING = {True: N_("A small case, to work out by hand"), False: N_("A small case")}
CODE = N_("To try it in a cell of your own")


@dataclass(frozen=True)
class Pair:
    """A result that differs: a caption, the student's table, and the right one; without the student's if it raised."""

    caption: str
    yours: Grid | None
    right: Grid


class CasePicture:
    """A stored case and a student's run of it, in one language.

    named: how many of the mistakes that were named show in it.
    """

    def __init__(self, stored: StoredCase, run: CaseRun, language: str, named: int = 0):
        self.language = language
        self.heading = self._said(HEADING[run.small.by_hand])
        given, lone = _without_lone(run.small.given)
        both = [self._said(N_("more than one of the mistakes named above shows here"))] if named > 1 else []
        settings = [*both, *map(self._lone, lone), *self._tasks(run), *map(self._text, run.small.setting)]
        self.setting = self._joined(settings)
        self.inputs = [self._grid(self._said(N_("input: {name}"), name=self._text(t.name)), t) for t in given]
        self.way = self._on_the_way(stored.steps, run)
        self.pairs: list[Pair] = []
        self.last: list[str] = []
        if run.failure:
            self._raised(run, stored.right[0])
        else:
            self._compare(run.small.results, nearest(run, stored.right))
            self.last += [message.render(language) for message in run.small.remarks]
        # A case may note the same line twice, for example a layer that is called two times.
        self.code, self.code_title = list(dict.fromkeys(run.small.code)), self._said(CODE)
        if self.code and self.code[-1].startswith("layer = "):  # no line calls the layer, so the code shows no result
            self.code = []
        self.more = self._said(N_("The next one: `check.{name}.show()`"), name=run.small.question)
        self.differs = self._said(N_("differs"))

    def _on_the_way(self, steps: Sequence[Table], run: CaseRun) -> str:
        """Add the tables of values on the way, ours and the student's own; return those of one number as a line."""
        ours, both = (
            N_("intermediate value in our solution: {name}"),
            N_("intermediate value, the same in yours and in our solution: {name}"),
        )
        lone = []
        for step, own in zip_longest(steps, run.own):
            alike = own is not None and differing_cells(own[1].value, step.value) is None
            if not _without_lone([step])[0]:
                lone += [self._lone(step), *([] if own is None or alike else [self._lone(own[1], own[0])])]
                continue
            self.inputs.append(self._grid(self._said(both if alike else ours, name=self._text(step.name)), step))
            if own is not None and not alike:
                self.inputs.append(self._grid(self._text(own[0]), own[1]))
        return self._said(ours, name=self._joined(lone)) if lone else ""

    def _before(self, title: str) -> str:
        """Return a title with the colon of the picture's language; the titled text follows in the next line."""
        return self._said(N_("{name}: {value}"), name=title, value="").rstrip()

    def _said(self, template: str, **values: Any) -> str:
        return Message(template, values).render(self.language)

    def _joined(self, texts: Iterable[str]) -> str:
        return translate(SEMICOLON, self.language).join(texts)

    def _text(self, text: str | Message) -> str:
        return text.render(self.language) if isinstance(text, Message) else translate(text, self.language)

    def _lone(self, table: Table, title: str | Message = "") -> str:
        return f"{self._text(title or table.name)} = {number_text(float(table.value), is_whole(table.value))}"

    def _tasks(self, run: CaseRun) -> list[str]:
        """Return the layers' tasks, those of the same task together: "query(x) = key(x) = x"."""
        by_task: dict[str, list[str]] = {}
        for name, task in run.small.tasks.items():
            by_task.setdefault(task, []).append(f"{name}(x)")
        return [" = ".join([*names, self._text(task)]) for task, names in by_task.items()]

    def _raised(self, run: CaseRun, right: Sequence[Table]) -> None:
        assert run.failure is not None
        values = {"kind": run.failure.kind, "text": run.failure.text.rstrip("."), "where": run.failure.where}
        raises = N_("On this input your code raises {kind}: {text}, in the line “{where}”")
        self.last.append(self._said(raises, **values))
        for table in right[:MOST_PAIRS]:
            self.pairs.append(Pair(self._text(table.name), None, self._grid(self._said(N_("should be")), table)))

    def _compare(self, seen: Sequence[Table], right: Sequence[Table]) -> None:
        """Make the pairs of results that differ, and the sentences about them and about all others."""
        more = []
        for mine, table in zip_longest(seen, right):
            # A case lays out more or fewer tables where the student's result has another number of parts.
            if mine is None or table is None:
                continue
            # Results that agree are not mentioned: the mistake may be in one that happens to be right on this input.
            if differing_cells(mine.value, table.value) is None:
                continue
            name = self._text(table.name)
            if len(self.pairs) == MOST_PAIRS:
                more.append(name)
            else:
                self._pair(name, mine, table)
        if any(any(row.framed) for pair in self.pairs for row in pair.right.rows):
            self.last.insert(0, self._said(N_("The frames, or brackets, show where the two differ.")))
        if more:
            self.last.append(self._said(N_("These differ as well: {names}."), names=self._joined(more)))

    def _pair(self, name: str, mine: Table, right: Table) -> None:
        differing = differing_cells(mine.value, right.value, SEEN)
        yours, should = self._said(N_("yours")), self._said(N_("should be"))
        if isinstance(differing, torch.Tensor):
            counted = N_("{name}: cells that differ: {count} of {total}")
            caption = self._said(counted, name=name, count=int(differing.sum()), total=differing.numel())
            grids = [
                self._grid(title, table, differing, mine, right) for title, table in ((yours, mine), (should, right))
            ]
            self.pairs.append(Pair(caption, *grids))
            self._look_at_sums(name, mine, right)
            return
        # Cells of two shapes have no counterparts: the tables are drawn without frames, the student's dashed, and its
        # axes get neutral labels because the meaning of another shape's axes is unknown.
        shapes = [tuple(t.value.shape) if isinstance(t.value, torch.Tensor) else None for t in (mine, right)]
        caption = self._said(N_("{name}: they differ"), name=name)
        if shapes[0] is None and isinstance(mine.value, int | float) and shapes[1] is not None:
            caption = self._said(N_("{name}: a plain number, and should be a tensor"), name=name)
        elif shapes[1] is None and isinstance(right.value, int | float) and shapes[0] is not None:
            caption = self._said(N_("{name}: a tensor, and should be a plain number"), name=name)
        if shapes[0] is not None and shapes[1] is not None:
            template = N_("{name}: the shape is {got}, and should be {want}")
            caption = self._said(template, name=name, got=str(shapes[0]), want=str(shapes[1]))
        neutral = replace(mine, axes=_neutral(mine.value))
        self.pairs.append(Pair(caption, replace(self._grid(yours, neutral), dashed=True), self._grid(should, right)))

    def _look_at_sums(self, name: str, mine: Table, right: Table) -> None:
        """Add a sentence where rows should add up to 1 and do not."""
        if right.sums and _adds_up(right.value, -1) and not _adds_up(mine.value, -1):
            columns_do = right.sums == "both" and _adds_up(mine.value, -2)
            column_sums = N_("{name}: each row should add up to 1; in yours each column does.")
            other = N_("{name}: each row should add up to 1; yours do not.")
            self.last.append(self._said(column_sums if columns_do else other, name=name))

    def _grid(
        self,
        title: str,
        table: Table,
        differing: torch.Tensor | None = None,
        *alike: Table,
    ) -> Grid:
        """Draw a table; the first axes are stacked.

        differing: the mask of the cells to be framed. alike: other tables; if one has fractions, all get two digits.
        """
        value = table.value
        if not isinstance(value, torch.Tensor):
            text = self._truth(value) if isinstance(value, bool) else self._text(str(value))
            if isinstance(value, float):
                text = number_text(value, value.is_integer())
            return Grid(title, [""], [GridRow("", [text], [False])])
        whole = all(is_whole(drawn.value) for drawn in (table, *alike))
        axes = table.axes if len(table.axes) == value.ndim else _neutral(value)
        framed = torch.zeros_like(value, dtype=torch.bool) if differing is None else differing
        while value.ndim < 2:
            value, framed, axes = value[None], framed[None], ("", *axes)
        rows = []
        for index in _places(value.shape[:-2]):
            group = ", ".join(
                self._label(axes[axis], i) for axis, i in enumerate(index) if value.shape[axis] > 1 and axes[axis]
            )
            for i, (cells, frames) in enumerate(zip(value[index], framed[index], strict=True)):
                texts = [self._cell(cell, whole) for cell in cells]
                total = number_text(float(cells.sum()), whole) if table.sums else ""
                # A stack of one row needs no label of its own: the group's label is the row's.
                alone = group if value.shape[-2] == 1 else ""
                rows.append(
                    GridRow(alone or self._label(axes[-2], i), texts, frames.tolist(), "" if alone else group, total)
                )
        totals = []
        # Sums of columns would be ambiguous below several stacked tables.
        if table.sums == "both" and not any(row.group for row in rows):
            totals = [number_text(float(cells.sum()), whole) for cells in value.reshape(-1, value.shape[-1]).T]
        # The word of the columns is written once, in the corner: "component …" above 0, 1, 2, 3.
        columns = [str(i) if axes[-1] else "" for i in range(value.shape[-1])]
        return Grid(title, columns, rows, totals, corner=self._label(axes[-1], "…"))

    def _label(self, template: str, number: int | str) -> str:
        return translate(template, self.language).format(number=number)

    def _cell(self, cell: torch.Tensor, whole: bool) -> str:
        return self._truth(bool(cell)) if cell.dtype == torch.bool else number_text(float(cell), whole)

    def _truth(self, value: bool) -> str:
        return self._said(N_("yes") if value else N_("no"))

    def __repr__(self) -> str:
        lines = [self._before(self.heading), *wrap(self.setting, WIDTH, "  ")]
        for grid in self.inputs:
            lines += ["", *_indented(as_lines(grid))]
        lines += ["", *wrap(self.way, WIDTH, "  ")] if self.way else []
        for pair in self.pairs:
            right = as_lines(pair.right)
            tables = right if pair.yours is None else beside_each_other(as_lines(pair.yours), right)
            lines += ["", *wrap(pair.caption, WIDTH, "  "), *_indented(tables)]
        lines += [""] if self.last else []
        for sentence in self.last:
            lines += wrap(sentence, WIDTH, "  ")
        if self.code:
            lines += ["", f"  {self._before(self.code_title)}", *(f"    {line}" for line in self.code)]
        lines += ["", f"  {self.more.replace('`', '')}"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
        return environment.from_string(TABLE + TEMPLATE).render(picture=self, words={"sum": self._said(N_("sum"))})


def _without_lone(tables: Iterable[Table]) -> tuple[list[Table], list[Table]]:
    """Return the tables of several numbers, and separately those of one number, which are written in a line."""
    tables = list(tables)
    lone = [t for t in tables if t.value.numel() == 1 and (t.value.ndim == 0 or all(n == 1 for n in t.value.shape))]
    lone = [t for t in lone if t.value.dtype != torch.bool]
    # By identity: `in` would compare tables by `==`, and two tensors have no single truth value.
    return [t for t in tables if not any(t is number for number in lone)], lone


def _neutral(value: Any) -> tuple[str, ...]:
    """Return labels for the axes of a result of another shape, whose meaning is unknown."""
    if not isinstance(value, torch.Tensor):
        return ()
    first = tuple(f"[{i}] = {{number}}" for i in range(value.ndim - 2))
    return (*first, *(N_("row {number}"), N_("column {number}"))[-value.ndim :]) if value.ndim else ()


def _places(lengths: Iterable[int]) -> list[tuple[int, ...]]:
    places: list[tuple[int, ...]] = [()]
    for length in lengths:
        places = [(*place, i) for place in places for i in range(length)]
    return places


def _adds_up(value: Any, axis: int) -> bool:
    return value.ndim >= -axis and bool(((value.double().sum(axis) - 1).abs() < SEEN).all())


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


# `inherit`: the theme's text colour. Tables are beside each other where there is room, else below each other.
TEMPLATE = """\
{% set beside = "display: flex; flex-wrap: wrap; align-items: flex-start; margin-top: 4px; " %}
<div role="group" aria-label="{{ picture.heading }}" style="margin: 6px 0 4px 0; padding: 6px 10px; \
border: 1px solid rgba(128, 128, 128, 0.55); border-radius: 4px; color: inherit; overflow-x: auto; line-height: 1.3">
  <div><b>{{ picture.heading }}</b></div>
  {% if picture.setting %}<div>{{ picture.setting }}</div>{% endif %}
  {% if picture.inputs %}
  <div style="{{ beside }}">{% for grid in picture.inputs %}{{ table(grid) }}{% endfor %}</div>
  {% endif %}
  {% if picture.way %}<div>{{ picture.way }}</div>{% endif %}
  {% for pair in picture.pairs %}
  <div style="margin-top: 4px">{{ pair.caption }}</div>
  <div style="{{ beside }}">{% if pair.yours %}{{ table(pair.yours) }}{% endif %}{{ table(pair.right) }}</div>
  {% endfor %}
  {% for sentence in picture.last %}<div>{{ sentence }}</div>{% endfor %}
  {% if picture.code %}
  <details style="margin-top: 4px"><summary>{{ picture.code_title }}</summary>
    <pre style="white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0; color: inherit; \
background: transparent">\
{{ picture.code | join("\n") }}</pre></details>
  {% endif %}
  {% set more = picture.more.split("`") %}
  <div style="margin-top: 4px">{{ more[0] }}<code dir="ltr">{{ more[1] }}</code>{{ more[2] }}</div>
</div>
"""
