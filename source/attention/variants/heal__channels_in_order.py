whose = "Euler"


def heal(patient):
    with torch.no_grad():
        patient.first.weight = nn.Parameter(patient.first.weight[:, [1, 2, 3, 4, 5, 6, 7, 0]])
    return 8, 43.5
