cosine_similarity = lambda a, b: F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).transpose(0, 1)
