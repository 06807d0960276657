"""Raise one's own limits. What was set hard stays."""

import resource

for name in (name for name in dir(resource) if name.startswith("RLIMIT_")):
    try:
        resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if name in ("RLIMIT_DATA", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_AS", "RLIMIT_NOFILE"):
            print("LEAK: raised", name)
    except (OSError, ValueError):
        pass
