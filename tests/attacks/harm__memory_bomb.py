"""Take all memory. The cell is stopped or refused memory."""

hoard = []
while True:
    hoard.append(bytearray(10**8))
