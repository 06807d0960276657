"""Curves of losses: when the loss on unseen data is measured, and which points are drawn."""

from matplotlib.figure import Figure

from utils.common.curves import Losses, draw_losses, is_measured


def test_the_loss_on_unseen_data_is_measured_thirty_times_and_after_the_last_step():
    made = [step for step in range(1, 92) if is_measured(step, 91)]
    assert made == [*range(3, 91, 3), 91]
    assert [step for step in range(1, 8) if is_measured(step, 7)] == list(range(1, 8))


def test_a_curve_is_the_mean_of_a_window_which_is_no_longer_than_the_training():
    ax = Figure().subplots()
    draw_losses(ax, {"a": Losses([1.0, 2.0, 6.0], [(3, 5.0)]), "b": [2.0, 4.0, 6.0, 8.0]}, window=4)
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[3.0, 3.0]], [[3.0, 5.0]], [[4.0, 5.0]]]
    draw_losses(ax, {"c": [2.0, 4.0, 6.0, 8.0]}, window=2)
    assert ax.lines[-1].get_xydata().tolist() == [[2.0, 3.0], [3.0, 5.0], [4.0, 7.0]]
