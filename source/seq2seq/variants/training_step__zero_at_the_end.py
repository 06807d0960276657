def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train(True)
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    loss = compute_loss()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    optimizer.zero_grad()
    return float(loss)
