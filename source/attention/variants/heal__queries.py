whose = "Grace Hopper"


def heal(patient):
    with torch.no_grad():
        for parameter in patient.attention.query.parameters():
            parameter *= 4
    return 1, 11.3
