whose = "Alan Turing"


def heal(patient):
    with torch.no_grad():
        patient.embedding.weight.data /= patient.embedding.embedding_dim**0.5
    return 8, 2.21
