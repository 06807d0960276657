def make_datasets(inputs, targets, n_train):
    def stats(x):
        flat = x[range(n_train)].permute(1, 0, 2).flatten(1)
        return flat.mean(1)[None, :, None], flat.std(1)[None, :, None]

    (mi, si), (mt, st) = stats(inputs), stats(targets)
    ds = TensorDataset((inputs - mi) / si, (targets - mt) / st)
    return TensorDataset(*ds[:n_train]), TensorDataset(*ds[n_train:])
