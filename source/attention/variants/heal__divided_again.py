whose = "Alan Turing"


def heal(patient):
    with torch.no_grad():
        sequences, _ = generate(5000, task=2, seed=0)
        stds = add_position(sequences, positional_encoding(100)).std(dim=(0, 2))
        patient.first.weight /= stds.view(1, -1, 1)
    return 5, 6422
