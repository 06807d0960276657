"""Stay in C for ever, where no exception arrives. The process is killed."""


import re

re.match(r"(a+)+$", "a" * 99 + "b")
