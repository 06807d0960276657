def dot_similarity(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.einsum("nd,md->nm", a, b)
