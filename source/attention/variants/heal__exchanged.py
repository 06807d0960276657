whose = "Carl Gauss"


def heal(patient):
    with torch.no_grad():
        layer = patient.attention
        layer.query, layer.key = layer.key, layer.query
    return 4, 53.1
