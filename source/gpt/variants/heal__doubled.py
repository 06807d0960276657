whose = "Cantor"


def heal(patient):
    with torch.no_grad():
        for block in patient.blocks:
            block.attention.query.weight = nn.Parameter(2 * block.attention.query.weight)
    return 3, 0.58
