# %% by_hand_over_numel [right]
def update(model, optimizer, inputs, targets):
    optimizer.zero_grad(set_to_none=False)
    difference = model(inputs) - targets
    loss = torch.einsum("nct,nct->", difference, difference) / difference.numel()
    loss.backward()
    optimizer.step()
    return loss.item()


# %% zeroed_late [right]
def update(model, optimizer, inputs, targets) -> float:
    criterion = nn.MSELoss(reduction="mean")
    loss = criterion(model.forward(inputs), targets)
    value = loss.detach().item()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return value


# %% sums_of_sequences [right]
def update(model, optimizer, inputs, targets):
    with torch.enable_grad():
        predictions = model(inputs)
        per_sequence = [((p - t) ** 2).mean() for p, t in zip(predictions, targets)]
        loss = sum(per_sequence) / len(per_sequence)
        optimizer.zero_grad()
        loss.backward()
    optimizer.step()
    return loss.item()


# %% zero_after_backward [one] the new gradients are removed before the step
def update(model, optimizer, inputs, targets):
    loss = nn.functional.mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


# %% loss_measured_again [one] the loss after the correction is returned
def update(model, optimizer, inputs, targets):
    optimizer.zero_grad()
    loss = ((model(inputs) - targets) ** 2).mean()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        loss = ((model(inputs) - targets) ** 2).mean()
    return loss.item()


# %% root_of_the_mean [one] the root of the mean squared error is taken
def update(model, optimizer, inputs, targets):
    optimizer.zero_grad()
    loss = torch.sqrt(nn.MSELoss()(model(inputs), targets))
    loss.backward()
    optimizer.step()
    return loss.item()


# %% summed_and_never_zeroed [two] the sum instead of the mean, and old gradients are kept
def update(model, optimizer, inputs, targets):
    loss = (model(inputs) - targets).square().sum()
    loss.backward()
    optimizer.step()
    return loss.item()


# %% absolute_and_tensor [two] the mean absolute error, returned as a tensor
def update(model, optimizer, inputs, targets):
    optimizer.zero_grad()
    loss = (model(inputs) - targets).abs().mean()
    loss.backward()
    optimizer.step()
    return loss
