whose = "Marie Curie"


def heal(patient):
    with torch.no_grad():
        for block in patient.blocks:
            attention = block.attention
            attention.query, attention.key = attention.key, attention.query
    return 4, 6.60
