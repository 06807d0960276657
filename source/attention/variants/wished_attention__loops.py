def wished_attention(kind, slot):
    T = len(kind)
    A = torch.zeros(T, T)
    for i in range(T):
        agree = [j for j in range(T) if kind[j] == kind[i] and slot[j] == slot[i]]
        for j in agree:
            A[i, j] = 1 / len(agree)
    return A
