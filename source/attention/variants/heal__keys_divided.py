whose = "Cantor"


def heal(patient):
    with torch.no_grad():
        key = patient.attention.key
        key.weight /= math.sqrt(len(key.bias))
        key.bias /= math.sqrt(len(key.bias))
    return 3, 13.1
