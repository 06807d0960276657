whose = "Carl Gauss"


def heal(patient):
    with torch.no_grad():
        for block in patient.blocks:
            block.attention.key.weight *= math.sqrt(block.attention.head_dim)
    return 2, 2.85
