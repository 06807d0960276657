def update(model, optimizer, inputs, targets):
    model.train()
    with torch.enable_grad():
        loss = torch.mean(torch.pow(targets - model(inputs), 2))
    number = loss.item()
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
    return number
