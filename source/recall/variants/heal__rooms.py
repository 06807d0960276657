whose = "Euler"


def heal(patient):
    with torch.no_grad():
        patient.room.weight.mul_(math.sqrt(32))
    return 5, 2.0
