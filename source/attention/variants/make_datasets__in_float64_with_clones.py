def make_datasets(inputs: torch.Tensor, targets: torch.Tensor, n_train: int):
    """Typed, and computed in double precision."""
    class Scaler:
        def fit(self, t):
            flat = t.double().transpose(0, 1).reshape(t.shape[1], -1)
            self.mu, self.sigma = flat.mean(1).view(1, -1, 1), flat.var(1, unbiased=False).sqrt().view(1, -1, 1)
            return self

        def __call__(self, t):
            return ((t.double() - self.mu) / self.sigma).to(t.dtype)

    fx, fy = Scaler().fit(inputs[:n_train].clone()), Scaler().fit(targets[:n_train].clone())
    pairs = [(fx(inputs[part]), fy(targets[part])) for part in (slice(None, n_train), slice(n_train, None))]
    return tuple(TensorDataset(*pair) for pair in pairs)
