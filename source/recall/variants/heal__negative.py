whose = "Cantor"


def heal(patient):
    with torch.no_grad():
        patient.output.weight.neg_()
    return 7, 25.1
