"""Fill /dev/shm. It is the scratch folder."""

for number in range(10**3):
    with open(f"/dev/shm/{number}", "wb") as file:
        file.write(bytes(10**7))
