"""Take the builtins away. It is the student's own loss."""
# keeps: any
# flag: no

import builtins

for name in ("len", "isinstance", "print", "getattr"):
    delattr(builtins, name)
