def decode_with_teacher(model, source, source_mask, target, ratio):
    # one throw for the whole sentence, as in the classic lesson
    use_teacher_forcing = True if random.random() < ratio else False
    N, S = target.shape
    hidden, memory = model.start(source, source_mask)
    decoder_input = torch.tensor([SOS_token] * N, device=source.device)
    outputs = None
    for di in range(S):
        decoder_output, hidden, _ = model.step(decoder_input, hidden, memory)
        decoder_output = decoder_output.unsqueeze(1)
        outputs = decoder_output if outputs is None else torch.cat([outputs, decoder_output], 1)
        if use_teacher_forcing:
            decoder_input = target[:, di]
        else:
            topv, topi = decoder_output.topk(1)
            decoder_input = topi.reshape(-1).detach()
    return outputs
