def write(table, k, v):
    products = [torch.outer(key, value) for key, value in zip(k, v)]
    return table + torch.stack(products)
