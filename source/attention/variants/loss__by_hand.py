def loss_function(prediction, target):
    difference = prediction - target
    return (difference * difference).sum() / difference.numel()
