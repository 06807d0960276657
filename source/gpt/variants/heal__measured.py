whose = "Grace Hopper"


def heal(patient):
    text = patients.measured_on(3)
    rows = slice(48, 72)
    weight = patient.blocks[0].attention.query.weight
    whole = weight.detach().clone()
    found = {}
    with torch.no_grad():
        for number in (3, 6, 12, 18, 24, 30, 48):
            weight[rows] = whole[rows] / number
            losses = patients.losses(patient(text.letters), text)
            found[number] = losses.plain + losses.first + losses.again
        weight[rows] = whole[rows] / min(found, key=found.get)
    return 1, 1, 2
