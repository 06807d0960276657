"""The system calls that a session may not make, as a seccomp filter, for what namespaces and limits leave open.

Denied is what holds memory that no limit counts (memfd, System V shared memory, message queues, larger buffers of
sockets, locks on parts of files), what crosses sessions (the kernel's key rings, watching files), sockets that no
network namespace shuts in (vsock reaches the machine outside a virtual one), what changes the sandbox's first process
(its limits, its priority, its processors, signals to it), and what an attack on the kernel begins with (the new mount
calls, io_uring, bpf, userfaultfd). Clones need no filter: a user namespace, which all others need, is refused by its
limit.

pyseccomp (0.1.2, of 2021) was tried in place of the table: Debian 12's libseccomp (2.5.4) does not know `listmount`,
`open_tree_attr` and `statmount`, so these would stay allowed.
Numbers are from Linux' asm/unistd_64.h and asm-generic/unistd.h, the form of a filter from linux/filter.h and
linux/seccomp.h.
"""

import ctypes
import errno
import platform
import struct

# name: (x86_64, aarch64); 0 where a machine has no such call
DENIED = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "inotify_init": (253, 0),
    "inotify_init1": (294, 26),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "listmount": (458, 458),
    "lookup_dcookie": (212, 18),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, 0),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmat": (30, 196),
    "shmget": (29, 194),
    "statmount": (457, 457),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
SOCKETS = ((41, 198), (53, 199))  # socket, socketpair: by their family
# Unix, IPv4, IPv6, netlink (name look-ups ask it for addresses): all of them see this sandbox alone.
FAMILIES = (1, 2, 10, 16)
# As the kernel names machines: AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64.
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
# Calls from here on are x86_64's calls in another form (x32).
X32 = 0x40000000

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # BPF_LD|W|ABS, JMP|JEQ|K, JMP|JGE|K, RET|K
NUMBER, MACHINE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32  # offsets in struct seccomp_data: the last are arguments
ALLOW, DENY = 0x7FFF0000, 0x00050000 | errno.EPERM
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2


Lines = list[tuple[int, int, int, int]]  # a filter's instructions: code, steps if true, steps if not, value


def deny(offset: int, *values: int) -> Lines:
    """Deny a call whose argument at this offset has one of these values."""
    return [(LOAD, 0, 0, offset), *(line for value in values for line in ((EQUAL, 0, 1, value), (RETURN, 0, 0, DENY)))]


def only(offset: int, value: int) -> Lines:
    """Allow a call at once whose argument at this offset has another value."""
    return [(LOAD, 0, 0, offset), (EQUAL, 1, 0, value), (RETURN, 0, 0, ALLOW)]


INIT = 1  # the sandbox's first process, by its number inside
PRIO_USER, IOPRIO_WHO_USER = 2, 3  # all processes of a user, the first one too
SOL_SOCKET = 1
# Options by which a socket's buffers grow beyond what `processes.py` counts for it: SO_SNDBUF, SO_RCVBUF, by force too.
BUFFERS = (7, 8, 32, 33)
# F_SETLK and F_SETLKW, also for open files: a process may hold any number of such locks, where `flock` has one a file.
# F_SETLEASE and F_NOTIFY tell of what other sessions do with a file.
LOCKS = (6, 7, 37, 38, 1024, 1026)
# Calls that are denied with certain arguments only.
DENIED_WITH = {
    "fcntl": ((72, 25), deny(SECOND, *LOCKS)),
    "ioprio_set": ((251, 30), deny(FIRST, IOPRIO_WHO_USER) + deny(SECOND, INIT)),
    "kill": ((62, 129), deny(FIRST, INIT)),
    "pidfd_open": ((434, 434), deny(FIRST, INIT)),
    "prlimit64": ((302, 261), deny(FIRST, INIT)),
    "rt_sigqueueinfo": ((129, 138), deny(FIRST, INIT)),
    "rt_tgsigqueueinfo": ((297, 240), deny(FIRST, INIT)),
    "sched_setaffinity": ((203, 122), deny(FIRST, INIT)),
    "sched_setattr": ((314, 274), deny(FIRST, INIT)),
    "sched_setparam": ((142, 118), deny(FIRST, INIT)),
    "sched_setscheduler": ((144, 119), deny(FIRST, INIT)),
    "setpriority": ((141, 140), deny(FIRST, PRIO_USER) + deny(SECOND, INIT)),
    "setsockopt": ((54, 208), only(SECOND, SOL_SOCKET) + deny(THIRD, *BUFFERS)),
    "tgkill": ((234, 131), deny(FIRST, INIT)),
    "tkill": ((200, 130), deny(FIRST, INIT)),
}


def program(machine: str) -> Lines:
    """Return the filter for a machine."""
    column, audit = MACHINES[machine]
    numbers = [numbers[column] for numbers in DENIED.values() if numbers[column]]
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, audit), (RETURN, 0, 0, DENY)]
    lines += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), (RETURN, 0, 0, DENY)]
    for number in numbers:
        lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, DENY)]
    for both, rules in DENIED_WITH.values():
        lines += [(EQUAL, 0, len(rules) + 1, both[column]), *rules, (RETURN, 0, 0, ALLOW)]
    socket, socketpair = (numbers[column] for numbers in SOCKETS)
    lines += [(EQUAL, 2, 0, socket), (EQUAL, 1, 0, socketpair), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST)]
    for family in FAMILIES:
        lines += [(EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    return [*lines, (RETURN, 0, 0, DENY)]


# For this machine, made once: each session installs it. Empty where the numbers of its calls are not known.
LINES = program(platform.machine()) if platform.machine() in MACHINES else []
CODE = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *line) for line in LINES))
HEADER = ctypes.create_string_buffer(struct.pack("@HP", len(LINES), ctypes.addressof(CODE)))


def install(libc: ctypes.CDLL) -> None:
    """Put the filter on this process and all that it starts; no_new_privs must be set. Raises: OSError."""
    if LINES and libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, HEADER, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")
