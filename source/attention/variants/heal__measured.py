whose = "Emmy Noether"


def heal(patient):
    with torch.no_grad():
        sequences = patients.measured_on(0)
        error = patients.losses(patients.read(patient, sequences), sequences)["shapes"]
        patient.first.weight[:, 1:].neg_()
    return 7, error
