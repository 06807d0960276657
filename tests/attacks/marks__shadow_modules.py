"""Put modules named like ours and torch on the path. They shadow nothing outside: no mark."""

import os
import sys

os.makedirs("utils/checks", exist_ok=True)
for name in ("torch.py", "sitecustomize.py", "utils/__init__.py", "utils/checks/__init__.py", "safetensors.py"):
    with open(name, "w") as file:
        file.write("print('LEAK: loaded')\ndef __getattr__(name): return lambda *a, **k: True\n")
sys.path.insert(0, os.getcwd())
