whose = "Mei"


def heal(patient):
    with torch.no_grad():
        signs = torch.tensor([1.0] + [-1.0] * 7)
        patient.first.weight *= signs.view(1, -1, 1)
    return 7, 14.0
