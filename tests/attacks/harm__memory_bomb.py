"""Take all memory. The cell is stopped or refused memory."""
# slow

hoard = []
while True:
    hoard.append(bytearray(10**8))
