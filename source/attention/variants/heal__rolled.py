whose = "Marie Curie"


def heal(patient):
    with torch.no_grad():
        patient.first.weight.copy_(patient.first.weight.roll(-1, dims=1))
    return 8, 43.5
