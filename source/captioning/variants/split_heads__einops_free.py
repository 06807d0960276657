def split_heads(x, num_heads):
    N, S, E = x.size()
    heads = x.new_zeros(N, num_heads, S, E // num_heads)
    for h in range(num_heads):
        columns = [h * (E // num_heads) + j for j in range(E // num_heads)]
        heads[:, h] = x[:, :, columns]
    return heads
