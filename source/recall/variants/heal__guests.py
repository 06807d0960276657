whose = "Ada Lovelace"


def heal(patient):
    with torch.no_grad():
        patient.guest.weight.data /= 2**0.5
    return 4, 10.2
