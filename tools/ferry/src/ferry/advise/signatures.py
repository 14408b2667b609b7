# SPDX-License-Identifier: BSD-3-Clause
"""What the arguments and results of system calls are, as far as data flow and a C skeleton need to know.

One letter per argument:

    d  descriptor                    p  path                        i  bytes in, `n` long
    o  bytes out, `n` long           n  length                      f  offset in a file
    a  address of a mapping          s  struct stat, out            x  struct statx, out
    t  two descriptors, out          k  process or thread number    I  something in memory, in
    O  something in memory, out      w  any other word

A call that is not listed has all its arguments taken as `w` or `I`, by what strace printed.
"""

SIGNATURES: dict[str, str] = {
    "access": "pw",
    "accept": "dOO",
    "accept4": "dOOw",
    "bind": "dIw",
    "brk": "a",
    "chdir": "p",
    "chmod": "pw",
    "chown": "pww",
    "clock_getres": "wO",
    "clock_gettime": "wO",
    "clock_nanosleep": "wwIO",
    "close": "d",
    "close_range": "ddw",
    "connect": "dIw",
    "copy_file_range": "dIdInw",
    "creat": "pw",
    "dup": "d",
    "dup2": "dw",
    "dup3": "dww",
    "epoll_create": "w",
    "epoll_create1": "w",
    "epoll_ctl": "dwdI",
    "epoll_pwait": "dOwwIw",
    "epoll_wait": "dOww",
    "eventfd2": "ww",
    "faccessat": "dpw",
    "faccessat2": "dpww",
    "fadvise64": "dfnw",
    "fallocate": "dwfn",
    "fchdir": "d",
    "fchmod": "dw",
    "fchmodat": "dpw",
    "fchown": "dww",
    "fchownat": "dpwww",
    "fdatasync": "d",
    "fgetxattr": "dpon",
    "flock": "dw",
    "fstat": "ds",
    "fstatfs": "dO",
    "fsync": "d",
    "ftruncate": "df",
    "futex": "IwwIIw",
    "getcwd": "on",
    "getdents64": "don",
    "getegid": "",
    "geteuid": "",
    "getgid": "",
    "getpeername": "dOO",
    "getpgid": "k",
    "getpgrp": "",
    "getpid": "",
    "getppid": "",
    "getpriority": "wk",
    "getrandom": "onw",
    "getrlimit": "wO",
    "getrusage": "wO",
    "getsid": "k",
    "getsockname": "dOO",
    "getsockopt": "dwwOO",
    "gettid": "",
    "gettimeofday": "OO",
    "getuid": "",
    "getxattr": "ppon",
    "inotify_add_watch": "dpw",
    "inotify_init1": "w",
    "ioctl": "dwO",
    "kill": "kw",
    "lgetxattr": "ppon",
    "linkat": "dpdpw",
    "link": "pp",
    "listen": "dw",
    "lseek": "dfw",
    "lstat": "ps",
    "madvise": "anw",
    "memfd_create": "pw",
    "mkdir": "pw",
    "mkdirat": "dpw",
    "mmap": "anwwdf",
    "mprotect": "anw",
    "mremap": "annwa",
    "msync": "anw",
    "munmap": "an",
    "nanosleep": "IO",
    "newfstatat": "dpsw",
    "open": "pww",
    "openat": "dpww",
    "openat2": "dpIn",
    "pidfd_open": "kw",
    "pidfd_send_signal": "dwIw",
    "pipe": "t",
    "pipe2": "tw",
    "poll": "Iww",
    "ppoll": "IwIIw",
    "pread64": "donf",
    "prlimit64": "kwIO",
    "pwrite64": "dinf",
    "read": "don",
    "readahead": "dfn",
    "readlink": "pon",
    "readlinkat": "dpon",
    "readv": "dIw",
    "recvfrom": "donwOO",
    "recvmsg": "dOw",
    "rename": "pp",
    "renameat": "dpdp",
    "renameat2": "dpdpw",
    "rmdir": "p",
    "rseq": "Iwww",
    "rt_sigaction": "wIOw",
    "rt_sigprocmask": "wIOw",
    "sched_getaffinity": "knO",
    "sched_yield": "",
    "sendfile": "ddIn",
    "sendmsg": "dIw",
    "sendto": "dinwIw",
    "set_robust_list": "Iw",
    "set_tid_address": "I",
    "setpgid": "kk",
    "setsid": "",
    "setsockopt": "dwwIw",
    "shutdown": "dw",
    "sigaltstack": "IO",
    "signalfd4": "dIww",
    "socket": "www",
    "socketpair": "wwwt",
    "splice": "dIdInw",
    "stat": "ps",
    "statfs": "pO",
    "statx": "dpwwx",
    "symlink": "pp",
    "symlinkat": "pdp",
    "sync_file_range": "dfnw",
    "sysinfo": "O",
    "tgkill": "kkw",
    "timerfd_create": "ww",
    "timerfd_settime": "dwIO",
    "tkill": "kw",
    "umask": "w",
    "uname": "O",
    "unlink": "p",
    "unlinkat": "dpw",
    "utimensat": "dpIw",
    "wait4": "kOwO",
    "write": "din",
    "writev": "dIw",
}

#: calls whose result is a new descriptor (fcntl: only when it duplicates one)
RETURNS_DESCRIPTOR = frozenset(
    [
        "open",
        "openat",
        "openat2",
        "creat",
        "dup",
        "dup2",
        "dup3",
        "socket",
        "accept",
        "accept4",
        "epoll_create",
        "epoll_create1",
        "eventfd",
        "eventfd2",
        "inotify_init",
        "inotify_init1",
        "memfd_create",
        "pidfd_open",
        "pidfd_getfd",
        "signalfd",
        "signalfd4",
        "timerfd_create",
        "fcntl",
    ]
)
#: calls whose result is an address
RETURNS_ADDRESS = frozenset(["mmap", "mremap", "brk", "shmat"])
#: calls whose result is the number of a process or thread
RETURNS_IDENTITY = frozenset(["getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "setsid"])
#: calls that fill memory with a file's or socket's bytes; the result says how many
READS_DATA = frozenset(
    [
        "read",
        "pread64",
        "readv",
        "preadv",
        "preadv2",
        "recvfrom",
        "recvmsg",
        "recvmmsg",
        "readlink",
        "readlinkat",
        "getxattr",
        "lgetxattr",
        "fgetxattr",
    ]
)
#: calls that fill memory with names of files
READS_NAMES = frozenset(["getdents", "getdents64", "listxattr", "llistxattr", "flistxattr"])
#: calls that fill memory with something about a file or the system, which a program may print or copy on
READS_STATE = frozenset(
    [
        "stat",
        "fstat",
        "lstat",
        "newfstatat",
        "statx",
        "statfs",
        "fstatfs",
        "getcwd",
        "uname",
        "sysinfo",
        "getrusage",
        "times",
        "clock_gettime",
        "gettimeofday",
        "getrandom",
    ]
)
#: calls that hand bytes to the kernel
WRITES_DATA = frozenset(["write", "pwrite64", "writev", "pwritev", "pwritev2", "sendto", "sendmsg", "sendmmsg"])
#: calls that wait for something to happen: what the program does next depends on what happened
WAITS = frozenset(
    [
        "poll",
        "ppoll",
        "select",
        "pselect6",
        "epoll_wait",
        "epoll_pwait",
        "epoll_pwait2",
        "wait4",
        "waitid",
        "pause",
        "rt_sigsuspend",
        "rt_sigtimedwait",
        "io_getevents",
        "io_pgetevents",
        "io_uring_enter",
        "mq_timedreceive",
        "futex_wait",
        "futex_waitv",
    ]
)


def signature(name: str, argument_count: int) -> str | None:
    """Letters of a call's arguments, or None when it is not listed with at least as many."""
    letters = SIGNATURES.get(name)
    if name == "fcntl":
        letters = "dww"
    return letters[:argument_count] if letters is not None and len(letters) >= argument_count else None
