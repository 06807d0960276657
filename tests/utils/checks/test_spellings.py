"""The commonest spellings of wrong answers, in many public answers: each belongs to a mistake that the check names."""

import pytest

from tests.utils.checks.test_solving import (
    ADDITIVE,
    ATTEND,
    CONCAT,
    COSINE,
    DECODER,
    FORWARD,
    HEADS,
    HIDE,
    HIDE_PADDING,
    LAYER,
    LOSS,
    NETWORK,
    TEACHER,
    Case,
    panel,
)

DATA, ADD, SUMMARY = ("attention", "make_datasets"), ("attention", "add_position"), ("seq2seq", "summarise")
CALL = "F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD_token)"
CONTEXT = "torch.bmm(weights.unsqueeze(1), states)"
CONV = "        nn.Conv1d(channels, channels, kernel_size=5, padding=2),\n"
READY = "nn.functional.scaled_dot_product_attention"
FIRST = "in_channels, channels, kernel_size=5, padding=2),\n        nn."
LAST = f"{CONV}        nn.ReLU(),\n        nn.Dropout(0.3),\n        nn.Conv1d(channels, 1"
DROPS = ("There is a dropout layer",)
ON_CPU = ("is on the CPU, wherever the others are",)


def ready_made(options: str) -> dict[str, str]:
    """Return the change that leaves weights and context to PyTorch's attention."""
    drop = "dropout_p=self.attn_drop.p if self.training else 0.0"
    return {"weights @ v": f"{READY}(q, k, v, {drop}, {options})"}


CASES = [
    # ---- two mistakes, or one in another spelling
    Case("a mask inverted with −1e9", HEADS, {HIDE: "scores.masked_fill(attn_mask != 0, -1e9)"}, ("is inverted",)),
    Case("padding shown with −1e9", ATTEND, {HIDE_PADDING: "scores.masked_fill(mask, -1e9)"}, ("inverted",)),
    Case(
        "attention that scales by itself",
        LAYER,
        {
            "(attention @ value).transpose(1, 2)": f"{READY}(query, key, value).transpose(1, 2)",
        },
        ("divided by the root of key_dim",),
    ),
    Case("a causal mask for every mask", HEADS, ready_made("is_causal=attn_mask is not None"), ("`is_causal=True`",)),
    Case(
        "a mask of numbers handed on",
        HEADS,
        ready_made("attn_mask=None if attn_mask is None else attn_mask.to(q.dtype)"),
        ("is added to the scores",),
    ),
    Case(
        "query and key exchange their layers",
        HEADS,
        {"self.query(query)": "self.key(query)", "self.key(key)": "self.query(key)"},
        ("are swapped",),
    ),
    Case(
        "no scale, and a mask thrown away",
        HEADS,
        {" / math.sqrt(d)": "", f"scores = {HIDE}": HIDE},
        ("not divided by √(E/H)", "The mask has no effect"),
    ),
    Case(
        "neither mask nor positions",
        FORWARD,
        {"        words = self.positional_encoding(words)\n": "", "memory, tgt_mask=mask)": "memory)"},
        ("Two mistakes at once", "The words get no positional encoding"),
    ),
    Case(
        "the pictures as one sequence",
        FORWARD,
        {"features).unsqueeze(1)": "features).unsqueeze(0)"},
        ("(1, N, E)", "A likely cause"),
    ),
    Case("old gradients", ("attention", "update"), {"    optimizer.zero_grad()\n": ""}, ("Old gradients",)),
    Case(
        "batch normalisation",
        NETWORK,
        {
            f"{CONV}        nn.ReLU(),\n        nn.Conv1d(channels, 1": f"{CONV}        nn.BatchNorm1d(channels),\n"
            "        nn.ReLU(),\n        nn.Conv1d(channels, 1"
        },
        ("a normalisation (`BatchNorm`) is among the layers",),
        ("Missing key",),
    ),
    Case(
        "a mean of weighted states",
        ATTEND,
        {f"context = {CONTEXT}": "context = (weights[:, :, None] * states).mean(1, keepdim=True)"},
        ("mean",),
    ),
    Case("scores and words as they are", LOSS, {CALL: "F.cross_entropy(logits, target)"}, ("on axis 1",)),
    Case("label smoothing", LOSS, {"PAD_token)": "PAD_token, label_smoothing=0.1)"}, ("label",)),
    Case("added to x", ADD, {"torch.cat([x, repeated], dim=1)": "x + encoding"}, ("in its own channels",)),
    Case(
        "one mean and one deviation of everything",
        DATA,
        {
            "known.mean(dim=(0, 2), keepdim=True)": "x.mean()",
            "known.std(dim=(0, 2), keepdim=True)": "x.std()",
        },
        ("Two mistakes at once",),
    ),
    Case(
        "targets standardised by the inputs",
        DATA,
        {
            "inputs, targets = standardise(inputs), standardise(targets)": "known = inputs[:n_train]\n"
            "    m, s = known.mean((0, 2), keepdim=True), known.std((0, 2), keepdim=True)\n"
            "    inputs, targets = (inputs - m) / s, (targets - m) / s"
        },
        ("mean and deviation of each channel of the inputs",),
    ),
    Case("the number of words as an index", SUMMARY, {".sum(dim=1) - 1": ".sum(dim=1)"}, ("one place too far",)),
    Case(
        "its own target fed", TEACHER, {"model.step(word,": "model.step(target[:, i],"}, ("it could copy the answer",)
    ),
    Case("ReLU on the word", DECODER, {"self.embedding(word)": "self.embedding(word).relu()"}, ("ReLU cuts",)),
    # ---- dropout at a rate that nobody gave, other layers and losses
    *(
        Case(f"dropout at its own rate, {name}", gap, {call: f"nn.functional.dropout({x}, {options})"}, says)
        for gap, call, x in (
            (HEADS, "self.attn_drop(weights)", "weights"),
            (("captioning", "positional_encoding"), "self.dropout(x)", "x"),
            (DECODER, "self.dropout(self.embedding(word))", "self.embedding(word)"),
        )
        for name, options, says in (
            (
                "in training",
                "0.3, self.training",
                ("Your dropout uses a number of its own", "with rate 1, a second call gives a different result"),
            ),
            ("always", "0.2", ("Your dropout has its own rate, and acts in eval() mode too: ",)),
        )
    ),
    Case("dropout between layers", NETWORK, {f"{CONV}        nn.ReLU(),\n        nn.Conv1d(channels, 1": LAST}, DROPS),
    Case("one GELU", NETWORK, {FIRST + "ReLU": FIRST + "GELU"}, ("One of the three activations is a GELU",)),
    Case(
        "labels smoothed more",
        LOSS,
        {"ignore_index=PAD_token": "ignore_index=PAD_token, label_smoothing=0.2"},
        ("The labels are smoothed",),
    ),
    Case(
        "rotary positions where the table is added",
        ("captioning", "positional_encoding"),
        {
            "x = x + self.pe[:, :S]": "turn = torch.complex(self.pe[:, :S, 1::2], self.pe[:, :S, 0::2])\n"
            "        x = torch.view_as_real(torch.view_as_complex(x.unflatten(2, (-1, 2))) * turn).flatten(2)"
        },
        ("as rotary positions do (RoPE)",),
    ),
    # ---- a device of its own
    Case(
        "datasets made on the CPU", DATA, {"(x - mean) / std": "torch.empty(x.shape).copy_((x - mean) / std)"}, ON_CPU
    ),
    Case(
        "products on the CPU",
        ("seq2seq", "dot_similarity"),
        {"a @ b.T": "torch.zeros(len(a), len(b)).copy_(a @ b.T)"},
        ON_CPU,
    ),
    Case("cosines on the CPU", COSINE, {"a @ b.T": "torch.empty(len(a), len(b)).copy_(a @ b.T)"}, ON_CPU),
    Case(
        "people on the CPU",
        ("seq2seq", "tastes"),
        {"similarity(ratings, ratings)": "torch.zeros(len(ratings), len(ratings)).copy_(similarity(ratings, ratings))"},
        ON_CPU,
    ),
    Case(
        "queries repeated on the CPU",
        CONCAT,
        {"query.unsqueeze(1).expand": "(torch.zeros(len(query), T, 1) + query[:, None]).expand"},
        ON_CPU,
    ),
    Case(
        "keys added on the CPU",
        ADDITIVE,
        {".unsqueeze(1) + keys": ".unsqueeze(1) + torch.zeros(keys.shape[1:]) + keys"},
        ON_CPU,
    ),
    Case(
        "a cell's input on the CPU",
        DECODER,
        {
            "self.cell(torch.cat([embedded,": "self.cell(torch.zeros(len(word), 1) + torch.cat([embedded,",
        },
        ON_CPU,
    ),
    # ---- numbers are the student's own
    Case(
        "probabilities",
        DECODER,
        {"return logits,": "return logits.softmax(dim=1),"},
        ("expected -0.1658, got 1.691e-06 (",),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.gap[1]}: {case.name}")
def test_a_common_spelling_is_named(case):
    shown = panel(case)
    assert "all tests pass" not in shown
    for words in case.says:
        assert words in shown
    for words in case.never:
        assert words not in shown
