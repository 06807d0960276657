"""Everyday operations on tensors, which `test_gpu_operations.py` runs on the CPU, the simulated GPU and a real one.

One operation a line. A line is an expression, or statements after which `r` is the result. The names in it:

    x, y (2, 3, 4)    numbers               n (2, 3)  integers from 0 to 3          b (2, 3)  booleans
    a (3, 4), v (4,)  numbers               i (3,)    the integers 2, 0, 1
    q (2, 2, 3, 4)    heads of queries      m (3, 3)  booleans, true above the diagonal
    p (4, 4)          a parameter           dev       the device on which all of them are
"""

INDEXING = """
x[0]
x[-1]
x[:, 0]
x[..., 0]
x[:, -1:]
x[:, :-1]
x[..., ::2]
x[..., 1::2]
x[None]
x[:, None]
x[..., None]
x[0, 1, 2]
x[[0, 1]]
x[[1]]
x[[-1, 0]]
x[:, [0, 2]]
x[:, [-1], :]
x[..., [0, 2]]
x[..., [1, 3], None]
x[[0, 1], [2, 0]]
x[[0, 1], :, [2, 0]]
x[[]]
x[range(2)]
x[:, range(0, 3, 2)]
x[..., range(1, 4, 2)]
x[range(2), range(2)]
x[[True, False]]
x[:, [True, False, True]]
x[..., [True, False, True, False]]
x[True]
x[False]
x[(0, 1)]
x[0, [1, 2]]
x[np.array([1, 0])]
x[:, np.arange(2)]
x[:, np.array([True, False, True])]
x[np.int64(1)]
x[torch.tensor([1, 0])]
x[torch.tensor([1, 0], device=dev)]
x[torch.arange(2), n[:, 0] % 3]
x[torch.arange(2, device=dev)[:, None], i[None]]
x[torch.arange(2, device=dev), -1]
x[i.tolist()[1]]
x[:, i]
x[..., i]
x[b]
x[~b]
x[x > 0]
x[b.nonzero(as_tuple=True)]
x[tuple([0, 1])]
x[slice(0, 1)]
x[:, slice(None), 1]
x[n[0, 0].item() % 2]
x[n[0, 0] % 2]
x[..., :x.shape[-1] // 2]
a[i]
a[i, i]
a[[0, 2]][:, [1, 3]]
a[np.ix_([0, 2], [1, 3])]
a[m[0]]
a.T[[0, 1]]
v[[3, 1]]
v[v.argsort()]
v[v.argmax()]
p[[0, 2]]
p[:, range(2)]
p[n]
q[:, [0]]
q[:, :, [-1]]
q[:, :, range(2), :]
r = [row.sum() for row in x]
first, second = x; r = first - second
len(x)
list(x)[1]
list(x.unbind(1))[2]
[s.shape for s in x.split(2, dim=-1)]
[s for s in x.split([1, 3], dim=-1)]
[s for s in x.chunk(2, dim=-1)]
[s for s in torch.split(x, 2, dim=1)]
x.index_select(1, i)
x.gather(-1, n.unsqueeze(-1))
torch.gather(x, 2, n[..., None])
x.take_along_dim(n.unsqueeze(-1), dim=-1)
x.narrow(1, 0, 2)
x.select(1, 0)
x.masked_select(b.unsqueeze(-1))
x.take(n)
x.diagonal(dim1=1, dim2=2)
a.diag()
b.nonzero()
torch.where(b)
torch.where(b.unsqueeze(-1), x, y)
torch.where(b.unsqueeze(-1), x, 0.0)
torch.where(x > 0, 1.0, 0.0)
torch.where(b, n, -1)
"""

ASSIGNMENT = """
x[0] = 1; r = x
x[0] = a; r = x
x[:, 0] = y[:, 1]; r = x
x[..., 0] = 0; r = x
x[..., 0::2] = y[..., 1::2]; r = x
x[:, [0, 2]] = 0.0; r = x
x[:, [0, 2]] = y[:, [1, 0]]; r = x
x[..., [0, 2]] = y[..., [1, 3]]; r = x
x[..., range(2)] = y[..., range(2)]; r = x
x[range(2), range(2)] = 5.0; r = x
x[[True, False]] = 3.0; r = x
x[:, [True, False, True]] = y[:, :2]; r = x
x[b] = 0; r = x
x[~b] = -1e9; r = x
x[b] = y[b]; r = x
x[x < 0] = 0.0; r = x
x[x < 0] *= 0.5; r = x
x[:, i] = y; r = x
x[torch.arange(2), n[:, 0] % 3] = 7.0; r = x
x[np.array([1])] = 2.0; r = x
x[0, 1, 2] = 9.0; r = x
x[0, 1, 2] = v[0]; r = x
x[0, 0] = torch.tensor(3.0); r = x
x[0, 0] = v.tolist()[0]; r = x
x[0][1] = 4.0; r = x
x[0] += 1; r = x
x[:, 0] -= y[:, 0]; r = x
x[..., [1]] += y[..., [1]]; r = x
x[..., 1] *= 2; r = x
x[..., 1] /= 2; r = x
n[:, 0] = 3; r = n
n[b] = 0; r = n
b[0, 0] = True; r = b
m[[0, 1], [0, 1]] = True; r = m
x.masked_fill_(b.unsqueeze(-1), 0.0); r = x
x.index_fill_(1, i, 2.0); r = x
x.index_add_(1, i, y); r = x
x.index_copy_(1, i, y); r = x
x.scatter_(-1, n.unsqueeze(-1), 1.0); r = x
x.scatter_add_(-1, n.unsqueeze(-1), y); r = x
x.copy_(y); r = x
x.fill_(2.0); r = x
x.zero_(); r = x
x.add_(y); r = x
x.sub_(1); r = x
x.mul_(y); r = x
x.div_(2); r = x
x.clamp_(min=0); r = x
x.clamp_(0, 1); r = x
x += 1; r = x
x -= y; r = x
x *= y; r = x
x /= 2; r = x
x **= 2; r = x
x @= p.detach(); r = x
m |= m.T.clone(); r = m
m &= ~m; r = m
x.data[0] = 1.0; r = x
x.data = y; r = x
x[:, 0].fill_(1.0); r = x
x.unsqueeze_(0); r = x
x.transpose_(0, 1); r = x
a.fill_diagonal_(0.0); r = a
a.tril_(); r = a
with torch.no_grad(): p[:, 1:3] = 0; r = p
with torch.no_grad(): p[:, [1, 2]] = 0; r = p
with torch.no_grad(): p.mul_(2); r = p
with torch.no_grad(): p.copy_(2 * p); r = p
p.data[:, 0] = 0; r = p
p.data.mul_(0.5); r = p
out = torch.zeros_like(x); out[..., 0::2] = x[..., 1::2]; r = out
out = torch.zeros(2, 3, 4, device=dev); out[:, :2] = x[:, :2]; r = out
out = torch.empty(2, 3, device=dev); out[:] = 1; r = out
out = x.clone(); out[:, -1] = out[:, 0]; r = out
out = x.new_zeros(2, 5, 4); out[:, :3] = x; out[:, 3:] = x[:, :2]; r = out
"""

MAKING = """
torch.zeros(2, 3, device=dev)
torch.zeros((2, 3), device=x.device)
torch.zeros(x.shape, device=x.device, dtype=x.dtype)
torch.zeros(x.size(), device=x.device)
torch.ones(3, 3, dtype=torch.bool, device=dev)
torch.full((3, 3), float("-inf"), device=dev)
torch.full_like(x, 2.0)
torch.zeros_like(x)
torch.ones_like(b)
torch.zeros_like(x, dtype=torch.bool)
torch.empty_like(x).fill_(1)
torch.empty(2, device=dev).fill_(1)
torch.arange(5, device=dev)
torch.arange(0, 6, 2, device=x.device).float()
torch.arange(1, 4, dtype=torch.float32, device=x.device)
torch.linspace(0, 1, 5, device=dev)
torch.logspace(0, 1, 5, device=dev)
torch.eye(3, device=dev)
torch.eye(3, 4).to(dev)
torch.eye(3).to(x)
torch.tensor([1.0, 2.0], device=dev)
torch.tensor([[1, 2], [3, 4]], device=x.device)
torch.tensor([1.0]).to(x.device)
torch.as_tensor([1, 2], device=dev)
torch.asarray([1, 2], device=dev)
torch.as_tensor(np.arange(3.0), device=dev)
torch.from_numpy(np.arange(3.0)).to(dev)
torch.tensor(np.arange(3.0)).to(x.device, x.dtype)
torch.FloatTensor([1, 2]).to(dev)
torch.LongTensor([1, 2]).to(x.device)
x.new_zeros(2, 2)
x.new_ones((2, 2))
x.new_full((2, 2), 3.0)
x.new_empty(2).fill_(0)
x.new_tensor([1.0, 2.0])
n.new_tensor([1, 2])
x.new_zeros(x.shape[:2], dtype=torch.long)
torch.triu(torch.ones(3, 3, device=dev), diagonal=1)
torch.tril(torch.ones(3, 3, device=dev)).bool()
torch.ones(3, 3, device=dev).triu(1).bool()
torch.ones(3, 3, device=dev).tril() == 0
torch.triu_indices(3, 3, 1, device=dev)
torch.tril_indices(3, 3, device=dev)
torch.meshgrid(torch.arange(2, device=dev), torch.arange(3, device=dev), indexing="ij")
torch.cartesian_prod(i, i)
torch.scalar_tensor(2.0, device=dev)
torch.rand(2, 3, device=dev).shape
torch.randn(2, 3, device=dev).device.type == dev
torch.rand_like(x).shape
torch.randn_like(x).device.type == dev
torch.randint(4, (2, 3), device=dev).device.type == dev
torch.randperm(3, device=dev).sort()[0]
torch.bernoulli(torch.ones_like(x))
torch.multinomial(torch.eye(3, device=dev), 1)
torch.normal(0.0, 1.0, (2, 3), device=dev).shape
x.clone()
x.detach().clone()
torch.clone(x)
copy.deepcopy(x)
copy.deepcopy(nn.Linear(4, 4).to(dev)).weight.shape
torch.polar(a.abs(), a).real
torch.complex(a, a).imag
torch.view_as_complex(x.reshape(2, 3, 2, 2)).abs()
torch.view_as_real(torch.view_as_complex(x.view(2, 3, 2, 2)) * torch.polar(a[:, :2].abs(), a[:, :2])).flatten(-2)
nn.Parameter(torch.zeros(3, device=dev))
"""

SHAPES = """
x.view(2, 12)
x.view(2, -1)
x.view(2, 3, 2, 2).transpose(1, 2)
x.reshape(6, 4)
x.reshape(2, 3, 2, -1).permute(0, 2, 1, 3).contiguous()
x.transpose(1, 2).contiguous().view(2, 12)
x.transpose(-2, -1)
x.swapaxes(0, 1)
x.swapdims(0, 1)
x.mT
x.movedim(-1, 0)
torch.moveaxis(x, 0, -1)
a.T
a.t()
x.permute(2, 0, 1)
torch.permute(x, (2, 0, 1))
x.flatten()
x.flatten(1)
x.flatten(-2)
x.unflatten(-1, (2, 2))
x.unflatten(2, (-1, 2))
x.unsqueeze(0)
x.unsqueeze(-1).squeeze(-1)
x.squeeze()
x[:1].squeeze(0)
x.expand(5, 2, 3, 4)
v.expand(3, -1)
v.expand_as(a)
v.view(1, 1, -1).expand(2, 3, -1)
x.repeat(1, 2, 1)
x.repeat_interleave(2, dim=-1)
a.repeat_interleave(i, dim=0)
torch.repeat_interleave(x, 2, dim=1)
x.tile(2)
torch.tile(a, (2, 1))
torch.cat([x, y], dim=1)
torch.cat((x, y), -1)
torch.concat([x, y])
torch.stack([x, y])
torch.stack([x, y], dim=-1).flatten(-2)
torch.stack([v[0], v[1]])
torch.hstack([a, a])
torch.vstack([a, v])
torch.dstack([a, a])
torch.column_stack([v, v])
torch.broadcast_to(v, (3, 4))
[t for t in torch.broadcast_tensors(x, v)]
torch.block_diag(a, a)
x.flip(1)
x.flip(dims=[0, 1])
torch.flip(x, [-1])
x.roll(1, dims=1)
torch.roll(a, (1, -1), (0, 1))
torch.rot90(a)
x.unfold(-1, 2, 2)
F.pad(x, (1, 0))
F.pad(x, (0, 0, 1, 0), value=2.0)
F.pad(n, (0, 1), value=-1)
x.ravel()
x.size(1)
x.shape[0]
x.numel()
x.dim()
x.ndim
x.is_floating_point()
x.stride()
x.is_contiguous()
x.element_size()
x.tril()
x.triu(1)
a.tril(-1)
torch.tril(x)
torch.atleast_2d(v)
"""

ARITHMETIC = """
x + y
x - 1
1 - x
2 * x
x / 2
1 / (x.abs() + 1)
x // 0.5
x % 2
n // 2
n % 2
n & 1
n >> 1
n << 1
n ^ 1
n | 1
-x
+x
abs(x)
x ** 2
2 ** x
10000.0 ** (-v)
x.abs() ** 0.5
x @ y.transpose(1, 2)
x @ p
x.matmul(p)
a @ v
torch.matmul(q, q.transpose(-2, -1)) / math.sqrt(q.shape[-1])
torch.bmm(x, y.transpose(1, 2))
torch.baddbmm(torch.zeros(2, 3, 3, device=dev), x, y.mT)
torch.mm(a, p)
torch.mv(a, v)
torch.addmm(a, a, p)
v.dot(v)
torch.dot(v, v)
torch.inner(v, v)
v.outer(v)
torch.outer(v, v)
torch.ger(v, v)
torch.kron(a, a)
torch.cross(x[..., :3], y[..., :3], dim=-1)
torch.tensordot(x, p, dims=1)
torch.einsum("nsd,ntd->nst", x, y)
torch.einsum("nhsd,nhtd->nhst", q, q)
torch.einsum("ij,j->i", a, v)
torch.einsum("bij->bji", x)
torch.cdist(x, y)
torch.linalg.norm(x, dim=-1)
torch.linalg.vector_norm(x, dim=-1, keepdim=True)
torch.linalg.multi_dot([a, p, p])
x.norm()
x.norm(dim=-1)
x.norm(p=2, dim=-1, keepdim=True)
torch.norm(x, dim=-1)
x.exp()
x.log1p().nan_to_num(0.0, 0.0, 0.0)
x.abs().log()
torch.log(x.abs())
x.abs().log2()
x.abs().log10()
x.expm1()
x.sin()
x.cos()
torch.sin(x)
torch.cos(a[:, None] * v)
x.tan()
x.tanh()
torch.tanh(x)
x.atan2(y)
x.sinh()
x.asinh()
x.sqrt().nan_to_num()
x.rsqrt().nan_to_num(posinf=0.0)
x.square()
x.pow(2)
torch.pow(10000, -v)
x.reciprocal()
x.sigmoid()
torch.sigmoid(x)
x.erf()
x.relu()
torch.relu(x)
x.sign()
x.round()
x.floor()
x.ceil()
x.trunc()
x.frac()
x.clamp(min=0)
x.clamp(-1, 1)
x.clip(0, 1)
x.clamp_min(0.5)
torch.clamp(x, max=0.5)
torch.maximum(x, y)
torch.minimum(x, y)
torch.max(x, y)
x.lerp(y, 0.5)
torch.addcmul(x, x, y)
torch.addcdiv(x, x, y.abs() + 1)
torch.hypot(x, y)
torch.fmod(x, 2)
torch.remainder(n, 2)
torch.floor_divide(n, 2)
torch.div(n, 2, rounding_mode="floor")
torch.true_divide(n, 2)
torch.bitwise_and(n, 1)
torch.bitwise_right_shift(n, 1)
n.bitwise_and(torch.tensor(1, device=dev)).ne(0)
(n[..., None] >> torch.arange(2, device=dev)) & 1
n.unsqueeze(-1).bitwise_and(2 ** torch.arange(3, device=dev)).ne(0).float()
x + torch.tensor(1.0)
x * torch.tensor(2.0, device=dev)
x * math.sqrt(4)
x * np.sqrt(4)
x / np.float32(2)
math.sqrt(2) * x
x.add(1, alpha=2)
x.sub(y)
x.mul(2).div(3)
x.neg()
x.logit().nan_to_num()
torch.nan_to_num(x / 0)
torch.logaddexp(x, y)
torch.deg2rad(x)
sum(x)
sum(x.unbind(1))
max(v.tolist())
torch.add(x, y)
torch.vmap(lambda row: row * 2)(x)
"""

REDUCTIONS = """
x.sum()
x.sum(-1)
x.sum(dim=1, keepdim=True)
x.sum((1, 2))
torch.sum(x, dim=-1)
x.mean()
x.mean(-1, keepdim=True)
x.mean(axis=-1, keepdims=True)
torch.mean(x, dim=1)
x.square().mean(dim=(0, 1))
x.std()
x.std(dim=-1)
x.std(-1, unbiased=False)
x.std(-1, correction=0)
x.var(dim=-1, unbiased=False, keepdim=True)
torch.var_mean(x, dim=-1)
torch.std_mean(x)
x.max()
x.max(-1)
x.max(dim=-1).values
x.max(dim=-1, keepdim=True)[0]
x.amax(dim=-1, keepdim=True)
x.amin((0, 1))
x.min(dim=1).indices
x.argmax(-1)
x.argmax()
x.argmin(dim=-1, keepdim=True)
torch.argmax(x, dim=-1)
x.aminmax()
x.prod()
x.prod(-1)
x.cumsum(-1)
torch.cumsum(x, dim=1)
x.cumprod(-1)
x.cummax(-1)
x.logcumsumexp(-1)
x.logsumexp(-1)
torch.logsumexp(x, dim=-1, keepdim=True)
x.median(-1)
x.median()
x.mode(-1).values
x.quantile(0.5)
x.sort(-1)
x.sort(dim=-1, descending=True)
torch.sort(x, descending=True, dim=-1)
x.argsort(dim=-1, descending=True)
x.argsort(-1).argsort(-1)
x.topk(2)
x.topk(2, dim=-1).indices
torch.topk(x, 2, dim=1)
x.kthvalue(2, dim=-1).values
n.unique()
torch.unique(n, return_counts=True)
n.flatten().bincount(minlength=4)
torch.bincount(n.flatten())
torch.histc(x, 4, -1, 1)
torch.searchsorted(v.sort()[0], v)
torch.bucketize(x, v.sort()[0])
b.any()
b.any(-1)
b.all()
b.all(dim=-1)
torch.any(b)
b.sum()
b.sum(-1)
b.float().mean()
b.count_nonzero()
torch.count_nonzero(b, dim=1)
x.diff(dim=1)
x.trace() if x.dim() == 2 else a[:, :3].trace()
torch.trapezoid(x, dim=-1)
x.norm(dim=(1, 2))
x.dist(y)
torch.std(x, dim=1)
torch.cov(a)
torch.corrcoef(a)
"""

COMPARISON = """
x > 0
x >= y
x == y
x != y
n == 2
n != -1
2 > n
n.eq(2)
n.ne(2)
x.gt(0)
x.le(y)
x.lt(0.5)
torch.eq(n, n.T) if n.shape[0] == n.shape[1] else n
n.unsqueeze(2) == n.unsqueeze(1)
b & b
b | ~b
~b
b ^ b
not b.all()
b.logical_not()
torch.logical_and(b, ~b)
torch.logical_or(b, ~b)
b.logical_xor(~b)
x.isnan()
torch.isinf(x)
x.isfinite()
torch.isclose(x, x)
torch.allclose(x, x + 0)
torch.allclose(x, y)
torch.equal(x, x)
x.equal(y)
torch.isin(n, torch.tensor([0, 1], device=dev))
bool((x > 5).any())
bool(v[0] > 0)
(n == 1).nonzero().shape[1]
else_free = 1 if v[0] > v[1] else 0; r = else_free
assert x.shape == y.shape; r = 1
x is x
torch.is_tensor(x)
isinstance(x, torch.Tensor)
type(x.tolist())
x.dtype == torch.float32
x.device == y.device
x.device.type == dev
str(x.device).split(":")[0] == dev
x.is_cuda in (True, False)
x.requires_grad
p.requires_grad
"""

CONVERSION = """
x.item() if x.numel() == 1 else v[0].item()
float(v[0])
int(n[0, 0])
round(float(v[0]), 2)
x.tolist()
n.tolist()
x.cpu()
x.to("cpu")
x.detach().cpu().numpy()
x.cpu().numpy()
x.to(dev)
x.to(x.device)
x.to(y)
x.type_as(y)
n.type_as(x)
x.float()
x.double()
x.half().float()
x.bfloat16().float()
x.long()
x.int()
x.bool()
b.float()
b.int()
b.long()
b.to(x.dtype)
b.type(torch.float32)
x.to(torch.float64)
x.to(dev, torch.float64)
x.to(dtype=torch.float64)
x.to(device=dev, dtype=torch.float64, non_blocking=True)
x.type(torch.float64)
n.to(torch.float32)
x.detach()
x.data
x.contiguous()
x.requires_grad_(True).detach()
x.squeeze().tolist()[0]
x.numpy(force=True)
len(repr(x)) > 3
len(str(x.shape)) > 3
f"{v[0].item():.2f}"
f"{v[0]:.2f}"
"%.2f" % v[0]
len(f"{x}") > 3
np.asarray(x.cpu()).shape
v[0].cpu().item()
tuple(x.shape)
print(x) is None
print(v[0], x.shape) is None
torch.tensor([v[0], v[1]], device=dev)
torch.tensor([float(t) for t in v], device=dev)
torch.tensor(v.tolist(), device=dev)
torch.tensor(v[0].item(), device=dev)
torch.as_tensor(v)
torch.as_tensor(v, device=dev)
[t.item() for t in v]
list(range(n[0, 0]))
["a", "b", "c", "d"][n[0, 0]]
math.sqrt(v.abs()[0])
math.exp(v[0])
2 in n
len({int(k) for k in n.flatten()})
sorted(v.tolist())
sorted(v)[0]
max(v)
min(v[0], v[1])
x.get_device() >= -1
x.device.index in (None, 0)
torch.zeros(2, device=torch.device(x.device))
next(iter(x))
x.unbind()[0]
dict(enumerate(v))[1]
[(k, t) for k, t in enumerate(v)][1][1]
[s * t for s, t in zip(v, v)][2]
"""

LAYERS = """
x.softmax(-1)
x.softmax(dim=1)
torch.softmax(x, dim=-1)
F.softmax(x, dim=-1)
nn.Softmax(dim=-1)(x)
x.log_softmax(-1)
F.log_softmax(x, dim=-1)
torch.log_softmax(x, -1)
F.softmin(x, dim=-1)
x.masked_fill(b.unsqueeze(-1), float("-inf")).softmax(1).nan_to_num()
x.masked_fill(b.unsqueeze(-1) == 0, -1e9)
torch.masked_fill(x, b[..., None], 0.0)
x.masked_fill(x > 0, v[0])
x + torch.zeros(4, device=dev).masked_fill(v > 0, float("-inf"))
F.relu(x)
F.gelu(x)
F.gelu(x, approximate="tanh")
F.silu(x)
F.leaky_relu(x)
F.elu(x)
F.softplus(x)
F.tanh(x)
F.sigmoid(x)
F.logsigmoid(x)
F.hardtanh(x)
F.normalize(x, dim=-1)
F.cosine_similarity(x, y, dim=-1)
F.linear(x, p)
F.linear(x, p, v)
F.bilinear(x, y, p.unsqueeze(0))
F.embedding(n, p)
F.one_hot(n, 4)
F.one_hot(n, num_classes=4).float() @ p
F.layer_norm(x, (4,))
F.rms_norm(x, (4,)) if hasattr(F, "rms_norm") else x
F.group_norm(x.transpose(1, 2), 2)
F.batch_norm(x.transpose(1, 2), None, None, training=True)
F.dropout(x, 0.5, training=False)
F.dropout(x, 1.0)
F.dropout(x, 0.0)
F.conv1d(x, torch.ones(2, 3, 3, device=dev), padding=1)
F.max_pool1d(x, 2)
F.avg_pool1d(x, 2)
F.adaptive_avg_pool1d(x, 2)
F.interpolate(x, scale_factor=2)
F.mse_loss(x, y)
F.mse_loss(x, y, reduction="sum")
F.l1_loss(x, y)
F.smooth_l1_loss(x, y)
F.cross_entropy(x.transpose(1, 2), n)
F.cross_entropy(x.flatten(0, 1), n.flatten(), ignore_index=0)
F.cross_entropy(x.transpose(1, 2), n, reduction="none")
F.nll_loss(x.log_softmax(-1).transpose(1, 2), n)
F.binary_cross_entropy_with_logits(x, (y > 0).float())
F.kl_div(x.log_softmax(-1), y.softmax(-1), reduction="sum")
F.scaled_dot_product_attention(q, q, q)
F.scaled_dot_product_attention(q, q, q, is_causal=True)
F.scaled_dot_product_attention(q, q, q, attn_mask=~m)
F.scaled_dot_product_attention(q, q, q, attn_mask=torch.zeros(3, 3, device=dev))
F.scaled_dot_product_attention(q, q, q, dropout_p=0.0)
seeded(nn.Linear(4, 5))(x)
seeded(nn.Linear(4, 5, bias=False))(x)
seeded(nn.LayerNorm(4))(x)
seeded(nn.RMSNorm(4))(x) if hasattr(nn, "RMSNorm") else x
seeded(nn.Embedding(4, 5))(n)
seeded(nn.Embedding(4, 5, padding_idx=0))(n)
seeded(nn.Conv1d(3, 5, 3, padding=1))(x)
seeded(nn.Conv1d(3, 5, 3, padding="same"))(x)
seeded(nn.GRU(4, 5, batch_first=True))(x)
seeded(nn.GRU(4, 5))(x, torch.zeros(1, 3, 5, device=dev))
seeded(nn.GRUCell(4, 5))(a)
seeded(nn.GRUCell(4, 5))(a, torch.zeros(3, 5, device=dev))
seeded(nn.LSTM(4, 5, batch_first=True))(x)
seeded(nn.LSTMCell(4, 5))(a)
seeded(nn.RNN(4, 5, batch_first=True))(x)
seeded(nn.MultiheadAttention(4, 2, batch_first=True))(x, y, y)
seeded(nn.MultiheadAttention(4, 2, batch_first=True))(x, x, x, attn_mask=m)
seeded(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True))(x)
seeded(nn.TransformerDecoderLayer(4, 2, 8, batch_first=True))(x, y)
seeded(nn.Bilinear(4, 4, 2))(x, y)
seeded(nn.PReLU())(x)
seeded(nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 2)))(x)
seeded(nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Dropout(0.1)))(x)
seeded(nn.BatchNorm1d(3))(x)
nn.ModuleList([seeded(nn.Linear(4, 4)) for _ in range(2)])[1](x)
nn.Dropout(0.5).eval()(x)
nn.Dropout(0.0)(x)
nn.CrossEntropyLoss(reduction="mean")(x.transpose(1, 2), n)
nn.MSELoss()(x, y)
nn.CosineSimilarity(dim=-1)(x, y)
nn.Flatten()(x)
nn.Unflatten(-1, (2, 2))(x)
nn.Identity()(x)
nn.utils.rnn.pad_sequence([v[:2], v[:3]], batch_first=True)
nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True).data
s = nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True); r = seeded(nn.GRU(4, 5, batch_first=True))(s)[0][0]
nn.init.zeros_(p)
nn.init.constant_(p, 2.0)
nn.init.xavier_uniform_(p).shape
nn.init.normal_(p).shape
torch.cosine_similarity(x, y, dim=-1)
torch.dropout(x, 0.5, False)
torch.layer_norm(x, (4,))
torch.conv1d(x, torch.ones(2, 3, 1, device=dev))
torch.embedding(p, n)
"""

GRADIENTS = """
p.sum().backward(); r = p.grad
(x @ p).pow(2).sum().backward(); r = p.grad
(x @ p)[:, [0, 2]].sum().backward(); r = p.grad
p[[0, 2]].pow(2).sum().backward(); r = p.grad
p[..., range(2)].pow(2).sum().backward(); r = p.grad
p[n].pow(2).sum().backward(); r = p.grad
out = torch.zeros(4, 4, device=dev); out[:, [0, 1]] = p[:, [2, 3]]; out.pow(2).sum().backward(); r = p.grad
out = p.clone(); out[0] = 0; out.pow(2).sum().backward(); r = p.grad
out = p * 1; out[..., [0]] *= 2; out.sum().backward(); r = p.grad
F.embedding(n, p).sum().backward(); r = p.grad
F.cross_entropy((x @ p).transpose(1, 2), n).backward(); r = p.grad
F.mse_loss(x @ p, y).backward(); r = p.grad
(x @ p).softmax(-1).log().mean().backward(); r = p.grad
(x @ p).masked_fill(b.unsqueeze(-1), -1e9).softmax(-1).pow(2).sum().backward(); r = p.grad
F.scaled_dot_product_attention(q @ p, q, q, is_causal=True).pow(2).sum().backward(); r = p.grad
F.layer_norm(x @ p, (4,)).pow(3).sum().backward(); r = p.grad
torch.autograd.grad((x @ p).sum(), p)[0]
torch.autograd.grad((x @ p).pow(2).sum(), [p], create_graph=True)[0]
(x @ p).backward(y); r = p.grad
loss = (x @ p).mean(); loss.backward(); r = [loss.item(), p.grad]
loss = (x @ p).pow(2).mean(); loss.backward(); torch.optim.SGD([p], 0.1).step(); r = p
loss = (x @ p).pow(2).mean(); loss.backward(); torch.optim.Adam([p], 0.1).step(); r = p
loss = (x @ p).pow(2).mean(); loss.backward(); torch.optim.AdamW([p], 0.1).step(); r = p
opt = torch.optim.SGD([p], 0.1, momentum=0.9); opt.zero_grad(); p.sum().backward(); opt.step(); r = p
p.sum().backward(); nn.utils.clip_grad_norm_([p], 1.0); r = p.grad
p.sum().backward(); p.grad.zero_(); r = p.grad
p.sum().backward(); p.grad = None; r = p
with torch.no_grad(): r = (x @ p).requires_grad
with torch.inference_mode(): r = x * 2
with torch.enable_grad(): r = (x @ p).requires_grad
p.detach().requires_grad
(x @ p).detach().requires_grad
p.requires_grad_(False); r = (x @ p).requires_grad
(x @ p).cpu().sum().backward(); r = p.grad.cpu()
z = x.clone().requires_grad_(True); (z ** 2).sum().backward(); r = z.grad
z = nn.Parameter(x); z[..., 0::2].sum().backward(); r = z.grad
z = x.detach().requires_grad_(); z.cumsum(-1).pow(2).sum().backward(); r = z.grad
z = nn.Parameter(x); torch.cat([z, z], 1).pow(2).sum().backward(); r = z.grad
z = nn.Parameter(x); torch.einsum("nsd,ntd->nst", z, z).sum().backward(); r = z.grad
z = nn.Parameter(x); torch.stack([z[..., 0::2], z[..., 1::2]], -1).flatten(-2).pow(2).sum().backward(); r = z.grad
layer = seeded(nn.Linear(4, 4)); layer(x).pow(2).sum().backward(); r = layer.weight.grad
layer = seeded(nn.GRU(4, 4, batch_first=True)); layer(x)[0].sum().backward(); r = layer.weight_ih_l0.grad
layer = seeded(nn.Conv1d(3, 3, 3, padding=1)); layer(x).sum().backward(); r = layer.weight.grad
layer = seeded(nn.Linear(4, 4)); layer.zero_grad(); r = [k for k in layer.state_dict()]
layer = nn.Linear(4, 4).to(dev); layer.load_state_dict(layer.state_dict()); r = layer.weight.shape
layer = nn.Linear(4, 4); layer.to(dev); r = next(layer.parameters()).device.type == dev
"""

TEXTS = (INDEXING, ASSIGNMENT, MAKING, SHAPES, ARITHMETIC, REDUCTIONS, COMPARISON, CONVERSION, LAYERS, GRADIENTS)
OPERATIONS = [line for text in TEXTS for line in text.strip().splitlines()]
