"""Leave a thread that computes for ever. It stops with its state."""
# keeps: any

import threading


def work():
    while True:
        pass


threading.Thread(target=work, daemon=True).start()
