"""A figure with controls: choose, and it is drawn anew. Where no widgets run, the same figure at a few places.

What: `explore(view, controls, shown)` draws `view(figure, **choice)`; a control that is moved changes the choice.
Why the figure is an ordinary output and no widget's: it is saved and printed with the notebook as it was seen last,
and needs no widget's state, which a grader would have to mend. Every control obeys the keyboard.
"""

import importlib.util
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from utils.common import notebook
from utils.common.errors import WorkbookError
from utils.common.figures import described, show, style
from utils.common.messages import Message, said

WIDTH = 9.0  # inches of the whole figure
View = Callable[..., None]  # view(figure, **choice) draws into the figure


class Written(NamedTuple):
    """A control whose text can be written, or taken from what is suggested."""

    suggestions: Sequence[str]


# A range is a slider of whole numbers; other options are chosen from.
Control = range | Sequence[Any] | Written


def explore(
    view: View,
    controls: Mapping[str, Control],
    shown: Sequence[Mapping[str, Any]],
    height: float,
    *,
    describes: Message,
) -> None:
    """Draw `view(figure, **choice)`, `height` inches high, with controls where they run.

    controls: what there is to choose from, by the name of the view's argument; an underscore is shown as a space.
    shown: the choices that are drawn, one below the other, where no controls run; with them the first is the start.
    describes: what is to be seen, in one sentence, for those who cannot see it.
    """
    if runs():
        _live(view, controls, dict(shown[0]), height, describes)
        return
    import matplotlib.pyplot as plt  # here, since it takes half a second, and who grades draws nothing

    with plt.rc_context(style()):
        figure = plt.figure(figsize=(WIDTH, height * len(shown)))
        for part, choice in zip(figure.subfigures(len(shown), 1, squeeze=False)[:, 0], shown, strict=True):
            view(part, **choice)
        show(describes)


def runs() -> bool:
    """Return whether controls can be shown: a person has the notebook open, and ipywidgets is installed."""
    return notebook.is_open() and importlib.util.find_spec("ipywidgets") is not None


def picture(view: View, choice: Mapping[str, Any], height: float) -> bytes:
    """Return the figure of one choice as a PNG."""
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure

    with plt.rc_context(style()):
        figure = Figure(figsize=(WIDTH, height))  # none of pyplot's, which would show it too
        view(figure, **choice)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png", dpi=80)
    return drawn.getvalue()


def _live(
    view: View, controls: Mapping[str, Control], start: dict[str, Any], height: float, describes: Message
) -> None:
    import ipywidgets
    from IPython.display import display

    place: Any = display  # IPython's, without types
    widgets = {name: _widget(name, control, start[name]) for name, control in controls.items()}
    trouble = ipywidgets.Label()
    place(ipywidgets.VBox([*widgets.values(), trouble]))
    shown = place(described(picture(view, start, height), describes), display_id=True)

    def draw(change: Any) -> None:
        try:
            drawn = picture(view, {name: widget.value for name, widget in widgets.items()}, height)
        except WorkbookError as error:
            trouble.value = str(error)
            return
        trouble.value = ""
        shown.update(described(drawn, describes))

    for widget in widgets.values():
        widget.observe(draw, names="value")


def _widget(name: str, control: Control, value: Any) -> Any:
    import ipywidgets

    options: dict[str, Any] = {
        "description": said(name.replace("_", " ")),
        "value": value,
        "style": {"description_width": "9em"},
        "layout": {"width": "40em"},
        "continuous_update": False,  # drawn when the slider is let go, or a key was pressed
    }
    if isinstance(control, range):
        return ipywidgets.IntSlider(min=control[0], max=control[-1], step=control.step, **options)
    if isinstance(control, Written):
        return ipywidgets.Combobox(options=list(control.suggestions), ensure_option=False, **options)
    if all(isinstance(option, int | float) for option in control):
        return ipywidgets.SelectionSlider(options=list(control), **options)
    del options["continuous_update"]
    return ipywidgets.Dropdown(options=[(said(str(option)), option) for option in control], **options)


def sharpened(weights: Any, temperature: float) -> Any:
    """Return what softmax(scores / temperature) would have been, from weights = softmax(scores) along the last axis."""
    powers = weights ** (1 / temperature)
    return powers / powers.sum(-1, keepdims=True)
