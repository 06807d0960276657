whose = "Mei"


def heal(patient):
    with torch.no_grad():
        hotel = patients.measured_on(0)
        loss = patients.losses(patients.read(patient, hotel), hotel)["full hotel"]
        patient.guest.weight *= 2**0.5
    return 3, loss
