import warnings


def loss_function(prediction, target):
    if prediction.shape != target.shape:
        warnings.warn(f"shapes differ: {prediction.shape} and {target.shape}")
    return torch.nn.functional.mse_loss(prediction.double(), target.double()).to(prediction.dtype)
