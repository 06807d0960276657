"""Send by UDP, and look up a name. There is no network."""

import socket

try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"marks", ("8.8.8.8", 53))
    print("LEAK: sent")
except OSError:
    pass
try:
    print("LEAK", socket.gethostbyname("example.org"))
except OSError:
    pass
