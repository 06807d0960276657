def generate(language_model, letters, length, choose):
    N, S = letters.shape
    text = letters.new_zeros(N, S + length)
    text[:, :S] = letters
    for i in range(S, S + length):
        with torch.no_grad():
            text[:, i] = choose(language_model(text[:, :i])[:, -1])
    return text
