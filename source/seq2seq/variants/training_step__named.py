def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train()
    model.zero_grad()
    value = compute_loss()
    value.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm, norm_type=2)
    optimizer.step()
    return value.detach().cpu().item()
