whose = "Grace Hopper"


def heal(patient):
    with torch.no_grad():
        for block in patient.blocks:
            for layer in (block.attention.query, block.attention.key):
                layer.weight.div_(math.sqrt(24))
    return 6, 0.91
