"""What a network makes of its sequences if the rows of the ground look evenly: do the weights of the ground matter?"""

import torch
from torch import nn
from torch.utils.data import TensorDataset

# Points from the nearest shape, as far as the convolutions behind the attention layer could bring them together.
FAR = 8


@torch.no_grad()
def times_the_error(model: nn.Sequential, layer: type, dataset: TensorDataset, heights: torch.Tensor) -> float:
    """Return the network's mean squared error with an even ground, divided by its error with its own weights.

    The attention layer, an instance of `layer`, gets other weights: rows of points that are farther than `FAR` from any
    shape look at all points of the ground alike. heights (N, 1, T): the inputs before they were standardised, 0 where
    no shape is.
    """
    inputs, targets = dataset[:]
    ground = heights[:, 0] == 0  # (N, T)
    even = (ground / ground.sum(dim=1, keepdim=True)).unsqueeze(1)  # (N, 1, T)
    shapes = (~ground).float().unsqueeze(1)
    far = nn.functional.max_pool1d(shapes, 2 * FAR + 1, stride=1, padding=FAR).transpose(1, 2) == 0  # (N, T, 1)
    errors = []
    for changed in (False, True):
        x = inputs
        for module in model:
            if isinstance(module, layer) and changed:
                _, weights = module(x, return_attention=True)
                weights = torch.where(far, even, weights)
                x = (weights @ module.value(x).transpose(1, 2)).transpose(1, 2)  # type: ignore[operator]  # a layer
            else:
                x = module(x)
        errors.append(float((x - targets).square().mean()))
    return errors[1] / errors[0]
