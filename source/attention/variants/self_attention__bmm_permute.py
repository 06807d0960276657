import math


class SelfAttentionLayer(nn.Module):
    def __init__(self, in_dim: int, out_dim: int, key_dim: int) -> None:
        super(SelfAttentionLayer, self).__init__()
        self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1, bias=True)
        self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1, bias=True)
        self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1, bias=True)

    def forward(self, x: torch.Tensor, return_attention: bool = False):
        q = self.query(x).permute(0, 2, 1)  # N T K
        k = self.key(x).permute(0, 2, 1)
        v = self.value(x).permute(0, 2, 1)
        weights = nn.functional.softmax(torch.bmm(q, k.mT), dim=-1)
        out = torch.bmm(weights, v).permute(0, 2, 1).contiguous()
        return (out, weights) if return_attention else out
