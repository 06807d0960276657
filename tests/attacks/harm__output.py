"""Print a gigabyte. Twenty thousand characters are kept."""
# flag: no

for _ in range(1000):
    print("x" * 10**6)
