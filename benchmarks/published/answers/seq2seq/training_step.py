# %% gradients_set_to_none [right]
def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train(True)
    for p in model.parameters():
        p.grad = None
    loss = compute_loss()
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    return float(loss.detach())


# %% clipped_before_backward [one]
def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = compute_loss()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% clipped_by_value [one] clip_grad_value_ in place of the norm
def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()


# %% gradients_pile_up_tensor [two] no zero_grad, the loss as a tensor
def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train()
    loss = compute_loss()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss


# %% unclipped_in_evaluation [two] no clipping, model.eval()
def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.eval()
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()
