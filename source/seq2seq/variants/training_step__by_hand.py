import sys


def training_step(model, optimizer, compute_loss, max_norm=1.0):
    model.train()
    model.zero_grad()
    loss = compute_loss()
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    total = torch.sqrt(sum(g.pow(2).sum() for g in grads))
    if total > max_norm:
        for g in grads:
            g.mul_(max_norm / total)
    optimizer.step()
    print("loss", loss.item(), file=sys.stderr)
    return loss.item()
