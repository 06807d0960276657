"""Never end. The cell is stopped, the rest goes on."""

while True:
    pass
