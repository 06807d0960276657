"""Open pairs of sockets of a family that no namespace shuts in. Only local pairs are to be had."""
# quick

import socket

for family in (30, 40, 44):  # TIPC, VSOCK, XDP
    try:
        socket.socketpair(family, socket.SOCK_STREAM)
        print("LEAK: family", family)
    except OSError as error:
        print(error.errno)
