"""The figures of the lesson `attention` draw the numbers that they are given, the right way round."""

import numpy as np
import pytest
import torch

from tests.helpers import drawn
from utils.attention import plots
from utils.attention.sequences import generate
from utils.common.curves import Losses
from utils.common.figures import PALETTE


def test_every_axis_of_every_figure_is_labelled(figures, capsys):
    x, y = generate(4, 1, seed=1)
    plots.plot_sequences(x, y)
    plots.plot_predictions(x, y, {"one": y, "other": x})
    plots.plot_losses({"one": [1.0, 0.5, 0.25], "other": Losses([1.0] * 200, [(100, 0.5), (200, 0.25)])})
    plots.plot_attention(torch.eye(100), x[0])
    plots.plot_encoding(torch.eye(7))
    errors = {"one": 2.0, "other": 0.5}
    plots.plot_errors(errors)
    plots.print_errors(errors)
    assert len(figures) == 6
    for figure in figures:
        assert any(ax.get_xlabel() for ax in figure.axes)
        figure.canvas.draw()
    assert "4.0" in capsys.readouterr().out


def area(ax) -> np.ndarray:
    """The corners of the one area that is filled."""
    (collection,) = ax.collections
    return collection.get_paths()[0].vertices


def outline(x: torch.Tensor) -> dict[float, float]:
    return dict(enumerate(x.tolist()))


def top_of(corners: np.ndarray, base: float) -> dict[float, float]:
    """Of an area above `base`: its height at every place."""
    found = {}
    for place, height in corners.tolist():
        found[place] = max(height, found.get(place, base))
    return found


def are_shared(axes) -> bool:
    """Whether all run from and to the same numbers, so that one can be compared with another."""
    first, *others = axes
    return all(
        first.get_shared_x_axes().joined(first, ax) and first.get_shared_y_axes().joined(first, ax) for ax in others
    )


def legend(figure) -> list[str]:
    """The texts of a figure's one legend, which stands beside its axes."""
    assert not any(ax.get_legend() for ax in figure.axes)
    (found,) = figure.legends
    return [text.get_text() for text in found.texts]


def test_bit_0_is_on_top_whichever_order_the_student_has_chosen(figures):
    bits = torch.tensor([[float(t >> b & 1) for t in range(8)] for b in range(3)])
    for encoding in (bits, bits.flip(0)):
        plots.plot_encoding(encoding)
    images = [figure.axes[0].images[0].get_array().data for figure in figures]
    assert figures[1].axes[0].get_yticklabels()[0].get_text() == "bit 0"
    assert np.array_equal(images[0], bits) and np.array_equal(images[1], bits)


def test_sequences_are_areas_and_their_targets_lines(figures):
    x, y = torch.randn(5, 2, 7), torch.randn(5, 1, 7)
    plots.plot_sequences(x, y, number=3)
    axes = figures[0].axes
    assert len(axes) == 4  # two columns, and as many rows as needed
    for ax, one, target in zip(axes, x, y, strict=False):
        base = float(one[0].min())
        assert top_of(area(ax), base) == pytest.approx(outline(one[0]))
        assert area(ax)[:, 1].min() == pytest.approx(base)
        assert drawn.lines(ax) == {"target": (list(range(7)), pytest.approx(target[0].tolist()))}
    assert are_shared(axes)
    assert [ax.get_ylabel() for ax in axes] == ["height", "", "height", ""]
    assert [ax.get_xlabel() for ax in axes] == ["", "", "position (points)", "position (points)"]
    assert legend(figures[0]) == ["input", "target"]


def test_predictions_have_a_row_per_sequence_and_a_column_per_model(figures):
    x, y = torch.randn(4, 1, 7), torch.randn(4, 1, 7)
    guesses = {"one": torch.randn(4, 1, 7), "other": torch.randn(4, 1, 7)}
    plots.plot_predictions(x, y, guesses, number=3)
    axes = np.array(figures[0].axes).reshape(3, 2)
    assert are_shared(axes.flat)
    assert [ax.get_title() for ax in axes[0]] == ["one", "other"]
    assert legend(figures[0]) == ["input", "target", "prediction"]
    for row in range(3):
        for column, guess in enumerate(guesses.values()):
            ax = axes[row, column]
            shown = {"target": y[row, 0], "prediction": guess[row, 0]}
            assert drawn.lines(ax) == {n: (list(range(7)), pytest.approx(v.tolist())) for n, v in shown.items()}
            assert top_of(area(ax), float(x[row].min())) == pytest.approx(outline(x[row, 0]))
            assert ax.get_ylabel() == ("height (st. dev.)" if column == 0 else "")


def test_predictions_are_drawn_in_heights_in_one_unit_with_a_line_at_the_mean(figures):
    """Inputs and targets are standardised each with their own spread, so that only heights can be compared."""
    x, y = generate(4, 1, seed=1)
    standardised = [(one - one.mean()) / one.std() for one in (x, y)]
    plots.plot_predictions(*standardised, {"exact": standardised[1], "low": standardised[1] - 1}, 2, heights=(x, y))
    axes = np.array(figures[0].axes).reshape(2, 2)
    for row in range(2):
        for column, below in enumerate((0, y.std().item())):
            lines = drawn.lines(axes[row, column])
            assert lines["target"][1] == pytest.approx(y[row, 0].tolist())
            assert lines["prediction"][1] == pytest.approx((y[row, 0] - below).tolist(), abs=1e-4)
            assert lines["mean height (15)"][1] == [15, 15]
            assert top_of(area(axes[row, column]), 0) == pytest.approx(outline(x[row, 0]))
    assert axes[0, 0].get_ylabel() == "height"
    assert legend(figures[0]) == ["input", "mean height (15)", "target", "prediction"]


def test_the_legend_covers_no_sequence(figures):
    plots.plot_sequences(*generate(4, 1, seed=3))
    plots.plot_predictions(*generate(3, 1, seed=3), {"one": torch.zeros(3, 1, 100)})
    for figure in figures:
        figure.canvas.draw()
        box = figure.legends[0].get_window_extent()
        assert not any(box.overlaps(ax.get_window_extent()) for ax in figure.axes)


def test_losses_are_means_over_a_window_at_the_step_where_it_ends(figures):
    losses = {"long": [8.0, 4.0, 2.0, 1.0, 1.0], "short": [6.0, 2.0]}
    plots.plot_losses(losses, window=3)
    (ax,) = figures[0].axes
    assert drawn.lines(ax) == {
        "long": ([3, 4, 5], pytest.approx([14 / 3, 7 / 3, 4 / 3])),
        "short": ([2], pytest.approx([4.0])),
    }
    assert ax.get_yscale() == "log" and ax.get_xlabel() == "training step (batches)"
    assert ax.get_ylabel() == "mean squared error (variances),\nmean of 3 steps (log scale)"
    assert [text.get_text() for text in ax.get_legend().texts] == ["long", "short"]
    assert [line.get_color() for line in ax.lines] == list(PALETTE[:2])


def test_curves_tell_training_from_what_is_unseen(figures):
    plots.plot_losses({"one": Losses([8.0, 4.0, 2.0], [(1, 9.0), (3, 7.0)])}, window=2)
    training, unseen = figures[0].axes[0].lines
    assert training.get_xydata().tolist() == [[2, 6], [3, 3]] and unseen.get_xydata().tolist() == [[1, 9], [3, 7]]
    assert training.get_color() == unseen.get_color() and unseen.get_linestyle() == "--"
    labels = [text.get_text() for text in figures[0].axes[0].get_legend().get_texts()]
    assert labels == ["one: training", "one: unseen"]


def test_an_attention_matrix_has_the_position_that_looks_as_its_row(figures):
    """Beside it the sequence twice: along the columns above, and along the rows on the left."""
    x = torch.randn(2, 7)
    matrix = torch.rand(7, 7, requires_grad=True)
    plots.plot_attention(matrix, x, title="A")
    corner, top, left, main = figures[0].axes[:4]
    np.testing.assert_array_equal(drawn.image(main), matrix.detach().numpy())
    assert main.get_xlabel() == "j: position looked at (points)"
    assert left.get_ylabel() == "i: position that looks (points)"
    assert figures[0].axes[4].get_ylabel() == "weight Aᵢⱼ (root scale)"
    colour_of = main.images[0].norm  # the share of all colours that lie below a weight is its root
    assert colour_of(np.array([0, 0.25, 1]) * matrix.max().item()).tolist() == pytest.approx([0, 0.5, 1])
    base = float(x[0].min())
    assert top_of(area(top), base) == pytest.approx(outline(x[0]))
    assert top_of(area(left)[:, ::-1], base) == pytest.approx(outline(x[0]))
    assert top.get_xlim() == (-0.5, 6.5) and left.get_ylim() == (6.5, -0.5)
    assert not any(
        label.get_visible() for ax in (top, left) for label in (*ax.get_xticklabels(), *ax.get_yticklabels())
    )
    assert left.xaxis_inverted() and not corner.axison and top.get_title() == "A"


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0)])
def test_an_encoding_has_a_row_for_each_bit_in_whichever_order_it_was_written(figures, order):
    encoding = torch.tensor([[position >> bit & 1 for position in range(11)] for bit in range(4)])
    plots.plot_encoding(encoding[list(order)])
    (ax,) = figures[0].axes
    np.testing.assert_array_equal(drawn.image(ax), encoding.numpy())
    assert drawn.labels(ax) == ("position (points)", "channel", "")
    assert drawn.ticks(ax.yaxis) == {0.0: "bit 0", 1.0: "bit 1", 2.0: "bit 2", 3.0: "bit 3"}
    assert ax.images[0].get_clim() == (0, 1) and ax.images[0].get_cmap().name == "Greys"  # white for 0
    plots.plot_encoding(torch.zeros(2, 5))
    assert figures[1].axes[0].images[0].get_clim() == (0, 1)


def test_errors_are_dots_with_their_numbers_the_first_on_top(figures):
    """On a logarithmic scale a bar's length would mean nothing."""
    plots.plot_errors({"one": 2.0, "other": 0.00125})
    (ax,) = figures[0].axes
    names = drawn.ticks(ax.yaxis)
    assert {names[line.get_ydata()[0]]: line.get_xdata()[0] for line in ax.lines} == {"one": 2.0, "other": 0.00125}
    assert names == {0: "one", 1: "other"} and ax.yaxis_inverted() and not ax.patches
    assert [(text.xy, text.get_text()) for text in ax.texts] == [((2.0, 0), "2"), ((0.00125, 1), "0.00125")]
    assert ax.get_xlabel() == "mean squared error on new sequences (squared height, log scale)"
    assert ax.get_xscale() == "log" and ax.get_xlim() == pytest.approx((0.000625, 5))


def test_an_error_has_the_colour_of_its_models_curve(figures):
    plots.plot_errors({"task 1: a": 3.0, "task 1: b": 0.75, "task 2: a": 4.0, "task 2: b": 0.5})
    plots.plot_losses({"a": [3.0], "b": [2.0]})
    dots, curves = ([line.get_color() for line in figure.axes[0].lines] for figure in figures)
    assert dots == curves * 2


def test_errors_are_printed_beside_the_best(capsys):
    plots.print_errors({"one": 2.0, "the other": 0.5})
    assert capsys.readouterr().out.splitlines() == [
        "model       error  times the best of its task",
        "one        2.0000                         4.0",
        "the other  0.5000                         1.0",
    ]


def test_an_error_is_compared_with_the_best_of_its_own_task(capsys):
    plots.print_errors({"task 1: a": 3.0, "task 1: b": 0.75, "task 2: a": 4.0, "task 2: b": 0.5})
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:]] == ["4.0", "1.0", "8.0", "1.0"]


def test_a_keyhole_shows_one_shape_and_the_open_curtain_the_rest(figures):
    x = torch.zeros(2, 1, 50)
    x[0, 0, 20:24], x[0, 0, 40:44], x[1, 0, 3:5] = 9.0, 5.0, 7.0
    plots.plot_keyholes(x)
    plots.open_keyholes(x, x / 2)
    hidden, shown = figures
    first, at_the_edge = hidden.axes
    assert area(first)[:, 0].min() == 12 and area(first)[:, 0].max() == 28 and area(first)[:, 1].max() == 9
    assert area(at_the_edge)[:, 0].min() == 0 and area(at_the_edge)[:, 0].max() == 11
    assert all(area(ax)[:, 0].max() == 49 for ax in shown.axes)
    assert all(ax.get_xlim() == (0, 50) for ax in hidden.axes)
    assert [len(ax.lines) for ax in hidden.axes + shown.axes] == [2, 2, 3, 3], "two edges; then the target, too"
