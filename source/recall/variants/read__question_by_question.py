def read(table, q):
    answers = [(question.unsqueeze(1) @ table).squeeze(1) for question in q.unbind(1)]
    return torch.stack(answers, dim=1)
