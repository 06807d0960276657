def concat_score(query, states, W, v):
    N, T, K = states.size()
    x = torch.cat((query[:, None].repeat(1, T, 1), states), -1)
    return F.linear(torch.tanh(F.linear(x, W)), v[None]).squeeze(-1)
