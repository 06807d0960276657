"""Slips in a language model that published tests let pass, and their kin: ours catch each, and say what it is.

Of 51 such slips in the parts of CS336's first assignment (Stanford, 2025), its tests let nine pass: positions ignored,
gradients cut, and the numbers of heads, of rows and of places written in. These are the same kinds, in our own gaps.
"""

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import exam_verdicts, in_words, names_with, quiet

pytestmark = pytest.mark.whole

SCORES = "query @ key.transpose(2, 3) / math.sqrt(self.head_dim)"
HIDDEN = 'scores.masked_fill(later, float("-inf"))'
SLIPS: list[tuple[str, str, str]] = [
    # ---- the loss: axes, places, precision, and what is returned
    ("nats", "log_softmax(dim=-1)", "softmax(dim=-1).clamp(min=1e-9).log()"),
    ("nats", "log_softmax(dim=-1)", "log_softmax(dim=1)"),
    ("nats", "logits[:, :-1].log_softmax(dim=-1)", "logits[:, :-1].detach().log_softmax(dim=-1)"),
    ("nats", "letters[:, 1:]", "letters[:, :-1]"),
    ("nats", ".squeeze(-1)", ".squeeze()"),
    ("nats", "-log_p.gather", "log_p.gather"),
    # ---- the norm
    ("rms_norm", "+ self.epsilon", ""),
    ("rms_norm", "+ self.epsilon", "+ 1e-3"),
    ("rms_norm", "x.pow(2).mean(dim=-1, keepdim=True)", "x.pow(2).mean()"),
    ("rms_norm", "x.pow(2).mean(dim=-1, keepdim=True)", "x.var(dim=-1, keepdim=True)"),
    ("rms_norm", "x.pow(2)", "x.detach().pow(2)"),
    ("rms_norm", "self.gain * x", "self.gain.detach() * x"),
    ("rms_norm", "self.gain * x", "(1 + self.gain) * x"),
    ("rms_norm", "mean(dim=-1, keepdim=True)", "mean(dim=2, keepdim=True)"),
    # ---- the block
    ("block", "self.attention(self.norm1(x))", "self.attention(self.norm1(x)).detach()"),
    ("block", "self.feed_forward(self.norm2(x))", "self.feed_forward(self.norm2(x.detach()))"),
    ("block", "x = x + self.attention(self.norm1(x))", "x = self.norm1(x + self.attention(x))"),
    ("block", "self.norm2(x)", "self.norm1(x)"),
    ("block", "x = x + self.attention", "x += self.attention"),
    # ---- rotation: positions, pairs, speeds
    ("rotate", "torch.arange(start, start + S,", "torch.arange(S,"),
    ("rotate", "torch.arange(start, start + S,", "torch.arange(start + 1, start + S + 1,"),
    ("rotate", "torch.arange(start, start + S,", "torch.arange(start, start + 7,"),
    ("rotate", "10000.0", "1000.0"),
    ("rotate", "torch.arange(0, d, 2, device=x.device) / d", "torch.arange(0, d, 2, device=x.device) / (2 * d)"),
    ("rotate", "first * cos - second * sin", "first * cos + second * sin"),
    ("rotate", "torch.stack", "torch.cat"),
    ("rotate", "first, second = x[..., 0::2], x[..., 1::2]", "first, second = x.chunk(2, dim=-1)"),
    ("rotate", "first, second = x[..., 0::2], x[..., 1::2]", "second, first = x[..., 0::2], x[..., 1::2]"),
    ("rotate", "x[..., 0::2], x[..., 1::2]", "x[..., 0::2].detach(), x[..., 1::2].detach()"),
    # ---- attention
    ("self_attention", "self.rotate(self.split(self.query(x)))", "self.split(self.query(x))"),
    ("self_attention", "self.split(self.value(x))", "self.rotate(self.split(self.value(x)))"),
    ("self_attention", "math.sqrt(self.head_dim)", "math.sqrt(x.shape[-1])"),
    ("self_attention", SCORES, f"{SCORES} / 1.05"),
    ("self_attention", "triu(1)", "triu(2)"),
    ("self_attention", "triu(1)", "tril(-1)"),
    ("self_attention", HIDDEN, "scores.masked_fill(later, -10.0)"),
    ("self_attention", "torch.ones_like(scores, dtype=torch.bool)", "torch.ones(2, 3, 7, 7, dtype=torch.bool)"),
    ("self_attention", "self.look(x) @ value", "self.look(x).detach() @ value"),
    ("self_attention", "self.look(x) @ value", "self.look(x) @ value.detach()"),
    ("self_attention", "self.key(x)", "self.key(x.detach()).detach()"),
    ("self_attention", "self.join(context)", "context.reshape(x.shape)"),
    # ---- heads
    ("back", "diagonal(-k,", "diagonal(k,"),
    ("back", "dim=(0, 2)", "dim=2"),
    ("back", "dim=(0, 2)", "dim=(1, 2)"),
    ("score_without", "model.blocks[0]", "model.blocks[1]"),
    ("score_without", "block.attention = whole", "pass"),
    ("score_without", "[head]", "head"),
    # ---- drawing and the cache
    ("nucleus", "before >= top_p", "likeliest.cumsum(dim=-1) >= top_p"),
    ("nucleus", "kept.sum(dim=-1, keepdim=True)", "kept.sum()"),
    ("step", "attention.key(x)), start)", "attention.key(x)))"),
    ("step", "triu(T - S + 1)", "triu(1)"),
]  # fmt: skip


def told(gap: str, old: str, new: str) -> tuple[bool, bool, bool]:
    """Return whether check and exam notice a slip, and whether one of them names it or describes it in words."""
    lesson = Lesson.load("gpt", WORKBOOK)
    code = lesson.solutions[gap].code
    assert code.count(old) == 1, f"{old!r} occurs {code.count(old)} times"
    with quiet():
        students = reference.exam_call(lesson, gap, names_with(lesson, code.replace(old, new), f"{gap}:slip"))
        check = reference.checks_of(lesson)[gap].verdicts(students)
        exam = exam_verdicts(lesson, gap, students, 0)
    passed = [all(verdict.passed for verdict in verdicts) for verdicts in (check, exam)]
    return not passed[0], not passed[1], in_words([*check, *exam])


def test_each_of_51_slips_is_caught_and_nearly_each_is_told_in_words():
    found = {slip: told(*slip) for slip in SLIPS}
    assert len(SLIPS) == 51
    assert not [slip for slip, (check, exam, _) in found.items() if not (check and exam)]
    assert sum(words for *_, words in found.values()) >= 0.7 * len(found)
