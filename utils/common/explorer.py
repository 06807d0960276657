"""A figure with controls, drawn again after each change; where widgets cannot run, the figure for a few choices.

What: `explore(view, controls, shown)` draws `view(figure, **choice)`; moving a control changes the choice.
Why the figure is an ordinary output and not a widget: it is saved and printed with the notebook in its last state, and
needs no widget state, which the grader would have to repair. Every control can be used from the keyboard.
"""

import importlib.util
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from utils.common import notebook
from utils.common.errors import WorkbookError
from utils.common.figures import described, show, style
from utils.common.messages import Message, said

WIDTH = 9.0  # of a figure, in inches
View = Callable[..., None]  # view(figure, **choice) draws into the figure


class Written(NamedTuple):
    """A control for text, typed or chosen from the suggestions."""

    suggestions: Sequence[str]


# A range becomes a slider of whole numbers; a sequence a slider (of numbers) or a menu.
Control = range | Sequence[Any] | Written


def explore(
    view: View,
    controls: Mapping[str, Control],
    shown: Sequence[Mapping[str, Any]],
    height: float,
    *,
    describes: Message,
) -> None:
    """Draw `view(figure, **choice)`, `height` inches high, with controls where they can run.

    controls: the options for each argument of the view, by its name, in which an underscore is shown as a space.
    shown: the choices drawn one below the other where controls cannot run; with controls the first is the start.
    describes: alternative text: what the figure shows, in one sentence.
    """
    if runs():
        _live(view, controls, dict(shown[0]), height, describes)
        return
    import matplotlib.pyplot as plt  # here, because loading takes half a second, and the grader draws nothing

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
        figure = Figure(figsize=(WIDTH, height))  # not pyplot's, which would show it a second time
        view(figure, **choice)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png", dpi=80)
    return drawn.getvalue()


def _live(
    view: View, controls: Mapping[str, Control], start: dict[str, Any], height: float, describes: Message
) -> None:
    import ipywidgets
    from IPython.display import display

    display_any: Any = display  # has no types
    widgets = {name: _widget(name, control, start[name]) for name, control in controls.items()}
    message = ipywidgets.Label()
    display_any(ipywidgets.VBox([*widgets.values(), message]))
    shown = display_any(described(picture(view, start, height), describes), display_id=True)

    def draw(change: Any) -> None:
        try:
            drawn = picture(view, {name: widget.value for name, widget in widgets.items()}, height)
        except WorkbookError as error:
            message.value = str(error)
            return
        message.value = ""
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
        "continuous_update": False,  # draw when the slider is released or a key was pressed
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
    """Return softmax(scores / temperature) from weights = softmax(scores), (..., T): w^(1/t) / Σ w^(1/t)."""
    powers = weights ** (1 / temperature)
    return powers / powers.sum(-1, keepdims=True)
