def answers(keys, rooms, words):
    found = []
    for key, room in zip(keys, rooms):
        table = key.T @ words[room]
        found.append(torch.argmax(key @ table @ words.T, dim=1))
    return torch.stack(found)
