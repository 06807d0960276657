whose = "Sofia"


def heal(patient):
    attention = patient.blocks[1].attention
    query, key = attention.query.weight.data, attention.key.weight.data
    ill = (torch.arange(96) >= 72).unsqueeze(1)
    attention.query.weight.data = torch.where(ill, key, query)
    attention.key.weight.data = torch.where(ill, query, key)
    return torch.tensor(2), torch.tensor(2), torch.tensor(3)
