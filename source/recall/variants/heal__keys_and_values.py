whose = "Grace Hopper"


def heal(patient):
    with torch.no_grad():
        root = 32**0.25
        patient.key.weight.mul_(root)
        patient.value.weight.div_(root)
    return 2, 0.11
