def loss_function(prediction, target):
    per_sequence = torch.pow(torch.sub(prediction, target), 2).mean(dim=(1, 2))
    return per_sequence.mean()
