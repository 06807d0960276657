def wished_attention(kind, slot):
    k = nn.functional.one_hot(kind, 3).double()
    s = nn.functional.one_hot(slot, 8).double()
    f = torch.einsum("ti,tj->tij", k, s).flatten(1)
    scores = torch.einsum("if,jf->ij", f, f)
    return (scores / scores.sum(dim=1).unsqueeze(1)).float()
