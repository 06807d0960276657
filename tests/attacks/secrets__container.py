"""Look for what Podman or Docker put into the container that the grader runs in: files, sockets, groups. None is in sight."""
# quick

import os

places = ["/run/.containerenv", "/.dockerenv", "/run/secrets", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf"]
places += ["/run/podman/podman.sock", "/var/run/docker.sock", "/run/containers", "/var/lib/containers", "/proc/1/environ"]
places += ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory", "/proc/sysrq-trigger", "/proc/kcore", "/sys/firmware"]
places += ["/sys/kernel/uevent_helper", "/proc/sys/kernel/core_pattern", "/proc/keys", "/dev/mem", "/dev/kmsg"]
found = [place for place in places if os.path.exists(place)]
found += [name for name in os.environ if name.lower().startswith(("container", "autograder", "podman", "docker"))]
if found:
    print("LEAK", found)
