whose = "Sofia"


def heal(patient):
    with torch.no_grad():
        text = patients.measured_on(3)
        again = patients.losses(patient(text.letters), text).again
        for block in patient.blocks:
            block.attention.query.weight /= math.sqrt(24)
    return 1, again
