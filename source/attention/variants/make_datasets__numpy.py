import numpy as np


def make_datasets(inputs, targets, n_train):
    result = []
    for array in (inputs.cpu().numpy(), targets.cpu().numpy()):
        mu = array[:n_train].mean(axis=(0, 2), keepdims=True)
        sigma = array[:n_train].std(axis=(0, 2), keepdims=True) + 1e-8
        result.append(torch.from_numpy((array - mu) / sigma).to(inputs.device))
    x, y = result
    return TensorDataset(x[:n_train], y[:n_train]), TensorDataset(x[n_train:], y[n_train:])
