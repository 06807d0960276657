def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train(True)
    for p in model.parameters():
        p.grad = None
    loss = compute_loss()
    loss.backward()
    norm = torch.sqrt(sum((p.grad**2).sum() for p in model.parameters() if p.grad is not None))
    if norm > max_norm:
        for p in model.parameters():
            p.grad.mul_(max_norm / (norm + 1e-6))
    optimizer.step()
    return float(loss)
