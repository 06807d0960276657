whose = "Carl Gauss"


def heal(patient):
    with torch.no_grad():
        patient.key.weight.copy_(patient.key.weight.flip(0))
    return 8, 10.6
