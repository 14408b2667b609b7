/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/* Calls and reasons by name, for texts that name them: NAMES_CALLS and NAMES_REASONS are initialisers. */
#ifndef FERRY_TESTS_CONFORMANCE_NAMES_H
#define FERRY_TESTS_CONFORMANCE_NAMES_H

#include <asm/unistd.h>

#ifdef __NR_read
#define NAMES_read { "read", __NR_read },
#else
#define NAMES_read
#endif
#ifdef __NR_write
#define NAMES_write { "write", __NR_write },
#else
#define NAMES_write
#endif
#ifdef __NR_open
#define NAMES_open { "open", __NR_open },
#else
#define NAMES_open
#endif
#ifdef __NR_close
#define NAMES_close { "close", __NR_close },
#else
#define NAMES_close
#endif
#ifdef __NR_stat
#define NAMES_stat { "stat", __NR_stat },
#else
#define NAMES_stat
#endif
#ifdef __NR_fstat
#define NAMES_fstat { "fstat", __NR_fstat },
#else
#define NAMES_fstat
#endif
#ifdef __NR_lstat
#define NAMES_lstat { "lstat", __NR_lstat },
#else
#define NAMES_lstat
#endif
#ifdef __NR_poll
#define NAMES_poll { "poll", __NR_poll },
#else
#define NAMES_poll
#endif
#ifdef __NR_lseek
#define NAMES_lseek { "lseek", __NR_lseek },
#else
#define NAMES_lseek
#endif
#ifdef __NR_mmap
#define NAMES_mmap { "mmap", __NR_mmap },
#else
#define NAMES_mmap
#endif
#ifdef __NR_mprotect
#define NAMES_mprotect { "mprotect", __NR_mprotect },
#else
#define NAMES_mprotect
#endif
#ifdef __NR_munmap
#define NAMES_munmap { "munmap", __NR_munmap },
#else
#define NAMES_munmap
#endif
#ifdef __NR_brk
#define NAMES_brk { "brk", __NR_brk },
#else
#define NAMES_brk
#endif
#ifdef __NR_rt_sigaction
#define NAMES_rt_sigaction { "rt_sigaction", __NR_rt_sigaction },
#else
#define NAMES_rt_sigaction
#endif
#ifdef __NR_rt_sigprocmask
#define NAMES_rt_sigprocmask { "rt_sigprocmask", __NR_rt_sigprocmask },
#else
#define NAMES_rt_sigprocmask
#endif
#ifdef __NR_rt_sigreturn
#define NAMES_rt_sigreturn { "rt_sigreturn", __NR_rt_sigreturn },
#else
#define NAMES_rt_sigreturn
#endif
#ifdef __NR_ioctl
#define NAMES_ioctl { "ioctl", __NR_ioctl },
#else
#define NAMES_ioctl
#endif
#ifdef __NR_pread64
#define NAMES_pread64 { "pread64", __NR_pread64 },
#else
#define NAMES_pread64
#endif
#ifdef __NR_pwrite64
#define NAMES_pwrite64 { "pwrite64", __NR_pwrite64 },
#else
#define NAMES_pwrite64
#endif
#ifdef __NR_readv
#define NAMES_readv { "readv", __NR_readv },
#else
#define NAMES_readv
#endif
#ifdef __NR_writev
#define NAMES_writev { "writev", __NR_writev },
#else
#define NAMES_writev
#endif
#ifdef __NR_access
#define NAMES_access { "access", __NR_access },
#else
#define NAMES_access
#endif
#ifdef __NR_pipe
#define NAMES_pipe { "pipe", __NR_pipe },
#else
#define NAMES_pipe
#endif
#ifdef __NR_select
#define NAMES_select { "select", __NR_select },
#else
#define NAMES_select
#endif
#ifdef __NR_sched_yield
#define NAMES_sched_yield { "sched_yield", __NR_sched_yield },
#else
#define NAMES_sched_yield
#endif
#ifdef __NR_mremap
#define NAMES_mremap { "mremap", __NR_mremap },
#else
#define NAMES_mremap
#endif
#ifdef __NR_msync
#define NAMES_msync { "msync", __NR_msync },
#else
#define NAMES_msync
#endif
#ifdef __NR_mincore
#define NAMES_mincore { "mincore", __NR_mincore },
#else
#define NAMES_mincore
#endif
#ifdef __NR_madvise
#define NAMES_madvise { "madvise", __NR_madvise },
#else
#define NAMES_madvise
#endif
#ifdef __NR_shmget
#define NAMES_shmget { "shmget", __NR_shmget },
#else
#define NAMES_shmget
#endif
#ifdef __NR_shmat
#define NAMES_shmat { "shmat", __NR_shmat },
#else
#define NAMES_shmat
#endif
#ifdef __NR_shmctl
#define NAMES_shmctl { "shmctl", __NR_shmctl },
#else
#define NAMES_shmctl
#endif
#ifdef __NR_dup
#define NAMES_dup { "dup", __NR_dup },
#else
#define NAMES_dup
#endif
#ifdef __NR_dup2
#define NAMES_dup2 { "dup2", __NR_dup2 },
#else
#define NAMES_dup2
#endif
#ifdef __NR_pause
#define NAMES_pause { "pause", __NR_pause },
#else
#define NAMES_pause
#endif
#ifdef __NR_nanosleep
#define NAMES_nanosleep { "nanosleep", __NR_nanosleep },
#else
#define NAMES_nanosleep
#endif
#ifdef __NR_getitimer
#define NAMES_getitimer { "getitimer", __NR_getitimer },
#else
#define NAMES_getitimer
#endif
#ifdef __NR_alarm
#define NAMES_alarm { "alarm", __NR_alarm },
#else
#define NAMES_alarm
#endif
#ifdef __NR_setitimer
#define NAMES_setitimer { "setitimer", __NR_setitimer },
#else
#define NAMES_setitimer
#endif
#ifdef __NR_getpid
#define NAMES_getpid { "getpid", __NR_getpid },
#else
#define NAMES_getpid
#endif
#ifdef __NR_sendfile
#define NAMES_sendfile { "sendfile", __NR_sendfile },
#else
#define NAMES_sendfile
#endif
#ifdef __NR_socket
#define NAMES_socket { "socket", __NR_socket },
#else
#define NAMES_socket
#endif
#ifdef __NR_connect
#define NAMES_connect { "connect", __NR_connect },
#else
#define NAMES_connect
#endif
#ifdef __NR_accept
#define NAMES_accept { "accept", __NR_accept },
#else
#define NAMES_accept
#endif
#ifdef __NR_sendto
#define NAMES_sendto { "sendto", __NR_sendto },
#else
#define NAMES_sendto
#endif
#ifdef __NR_recvfrom
#define NAMES_recvfrom { "recvfrom", __NR_recvfrom },
#else
#define NAMES_recvfrom
#endif
#ifdef __NR_sendmsg
#define NAMES_sendmsg { "sendmsg", __NR_sendmsg },
#else
#define NAMES_sendmsg
#endif
#ifdef __NR_recvmsg
#define NAMES_recvmsg { "recvmsg", __NR_recvmsg },
#else
#define NAMES_recvmsg
#endif
#ifdef __NR_shutdown
#define NAMES_shutdown { "shutdown", __NR_shutdown },
#else
#define NAMES_shutdown
#endif
#ifdef __NR_bind
#define NAMES_bind { "bind", __NR_bind },
#else
#define NAMES_bind
#endif
#ifdef __NR_listen
#define NAMES_listen { "listen", __NR_listen },
#else
#define NAMES_listen
#endif
#ifdef __NR_getsockname
#define NAMES_getsockname { "getsockname", __NR_getsockname },
#else
#define NAMES_getsockname
#endif
#ifdef __NR_getpeername
#define NAMES_getpeername { "getpeername", __NR_getpeername },
#else
#define NAMES_getpeername
#endif
#ifdef __NR_socketpair
#define NAMES_socketpair { "socketpair", __NR_socketpair },
#else
#define NAMES_socketpair
#endif
#ifdef __NR_setsockopt
#define NAMES_setsockopt { "setsockopt", __NR_setsockopt },
#else
#define NAMES_setsockopt
#endif
#ifdef __NR_getsockopt
#define NAMES_getsockopt { "getsockopt", __NR_getsockopt },
#else
#define NAMES_getsockopt
#endif
#ifdef __NR_clone
#define NAMES_clone { "clone", __NR_clone },
#else
#define NAMES_clone
#endif
#ifdef __NR_fork
#define NAMES_fork { "fork", __NR_fork },
#else
#define NAMES_fork
#endif
#ifdef __NR_vfork
#define NAMES_vfork { "vfork", __NR_vfork },
#else
#define NAMES_vfork
#endif
#ifdef __NR_execve
#define NAMES_execve { "execve", __NR_execve },
#else
#define NAMES_execve
#endif
#ifdef __NR_exit
#define NAMES_exit { "exit", __NR_exit },
#else
#define NAMES_exit
#endif
#ifdef __NR_wait4
#define NAMES_wait4 { "wait4", __NR_wait4 },
#else
#define NAMES_wait4
#endif
#ifdef __NR_kill
#define NAMES_kill { "kill", __NR_kill },
#else
#define NAMES_kill
#endif
#ifdef __NR_uname
#define NAMES_uname { "uname", __NR_uname },
#else
#define NAMES_uname
#endif
#ifdef __NR_semget
#define NAMES_semget { "semget", __NR_semget },
#else
#define NAMES_semget
#endif
#ifdef __NR_semop
#define NAMES_semop { "semop", __NR_semop },
#else
#define NAMES_semop
#endif
#ifdef __NR_semctl
#define NAMES_semctl { "semctl", __NR_semctl },
#else
#define NAMES_semctl
#endif
#ifdef __NR_shmdt
#define NAMES_shmdt { "shmdt", __NR_shmdt },
#else
#define NAMES_shmdt
#endif
#ifdef __NR_msgget
#define NAMES_msgget { "msgget", __NR_msgget },
#else
#define NAMES_msgget
#endif
#ifdef __NR_msgsnd
#define NAMES_msgsnd { "msgsnd", __NR_msgsnd },
#else
#define NAMES_msgsnd
#endif
#ifdef __NR_msgrcv
#define NAMES_msgrcv { "msgrcv", __NR_msgrcv },
#else
#define NAMES_msgrcv
#endif
#ifdef __NR_msgctl
#define NAMES_msgctl { "msgctl", __NR_msgctl },
#else
#define NAMES_msgctl
#endif
#ifdef __NR_fcntl
#define NAMES_fcntl { "fcntl", __NR_fcntl },
#else
#define NAMES_fcntl
#endif
#ifdef __NR_flock
#define NAMES_flock { "flock", __NR_flock },
#else
#define NAMES_flock
#endif
#ifdef __NR_fsync
#define NAMES_fsync { "fsync", __NR_fsync },
#else
#define NAMES_fsync
#endif
#ifdef __NR_fdatasync
#define NAMES_fdatasync { "fdatasync", __NR_fdatasync },
#else
#define NAMES_fdatasync
#endif
#ifdef __NR_truncate
#define NAMES_truncate { "truncate", __NR_truncate },
#else
#define NAMES_truncate
#endif
#ifdef __NR_ftruncate
#define NAMES_ftruncate { "ftruncate", __NR_ftruncate },
#else
#define NAMES_ftruncate
#endif
#ifdef __NR_getdents
#define NAMES_getdents { "getdents", __NR_getdents },
#else
#define NAMES_getdents
#endif
#ifdef __NR_getcwd
#define NAMES_getcwd { "getcwd", __NR_getcwd },
#else
#define NAMES_getcwd
#endif
#ifdef __NR_chdir
#define NAMES_chdir { "chdir", __NR_chdir },
#else
#define NAMES_chdir
#endif
#ifdef __NR_fchdir
#define NAMES_fchdir { "fchdir", __NR_fchdir },
#else
#define NAMES_fchdir
#endif
#ifdef __NR_rename
#define NAMES_rename { "rename", __NR_rename },
#else
#define NAMES_rename
#endif
#ifdef __NR_mkdir
#define NAMES_mkdir { "mkdir", __NR_mkdir },
#else
#define NAMES_mkdir
#endif
#ifdef __NR_rmdir
#define NAMES_rmdir { "rmdir", __NR_rmdir },
#else
#define NAMES_rmdir
#endif
#ifdef __NR_creat
#define NAMES_creat { "creat", __NR_creat },
#else
#define NAMES_creat
#endif
#ifdef __NR_link
#define NAMES_link { "link", __NR_link },
#else
#define NAMES_link
#endif
#ifdef __NR_unlink
#define NAMES_unlink { "unlink", __NR_unlink },
#else
#define NAMES_unlink
#endif
#ifdef __NR_symlink
#define NAMES_symlink { "symlink", __NR_symlink },
#else
#define NAMES_symlink
#endif
#ifdef __NR_readlink
#define NAMES_readlink { "readlink", __NR_readlink },
#else
#define NAMES_readlink
#endif
#ifdef __NR_chmod
#define NAMES_chmod { "chmod", __NR_chmod },
#else
#define NAMES_chmod
#endif
#ifdef __NR_fchmod
#define NAMES_fchmod { "fchmod", __NR_fchmod },
#else
#define NAMES_fchmod
#endif
#ifdef __NR_chown
#define NAMES_chown { "chown", __NR_chown },
#else
#define NAMES_chown
#endif
#ifdef __NR_fchown
#define NAMES_fchown { "fchown", __NR_fchown },
#else
#define NAMES_fchown
#endif
#ifdef __NR_lchown
#define NAMES_lchown { "lchown", __NR_lchown },
#else
#define NAMES_lchown
#endif
#ifdef __NR_umask
#define NAMES_umask { "umask", __NR_umask },
#else
#define NAMES_umask
#endif
#ifdef __NR_gettimeofday
#define NAMES_gettimeofday { "gettimeofday", __NR_gettimeofday },
#else
#define NAMES_gettimeofday
#endif
#ifdef __NR_getrlimit
#define NAMES_getrlimit { "getrlimit", __NR_getrlimit },
#else
#define NAMES_getrlimit
#endif
#ifdef __NR_getrusage
#define NAMES_getrusage { "getrusage", __NR_getrusage },
#else
#define NAMES_getrusage
#endif
#ifdef __NR_sysinfo
#define NAMES_sysinfo { "sysinfo", __NR_sysinfo },
#else
#define NAMES_sysinfo
#endif
#ifdef __NR_times
#define NAMES_times { "times", __NR_times },
#else
#define NAMES_times
#endif
#ifdef __NR_ptrace
#define NAMES_ptrace { "ptrace", __NR_ptrace },
#else
#define NAMES_ptrace
#endif
#ifdef __NR_getuid
#define NAMES_getuid { "getuid", __NR_getuid },
#else
#define NAMES_getuid
#endif
#ifdef __NR_syslog
#define NAMES_syslog { "syslog", __NR_syslog },
#else
#define NAMES_syslog
#endif
#ifdef __NR_getgid
#define NAMES_getgid { "getgid", __NR_getgid },
#else
#define NAMES_getgid
#endif
#ifdef __NR_setuid
#define NAMES_setuid { "setuid", __NR_setuid },
#else
#define NAMES_setuid
#endif
#ifdef __NR_setgid
#define NAMES_setgid { "setgid", __NR_setgid },
#else
#define NAMES_setgid
#endif
#ifdef __NR_geteuid
#define NAMES_geteuid { "geteuid", __NR_geteuid },
#else
#define NAMES_geteuid
#endif
#ifdef __NR_getegid
#define NAMES_getegid { "getegid", __NR_getegid },
#else
#define NAMES_getegid
#endif
#ifdef __NR_setpgid
#define NAMES_setpgid { "setpgid", __NR_setpgid },
#else
#define NAMES_setpgid
#endif
#ifdef __NR_getppid
#define NAMES_getppid { "getppid", __NR_getppid },
#else
#define NAMES_getppid
#endif
#ifdef __NR_getpgrp
#define NAMES_getpgrp { "getpgrp", __NR_getpgrp },
#else
#define NAMES_getpgrp
#endif
#ifdef __NR_setsid
#define NAMES_setsid { "setsid", __NR_setsid },
#else
#define NAMES_setsid
#endif
#ifdef __NR_setreuid
#define NAMES_setreuid { "setreuid", __NR_setreuid },
#else
#define NAMES_setreuid
#endif
#ifdef __NR_setregid
#define NAMES_setregid { "setregid", __NR_setregid },
#else
#define NAMES_setregid
#endif
#ifdef __NR_getgroups
#define NAMES_getgroups { "getgroups", __NR_getgroups },
#else
#define NAMES_getgroups
#endif
#ifdef __NR_setgroups
#define NAMES_setgroups { "setgroups", __NR_setgroups },
#else
#define NAMES_setgroups
#endif
#ifdef __NR_setresuid
#define NAMES_setresuid { "setresuid", __NR_setresuid },
#else
#define NAMES_setresuid
#endif
#ifdef __NR_getresuid
#define NAMES_getresuid { "getresuid", __NR_getresuid },
#else
#define NAMES_getresuid
#endif
#ifdef __NR_setresgid
#define NAMES_setresgid { "setresgid", __NR_setresgid },
#else
#define NAMES_setresgid
#endif
#ifdef __NR_getresgid
#define NAMES_getresgid { "getresgid", __NR_getresgid },
#else
#define NAMES_getresgid
#endif
#ifdef __NR_getpgid
#define NAMES_getpgid { "getpgid", __NR_getpgid },
#else
#define NAMES_getpgid
#endif
#ifdef __NR_setfsuid
#define NAMES_setfsuid { "setfsuid", __NR_setfsuid },
#else
#define NAMES_setfsuid
#endif
#ifdef __NR_setfsgid
#define NAMES_setfsgid { "setfsgid", __NR_setfsgid },
#else
#define NAMES_setfsgid
#endif
#ifdef __NR_getsid
#define NAMES_getsid { "getsid", __NR_getsid },
#else
#define NAMES_getsid
#endif
#ifdef __NR_capget
#define NAMES_capget { "capget", __NR_capget },
#else
#define NAMES_capget
#endif
#ifdef __NR_capset
#define NAMES_capset { "capset", __NR_capset },
#else
#define NAMES_capset
#endif
#ifdef __NR_rt_sigpending
#define NAMES_rt_sigpending { "rt_sigpending", __NR_rt_sigpending },
#else
#define NAMES_rt_sigpending
#endif
#ifdef __NR_rt_sigtimedwait
#define NAMES_rt_sigtimedwait { "rt_sigtimedwait", __NR_rt_sigtimedwait },
#else
#define NAMES_rt_sigtimedwait
#endif
#ifdef __NR_rt_sigqueueinfo
#define NAMES_rt_sigqueueinfo { "rt_sigqueueinfo", __NR_rt_sigqueueinfo },
#else
#define NAMES_rt_sigqueueinfo
#endif
#ifdef __NR_rt_sigsuspend
#define NAMES_rt_sigsuspend { "rt_sigsuspend", __NR_rt_sigsuspend },
#else
#define NAMES_rt_sigsuspend
#endif
#ifdef __NR_sigaltstack
#define NAMES_sigaltstack { "sigaltstack", __NR_sigaltstack },
#else
#define NAMES_sigaltstack
#endif
#ifdef __NR_utime
#define NAMES_utime { "utime", __NR_utime },
#else
#define NAMES_utime
#endif
#ifdef __NR_mknod
#define NAMES_mknod { "mknod", __NR_mknod },
#else
#define NAMES_mknod
#endif
#ifdef __NR_uselib
#define NAMES_uselib { "uselib", __NR_uselib },
#else
#define NAMES_uselib
#endif
#ifdef __NR_personality
#define NAMES_personality { "personality", __NR_personality },
#else
#define NAMES_personality
#endif
#ifdef __NR_ustat
#define NAMES_ustat { "ustat", __NR_ustat },
#else
#define NAMES_ustat
#endif
#ifdef __NR_statfs
#define NAMES_statfs { "statfs", __NR_statfs },
#else
#define NAMES_statfs
#endif
#ifdef __NR_fstatfs
#define NAMES_fstatfs { "fstatfs", __NR_fstatfs },
#else
#define NAMES_fstatfs
#endif
#ifdef __NR_sysfs
#define NAMES_sysfs { "sysfs", __NR_sysfs },
#else
#define NAMES_sysfs
#endif
#ifdef __NR_getpriority
#define NAMES_getpriority { "getpriority", __NR_getpriority },
#else
#define NAMES_getpriority
#endif
#ifdef __NR_setpriority
#define NAMES_setpriority { "setpriority", __NR_setpriority },
#else
#define NAMES_setpriority
#endif
#ifdef __NR_sched_setparam
#define NAMES_sched_setparam { "sched_setparam", __NR_sched_setparam },
#else
#define NAMES_sched_setparam
#endif
#ifdef __NR_sched_getparam
#define NAMES_sched_getparam { "sched_getparam", __NR_sched_getparam },
#else
#define NAMES_sched_getparam
#endif
#ifdef __NR_sched_setscheduler
#define NAMES_sched_setscheduler { "sched_setscheduler", __NR_sched_setscheduler },
#else
#define NAMES_sched_setscheduler
#endif
#ifdef __NR_sched_getscheduler
#define NAMES_sched_getscheduler { "sched_getscheduler", __NR_sched_getscheduler },
#else
#define NAMES_sched_getscheduler
#endif
#ifdef __NR_sched_get_priority_max
#define NAMES_sched_get_priority_max { "sched_get_priority_max", __NR_sched_get_priority_max },
#else
#define NAMES_sched_get_priority_max
#endif
#ifdef __NR_sched_get_priority_min
#define NAMES_sched_get_priority_min { "sched_get_priority_min", __NR_sched_get_priority_min },
#else
#define NAMES_sched_get_priority_min
#endif
#ifdef __NR_sched_rr_get_interval
#define NAMES_sched_rr_get_interval { "sched_rr_get_interval", __NR_sched_rr_get_interval },
#else
#define NAMES_sched_rr_get_interval
#endif
#ifdef __NR_mlock
#define NAMES_mlock { "mlock", __NR_mlock },
#else
#define NAMES_mlock
#endif
#ifdef __NR_munlock
#define NAMES_munlock { "munlock", __NR_munlock },
#else
#define NAMES_munlock
#endif
#ifdef __NR_mlockall
#define NAMES_mlockall { "mlockall", __NR_mlockall },
#else
#define NAMES_mlockall
#endif
#ifdef __NR_munlockall
#define NAMES_munlockall { "munlockall", __NR_munlockall },
#else
#define NAMES_munlockall
#endif
#ifdef __NR_vhangup
#define NAMES_vhangup { "vhangup", __NR_vhangup },
#else
#define NAMES_vhangup
#endif
#ifdef __NR_modify_ldt
#define NAMES_modify_ldt { "modify_ldt", __NR_modify_ldt },
#else
#define NAMES_modify_ldt
#endif
#ifdef __NR_pivot_root
#define NAMES_pivot_root { "pivot_root", __NR_pivot_root },
#else
#define NAMES_pivot_root
#endif
#ifdef __NR__sysctl
#define NAMES__sysctl { "_sysctl", __NR__sysctl },
#else
#define NAMES__sysctl
#endif
#ifdef __NR_prctl
#define NAMES_prctl { "prctl", __NR_prctl },
#else
#define NAMES_prctl
#endif
#ifdef __NR_arch_prctl
#define NAMES_arch_prctl { "arch_prctl", __NR_arch_prctl },
#else
#define NAMES_arch_prctl
#endif
#ifdef __NR_adjtimex
#define NAMES_adjtimex { "adjtimex", __NR_adjtimex },
#else
#define NAMES_adjtimex
#endif
#ifdef __NR_setrlimit
#define NAMES_setrlimit { "setrlimit", __NR_setrlimit },
#else
#define NAMES_setrlimit
#endif
#ifdef __NR_chroot
#define NAMES_chroot { "chroot", __NR_chroot },
#else
#define NAMES_chroot
#endif
#ifdef __NR_sync
#define NAMES_sync { "sync", __NR_sync },
#else
#define NAMES_sync
#endif
#ifdef __NR_acct
#define NAMES_acct { "acct", __NR_acct },
#else
#define NAMES_acct
#endif
#ifdef __NR_settimeofday
#define NAMES_settimeofday { "settimeofday", __NR_settimeofday },
#else
#define NAMES_settimeofday
#endif
#ifdef __NR_mount
#define NAMES_mount { "mount", __NR_mount },
#else
#define NAMES_mount
#endif
#ifdef __NR_umount2
#define NAMES_umount2 { "umount2", __NR_umount2 },
#else
#define NAMES_umount2
#endif
#ifdef __NR_swapon
#define NAMES_swapon { "swapon", __NR_swapon },
#else
#define NAMES_swapon
#endif
#ifdef __NR_swapoff
#define NAMES_swapoff { "swapoff", __NR_swapoff },
#else
#define NAMES_swapoff
#endif
#ifdef __NR_reboot
#define NAMES_reboot { "reboot", __NR_reboot },
#else
#define NAMES_reboot
#endif
#ifdef __NR_sethostname
#define NAMES_sethostname { "sethostname", __NR_sethostname },
#else
#define NAMES_sethostname
#endif
#ifdef __NR_setdomainname
#define NAMES_setdomainname { "setdomainname", __NR_setdomainname },
#else
#define NAMES_setdomainname
#endif
#ifdef __NR_iopl
#define NAMES_iopl { "iopl", __NR_iopl },
#else
#define NAMES_iopl
#endif
#ifdef __NR_ioperm
#define NAMES_ioperm { "ioperm", __NR_ioperm },
#else
#define NAMES_ioperm
#endif
#ifdef __NR_create_module
#define NAMES_create_module { "create_module", __NR_create_module },
#else
#define NAMES_create_module
#endif
#ifdef __NR_init_module
#define NAMES_init_module { "init_module", __NR_init_module },
#else
#define NAMES_init_module
#endif
#ifdef __NR_delete_module
#define NAMES_delete_module { "delete_module", __NR_delete_module },
#else
#define NAMES_delete_module
#endif
#ifdef __NR_get_kernel_syms
#define NAMES_get_kernel_syms { "get_kernel_syms", __NR_get_kernel_syms },
#else
#define NAMES_get_kernel_syms
#endif
#ifdef __NR_query_module
#define NAMES_query_module { "query_module", __NR_query_module },
#else
#define NAMES_query_module
#endif
#ifdef __NR_quotactl
#define NAMES_quotactl { "quotactl", __NR_quotactl },
#else
#define NAMES_quotactl
#endif
#ifdef __NR_nfsservctl
#define NAMES_nfsservctl { "nfsservctl", __NR_nfsservctl },
#else
#define NAMES_nfsservctl
#endif
#ifdef __NR_getpmsg
#define NAMES_getpmsg { "getpmsg", __NR_getpmsg },
#else
#define NAMES_getpmsg
#endif
#ifdef __NR_putpmsg
#define NAMES_putpmsg { "putpmsg", __NR_putpmsg },
#else
#define NAMES_putpmsg
#endif
#ifdef __NR_afs_syscall
#define NAMES_afs_syscall { "afs_syscall", __NR_afs_syscall },
#else
#define NAMES_afs_syscall
#endif
#ifdef __NR_tuxcall
#define NAMES_tuxcall { "tuxcall", __NR_tuxcall },
#else
#define NAMES_tuxcall
#endif
#ifdef __NR_security
#define NAMES_security { "security", __NR_security },
#else
#define NAMES_security
#endif
#ifdef __NR_gettid
#define NAMES_gettid { "gettid", __NR_gettid },
#else
#define NAMES_gettid
#endif
#ifdef __NR_readahead
#define NAMES_readahead { "readahead", __NR_readahead },
#else
#define NAMES_readahead
#endif
#ifdef __NR_setxattr
#define NAMES_setxattr { "setxattr", __NR_setxattr },
#else
#define NAMES_setxattr
#endif
#ifdef __NR_lsetxattr
#define NAMES_lsetxattr { "lsetxattr", __NR_lsetxattr },
#else
#define NAMES_lsetxattr
#endif
#ifdef __NR_fsetxattr
#define NAMES_fsetxattr { "fsetxattr", __NR_fsetxattr },
#else
#define NAMES_fsetxattr
#endif
#ifdef __NR_getxattr
#define NAMES_getxattr { "getxattr", __NR_getxattr },
#else
#define NAMES_getxattr
#endif
#ifdef __NR_lgetxattr
#define NAMES_lgetxattr { "lgetxattr", __NR_lgetxattr },
#else
#define NAMES_lgetxattr
#endif
#ifdef __NR_fgetxattr
#define NAMES_fgetxattr { "fgetxattr", __NR_fgetxattr },
#else
#define NAMES_fgetxattr
#endif
#ifdef __NR_listxattr
#define NAMES_listxattr { "listxattr", __NR_listxattr },
#else
#define NAMES_listxattr
#endif
#ifdef __NR_llistxattr
#define NAMES_llistxattr { "llistxattr", __NR_llistxattr },
#else
#define NAMES_llistxattr
#endif
#ifdef __NR_flistxattr
#define NAMES_flistxattr { "flistxattr", __NR_flistxattr },
#else
#define NAMES_flistxattr
#endif
#ifdef __NR_removexattr
#define NAMES_removexattr { "removexattr", __NR_removexattr },
#else
#define NAMES_removexattr
#endif
#ifdef __NR_lremovexattr
#define NAMES_lremovexattr { "lremovexattr", __NR_lremovexattr },
#else
#define NAMES_lremovexattr
#endif
#ifdef __NR_fremovexattr
#define NAMES_fremovexattr { "fremovexattr", __NR_fremovexattr },
#else
#define NAMES_fremovexattr
#endif
#ifdef __NR_tkill
#define NAMES_tkill { "tkill", __NR_tkill },
#else
#define NAMES_tkill
#endif
#ifdef __NR_time
#define NAMES_time { "time", __NR_time },
#else
#define NAMES_time
#endif
#ifdef __NR_futex
#define NAMES_futex { "futex", __NR_futex },
#else
#define NAMES_futex
#endif
#ifdef __NR_sched_setaffinity
#define NAMES_sched_setaffinity { "sched_setaffinity", __NR_sched_setaffinity },
#else
#define NAMES_sched_setaffinity
#endif
#ifdef __NR_sched_getaffinity
#define NAMES_sched_getaffinity { "sched_getaffinity", __NR_sched_getaffinity },
#else
#define NAMES_sched_getaffinity
#endif
#ifdef __NR_set_thread_area
#define NAMES_set_thread_area { "set_thread_area", __NR_set_thread_area },
#else
#define NAMES_set_thread_area
#endif
#ifdef __NR_io_setup
#define NAMES_io_setup { "io_setup", __NR_io_setup },
#else
#define NAMES_io_setup
#endif
#ifdef __NR_io_destroy
#define NAMES_io_destroy { "io_destroy", __NR_io_destroy },
#else
#define NAMES_io_destroy
#endif
#ifdef __NR_io_getevents
#define NAMES_io_getevents { "io_getevents", __NR_io_getevents },
#else
#define NAMES_io_getevents
#endif
#ifdef __NR_io_submit
#define NAMES_io_submit { "io_submit", __NR_io_submit },
#else
#define NAMES_io_submit
#endif
#ifdef __NR_io_cancel
#define NAMES_io_cancel { "io_cancel", __NR_io_cancel },
#else
#define NAMES_io_cancel
#endif
#ifdef __NR_get_thread_area
#define NAMES_get_thread_area { "get_thread_area", __NR_get_thread_area },
#else
#define NAMES_get_thread_area
#endif
#ifdef __NR_lookup_dcookie
#define NAMES_lookup_dcookie { "lookup_dcookie", __NR_lookup_dcookie },
#else
#define NAMES_lookup_dcookie
#endif
#ifdef __NR_epoll_create
#define NAMES_epoll_create { "epoll_create", __NR_epoll_create },
#else
#define NAMES_epoll_create
#endif
#ifdef __NR_epoll_ctl_old
#define NAMES_epoll_ctl_old { "epoll_ctl_old", __NR_epoll_ctl_old },
#else
#define NAMES_epoll_ctl_old
#endif
#ifdef __NR_epoll_wait_old
#define NAMES_epoll_wait_old { "epoll_wait_old", __NR_epoll_wait_old },
#else
#define NAMES_epoll_wait_old
#endif
#ifdef __NR_remap_file_pages
#define NAMES_remap_file_pages { "remap_file_pages", __NR_remap_file_pages },
#else
#define NAMES_remap_file_pages
#endif
#ifdef __NR_getdents64
#define NAMES_getdents64 { "getdents64", __NR_getdents64 },
#else
#define NAMES_getdents64
#endif
#ifdef __NR_set_tid_address
#define NAMES_set_tid_address { "set_tid_address", __NR_set_tid_address },
#else
#define NAMES_set_tid_address
#endif
#ifdef __NR_restart_syscall
#define NAMES_restart_syscall { "restart_syscall", __NR_restart_syscall },
#else
#define NAMES_restart_syscall
#endif
#ifdef __NR_semtimedop
#define NAMES_semtimedop { "semtimedop", __NR_semtimedop },
#else
#define NAMES_semtimedop
#endif
#ifdef __NR_fadvise64
#define NAMES_fadvise64 { "fadvise64", __NR_fadvise64 },
#else
#define NAMES_fadvise64
#endif
#ifdef __NR_timer_create
#define NAMES_timer_create { "timer_create", __NR_timer_create },
#else
#define NAMES_timer_create
#endif
#ifdef __NR_timer_settime
#define NAMES_timer_settime { "timer_settime", __NR_timer_settime },
#else
#define NAMES_timer_settime
#endif
#ifdef __NR_timer_gettime
#define NAMES_timer_gettime { "timer_gettime", __NR_timer_gettime },
#else
#define NAMES_timer_gettime
#endif
#ifdef __NR_timer_getoverrun
#define NAMES_timer_getoverrun { "timer_getoverrun", __NR_timer_getoverrun },
#else
#define NAMES_timer_getoverrun
#endif
#ifdef __NR_timer_delete
#define NAMES_timer_delete { "timer_delete", __NR_timer_delete },
#else
#define NAMES_timer_delete
#endif
#ifdef __NR_clock_settime
#define NAMES_clock_settime { "clock_settime", __NR_clock_settime },
#else
#define NAMES_clock_settime
#endif
#ifdef __NR_clock_gettime
#define NAMES_clock_gettime { "clock_gettime", __NR_clock_gettime },
#else
#define NAMES_clock_gettime
#endif
#ifdef __NR_clock_getres
#define NAMES_clock_getres { "clock_getres", __NR_clock_getres },
#else
#define NAMES_clock_getres
#endif
#ifdef __NR_clock_nanosleep
#define NAMES_clock_nanosleep { "clock_nanosleep", __NR_clock_nanosleep },
#else
#define NAMES_clock_nanosleep
#endif
#ifdef __NR_exit_group
#define NAMES_exit_group { "exit_group", __NR_exit_group },
#else
#define NAMES_exit_group
#endif
#ifdef __NR_epoll_wait
#define NAMES_epoll_wait { "epoll_wait", __NR_epoll_wait },
#else
#define NAMES_epoll_wait
#endif
#ifdef __NR_epoll_ctl
#define NAMES_epoll_ctl { "epoll_ctl", __NR_epoll_ctl },
#else
#define NAMES_epoll_ctl
#endif
#ifdef __NR_tgkill
#define NAMES_tgkill { "tgkill", __NR_tgkill },
#else
#define NAMES_tgkill
#endif
#ifdef __NR_utimes
#define NAMES_utimes { "utimes", __NR_utimes },
#else
#define NAMES_utimes
#endif
#ifdef __NR_vserver
#define NAMES_vserver { "vserver", __NR_vserver },
#else
#define NAMES_vserver
#endif
#ifdef __NR_mbind
#define NAMES_mbind { "mbind", __NR_mbind },
#else
#define NAMES_mbind
#endif
#ifdef __NR_set_mempolicy
#define NAMES_set_mempolicy { "set_mempolicy", __NR_set_mempolicy },
#else
#define NAMES_set_mempolicy
#endif
#ifdef __NR_get_mempolicy
#define NAMES_get_mempolicy { "get_mempolicy", __NR_get_mempolicy },
#else
#define NAMES_get_mempolicy
#endif
#ifdef __NR_mq_open
#define NAMES_mq_open { "mq_open", __NR_mq_open },
#else
#define NAMES_mq_open
#endif
#ifdef __NR_mq_unlink
#define NAMES_mq_unlink { "mq_unlink", __NR_mq_unlink },
#else
#define NAMES_mq_unlink
#endif
#ifdef __NR_mq_timedsend
#define NAMES_mq_timedsend { "mq_timedsend", __NR_mq_timedsend },
#else
#define NAMES_mq_timedsend
#endif
#ifdef __NR_mq_timedreceive
#define NAMES_mq_timedreceive { "mq_timedreceive", __NR_mq_timedreceive },
#else
#define NAMES_mq_timedreceive
#endif
#ifdef __NR_mq_notify
#define NAMES_mq_notify { "mq_notify", __NR_mq_notify },
#else
#define NAMES_mq_notify
#endif
#ifdef __NR_mq_getsetattr
#define NAMES_mq_getsetattr { "mq_getsetattr", __NR_mq_getsetattr },
#else
#define NAMES_mq_getsetattr
#endif
#ifdef __NR_kexec_load
#define NAMES_kexec_load { "kexec_load", __NR_kexec_load },
#else
#define NAMES_kexec_load
#endif
#ifdef __NR_waitid
#define NAMES_waitid { "waitid", __NR_waitid },
#else
#define NAMES_waitid
#endif
#ifdef __NR_add_key
#define NAMES_add_key { "add_key", __NR_add_key },
#else
#define NAMES_add_key
#endif
#ifdef __NR_request_key
#define NAMES_request_key { "request_key", __NR_request_key },
#else
#define NAMES_request_key
#endif
#ifdef __NR_keyctl
#define NAMES_keyctl { "keyctl", __NR_keyctl },
#else
#define NAMES_keyctl
#endif
#ifdef __NR_ioprio_set
#define NAMES_ioprio_set { "ioprio_set", __NR_ioprio_set },
#else
#define NAMES_ioprio_set
#endif
#ifdef __NR_ioprio_get
#define NAMES_ioprio_get { "ioprio_get", __NR_ioprio_get },
#else
#define NAMES_ioprio_get
#endif
#ifdef __NR_inotify_init
#define NAMES_inotify_init { "inotify_init", __NR_inotify_init },
#else
#define NAMES_inotify_init
#endif
#ifdef __NR_inotify_add_watch
#define NAMES_inotify_add_watch { "inotify_add_watch", __NR_inotify_add_watch },
#else
#define NAMES_inotify_add_watch
#endif
#ifdef __NR_inotify_rm_watch
#define NAMES_inotify_rm_watch { "inotify_rm_watch", __NR_inotify_rm_watch },
#else
#define NAMES_inotify_rm_watch
#endif
#ifdef __NR_migrate_pages
#define NAMES_migrate_pages { "migrate_pages", __NR_migrate_pages },
#else
#define NAMES_migrate_pages
#endif
#ifdef __NR_openat
#define NAMES_openat { "openat", __NR_openat },
#else
#define NAMES_openat
#endif
#ifdef __NR_mkdirat
#define NAMES_mkdirat { "mkdirat", __NR_mkdirat },
#else
#define NAMES_mkdirat
#endif
#ifdef __NR_mknodat
#define NAMES_mknodat { "mknodat", __NR_mknodat },
#else
#define NAMES_mknodat
#endif
#ifdef __NR_fchownat
#define NAMES_fchownat { "fchownat", __NR_fchownat },
#else
#define NAMES_fchownat
#endif
#ifdef __NR_futimesat
#define NAMES_futimesat { "futimesat", __NR_futimesat },
#else
#define NAMES_futimesat
#endif
#ifdef __NR_newfstatat
#define NAMES_newfstatat { "newfstatat", __NR_newfstatat },
#else
#define NAMES_newfstatat
#endif
#ifdef __NR_unlinkat
#define NAMES_unlinkat { "unlinkat", __NR_unlinkat },
#else
#define NAMES_unlinkat
#endif
#ifdef __NR_renameat
#define NAMES_renameat { "renameat", __NR_renameat },
#else
#define NAMES_renameat
#endif
#ifdef __NR_linkat
#define NAMES_linkat { "linkat", __NR_linkat },
#else
#define NAMES_linkat
#endif
#ifdef __NR_symlinkat
#define NAMES_symlinkat { "symlinkat", __NR_symlinkat },
#else
#define NAMES_symlinkat
#endif
#ifdef __NR_readlinkat
#define NAMES_readlinkat { "readlinkat", __NR_readlinkat },
#else
#define NAMES_readlinkat
#endif
#ifdef __NR_fchmodat
#define NAMES_fchmodat { "fchmodat", __NR_fchmodat },
#else
#define NAMES_fchmodat
#endif
#ifdef __NR_faccessat
#define NAMES_faccessat { "faccessat", __NR_faccessat },
#else
#define NAMES_faccessat
#endif
#ifdef __NR_pselect6
#define NAMES_pselect6 { "pselect6", __NR_pselect6 },
#else
#define NAMES_pselect6
#endif
#ifdef __NR_ppoll
#define NAMES_ppoll { "ppoll", __NR_ppoll },
#else
#define NAMES_ppoll
#endif
#ifdef __NR_unshare
#define NAMES_unshare { "unshare", __NR_unshare },
#else
#define NAMES_unshare
#endif
#ifdef __NR_set_robust_list
#define NAMES_set_robust_list { "set_robust_list", __NR_set_robust_list },
#else
#define NAMES_set_robust_list
#endif
#ifdef __NR_get_robust_list
#define NAMES_get_robust_list { "get_robust_list", __NR_get_robust_list },
#else
#define NAMES_get_robust_list
#endif
#ifdef __NR_splice
#define NAMES_splice { "splice", __NR_splice },
#else
#define NAMES_splice
#endif
#ifdef __NR_tee
#define NAMES_tee { "tee", __NR_tee },
#else
#define NAMES_tee
#endif
#ifdef __NR_sync_file_range
#define NAMES_sync_file_range { "sync_file_range", __NR_sync_file_range },
#else
#define NAMES_sync_file_range
#endif
#ifdef __NR_vmsplice
#define NAMES_vmsplice { "vmsplice", __NR_vmsplice },
#else
#define NAMES_vmsplice
#endif
#ifdef __NR_move_pages
#define NAMES_move_pages { "move_pages", __NR_move_pages },
#else
#define NAMES_move_pages
#endif
#ifdef __NR_utimensat
#define NAMES_utimensat { "utimensat", __NR_utimensat },
#else
#define NAMES_utimensat
#endif
#ifdef __NR_epoll_pwait
#define NAMES_epoll_pwait { "epoll_pwait", __NR_epoll_pwait },
#else
#define NAMES_epoll_pwait
#endif
#ifdef __NR_signalfd
#define NAMES_signalfd { "signalfd", __NR_signalfd },
#else
#define NAMES_signalfd
#endif
#ifdef __NR_timerfd_create
#define NAMES_timerfd_create { "timerfd_create", __NR_timerfd_create },
#else
#define NAMES_timerfd_create
#endif
#ifdef __NR_eventfd
#define NAMES_eventfd { "eventfd", __NR_eventfd },
#else
#define NAMES_eventfd
#endif
#ifdef __NR_fallocate
#define NAMES_fallocate { "fallocate", __NR_fallocate },
#else
#define NAMES_fallocate
#endif
#ifdef __NR_timerfd_settime
#define NAMES_timerfd_settime { "timerfd_settime", __NR_timerfd_settime },
#else
#define NAMES_timerfd_settime
#endif
#ifdef __NR_timerfd_gettime
#define NAMES_timerfd_gettime { "timerfd_gettime", __NR_timerfd_gettime },
#else
#define NAMES_timerfd_gettime
#endif
#ifdef __NR_accept4
#define NAMES_accept4 { "accept4", __NR_accept4 },
#else
#define NAMES_accept4
#endif
#ifdef __NR_signalfd4
#define NAMES_signalfd4 { "signalfd4", __NR_signalfd4 },
#else
#define NAMES_signalfd4
#endif
#ifdef __NR_eventfd2
#define NAMES_eventfd2 { "eventfd2", __NR_eventfd2 },
#else
#define NAMES_eventfd2
#endif
#ifdef __NR_epoll_create1
#define NAMES_epoll_create1 { "epoll_create1", __NR_epoll_create1 },
#else
#define NAMES_epoll_create1
#endif
#ifdef __NR_dup3
#define NAMES_dup3 { "dup3", __NR_dup3 },
#else
#define NAMES_dup3
#endif
#ifdef __NR_pipe2
#define NAMES_pipe2 { "pipe2", __NR_pipe2 },
#else
#define NAMES_pipe2
#endif
#ifdef __NR_inotify_init1
#define NAMES_inotify_init1 { "inotify_init1", __NR_inotify_init1 },
#else
#define NAMES_inotify_init1
#endif
#ifdef __NR_preadv
#define NAMES_preadv { "preadv", __NR_preadv },
#else
#define NAMES_preadv
#endif
#ifdef __NR_pwritev
#define NAMES_pwritev { "pwritev", __NR_pwritev },
#else
#define NAMES_pwritev
#endif
#ifdef __NR_rt_tgsigqueueinfo
#define NAMES_rt_tgsigqueueinfo { "rt_tgsigqueueinfo", __NR_rt_tgsigqueueinfo },
#else
#define NAMES_rt_tgsigqueueinfo
#endif
#ifdef __NR_perf_event_open
#define NAMES_perf_event_open { "perf_event_open", __NR_perf_event_open },
#else
#define NAMES_perf_event_open
#endif
#ifdef __NR_recvmmsg
#define NAMES_recvmmsg { "recvmmsg", __NR_recvmmsg },
#else
#define NAMES_recvmmsg
#endif
#ifdef __NR_fanotify_init
#define NAMES_fanotify_init { "fanotify_init", __NR_fanotify_init },
#else
#define NAMES_fanotify_init
#endif
#ifdef __NR_fanotify_mark
#define NAMES_fanotify_mark { "fanotify_mark", __NR_fanotify_mark },
#else
#define NAMES_fanotify_mark
#endif
#ifdef __NR_prlimit64
#define NAMES_prlimit64 { "prlimit64", __NR_prlimit64 },
#else
#define NAMES_prlimit64
#endif
#ifdef __NR_name_to_handle_at
#define NAMES_name_to_handle_at { "name_to_handle_at", __NR_name_to_handle_at },
#else
#define NAMES_name_to_handle_at
#endif
#ifdef __NR_open_by_handle_at
#define NAMES_open_by_handle_at { "open_by_handle_at", __NR_open_by_handle_at },
#else
#define NAMES_open_by_handle_at
#endif
#ifdef __NR_clock_adjtime
#define NAMES_clock_adjtime { "clock_adjtime", __NR_clock_adjtime },
#else
#define NAMES_clock_adjtime
#endif
#ifdef __NR_syncfs
#define NAMES_syncfs { "syncfs", __NR_syncfs },
#else
#define NAMES_syncfs
#endif
#ifdef __NR_sendmmsg
#define NAMES_sendmmsg { "sendmmsg", __NR_sendmmsg },
#else
#define NAMES_sendmmsg
#endif
#ifdef __NR_setns
#define NAMES_setns { "setns", __NR_setns },
#else
#define NAMES_setns
#endif
#ifdef __NR_getcpu
#define NAMES_getcpu { "getcpu", __NR_getcpu },
#else
#define NAMES_getcpu
#endif
#ifdef __NR_process_vm_readv
#define NAMES_process_vm_readv { "process_vm_readv", __NR_process_vm_readv },
#else
#define NAMES_process_vm_readv
#endif
#ifdef __NR_process_vm_writev
#define NAMES_process_vm_writev { "process_vm_writev", __NR_process_vm_writev },
#else
#define NAMES_process_vm_writev
#endif
#ifdef __NR_kcmp
#define NAMES_kcmp { "kcmp", __NR_kcmp },
#else
#define NAMES_kcmp
#endif
#ifdef __NR_finit_module
#define NAMES_finit_module { "finit_module", __NR_finit_module },
#else
#define NAMES_finit_module
#endif
#ifdef __NR_sched_setattr
#define NAMES_sched_setattr { "sched_setattr", __NR_sched_setattr },
#else
#define NAMES_sched_setattr
#endif
#ifdef __NR_sched_getattr
#define NAMES_sched_getattr { "sched_getattr", __NR_sched_getattr },
#else
#define NAMES_sched_getattr
#endif
#ifdef __NR_renameat2
#define NAMES_renameat2 { "renameat2", __NR_renameat2 },
#else
#define NAMES_renameat2
#endif
#ifdef __NR_seccomp
#define NAMES_seccomp { "seccomp", __NR_seccomp },
#else
#define NAMES_seccomp
#endif
#ifdef __NR_getrandom
#define NAMES_getrandom { "getrandom", __NR_getrandom },
#else
#define NAMES_getrandom
#endif
#ifdef __NR_memfd_create
#define NAMES_memfd_create { "memfd_create", __NR_memfd_create },
#else
#define NAMES_memfd_create
#endif
#ifdef __NR_kexec_file_load
#define NAMES_kexec_file_load { "kexec_file_load", __NR_kexec_file_load },
#else
#define NAMES_kexec_file_load
#endif
#ifdef __NR_bpf
#define NAMES_bpf { "bpf", __NR_bpf },
#else
#define NAMES_bpf
#endif
#ifdef __NR_execveat
#define NAMES_execveat { "execveat", __NR_execveat },
#else
#define NAMES_execveat
#endif
#ifdef __NR_userfaultfd
#define NAMES_userfaultfd { "userfaultfd", __NR_userfaultfd },
#else
#define NAMES_userfaultfd
#endif
#ifdef __NR_membarrier
#define NAMES_membarrier { "membarrier", __NR_membarrier },
#else
#define NAMES_membarrier
#endif
#ifdef __NR_mlock2
#define NAMES_mlock2 { "mlock2", __NR_mlock2 },
#else
#define NAMES_mlock2
#endif
#ifdef __NR_copy_file_range
#define NAMES_copy_file_range { "copy_file_range", __NR_copy_file_range },
#else
#define NAMES_copy_file_range
#endif
#ifdef __NR_preadv2
#define NAMES_preadv2 { "preadv2", __NR_preadv2 },
#else
#define NAMES_preadv2
#endif
#ifdef __NR_pwritev2
#define NAMES_pwritev2 { "pwritev2", __NR_pwritev2 },
#else
#define NAMES_pwritev2
#endif
#ifdef __NR_pkey_mprotect
#define NAMES_pkey_mprotect { "pkey_mprotect", __NR_pkey_mprotect },
#else
#define NAMES_pkey_mprotect
#endif
#ifdef __NR_pkey_alloc
#define NAMES_pkey_alloc { "pkey_alloc", __NR_pkey_alloc },
#else
#define NAMES_pkey_alloc
#endif
#ifdef __NR_pkey_free
#define NAMES_pkey_free { "pkey_free", __NR_pkey_free },
#else
#define NAMES_pkey_free
#endif
#ifdef __NR_statx
#define NAMES_statx { "statx", __NR_statx },
#else
#define NAMES_statx
#endif
#ifdef __NR_io_pgetevents
#define NAMES_io_pgetevents { "io_pgetevents", __NR_io_pgetevents },
#else
#define NAMES_io_pgetevents
#endif
#ifdef __NR_rseq
#define NAMES_rseq { "rseq", __NR_rseq },
#else
#define NAMES_rseq
#endif
#ifdef __NR_uretprobe
#define NAMES_uretprobe { "uretprobe", __NR_uretprobe },
#else
#define NAMES_uretprobe
#endif
#ifdef __NR_uprobe
#define NAMES_uprobe { "uprobe", __NR_uprobe },
#else
#define NAMES_uprobe
#endif
#ifdef __NR_pidfd_send_signal
#define NAMES_pidfd_send_signal { "pidfd_send_signal", __NR_pidfd_send_signal },
#else
#define NAMES_pidfd_send_signal
#endif
#ifdef __NR_io_uring_setup
#define NAMES_io_uring_setup { "io_uring_setup", __NR_io_uring_setup },
#else
#define NAMES_io_uring_setup
#endif
#ifdef __NR_io_uring_enter
#define NAMES_io_uring_enter { "io_uring_enter", __NR_io_uring_enter },
#else
#define NAMES_io_uring_enter
#endif
#ifdef __NR_io_uring_register
#define NAMES_io_uring_register { "io_uring_register", __NR_io_uring_register },
#else
#define NAMES_io_uring_register
#endif
#ifdef __NR_open_tree
#define NAMES_open_tree { "open_tree", __NR_open_tree },
#else
#define NAMES_open_tree
#endif
#ifdef __NR_move_mount
#define NAMES_move_mount { "move_mount", __NR_move_mount },
#else
#define NAMES_move_mount
#endif
#ifdef __NR_fsopen
#define NAMES_fsopen { "fsopen", __NR_fsopen },
#else
#define NAMES_fsopen
#endif
#ifdef __NR_fsconfig
#define NAMES_fsconfig { "fsconfig", __NR_fsconfig },
#else
#define NAMES_fsconfig
#endif
#ifdef __NR_fsmount
#define NAMES_fsmount { "fsmount", __NR_fsmount },
#else
#define NAMES_fsmount
#endif
#ifdef __NR_fspick
#define NAMES_fspick { "fspick", __NR_fspick },
#else
#define NAMES_fspick
#endif
#ifdef __NR_pidfd_open
#define NAMES_pidfd_open { "pidfd_open", __NR_pidfd_open },
#else
#define NAMES_pidfd_open
#endif
#ifdef __NR_clone3
#define NAMES_clone3 { "clone3", __NR_clone3 },
#else
#define NAMES_clone3
#endif
#ifdef __NR_close_range
#define NAMES_close_range { "close_range", __NR_close_range },
#else
#define NAMES_close_range
#endif
#ifdef __NR_openat2
#define NAMES_openat2 { "openat2", __NR_openat2 },
#else
#define NAMES_openat2
#endif
#ifdef __NR_pidfd_getfd
#define NAMES_pidfd_getfd { "pidfd_getfd", __NR_pidfd_getfd },
#else
#define NAMES_pidfd_getfd
#endif
#ifdef __NR_faccessat2
#define NAMES_faccessat2 { "faccessat2", __NR_faccessat2 },
#else
#define NAMES_faccessat2
#endif
#ifdef __NR_process_madvise
#define NAMES_process_madvise { "process_madvise", __NR_process_madvise },
#else
#define NAMES_process_madvise
#endif
#ifdef __NR_epoll_pwait2
#define NAMES_epoll_pwait2 { "epoll_pwait2", __NR_epoll_pwait2 },
#else
#define NAMES_epoll_pwait2
#endif
#ifdef __NR_mount_setattr
#define NAMES_mount_setattr { "mount_setattr", __NR_mount_setattr },
#else
#define NAMES_mount_setattr
#endif
#ifdef __NR_quotactl_fd
#define NAMES_quotactl_fd { "quotactl_fd", __NR_quotactl_fd },
#else
#define NAMES_quotactl_fd
#endif
#ifdef __NR_landlock_create_ruleset
#define NAMES_landlock_create_ruleset { "landlock_create_ruleset", __NR_landlock_create_ruleset },
#else
#define NAMES_landlock_create_ruleset
#endif
#ifdef __NR_landlock_add_rule
#define NAMES_landlock_add_rule { "landlock_add_rule", __NR_landlock_add_rule },
#else
#define NAMES_landlock_add_rule
#endif
#ifdef __NR_landlock_restrict_self
#define NAMES_landlock_restrict_self { "landlock_restrict_self", __NR_landlock_restrict_self },
#else
#define NAMES_landlock_restrict_self
#endif
#ifdef __NR_memfd_secret
#define NAMES_memfd_secret { "memfd_secret", __NR_memfd_secret },
#else
#define NAMES_memfd_secret
#endif
#ifdef __NR_process_mrelease
#define NAMES_process_mrelease { "process_mrelease", __NR_process_mrelease },
#else
#define NAMES_process_mrelease
#endif
#ifdef __NR_futex_waitv
#define NAMES_futex_waitv { "futex_waitv", __NR_futex_waitv },
#else
#define NAMES_futex_waitv
#endif
#ifdef __NR_set_mempolicy_home_node
#define NAMES_set_mempolicy_home_node { "set_mempolicy_home_node", __NR_set_mempolicy_home_node },
#else
#define NAMES_set_mempolicy_home_node
#endif
#ifdef __NR_cachestat
#define NAMES_cachestat { "cachestat", __NR_cachestat },
#else
#define NAMES_cachestat
#endif
#ifdef __NR_fchmodat2
#define NAMES_fchmodat2 { "fchmodat2", __NR_fchmodat2 },
#else
#define NAMES_fchmodat2
#endif
#ifdef __NR_map_shadow_stack
#define NAMES_map_shadow_stack { "map_shadow_stack", __NR_map_shadow_stack },
#else
#define NAMES_map_shadow_stack
#endif
#ifdef __NR_futex_wake
#define NAMES_futex_wake { "futex_wake", __NR_futex_wake },
#else
#define NAMES_futex_wake
#endif
#ifdef __NR_futex_wait
#define NAMES_futex_wait { "futex_wait", __NR_futex_wait },
#else
#define NAMES_futex_wait
#endif
#ifdef __NR_futex_requeue
#define NAMES_futex_requeue { "futex_requeue", __NR_futex_requeue },
#else
#define NAMES_futex_requeue
#endif
#ifdef __NR_statmount
#define NAMES_statmount { "statmount", __NR_statmount },
#else
#define NAMES_statmount
#endif
#ifdef __NR_listmount
#define NAMES_listmount { "listmount", __NR_listmount },
#else
#define NAMES_listmount
#endif
#ifdef __NR_lsm_get_self_attr
#define NAMES_lsm_get_self_attr { "lsm_get_self_attr", __NR_lsm_get_self_attr },
#else
#define NAMES_lsm_get_self_attr
#endif
#ifdef __NR_lsm_set_self_attr
#define NAMES_lsm_set_self_attr { "lsm_set_self_attr", __NR_lsm_set_self_attr },
#else
#define NAMES_lsm_set_self_attr
#endif
#ifdef __NR_lsm_list_modules
#define NAMES_lsm_list_modules { "lsm_list_modules", __NR_lsm_list_modules },
#else
#define NAMES_lsm_list_modules
#endif
#ifdef __NR_mseal
#define NAMES_mseal { "mseal", __NR_mseal },
#else
#define NAMES_mseal
#endif
#ifdef __NR_setxattrat
#define NAMES_setxattrat { "setxattrat", __NR_setxattrat },
#else
#define NAMES_setxattrat
#endif
#ifdef __NR_getxattrat
#define NAMES_getxattrat { "getxattrat", __NR_getxattrat },
#else
#define NAMES_getxattrat
#endif
#ifdef __NR_listxattrat
#define NAMES_listxattrat { "listxattrat", __NR_listxattrat },
#else
#define NAMES_listxattrat
#endif
#ifdef __NR_removexattrat
#define NAMES_removexattrat { "removexattrat", __NR_removexattrat },
#else
#define NAMES_removexattrat
#endif
#ifdef __NR_open_tree_attr
#define NAMES_open_tree_attr { "open_tree_attr", __NR_open_tree_attr },
#else
#define NAMES_open_tree_attr
#endif
#ifdef __NR_file_getattr
#define NAMES_file_getattr { "file_getattr", __NR_file_getattr },
#else
#define NAMES_file_getattr
#endif
#ifdef __NR_file_setattr
#define NAMES_file_setattr { "file_setattr", __NR_file_setattr },
#else
#define NAMES_file_setattr
#endif

#define NAMES_CALLS \
	NAMES_read \
	NAMES_write \
	NAMES_open \
	NAMES_close \
	NAMES_stat \
	NAMES_fstat \
	NAMES_lstat \
	NAMES_poll \
	NAMES_lseek \
	NAMES_mmap \
	NAMES_mprotect \
	NAMES_munmap \
	NAMES_brk \
	NAMES_rt_sigaction \
	NAMES_rt_sigprocmask \
	NAMES_rt_sigreturn \
	NAMES_ioctl \
	NAMES_pread64 \
	NAMES_pwrite64 \
	NAMES_readv \
	NAMES_writev \
	NAMES_access \
	NAMES_pipe \
	NAMES_select \
	NAMES_sched_yield \
	NAMES_mremap \
	NAMES_msync \
	NAMES_mincore \
	NAMES_madvise \
	NAMES_shmget \
	NAMES_shmat \
	NAMES_shmctl \
	NAMES_dup \
	NAMES_dup2 \
	NAMES_pause \
	NAMES_nanosleep \
	NAMES_getitimer \
	NAMES_alarm \
	NAMES_setitimer \
	NAMES_getpid \
	NAMES_sendfile \
	NAMES_socket \
	NAMES_connect \
	NAMES_accept \
	NAMES_sendto \
	NAMES_recvfrom \
	NAMES_sendmsg \
	NAMES_recvmsg \
	NAMES_shutdown \
	NAMES_bind \
	NAMES_listen \
	NAMES_getsockname \
	NAMES_getpeername \
	NAMES_socketpair \
	NAMES_setsockopt \
	NAMES_getsockopt \
	NAMES_clone \
	NAMES_fork \
	NAMES_vfork \
	NAMES_execve \
	NAMES_exit \
	NAMES_wait4 \
	NAMES_kill \
	NAMES_uname \
	NAMES_semget \
	NAMES_semop \
	NAMES_semctl \
	NAMES_shmdt \
	NAMES_msgget \
	NAMES_msgsnd \
	NAMES_msgrcv \
	NAMES_msgctl \
	NAMES_fcntl \
	NAMES_flock \
	NAMES_fsync \
	NAMES_fdatasync \
	NAMES_truncate \
	NAMES_ftruncate \
	NAMES_getdents \
	NAMES_getcwd \
	NAMES_chdir \
	NAMES_fchdir \
	NAMES_rename \
	NAMES_mkdir \
	NAMES_rmdir \
	NAMES_creat \
	NAMES_link \
	NAMES_unlink \
	NAMES_symlink \
	NAMES_readlink \
	NAMES_chmod \
	NAMES_fchmod \
	NAMES_chown \
	NAMES_fchown \
	NAMES_lchown \
	NAMES_umask \
	NAMES_gettimeofday \
	NAMES_getrlimit \
	NAMES_getrusage \
	NAMES_sysinfo \
	NAMES_times \
	NAMES_ptrace \
	NAMES_getuid \
	NAMES_syslog \
	NAMES_getgid \
	NAMES_setuid \
	NAMES_setgid \
	NAMES_geteuid \
	NAMES_getegid \
	NAMES_setpgid \
	NAMES_getppid \
	NAMES_getpgrp \
	NAMES_setsid \
	NAMES_setreuid \
	NAMES_setregid \
	NAMES_getgroups \
	NAMES_setgroups \
	NAMES_setresuid \
	NAMES_getresuid \
	NAMES_setresgid \
	NAMES_getresgid \
	NAMES_getpgid \
	NAMES_setfsuid \
	NAMES_setfsgid \
	NAMES_getsid \
	NAMES_capget \
	NAMES_capset \
	NAMES_rt_sigpending \
	NAMES_rt_sigtimedwait \
	NAMES_rt_sigqueueinfo \
	NAMES_rt_sigsuspend \
	NAMES_sigaltstack \
	NAMES_utime \
	NAMES_mknod \
	NAMES_uselib \
	NAMES_personality \
	NAMES_ustat \
	NAMES_statfs \
	NAMES_fstatfs \
	NAMES_sysfs \
	NAMES_getpriority \
	NAMES_setpriority \
	NAMES_sched_setparam \
	NAMES_sched_getparam \
	NAMES_sched_setscheduler \
	NAMES_sched_getscheduler \
	NAMES_sched_get_priority_max \
	NAMES_sched_get_priority_min \
	NAMES_sched_rr_get_interval \
	NAMES_mlock \
	NAMES_munlock \
	NAMES_mlockall \
	NAMES_munlockall \
	NAMES_vhangup \
	NAMES_modify_ldt \
	NAMES_pivot_root \
	NAMES__sysctl \
	NAMES_prctl \
	NAMES_arch_prctl \
	NAMES_adjtimex \
	NAMES_setrlimit \
	NAMES_chroot \
	NAMES_sync \
	NAMES_acct \
	NAMES_settimeofday \
	NAMES_mount \
	NAMES_umount2 \
	NAMES_swapon \
	NAMES_swapoff \
	NAMES_reboot \
	NAMES_sethostname \
	NAMES_setdomainname \
	NAMES_iopl \
	NAMES_ioperm \
	NAMES_create_module \
	NAMES_init_module \
	NAMES_delete_module \
	NAMES_get_kernel_syms \
	NAMES_query_module \
	NAMES_quotactl \
	NAMES_nfsservctl \
	NAMES_getpmsg \
	NAMES_putpmsg \
	NAMES_afs_syscall \
	NAMES_tuxcall \
	NAMES_security \
	NAMES_gettid \
	NAMES_readahead \
	NAMES_setxattr \
	NAMES_lsetxattr \
	NAMES_fsetxattr \
	NAMES_getxattr \
	NAMES_lgetxattr \
	NAMES_fgetxattr \
	NAMES_listxattr \
	NAMES_llistxattr \
	NAMES_flistxattr \
	NAMES_removexattr \
	NAMES_lremovexattr \
	NAMES_fremovexattr \
	NAMES_tkill \
	NAMES_time \
	NAMES_futex \
	NAMES_sched_setaffinity \
	NAMES_sched_getaffinity \
	NAMES_set_thread_area \
	NAMES_io_setup \
	NAMES_io_destroy \
	NAMES_io_getevents \
	NAMES_io_submit \
	NAMES_io_cancel \
	NAMES_get_thread_area \
	NAMES_lookup_dcookie \
	NAMES_epoll_create \
	NAMES_epoll_ctl_old \
	NAMES_epoll_wait_old \
	NAMES_remap_file_pages \
	NAMES_getdents64 \
	NAMES_set_tid_address \
	NAMES_restart_syscall \
	NAMES_semtimedop \
	NAMES_fadvise64 \
	NAMES_timer_create \
	NAMES_timer_settime \
	NAMES_timer_gettime \
	NAMES_timer_getoverrun \
	NAMES_timer_delete \
	NAMES_clock_settime \
	NAMES_clock_gettime \
	NAMES_clock_getres \
	NAMES_clock_nanosleep \
	NAMES_exit_group \
	NAMES_epoll_wait \
	NAMES_epoll_ctl \
	NAMES_tgkill \
	NAMES_utimes \
	NAMES_vserver \
	NAMES_mbind \
	NAMES_set_mempolicy \
	NAMES_get_mempolicy \
	NAMES_mq_open \
	NAMES_mq_unlink \
	NAMES_mq_timedsend \
	NAMES_mq_timedreceive \
	NAMES_mq_notify \
	NAMES_mq_getsetattr \
	NAMES_kexec_load \
	NAMES_waitid \
	NAMES_add_key \
	NAMES_request_key \
	NAMES_keyctl \
	NAMES_ioprio_set \
	NAMES_ioprio_get \
	NAMES_inotify_init \
	NAMES_inotify_add_watch \
	NAMES_inotify_rm_watch \
	NAMES_migrate_pages \
	NAMES_openat \
	NAMES_mkdirat \
	NAMES_mknodat \
	NAMES_fchownat \
	NAMES_futimesat \
	NAMES_newfstatat \
	NAMES_unlinkat \
	NAMES_renameat \
	NAMES_linkat \
	NAMES_symlinkat \
	NAMES_readlinkat \
	NAMES_fchmodat \
	NAMES_faccessat \
	NAMES_pselect6 \
	NAMES_ppoll \
	NAMES_unshare \
	NAMES_set_robust_list \
	NAMES_get_robust_list \
	NAMES_splice \
	NAMES_tee \
	NAMES_sync_file_range \
	NAMES_vmsplice \
	NAMES_move_pages \
	NAMES_utimensat \
	NAMES_epoll_pwait \
	NAMES_signalfd \
	NAMES_timerfd_create \
	NAMES_eventfd \
	NAMES_fallocate \
	NAMES_timerfd_settime \
	NAMES_timerfd_gettime \
	NAMES_accept4 \
	NAMES_signalfd4 \
	NAMES_eventfd2 \
	NAMES_epoll_create1 \
	NAMES_dup3 \
	NAMES_pipe2 \
	NAMES_inotify_init1 \
	NAMES_preadv \
	NAMES_pwritev \
	NAMES_rt_tgsigqueueinfo \
	NAMES_perf_event_open \
	NAMES_recvmmsg \
	NAMES_fanotify_init \
	NAMES_fanotify_mark \
	NAMES_prlimit64 \
	NAMES_name_to_handle_at \
	NAMES_open_by_handle_at \
	NAMES_clock_adjtime \
	NAMES_syncfs \
	NAMES_sendmmsg \
	NAMES_setns \
	NAMES_getcpu \
	NAMES_process_vm_readv \
	NAMES_process_vm_writev \
	NAMES_kcmp \
	NAMES_finit_module \
	NAMES_sched_setattr \
	NAMES_sched_getattr \
	NAMES_renameat2 \
	NAMES_seccomp \
	NAMES_getrandom \
	NAMES_memfd_create \
	NAMES_kexec_file_load \
	NAMES_bpf \
	NAMES_execveat \
	NAMES_userfaultfd \
	NAMES_membarrier \
	NAMES_mlock2 \
	NAMES_copy_file_range \
	NAMES_preadv2 \
	NAMES_pwritev2 \
	NAMES_pkey_mprotect \
	NAMES_pkey_alloc \
	NAMES_pkey_free \
	NAMES_statx \
	NAMES_io_pgetevents \
	NAMES_rseq \
	NAMES_uretprobe \
	NAMES_uprobe \
	NAMES_pidfd_send_signal \
	NAMES_io_uring_setup \
	NAMES_io_uring_enter \
	NAMES_io_uring_register \
	NAMES_open_tree \
	NAMES_move_mount \
	NAMES_fsopen \
	NAMES_fsconfig \
	NAMES_fsmount \
	NAMES_fspick \
	NAMES_pidfd_open \
	NAMES_clone3 \
	NAMES_close_range \
	NAMES_openat2 \
	NAMES_pidfd_getfd \
	NAMES_faccessat2 \
	NAMES_process_madvise \
	NAMES_epoll_pwait2 \
	NAMES_mount_setattr \
	NAMES_quotactl_fd \
	NAMES_landlock_create_ruleset \
	NAMES_landlock_add_rule \
	NAMES_landlock_restrict_self \
	NAMES_memfd_secret \
	NAMES_process_mrelease \
	NAMES_futex_waitv \
	NAMES_set_mempolicy_home_node \
	NAMES_cachestat \
	NAMES_fchmodat2 \
	NAMES_map_shadow_stack \
	NAMES_futex_wake \
	NAMES_futex_wait \
	NAMES_futex_requeue \
	NAMES_statmount \
	NAMES_listmount \
	NAMES_lsm_get_self_attr \
	NAMES_lsm_set_self_attr \
	NAMES_lsm_list_modules \
	NAMES_mseal \
	NAMES_setxattrat \
	NAMES_getxattrat \
	NAMES_listxattrat \
	NAMES_removexattrat \
	NAMES_open_tree_attr \
	NAMES_file_getattr \
	NAMES_file_setattr \

#define NAMES_REASONS \
	{ "NONE", BATCH_REASON_NONE }, \
	{ "EMPTY", BATCH_REASON_EMPTY }, \
	{ "TOO_LONG", BATCH_REASON_TOO_LONG }, \
	{ "NULL", BATCH_REASON_NULL }, \
	{ "FLAGS", BATCH_REASON_FLAGS }, \
	{ "ARGC", BATCH_REASON_ARGC }, \
	{ "MISALIGNED", BATCH_REASON_MISALIGNED }, \
	{ "SIGNATURE", BATCH_REASON_SIGNATURE }, \
	{ "NOT_CARRIED", BATCH_REASON_NOT_CARRIED }, \
	{ "DATA_FLOW", BATCH_REASON_DATA_FLOW }, \
	{ "JUMP", BATCH_REASON_JUMP }, \
	{ "UNAVAILABLE", BATCH_REASON_UNAVAILABLE }, \
	{ "CAPACITY", BATCH_REASON_CAPACITY }, \
	{ "VALUE", BATCH_REASON_VALUE }, \
	{ "LABEL_BACKWARD", BATCH_REASON_LABEL_BACKWARD }, \
	{ "LABEL_UNPLACED", BATCH_REASON_LABEL_UNPLACED }, \
	{ "LABEL_FAR", BATCH_REASON_LABEL_FAR }, \
	{ "SKIPPED", BATCH_REASON_SKIPPED }, \
	{ "JUMP_SET", BATCH_REASON_JUMP_SET }, \
	{ "WATCHED", BATCH_REASON_WATCHED }, \
	{ "NO_ENTRY", BATCH_REASON_NO_ENTRY }, \
	{ "MEMORY", BATCH_REASON_MEMORY }, \

#endif /* FERRY_TESTS_CONFORMANCE_NAMES_H */
