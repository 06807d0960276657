"""Print and raise half characters, zero bytes and orders to the terminal. They are stored as text."""
# quick
# flag: no

print("\ud800\x00\x1b]0;title\x07\x1b[2J\u202e")
raise ValueError("\ud800\x00\x1b[2J{0}{name}")
