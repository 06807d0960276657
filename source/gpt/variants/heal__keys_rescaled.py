whose = "Alan Turing"


def heal(patient):
    attention = patient.blocks[0].attention
    with torch.no_grad():
        attention.key.weight[: attention.head_dim].mul_(math.sqrt(attention.head_dim))
    return 1, 1, 0
