# %% by_dot_product [right]
def update(model, optimizer, inputs, targets):
    d = (model(inputs) - targets).flatten()
    loss = d @ d / d.numel()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


# %% halved [one] half the square
def update(model, optimizer, inputs, targets):
    loss = 0.5 * ((model(inputs) - targets) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


# %% sum_kept_gradients [two] the sum, and gradients that are never removed
def update(model, optimizer, inputs, targets):
    loss = ((model(inputs) - targets) ** 2).sum()
    loss.backward()
    optimizer.step()
    return loss.item()
