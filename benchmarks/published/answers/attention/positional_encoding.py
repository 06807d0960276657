# %% shifted_bits [right]
def positional_encoding(length):
    bits = torch.arange((length - 1).bit_length()).unsqueeze(1)
    return ((torch.arange(length) >> bits) & 1).float()


# %% text_of_binary_numbers [right]
def positional_encoding(length):
    B = len(bin(length - 1)) - 2
    rows = [[float(f"{t:0{B}b}"[B - 1 - b]) for t in range(length)] for b in range(B)]
    return torch.tensor(rows)


# %% one_bit_more [one] at powers of two
def positional_encoding(length):
    B = int(math.log2(length)) + 1
    t = torch.arange(length)
    return torch.stack([(t // 2**b) % 2 for b in range(B)]).float()


# %% not_floored [one] t / 2^b mod 2, with fractions
def positional_encoding(length):
    B = math.ceil(math.log2(length))
    t = torch.arange(length)
    return torch.stack([(t / 2**b) % 2 for b in range(B)])


# %% whole_numbers [one] integers in place of floats
def positional_encoding(length):
    B = math.ceil(math.log2(length))
    t = torch.arange(length)
    return torch.stack([(t // 2**b) % 2 for b in range(B)])


# %% from_one_positions_first [two] positions 1 to T, (T, B)
def positional_encoding(length):
    B = math.ceil(math.log2(length))
    t = torch.arange(1, length + 1)
    return torch.stack([(t // 2**b) % 2 for b in range(B)], dim=1).float()


# %% plus_minus_one_seven_bits [two] -1 and 1, always seven rows
def positional_encoding(length):
    t = torch.arange(length)
    return torch.stack([(t // 2**b) % 2 * 2.0 - 1 for b in range(7)])
