whose = "Cantor"


def heal(patient):
    attention = patient.blocks[1].attention
    with torch.no_grad():
        for weight in (attention.query.weight, attention.key.weight):
            weight.view(attention.num_heads, -1, 2, weight.shape[1])[1, :, 1] *= -1
    return 3, 2, 1
