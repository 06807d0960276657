def wished_attention(kind, slot):
    label = 10 * kind + slot
    alike = (label[:, None] == label[None, :]).float()
    return alike / alike.sum(1)[:, None]
