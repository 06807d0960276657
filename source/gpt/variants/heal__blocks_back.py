whose = "Ada Lovelace"


def heal(patient):
    with torch.no_grad():
        first, second = patient.blocks[0], patient.blocks[1]
        patient.blocks[0], patient.blocks[1] = second, first
    return 7, 4.36
