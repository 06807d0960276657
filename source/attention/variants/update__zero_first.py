def update(model, optimizer, inputs, targets):
    optimizer.zero_grad()
    prediction = model(inputs)
    loss = ((prediction - targets) ** 2).mean()
    loss.backward()
    optimizer.step()
    return float(loss)
