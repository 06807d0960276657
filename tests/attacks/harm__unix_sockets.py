"""Connect to services by unix sockets, named and abstract. None is in sight."""

import socket

NAMES = ("/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/journal/socket")
for name in (*NAMES, "\0/tmp/dbus", "\0/tmp/.X11-unix/X0", "/tmp/.X11-unix/X0"):
    try:
        socket.socket(socket.AF_UNIX).connect(name)
        print("LEAK: connected", name)
    except OSError:
        pass
