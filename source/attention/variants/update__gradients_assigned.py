def update(model, optimizer, inputs, targets):
    loss = nn.functional.mse_loss(model(inputs), targets)
    parameters = list(model.parameters())
    for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
        parameter.grad = gradient
    optimizer.step()
    return loss.item()
