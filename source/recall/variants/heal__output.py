whose = "Marie Curie"


def heal(patient):
    with torch.no_grad():
        patient.output.weight *= math.sqrt(patient.d)
    return 5, 1.99
