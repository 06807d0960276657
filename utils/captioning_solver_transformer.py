"""Training a captioning model: minibatches, cross-entropy of the next word, Adam.

What: `CaptioningSolverTransformer(model, data, idx_to_word, ...).train()`; the training losses are in `loss_history`,
those on validation captions in `val_history`.
Source: teacher forcing (Williams and Zipser 1989): the words 1..S-1 of the true caption predict the words 2..S.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional as F

from utils.captioning.coco.files import Captioned
from utils.captioning.data import sample_coco_minibatch
from utils.captioning.interface import Captioner
from utils.common.curves import Losses, is_measured
from utils.common.devices import no_denormals
from utils.common.kept import kept
from utils.common.messages import N_
from utils.common.progress import progress

FOLLOWED = 100  # validation captions whose loss is measured now and then


class CaptioningSolverTransformer:
    """Trains a model on the dictionary of `load_coco_data`.

    Args: model: called as model(features, captions) -> scores (N, S, V). data: the dictionary. idx_to_word: words.
        num_epochs: passes over the training captions. batch_size: captions per step. learning_rate: of Adam.
        verbose: draw a progress bar that shows the loss. print_every: steps between two updates of the loss shown.
        description: the bar's text.
    """

    def __init__(
        self,
        model: Captioner,
        data: Captioned,
        idx_to_word: Sequence[str],
        *,
        num_epochs: int = 10,
        batch_size: int = 100,
        learning_rate: float = 0.001,
        verbose: bool = True,
        print_every: int = 10,
        description: str = N_("captioning"),
    ):
        self.model, self.data, self.idx_to_word = model, data, idx_to_word
        self.num_epochs, self.batch_size, self.learning_rate = num_epochs, batch_size, learning_rate
        self.verbose, self.print_every, self.description = verbose, print_every, description
        self.optim = torch.optim.Adam(model.parameters(), lr=learning_rate)
        self.loss_history: list[float] = []
        self.val_history: list[tuple[int, float]] = []  # (steps made, loss)

    @property
    def num_steps(self) -> int:
        """The number of steps of all epochs."""
        return self.num_epochs * max(len(self.data["train_captions"]) // self.batch_size, 1)

    @property
    def losses(self) -> Losses:
        """Both histories, in the form that figures need."""
        return Losses(self.loss_history, self.val_history)

    def train(self, num_steps: int | None = None) -> None:
        """Run all epochs, or `num_steps` steps; cut short while a submission is graded."""
        steps = self.num_steps if num_steps is None else num_steps
        self.loss_history, self.val_history = self._train(steps)

    @kept(generators=("numpy",))
    @no_denormals()
    def _train(self, steps: int) -> tuple[list[float], list[tuple[int, float]]]:
        """Make so many steps; return the two histories with the new losses at their ends."""
        bar = progress(range(steps), self.description, total=steps, silent=not self.verbose)
        self.model.train()
        for step in bar:
            loss = self.loss(*self._minibatch("train"))
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            self.loss_history.append(loss.item())
            if is_measured(step + 1, steps) and len(self.data.get("val_captions", ())):
                self.val_history.append((len(self.loss_history), self._validation_loss()))
            if step % self.print_every == 0 or step == steps - 1:
                bar.set_postfix(loss=f"{self.loss_history[-1]:.4f}")
        return self.loss_history, self.val_history

    def loss(self, features: torch.Tensor, captions: torch.Tensor) -> torch.Tensor:
        """Return the cross-entropy of captions (N, S) as a mean over all N·(S-1) predicted positions.

        A position with `<NULL>` has loss 0 but counts for the mean, as in the loss that is published for these data.
        """
        seen, wanted = captions[:, :-1], captions[:, 1:].long()
        scores = self.model(features, seen)  # (N, S-1, V)
        total = F.cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=self.model._null, reduction="sum")
        return total / wanted.numel()

    @torch.no_grad()
    def _validation_loss(self) -> float:
        """Return the loss on captions spread over the validation set: the same ones each time, so none are drawn."""
        captions, pictures = self.data["val_captions"], self.data["val_image_idxs"]
        rows = np.linspace(0, len(captions) - 1, min(FOLLOWED, len(captions))).astype(int)
        self.model.eval()
        loss = self.loss(*self._tensors(captions[rows], self.data["val_features"][pictures[rows]]))
        self.model.train()
        return loss.item()

    def _minibatch(self, split: str) -> tuple[torch.Tensor, torch.Tensor]:
        captions, features, _ = sample_coco_minibatch(self.data, batch_size=self.batch_size, split=split)
        return self._tensors(captions, features)

    def _tensors(self, captions: np.ndarray, features: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        like = next(self.model.parameters())
        return (
            torch.as_tensor(features).to(device=like.device, dtype=like.dtype),
            torch.as_tensor(captions).to(like.device),
        )
