"""Reach the machine outside by vsock, packets or Bluetooth. Such sockets are denied."""

import socket

for family in (40, 17, 31, 38, 29):
    try:
        socket.socket(family, socket.SOCK_STREAM)
        print("LEAK: family", family)
    except OSError:
        pass
