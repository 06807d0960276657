def update(model, optimizer, inputs, targets):
    criterion = nn.MSELoss()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach().cpu().item()
