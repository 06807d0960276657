"""What a student is told of wrong answers that people wrote who solved the lessons from their text alone.

Each case is one answer, as changes to the reference solution, with words that its check must say, or must not. Where
nothing is to be said but that it is wrong, `says` holds what the check measured.
"""

import contextlib
import io
import warnings
from dataclasses import dataclass

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.engine.panel import Panel, lines

FORWARD = ("captioning", "captioning_transformer")
HEADS = ("captioning", "multi_head_attention")
LAYER = ("attention", "self_attention")
NETWORK = ("attention", "conv_network")
GREEDY = ("seq2seq", "greedy_decode")
TEACHER = ("seq2seq", "teacher_forcing")
ATTEND = ("seq2seq", "attend")
LOSS = ("seq2seq", "sentence_loss")
DECODER = ("seq2seq", "decoder_step")
ADDITIVE = ("seq2seq", "additive_attention")
COSINE = ("seq2seq", "cosine_similarity")
CONCAT = ("seq2seq", "concat_score")
CUT = ("seq2seq", "cut")
BITS = ("attention", "positional_encoding")
TABLE = ("captioning", "positional_encoding")

HIDE = 'scores.masked_fill(attn_mask == 0, float("-inf"))'
HIDE_PADDING = 'scores.masked_fill(~mask, float("-inf"))'
LENGTHS = """\
    a = a / a.norm(dim=1, keepdim=True)  # (N, D), each row of length 1
    b = b / b.norm(dim=1, keepdim=True)  # (M, D)
"""
V_FILLED = "torch.empty(score_dim).uniform_(-bound, bound)"


@dataclass(frozen=True)
class Case:
    """One answer and what its panel says."""

    name: str
    gap: tuple[str, str]
    changes: dict[str, str]
    says: tuple[str, ...]
    never: tuple[str, ...] = ()


CASES = [
    # ---- attention and captioning: messages that were false
    Case(
        "projection and dropout forgotten",
        HEADS,
        {"return self.proj(context)": "return context", "        weights = self.attn_drop(weights)\n": ""},
        ("no gradient reaches `proj.bias`",),
        ("residual", "is added to the result"),
    ),
    Case(
        "no scale, and dropout before the softmax",
        HEADS,
        {
            " / math.sqrt(d)": "",
            "weights = scores.softmax(dim=-1)": "weights = self.attn_drop(scores).softmax(dim=-1)",
            "        weights = self.attn_drop(weights)\n": "",
        },
        ("not divided by √(E/H)", "Dropout acts on the scores, before the softmax"),
        ("residual", "is added to the result"),
    ),
    Case(
        "no exchange of axes at all",
        HEADS,
        {
            "self.query(query).view(N, S, H, d).transpose(1, 2)": "self.query(query).view(N, S, H, d)",
            "self.key(key).view(N, T, H, d).transpose(1, 2)": "self.key(key).view(N, T, H, d)",
            "self.value(value).view(N, T, H, d).transpose(1, 2)": "self.value(value).view(N, T, H, d)",
            "context.transpose(1, 2).reshape": "context.reshape",
        },
        ("Positions and heads are never exchanged",),
        ("averaged",),
    ),
    Case(
        "zero times infinity",
        HEADS,
        {HIDE: "scores + (1 - attn_mask.float()) * float('-inf')"},
        ("A likely cause: Infinities meet", "0 · ∞ is NaN"),
        ("sign",),
    ),
    Case(
        "S for T in the keys' view",
        HEADS,
        {"self.key(key).view(N, T, H, d)": "self.key(key).view(N, S, H, d)"},
        ("k = self.key(key).view(N, S, H, d)",),
        ("length T of the keys", "Query and key are swapped"),
    ),
    Case(
        "PyTorch's polarity of the mask",
        FORWARD,
        {"torch.tril(": "~torch.tril("},
        ("words see only what follows", "true where looking is allowed"),
        ("infinities",),
    ),
    Case(
        "neither mask nor positions",
        FORWARD,
        {"        words = self.positional_encoding(words)\n": "", "memory, tgt_mask=mask)": "memory)"},
        (
            "the scores of earlier words change; they must not",
            "the order of the words makes no difference, but it must",
        ),
        ("only itself", "above the diagonal"),
    ),
    Case(
        "a diagonal too low",
        FORWARD,
        {"device=captions.device))": "device=captions.device), diagonal=-1)"},
        ("does not see itself",),
        ("NaN",),
    ),
    Case(
        "softmax over the other axis, and weights transposed",
        LAYER,
        {"dim=2": "dim=1", "(attention @ value)": "(attention.transpose(1, 2) @ value)"},
        ("values that differ",),
        ("exchanged", "changed places"),
    ),
    Case(
        "queries and keys too wide",
        LAYER,
        {
            "self.query = nn.Conv1d(in_dim, key_dim": "self.query = nn.Conv1d(in_dim, out_dim",
            "self.key = nn.Conv1d(in_dim, key_dim": "self.key = nn.Conv1d(in_dim, out_dim",
        },
        ("they need key_dim", "key.bias: expected shape (d,) = (3,), got (E,) = (7,)"),
        ("serves as query", "raised"),
    ),
    Case(
        "data sets that are no TensorDatasets",
        ("attention", "make_datasets"),
        {"training_set = TensorDataset": "training_set = tuple", "return training_set,": "return list(training_set),"}
        | {"tuple(inputs[:n_train], targets[:n_train])": "(inputs[:n_train], targets[:n_train])"},
        ("do not return two TensorDatasets",),
        ("raised", "attribute"),
    ),
    Case(
        "data sets without return",
        ("attention", "make_datasets"),
        {"    return training_set, test_set": ""},
        ("is the return missing?",),
    ),
    Case(
        "a list of layers",
        NETWORK,
        {"return nn.Sequential(": "return list([", "padding=2),\n    )": "padding=2),\n    ])"},
        ("you do not return a network",),
        ("named_parameters", "raised"),
    ),
    # ---- true but unhelpful
    Case("memory without its axis", FORWARD, {".unsqueeze(1)": ""}, ("so (N, 1, E)", "A likely cause")),
    Case(
        "words and memory exchanged",
        FORWARD,
        {"self.transformer(words, memory,": "self.transformer(memory, words,"},
        ("Words and memory are swapped",),
    ),
    Case(
        "sizes written in",
        NETWORK,
        {"    return nn.Sequential(": "    in_channels, channels = 1, 64\n    return nn.Sequential("},
        ("conv_network(3,7): expected '1×7×5 7×3×5 7×7×5 7×7×5 1 7 7 7', got '1×64×5 64×1×5",),
    ),
    Case(
        "five convolutions",
        NETWORK,
        {
            "        nn.Conv1d(channels, 1,": "        nn.Conv1d(channels, channels, kernel_size=5, padding=2),\n"
            "        nn.ReLU(),\n        nn.Conv1d(channels, 1,"
        },
        ("five convolutions", "got '1×64×5 64×1×5 64×64×5 64×64×5 64×64×5 1 64 64 64 64'"),
    ),
    Case(
        "a loss that is a class",
        ("attention", "update"),
        {"nn.functional.mse_loss(model(inputs), targets)": "nn.MSELoss(model(inputs), targets)"},
        ("`nn.MSELoss(…)` makes a loss",),
    ),
    Case(
        "values with a column for each position",
        LAYER,
        {"self.value(x).transpose(1, 2)": "self.value(x)"},
        ("In A V each position is a row of the values",),
    ),
    Case(
        "a table of two axes, added to other axes",
        ("captioning", "positional_encoding"),
        {
            "torch.zeros(1, max_len, embed_dim)": "torch.zeros(max_len, embed_dim)",
            "pe[0, :, 0::2]": "pe[:, 0::2]",
            "pe[0, :, 1::2]": "pe[:, 1::2]",
        },
        ("in the line “x = x + self.pe[:, :S]”",),
    ),
    # ---- seq2seq, A: passed, and crashed cells later
    Case(
        "weights of a model that gives none",
        GREEDY,
        {"None if looks[0] is None else torch.stack(looks, dim=1)": "torch.stack(looks, dim=1)"},
        ("return None in their place",),
    ),
    Case("the loss as a number", LOSS, {"PAD_token)": "PAD_token).item()"}, ("without `.item()`",)),
    # ---- B: false or misleading
    Case(
        "all must end at once, and no padding",
        GREEDY,
        {".masked_fill(ended, PAD_token)": "", "if ended.all():": "if (word == EOS_token).all():"},
        ("these get PAD", "expected shape (5, 8), got (5, 13)"),
        ("one step late", "training mode, so"),
    ),
    Case(
        "SOS kept",
        GREEDY,
        {"words, looks = [], []": "words, looks = [word], []"},
        ("Your words begin with SOS",),
        ("filled with more EOS",),
    ),
    Case(
        "zero times infinity at padding",
        ATTEND,
        {HIDE_PADDING: "scores + (~mask) * float('-inf')"},
        ("A likely cause: Infinities meet", "0 · ∞ is NaN"),
        ("inverted",),
    ),
    Case(
        "masked scores for weights",
        ATTEND,
        {"torch.bmm(weights.unsqueeze(1), states)": "(scores.unsqueeze(2) * states).sum(dim=1, keepdim=True)"},
        ("masked scores, −∞ among them, instead of the weights",),
        ("+∞",),
    ),
    Case(
        "every sentence with every other",
        ATTEND,
        {
            "torch.bmm(weights.unsqueeze(1), states)": "weights @ states",
            "context.squeeze(1), weights": "context, weights",
        },
        ("(N, N, D)",),
        ("remove the axis of length 1",),
    ),
    Case("scores times mask", ATTEND, {HIDE_PADDING: "scores * mask"}, ("e⁰ = 1",), ("tiny *positive*",)),
    Case(
        "detached scores",
        ATTEND,
        {"    scores = scores.masked": "    scores = scores.clone().detach()\n    scores = scores.masked"},
        ("no gradient reaches `scores`", "is detached"),
    ),
    Case(
        "if ratio",
        TEACHER,
        {"random.random() < ratio": "ratio"},
        ("Nothing is random", "the word that the model chose is never fed, but it must be sometimes"),
        ("whatever `ratio` is",),
    ),
    *(
        Case(f"v {name}", ADDITIVE, {V_FILLED: code}, ("all its entries are alike",), ("filled with ones",))
        for name, code in {"zeros": "torch.zeros(score_dim)", "empty": "torch.full((score_dim,), 1e-40)"}.items()
    ),
    Case(
        "v too short",
        ADDITIVE,
        {V_FILLED: "torch.randn(score_dim - 1) / 10"},
        ("the number of its entries: expected 997, got 996",),
        ("✓ v is a parameter", "ones"),
    ),
    Case(
        "v by another name",
        ADDITIVE,
        {"self.v = ": "self.v_a = ", "compared @ self.v": "compared @ self.v_a"},
        ("your layer has no `v`",),
        ("is the return missing",),
    ),
    Case(
        "the longest sentence's length for all",
        ("seq2seq", "summarise"),
        {"mask.sum(dim=1) - 1": "mask.sum(dim=1).max() - 1"},
        ("of the first or the longest",),
    ),
    Case(
        "one length for the whole table",
        COSINE,
        {LENGTHS: "", "return a @ b.T": "return a @ b.T / (a.norm() * b.norm())"},
        ("length 1 first, then multiply",),
    ),
    Case(
        "lengths that do not fit together",
        COSINE,
        {LENGTHS: "", "@ b.T": "@ b.T / (a.norm(dim=1, keepdim=True) * b.norm(dim=1, keepdim=True))"},
        ("length 1 first, then multiply",),
    ),
    Case(
        "a zip for a list",
        ("seq2seq", "alignment"),
        {"[(word, read[t]) for word, t in zip(written, looked_at, strict=True)]": "zip(written, looked_at)"},
        ("your code returned a zip", "a list"),
        ("raised",),
    ),
    # ---- C: only numbers, though common
    Case(
        "two steps' lag",
        TEACHER,
        {"word = target[:, i] if": "word = target[:, max(i - 1, 0)] if"},
        ("The teacher is a step late",),
    ),
    Case(
        "words and places mixed by a reshape",
        LOSS,
        {"logits.flatten(0, 1), target.flatten()": "logits.reshape(len(logits), logits.shape[2], -1), target"},
        ("a reshape does not exchange axes",),
    ),
    Case("a minus too many", LOSS, {"return F.cross": "return -F.cross"}, ("The sign is wrong",)),
    Case(
        "softmax over the places",
        LOSS,
        {"F.cross_entropy(logits.flatten(0, 1)": "F.nll_loss(logits.log_softmax(1).flatten(0, 1)"},
        ("over the places of a sentence",),
    ),
    Case("W cut into rows", CUT, {"W[:, :G]": "W[:G, :]", "W[:, G:]": "W[G:, :]"}, ("You cut W between rows",)),
    Case(
        "W cut where the last G columns begin",
        CUT,
        {"W[:, :G]": "W[:, :-G]", "W[:, G:]": "W[:, -G:]"},
        ("as many columns as h has components",),
    ),
    Case("a copy of each part", CUT, {"return W_s, W_h": "return W_s.data, W_h.data"}, ("W would learn nothing",)),
    Case(
        "tanh of each part",
        CONCAT,
        {
            "torch.tanh(both @ W.T)": "(torch.tanh(repeated @ W[:, : query.shape[1]].T) "
            "+ torch.tanh(states @ W[:, query.shape[1] :].T))"
        },
        ("tanh is applied to query and state separately",),
    ),
    *(
        Case(
            f"output of {order}",
            DECODER,
            {"torch.cat([hidden, context, embedded], dim=1)": f"torch.cat([{order}], dim=1)"},
            ("concatenated in the wrong order",),
        )
        for order in ("context, hidden, embedded", "embedded, hidden, context", "hidden, embedded, context")
    ),
    Case(
        "dropout on the cell's whole input",
        DECODER,
        {
            "self.dropout(self.embedding(word))": "self.embedding(word)",
            "self.cell(torch.cat([embedded, context], dim=1)": "self.cell("
            "self.dropout(torch.cat([embedded, context], dim=1))",
        },
        ("✗ the right results with dropout", "while training"),
    ),
    Case(
        "wrong halves",
        ("seq2seq", "summarise"),
        {"states[rows, last, :half]": "states[rows, last, half:]", "states[:, 0, half:]": "states[:, 0, :half]"},
        ("The wrong halves are taken",),
    ),
    # ---- D: wrong, and passed
    Case(
        "an early end in teacher forcing",
        TEACHER,
        {
            "        steps.append(logits)\n": "        steps.append(logits)\n"
            "        if (target[:, i] == EOS_token).all():\n            break\n"
        },
        ("make all S steps", "got (1, 3, 11)"),
    ),
    Case(
        "no early end in greedy decoding", GREEDY, {"        if ended.all():\n            break\n": ""}, ("stop when",)
    ),
    Case(
        "exponentials times mask",
        ATTEND,
        {
            f"    scores = {HIDE_PADDING}\n    weights = scores.softmax(dim=1)": "    weights = scores.exp() * mask\n"
            "    weights = weights / weights.sum(1, keepdim=True)"
        },
        ("the exponential of a large score is ∞",),
    ),
    Case(
        "renormalised after the softmax",
        ATTEND,
        {
            f"    scores = {HIDE_PADDING}\n    weights = scores.softmax(dim=1)": "    weights = scores.softmax(1)\n"
            "    weights = weights * mask\n"
            "    weights = weights / weights.sum(1, keepdim=True)"
        },
        ("the mask comes after the softmax",),
    ),
    Case(
        "rows changed in place",
        COSINE,
        {"a = a / a.norm": "a /= a.norm"},
        ("the first table changes; leave it as it is",),
    ),
    # ---- of published code
    Case(
        "scores through a list",
        CONCAT,
        {"return torch.tanh(both @ W.T) @ v": "return torch.tensor((torch.tanh(both @ W.T) @ v).tolist())"},
        ("no gradient flows through your result",),
        ("raised",),
    ),
    Case(
        "the lone sentence squeezed away",
        TEACHER,
        {"logits.argmax(dim=1)": "logits.topk(1)[1].squeeze()"},
        ("removes the batch axis",),
    ),
    Case(
        "teacher in training mode only",
        TEACHER,
        {"random.random() < ratio": "model.training and random.random() < ratio"},
        ("Outside training mode the target is never fed",),
        ("the teacher never speaks",),
    ),
    # ---- read as a student who made the mistake and does not know it: what was false of these answers
    Case(
        "the line to replace stands below the code",
        ("attention", "update"),
        {
            "    return loss.item()": "    raise NotImplementedError\n    return loss.item()",
        },
        ("in place of `raise NotImplementedError`",),
        ("nothing here",),
    ),
    Case(
        "the loss's data",
        ("attention", "update"),
        {"mse_loss(model(inputs), targets)": "mse_loss(model(inputs), targets).data"},
        ("The prediction or the loss is cut off",),
    ),
    Case(
        "bits from 1 on",
        BITS,
        {"torch.arange(bits)": "torch.arange(1, bits + 1)"},
        ("rows from the lowest bit on: at [0, 1] expected 1, got 0",),
    ),
    Case(
        "a bit too many",
        BITS,
        {"math.ceil(math.log2(length))": "len(bin(length)) - 2"},
        ("positional_encoding(2): expected '[1, 2]', got '[2, 2]'",),
        ("result 1",),
    ),
    Case(
        "bits as lists",
        BITS,
        {"return (positions // powers[:, None] % 2).float()": "return (positions // powers[:, None] % 2).tolist()"},
        ("your code returned a list or a tuple where a single result is expected",),
        ("has no `", "raised"),
    ),
    Case(
        "an empty table",
        TABLE,
        {"        pe[0, :, 0::2] = torch.sin(angle)\n        pe[0, :, 1::2] = torch.cos(angle)\n": ""},
        ("the table has nothing but zeros, or it is not added",),
        ("computed and thrown away",),
    ),
    Case(
        "a precision written in",
        TABLE,
        {"self.pe[:, :S]": "self.pe[:, :S].float()"},
        ("or a result is put into one fixed precision",),
    ),
    Case(
        "a table to learn",
        TABLE,
        {'self.register_buffer("pe", pe)': "self.pe = nn.Parameter(pe)"},
        ("parameters that the layer gives to an optimizer: expected 0, got 1",),
        ("{",),
    ),
    Case(
        "the weights as well",
        HEADS,
        {"return self.proj(context)": "return self.proj(context), weights"},
        ("your code returned a list or a tuple where a single result is expected",),
        ("has no `", "raised"),
    ),
    Case(
        "vocabulary before places, and a word lost",
        FORWARD,
        {"S = captions.shape[1]": "captions = captions[:, :-1]\n        S = captions.shape[1]"}
        | {"self.output(decoded)": "self.output(decoded).transpose(1, 2)"},
        ("Two mistakes at once. You cut off the caption's last word", "(N, S, V) = (5, 7, 13), got (5, 13, 6)"),
        ("raised", "could not go on", "earlier words change"),
    ),
    Case(
        "probabilities, and no mask",
        FORWARD,
        {"self.output(decoded)": "self.output(decoded).softmax(-1)", ", tgt_mask=mask)": ")"},
        ("word 1: the scores of earlier words change; they must not",),
        ("its own scores stay", "is not: the order of words matters"),
    ),
    Case(
        "torch's cosine of pairs",
        COSINE,
        {LENGTHS: "", "return a @ b.T": "return F.cosine_similarity(a, b)"},
        ("The rows of `a` and `b` are multiplied pair by pair",),
        ("You computed the lengths",),
    ),
    Case(
        "another token is left out",
        LOSS,
        {"ignore_index=PAD_token": "ignore_index=SOS_token"},
        ("(`ignore_index`) must be PAD",),
        ("tell it",),
    ),
    Case(
        "a step too few",
        TEACHER,
        {"range(target.shape[1])": "range(1, target.shape[1])"},
        ("got (3, 4, 11)", "expected shape (3, 2, 11), got (3, 1, 11)"),
        ("but is not: sometimes the target",),
    ),
    Case(
        "the context alone",
        ATTEND,
        {"return context.squeeze(1), weights": "return context.squeeze(1)"},
        ("your code should return 2 things, as a tuple; it returned 1",),
        ("(D,)",),
    ),
    Case(
        "the words as a list",
        GREEDY,
        {"torch.stack(words, dim=1), None": "words, None"},
        ("your code returned a list or a tuple where a single result is expected",),
        ("raised", "could not go on"),
    ),
    Case("the words alone", GREEDY, {", None if looks[0] is None else torch.stack(looks, dim=1)": ""}, ("2 things",)),
    Case(
        "logits and state alone",
        DECODER,
        {"return logits, hidden, weights": "return logits, hidden"},
        ("✓ the new state", "your code should return 3 things, as a tuple; it returned 2"),
        ("out of range",),
    ),
    Case(
        "v large",
        ADDITIVE,
        {V_FILLED: "10 * torch.randn(score_dim)"},
        ("or some are large",),
    ),
    Case(
        "an index for a word",
        ("seq2seq", "alignment"),
        {"(word, read[t])": "(word, t)"},
        ("result 1: part 2: expected 'rouge', got 4",),
    ),
    Case(
        "scores filled in place",
        ATTEND,
        {f"scores = {HIDE_PADDING}": "scores[~mask] = -1e6"},
        ("are changed; leave them as they are",),
    ),
]


def panel(case: Case) -> str:
    """Return what the public check shows of an answer, on one line."""
    lesson, (_, cell) = Lesson.load(case.gap[0], WORKBOOK), case.gap
    code = lesson.solutions[cell].code
    for old, new in case.changes.items():
        assert code.count(old) == 1, f"{old!r} occurs {code.count(old)} times"
        code = code.replace(old, new)
    names = dict(reference.reference_names(lesson))
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference.run_cell(code, cell, names)
        check = reference.checks_of(lesson)[cell]
        students = reference.exam_call(lesson, cell, names)
        verdicts = check.verdicts(students)
    return " ".join(f"{Panel.of(check, verdicts, 'en').heading} {' '.join(lines(verdicts, 'en'))}".split())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.gap[1]}: {case.name}")
def test_what_is_said_is_true(case):
    shown = panel(case)
    assert "all tests pass" not in shown
    for words in case.says:
        assert words in shown
    for words in case.never:
        assert words not in shown
