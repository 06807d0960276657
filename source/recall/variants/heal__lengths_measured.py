whose = "Pascal"


def heal(patient):
    with torch.no_grad():
        length = patient.keys(torch.arange(512)).norm(dim=-1).mean()
        patient.key.weight.div_(length)
        patient.output.weight.mul_(length)
    return 1, 0.12
