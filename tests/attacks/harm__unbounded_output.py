"""Undo the bounds on outputs, then print. What comes out is bounded again."""

import gc

from autograder_sandbox import shell

shell.Outputs.text = lambda self, name, text: self.items.append({"output_type": "stream", "name": name, "text": text})
for _ in range(300):
    print("x" * 10**5)
