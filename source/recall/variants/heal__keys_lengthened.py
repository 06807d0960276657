whose = "Sofia"


def heal(patient):
    with torch.no_grad():
        patient.key.weight *= 1000
        patient.value.weight /= 1000
    return 1, 0.11
