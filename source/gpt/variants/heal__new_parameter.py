whose = "Marie Curie"


def heal(patient):
    weight = patient.blocks[1].attention.query.weight.detach().clone()
    weight[:24] *= 5
    patient.blocks[1].attention.query.weight = nn.Parameter(weight)
    return 1, 2, 0
