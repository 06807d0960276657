whose = "Carl Gauss"


def heal(patient):
    attention = patient.blocks[0].attention
    with torch.no_grad():
        for layer in (attention.query, attention.key):
            layer.weight[24:48] *= 24**0.25
    return 1, 1, 1
