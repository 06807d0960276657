"""Code written elsewhere against the known interface runs in a completed notebook of the lesson `captioning`.

Each snippet is executed with the names that the reference's cells define, as an added cell of a notebook would be.
"""

import numpy as np
import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils import transformer_layers

SNIPPETS = {
    "imports": """
from utils.transformer_layers import *
from utils.transformer import CaptioningTransformer as Imported
from utils.captioning_solver_transformer import CaptioningSolverTransformer
from utils.coco_utils import load_coco_data, sample_coco_minibatch, decode_captions
from utils.gradient_check import eval_numerical_gradient, eval_numerical_gradient_array
from utils.image_utils import image_from_url
assert torch.is_tensor(torch.zeros(1)) and nn.Linear and F.softmax and math.pi and copy.copy
assert MultiHeadAttention(4, 2)(*[torch.zeros(1, 2, 4)] * 3).shape == (1, 2, 4)
assert Imported is CaptioningTransformer
""",
    "print the data": """
from utils.coco_utils import load_coco_data
data = load_coco_data(pca_features=True)
for k, v in data.items():
    if type(v) == np.ndarray:
        print(k, type(v), v.shape, v.dtype)
    else:
        print(k, type(v), len(v))
""",
    "look at a minibatch": """
from utils.coco_utils import load_coco_data, sample_coco_minibatch, decode_captions
from utils.image_utils import image_from_url
np.random.seed(231)
data = load_coco_data(pca_features=True)
captions, features, urls = sample_coco_minibatch(data, batch_size=3)
for i, (caption, url) in enumerate(zip(captions, urls)):
    assert image_from_url(url).ndim == 3
    assert decode_captions(caption, data["idx_to_word"]).startswith("<START>")
""",
    "attention": """
from utils.transformer_layers import *
torch.manual_seed(231)
batch_size, sequence_length, embed_dim = 1, 3, 8
attn = MultiHeadAttention(embed_dim, num_heads=2)
data = torch.randn(batch_size, sequence_length, embed_dim)
other_data = torch.randn(batch_size, sequence_length, embed_dim)
self_attn_output = attn(query=data, key=data, value=data)
mask = torch.randn(sequence_length, sequence_length) < 0.5
mask[:, 0] = True
masked = attn(query=data, key=data, value=data, attn_mask=mask)
attn_output = attn(query=data, key=other_data, value=other_data)
assert self_attn_output.shape == masked.shape == attn_output.shape == (1, 3, 8)
assert torch.isfinite(masked).all()
""",
    "encoding": """
from utils.transformer_layers import *
torch.manual_seed(231)
encoding = PositionalEncoding(6)
output = encoding(torch.randn(1, 2, 6))
assert output.shape == (1, 2, 6) and encoding.pe.shape == (1, 5000, 6)
""",
    "three words in float64": """
torch.manual_seed(231)
N, D, W = 4, 20, 30
word_to_idx = {"<NULL>": 0, "cat": 2, "dog": 3}
V, T = len(word_to_idx), 3
transformer = CaptioningTransformer(word_to_idx, input_dim=D, wordvec_dim=W, num_heads=2, num_layers=2, max_length=30)
for p in transformer.parameters():
    p.data = torch.tensor(np.linspace(-1.4, 1.3, num=p.numel()).reshape(*p.shape))
features = torch.tensor(np.linspace(-1.5, 0.3, num=(N * D)).reshape(N, D))
captions = torch.tensor((np.arange(N * T) % V).reshape(N, T))
scores = transformer(features, captions)
assert scores.shape == (N, T, V) and scores.dtype == torch.float64 and torch.isfinite(scores).all()
""",
    "overfit and sample": """
from utils.captioning_solver_transformer import CaptioningSolverTransformer
torch.manual_seed(231)
np.random.seed(231)
data = load_coco_data(max_train=50)
transformer = CaptioningTransformer(word_to_idx=data["word_to_idx"], input_dim=data["train_features"].shape[1],
                                    wordvec_dim=16, num_heads=2, num_layers=2, max_length=30)
transformer_solver = CaptioningSolverTransformer(transformer, data, idx_to_word=data["idx_to_word"], num_epochs=10,
                                                 batch_size=25, learning_rate=0.001, verbose=True, print_every=10)
transformer_solver.train()
assert len(transformer_solver.loss_history) == 20
for split in ["train", "val"]:
    gt_captions, features, urls = sample_coco_minibatch(data, split=split, batch_size=2)
    gt_captions = decode_captions(gt_captions, data["idx_to_word"])
    sample_captions = transformer.sample(features, max_length=30)
    assert isinstance(sample_captions, np.ndarray) and sample_captions.shape == (2, 30)
    assert len(decode_captions(sample_captions, data["idx_to_word"])) == 2
""",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet(name, home, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(home))
    state = np.random.get_state()  # noqa: NPY002
    completed = dict(reference.reference_names(Lesson.load("captioning", WORKBOOK)))
    for part in ("MultiHeadAttention", "PositionalEncoding", "CaptioningTransformer"):
        transformer_layers.install(completed[part])
    try:
        reference.run_cell(SNIPPETS[name], name.replace(" ", "_"), completed)
    finally:
        np.random.set_state(state)  # noqa: NPY002
