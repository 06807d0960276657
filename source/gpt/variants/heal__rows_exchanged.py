whose = "Ada Lovelace"


def heal(patient):
    query, key = patient.blocks[0].attention.query, patient.blocks[0].attention.key
    rows = slice(72, 96)
    with torch.no_grad():
        kept = query.weight[rows].clone()
        query.weight[rows] = key.weight[rows]
        key.weight[rows] = kept
    return 2, 1, 3
