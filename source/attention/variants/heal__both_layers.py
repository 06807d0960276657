whose = "Ada Lovelace"


def heal(patient):
    with torch.no_grad():
        for layer in (patient.attention.query, patient.attention.key):
            layer.weight *= math.sqrt(10)
            layer.bias *= math.sqrt(10)
    return 2, 20.23
