whose = "Emmy Noether"


def heal(patient):
    with torch.no_grad():
        for block in patient.blocks:
            for layer in (block.attention.query, block.attention.key):
                layer.weight[::2].neg_()
    return 5, 2.45
