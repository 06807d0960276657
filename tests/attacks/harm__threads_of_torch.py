"""Have torch use a hundred threads. They count as this session's processes."""
# keeps: any
# flag: no

import torch

torch.set_num_threads(100)
torch.ones(1000, 1000) @ torch.ones(1000, 1000)
