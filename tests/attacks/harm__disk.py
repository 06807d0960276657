"""Fill the disk. The scratch folder is small, and no other can be written."""

with open("/scratch/full", "wb") as file:
    for _ in range(10**6):
        file.write(bytes(10**6))
