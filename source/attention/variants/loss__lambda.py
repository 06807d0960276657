loss_function = lambda p, t: ((p - t) ** 2).mean()  # noqa: E731
