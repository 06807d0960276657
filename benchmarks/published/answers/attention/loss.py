# %% dot_product [right]
def loss_function(prediction, target):
    d = (prediction - target).flatten()
    return d @ d / d.numel()


# %% halved [one] half the square
def loss_function(prediction, target):
    return 0.5 * ((prediction - target) ** 2).mean()


# %% root_of_sum [two] the sum, and a root
def loss_function(prediction, target):
    return torch.sqrt(((prediction - target) ** 2).sum())
