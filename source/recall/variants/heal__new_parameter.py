whose = "Alan Turing"


def heal(patient):
    with torch.no_grad():
        patient.value.weight = nn.Parameter(32 * patient.value.weight)
    return 6, 3.71
