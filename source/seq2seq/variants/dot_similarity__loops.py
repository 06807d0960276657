def dot_similarity(a, b):
    print("les produits scalaires, un par un")
    result = a.new_zeros(a.shape[0], b.shape[0])
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            result[i, j] = torch.dot(a[i], b[j])
    return result
