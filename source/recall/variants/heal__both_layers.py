whose = "Emmy Noether"


def heal(patient):
    with torch.no_grad():
        for layer in (patient.query, patient.key):
            layer.weight *= math.sqrt(2)
    return 3, 0.30
