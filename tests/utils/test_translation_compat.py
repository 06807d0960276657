"""A notebook in the classic style runs on the known names: one sentence, word by word, hidden states (1, 1, G)."""

import random

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from utils.attention_utils import (
    MAX_LENGTH,
    EOS_token,
    SOS_token,
    filterPairs,
    readLangs,
    tensorFromSentence,
    tensorsFromPair,
)
from utils.seq2seq.pairs import split_pairs


def prepareData(lang1, lang2, reverse=False):
    input_lang, output_lang, pairs = readLangs(lang1, lang2, reverse)
    pairs = filterPairs(pairs)
    for pair in pairs:
        input_lang.addSentence(pair[0])
        output_lang.addSentence(pair[1])
    return input_lang, output_lang, pairs


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)

    def forward(self, word, hidden):
        return self.gru(self.embedding(word).view(1, 1, -1), hidden)

    def initHidden(self):
        return torch.zeros(1, 1, self.hidden_size)


class BahdanauDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.W, self.U = nn.Linear(hidden_size, hidden_size), nn.Linear(hidden_size, hidden_size)
        self.v = nn.Linear(hidden_size, 1, bias=False)
        self.gru = nn.GRU(2 * hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, word, hidden, encoder_outputs):
        scores = self.v(torch.tanh(self.W(hidden[0]) + self.U(encoder_outputs)))  # (T, 1)
        weights = F.softmax(scores, dim=0).t()
        context = torch.bmm(weights.unsqueeze(0), encoder_outputs.unsqueeze(0))
        output, hidden = self.gru(torch.cat([self.embedding(word).view(1, 1, -1), context], dim=2), hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden, weights


@pytest.mark.whole
def test_classic_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    input_lang, output_lang, pairs = prepareData("eng", "fra", True)
    assert all(len(side.split(" ")) < MAX_LENGTH for pair in pairs for side in pair)
    torch.manual_seed(0)
    random.seed(0)
    encoder, decoder = EncoderRNN(input_lang.n_words, 32), BahdanauDecoderRNN(32, output_lang.n_words)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.05) for m in (encoder, decoder)]
    criterion = nn.NLLLoss()
    few = random.sample(pairs, 3)

    def train(source, target):
        for optimizer in optimizers:
            optimizer.zero_grad()
        hidden, encoder_outputs = encoder.initHidden(), torch.zeros(MAX_LENGTH, 32)
        for i in range(source.size(0)):
            output, hidden = encoder(source[i], hidden)
            encoder_outputs[i] = output[0, 0]
        word, loss = torch.tensor([[SOS_token]]), 0
        for i in range(target.size(0)):
            output, hidden, _ = decoder(word, hidden, encoder_outputs)
            loss += criterion(output, target[i])
            word = target[i]
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        return loss.item() / target.size(0)

    losses = [train(*tensorsFromPair(random.choice(few))) for _ in range(150)]
    assert sum(losses[-10:]) < 0.5 * sum(losses[:10])
    assert tensorFromSentence(input_lang, few[0][0])[-1].item() == EOS_token


@pytest.mark.whole
def test_the_corpus_is_learned_without_its_held_out_part():
    french, _, pairs = readLangs("eng", "fra", True, path="embedded")
    training, held_out = split_pairs(filterPairs(pairs))
    assert french.name == "fra"
    assert not {tuple(p) for p in training} & {tuple(p) for p in held_out}
