whose = "Alan Turing"


def heal(patient):
    with torch.no_grad():
        for block in patient.blocks:
            for parameter in (block.attention.proj.weight, *block.feed_forward.outer.parameters()):
                parameter *= math.sqrt(96)
    return 8, 2.21
