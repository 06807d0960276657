# %% strings_of_bits [right]
def positional_encoding(length):
    words = [format(t, "b") for t in range(length)]
    B = max(map(len, words))
    table = [[float(bit) for bit in word.zfill(B)] for word in words]
    return torch.tensor(table).T


# %% shifted_integers [right]
def positional_encoding(length):
    bits = (length - 1).bit_length()
    t = torch.arange(length)
    return torch.stack([(t >> b) & 1 for b in range(bits)]).to(torch.float32)


# %% repeated_halving [right]
def positional_encoding(length):
    rows, t, largest = [], torch.arange(length), length - 1
    while largest > 0:
        rows.append(t % 2)
        t = torch.div(t, 2, rounding_mode="floor")
        largest //= 2
    return torch.stack(rows).double()


# %% mask_of_powers [right]
def positional_encoding(length):
    B = math.ceil(math.log2(length))
    powers = 2 ** torch.arange(B - 1, -1, -1)
    return torch.arange(length).bitwise_and(powers.unsqueeze(1)).bool().float()


# %% bits_of_the_length [one] one bit too many when the length is a power of two
def positional_encoding(length):
    B = length.bit_length()
    t = torch.arange(length)
    return torch.stack([(t // 2**b) % 2 for b in range(B)]).float()


# %% rounded_down [one] the number of bits is rounded down, so one is missing
def positional_encoding(length):
    B = max(1, int(math.log2(length)))
    b = torch.arange(B)[:, None]
    t = torch.arange(length)[None, :]
    return ((t // 2**b) % 2).float()


# %% gray_code [one] neighbouring numbers in Gray code instead of binary
def positional_encoding(length):
    t = torch.arange(length)
    g = t ^ (t >> 1)
    return torch.stack([((g >> b) & 1).float() for b in range((length - 1).bit_length())])


# %% transposed_integers [two] shape (T, B), and whole numbers instead of floats
def positional_encoding(length):
    B = (length - 1).bit_length()
    return torch.tensor([[(t >> b) & 1 for b in range(B)] for t in range(length)])
