whose = "Emmy Noether"


def heal(patient):
    with torch.no_grad():
        for layer in (patient.blocks[0].attention.query, patient.blocks[0].attention.key):
            layer.weight[24:48][::2].neg_()
    return 3, 1, 1
