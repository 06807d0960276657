"""Write through links that lead out. They lead to what is read-only or not there."""
# quick

import os

for number, target in enumerate(("/etc/hosts", "/workbook/utils/__init__.py", "/usr/bin/env", "../../../../root/x")):
    os.symlink(target, f"link{number}")
    try:
        with open(f"link{number}", "a") as file:
            file.write("x")
        print("LEAK: wrote to", target)
    except OSError:
        pass
