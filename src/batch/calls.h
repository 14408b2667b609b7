/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * The system calls a batch may make. On x86-64 the numbers are the specification's own, so that the answer
 * does not depend on the headers of the machine that built the library; elsewhere they are <asm/unistd.h>'s.
 */
#ifndef FERRY_BATCH_CALLS_H
#define FERRY_BATCH_CALLS_H

#include <asm/unistd.h>

#define BATCH__CALL_WORDS 16
#define BATCH__CALL_LIMIT (BATCH__CALL_WORDS * 64)

/* bit n is set when system call n is allowed */
#if defined(__x86_64__)
static const unsigned long long batch__calls_allowed[BATCH__CALL_WORDS] = {
	0xe0ffffffffff7fffULL,
	0xffffffffffffffffULL,
	0xff7fefffbfffffffULL,
	0xffffff7ff7ffdfffULL,
	0xffffffffffffffffULL,
	0x0000000000007ffbULL,
	0xfff7ff0000000000ULL,
	0x00000000003fffffULL,
};
#else
#define BATCH__BIT(nr, word) ((nr) / 64 == (word) ? 1ULL << ((nr) % 64) : 0)
#ifdef __NR_read
#define BATCH__ALLOW_read(word) BATCH__BIT(__NR_read, word)
#else
#define BATCH__ALLOW_read(word) 0
#endif
#ifdef __NR_write
#define BATCH__ALLOW_write(word) BATCH__BIT(__NR_write, word)
#else
#define BATCH__ALLOW_write(word) 0
#endif
#ifdef __NR_open
#define BATCH__ALLOW_open(word) BATCH__BIT(__NR_open, word)
#else
#define BATCH__ALLOW_open(word) 0
#endif
#ifdef __NR_close
#define BATCH__ALLOW_close(word) BATCH__BIT(__NR_close, word)
#else
#define BATCH__ALLOW_close(word) 0
#endif
#ifdef __NR_stat
#define BATCH__ALLOW_stat(word) BATCH__BIT(__NR_stat, word)
#else
#define BATCH__ALLOW_stat(word) 0
#endif
#ifdef __NR_fstat
#define BATCH__ALLOW_fstat(word) BATCH__BIT(__NR_fstat, word)
#else
#define BATCH__ALLOW_fstat(word) 0
#endif
#ifdef __NR_lstat
#define BATCH__ALLOW_lstat(word) BATCH__BIT(__NR_lstat, word)
#else
#define BATCH__ALLOW_lstat(word) 0
#endif
#ifdef __NR_poll
#define BATCH__ALLOW_poll(word) BATCH__BIT(__NR_poll, word)
#else
#define BATCH__ALLOW_poll(word) 0
#endif
#ifdef __NR_lseek
#define BATCH__ALLOW_lseek(word) BATCH__BIT(__NR_lseek, word)
#else
#define BATCH__ALLOW_lseek(word) 0
#endif
#ifdef __NR_mmap
#define BATCH__ALLOW_mmap(word) BATCH__BIT(__NR_mmap, word)
#else
#define BATCH__ALLOW_mmap(word) 0
#endif
#ifdef __NR_mprotect
#define BATCH__ALLOW_mprotect(word) BATCH__BIT(__NR_mprotect, word)
#else
#define BATCH__ALLOW_mprotect(word) 0
#endif
#ifdef __NR_munmap
#define BATCH__ALLOW_munmap(word) BATCH__BIT(__NR_munmap, word)
#else
#define BATCH__ALLOW_munmap(word) 0
#endif
#ifdef __NR_brk
#define BATCH__ALLOW_brk(word) BATCH__BIT(__NR_brk, word)
#else
#define BATCH__ALLOW_brk(word) 0
#endif
#ifdef __NR_rt_sigaction
#define BATCH__ALLOW_rt_sigaction(word) BATCH__BIT(__NR_rt_sigaction, word)
#else
#define BATCH__ALLOW_rt_sigaction(word) 0
#endif
#ifdef __NR_rt_sigprocmask
#define BATCH__ALLOW_rt_sigprocmask(word) BATCH__BIT(__NR_rt_sigprocmask, word)
#else
#define BATCH__ALLOW_rt_sigprocmask(word) 0
#endif
#ifdef __NR_ioctl
#define BATCH__ALLOW_ioctl(word) BATCH__BIT(__NR_ioctl, word)
#else
#define BATCH__ALLOW_ioctl(word) 0
#endif
#ifdef __NR_pread64
#define BATCH__ALLOW_pread64(word) BATCH__BIT(__NR_pread64, word)
#else
#define BATCH__ALLOW_pread64(word) 0
#endif
#ifdef __NR_pwrite64
#define BATCH__ALLOW_pwrite64(word) BATCH__BIT(__NR_pwrite64, word)
#else
#define BATCH__ALLOW_pwrite64(word) 0
#endif
#ifdef __NR_readv
#define BATCH__ALLOW_readv(word) BATCH__BIT(__NR_readv, word)
#else
#define BATCH__ALLOW_readv(word) 0
#endif
#ifdef __NR_writev
#define BATCH__ALLOW_writev(word) BATCH__BIT(__NR_writev, word)
#else
#define BATCH__ALLOW_writev(word) 0
#endif
#ifdef __NR_access
#define BATCH__ALLOW_access(word) BATCH__BIT(__NR_access, word)
#else
#define BATCH__ALLOW_access(word) 0
#endif
#ifdef __NR_pipe
#define BATCH__ALLOW_pipe(word) BATCH__BIT(__NR_pipe, word)
#else
#define BATCH__ALLOW_pipe(word) 0
#endif
#ifdef __NR_select
#define BATCH__ALLOW_select(word) BATCH__BIT(__NR_select, word)
#else
#define BATCH__ALLOW_select(word) 0
#endif
#ifdef __NR_sched_yield
#define BATCH__ALLOW_sched_yield(word) BATCH__BIT(__NR_sched_yield, word)
#else
#define BATCH__ALLOW_sched_yield(word) 0
#endif
#ifdef __NR_mremap
#define BATCH__ALLOW_mremap(word) BATCH__BIT(__NR_mremap, word)
#else
#define BATCH__ALLOW_mremap(word) 0
#endif
#ifdef __NR_msync
#define BATCH__ALLOW_msync(word) BATCH__BIT(__NR_msync, word)
#else
#define BATCH__ALLOW_msync(word) 0
#endif
#ifdef __NR_mincore
#define BATCH__ALLOW_mincore(word) BATCH__BIT(__NR_mincore, word)
#else
#define BATCH__ALLOW_mincore(word) 0
#endif
#ifdef __NR_madvise
#define BATCH__ALLOW_madvise(word) BATCH__BIT(__NR_madvise, word)
#else
#define BATCH__ALLOW_madvise(word) 0
#endif
#ifdef __NR_shmget
#define BATCH__ALLOW_shmget(word) BATCH__BIT(__NR_shmget, word)
#else
#define BATCH__ALLOW_shmget(word) 0
#endif
#ifdef __NR_shmat
#define BATCH__ALLOW_shmat(word) BATCH__BIT(__NR_shmat, word)
#else
#define BATCH__ALLOW_shmat(word) 0
#endif
#ifdef __NR_shmctl
#define BATCH__ALLOW_shmctl(word) BATCH__BIT(__NR_shmctl, word)
#else
#define BATCH__ALLOW_shmctl(word) 0
#endif
#ifdef __NR_dup
#define BATCH__ALLOW_dup(word) BATCH__BIT(__NR_dup, word)
#else
#define BATCH__ALLOW_dup(word) 0
#endif
#ifdef __NR_dup2
#define BATCH__ALLOW_dup2(word) BATCH__BIT(__NR_dup2, word)
#else
#define BATCH__ALLOW_dup2(word) 0
#endif
#ifdef __NR_pause
#define BATCH__ALLOW_pause(word) BATCH__BIT(__NR_pause, word)
#else
#define BATCH__ALLOW_pause(word) 0
#endif
#ifdef __NR_nanosleep
#define BATCH__ALLOW_nanosleep(word) BATCH__BIT(__NR_nanosleep, word)
#else
#define BATCH__ALLOW_nanosleep(word) 0
#endif
#ifdef __NR_getitimer
#define BATCH__ALLOW_getitimer(word) BATCH__BIT(__NR_getitimer, word)
#else
#define BATCH__ALLOW_getitimer(word) 0
#endif
#ifdef __NR_alarm
#define BATCH__ALLOW_alarm(word) BATCH__BIT(__NR_alarm, word)
#else
#define BATCH__ALLOW_alarm(word) 0
#endif
#ifdef __NR_setitimer
#define BATCH__ALLOW_setitimer(word) BATCH__BIT(__NR_setitimer, word)
#else
#define BATCH__ALLOW_setitimer(word) 0
#endif
#ifdef __NR_getpid
#define BATCH__ALLOW_getpid(word) BATCH__BIT(__NR_getpid, word)
#else
#define BATCH__ALLOW_getpid(word) 0
#endif
#ifdef __NR_sendfile
#define BATCH__ALLOW_sendfile(word) BATCH__BIT(__NR_sendfile, word)
#else
#define BATCH__ALLOW_sendfile(word) 0
#endif
#ifdef __NR_socket
#define BATCH__ALLOW_socket(word) BATCH__BIT(__NR_socket, word)
#else
#define BATCH__ALLOW_socket(word) 0
#endif
#ifdef __NR_connect
#define BATCH__ALLOW_connect(word) BATCH__BIT(__NR_connect, word)
#else
#define BATCH__ALLOW_connect(word) 0
#endif
#ifdef __NR_accept
#define BATCH__ALLOW_accept(word) BATCH__BIT(__NR_accept, word)
#else
#define BATCH__ALLOW_accept(word) 0
#endif
#ifdef __NR_sendto
#define BATCH__ALLOW_sendto(word) BATCH__BIT(__NR_sendto, word)
#else
#define BATCH__ALLOW_sendto(word) 0
#endif
#ifdef __NR_recvfrom
#define BATCH__ALLOW_recvfrom(word) BATCH__BIT(__NR_recvfrom, word)
#else
#define BATCH__ALLOW_recvfrom(word) 0
#endif
#ifdef __NR_sendmsg
#define BATCH__ALLOW_sendmsg(word) BATCH__BIT(__NR_sendmsg, word)
#else
#define BATCH__ALLOW_sendmsg(word) 0
#endif
#ifdef __NR_recvmsg
#define BATCH__ALLOW_recvmsg(word) BATCH__BIT(__NR_recvmsg, word)
#else
#define BATCH__ALLOW_recvmsg(word) 0
#endif
#ifdef __NR_shutdown
#define BATCH__ALLOW_shutdown(word) BATCH__BIT(__NR_shutdown, word)
#else
#define BATCH__ALLOW_shutdown(word) 0
#endif
#ifdef __NR_bind
#define BATCH__ALLOW_bind(word) BATCH__BIT(__NR_bind, word)
#else
#define BATCH__ALLOW_bind(word) 0
#endif
#ifdef __NR_listen
#define BATCH__ALLOW_listen(word) BATCH__BIT(__NR_listen, word)
#else
#define BATCH__ALLOW_listen(word) 0
#endif
#ifdef __NR_getsockname
#define BATCH__ALLOW_getsockname(word) BATCH__BIT(__NR_getsockname, word)
#else
#define BATCH__ALLOW_getsockname(word) 0
#endif
#ifdef __NR_getpeername
#define BATCH__ALLOW_getpeername(word) BATCH__BIT(__NR_getpeername, word)
#else
#define BATCH__ALLOW_getpeername(word) 0
#endif
#ifdef __NR_socketpair
#define BATCH__ALLOW_socketpair(word) BATCH__BIT(__NR_socketpair, word)
#else
#define BATCH__ALLOW_socketpair(word) 0
#endif
#ifdef __NR_setsockopt
#define BATCH__ALLOW_setsockopt(word) BATCH__BIT(__NR_setsockopt, word)
#else
#define BATCH__ALLOW_setsockopt(word) 0
#endif
#ifdef __NR_getsockopt
#define BATCH__ALLOW_getsockopt(word) BATCH__BIT(__NR_getsockopt, word)
#else
#define BATCH__ALLOW_getsockopt(word) 0
#endif
#ifdef __NR_wait4
#define BATCH__ALLOW_wait4(word) BATCH__BIT(__NR_wait4, word)
#else
#define BATCH__ALLOW_wait4(word) 0
#endif
#ifdef __NR_kill
#define BATCH__ALLOW_kill(word) BATCH__BIT(__NR_kill, word)
#else
#define BATCH__ALLOW_kill(word) 0
#endif
#ifdef __NR_uname
#define BATCH__ALLOW_uname(word) BATCH__BIT(__NR_uname, word)
#else
#define BATCH__ALLOW_uname(word) 0
#endif
#ifdef __NR_semget
#define BATCH__ALLOW_semget(word) BATCH__BIT(__NR_semget, word)
#else
#define BATCH__ALLOW_semget(word) 0
#endif
#ifdef __NR_semop
#define BATCH__ALLOW_semop(word) BATCH__BIT(__NR_semop, word)
#else
#define BATCH__ALLOW_semop(word) 0
#endif
#ifdef __NR_semctl
#define BATCH__ALLOW_semctl(word) BATCH__BIT(__NR_semctl, word)
#else
#define BATCH__ALLOW_semctl(word) 0
#endif
#ifdef __NR_shmdt
#define BATCH__ALLOW_shmdt(word) BATCH__BIT(__NR_shmdt, word)
#else
#define BATCH__ALLOW_shmdt(word) 0
#endif
#ifdef __NR_msgget
#define BATCH__ALLOW_msgget(word) BATCH__BIT(__NR_msgget, word)
#else
#define BATCH__ALLOW_msgget(word) 0
#endif
#ifdef __NR_msgsnd
#define BATCH__ALLOW_msgsnd(word) BATCH__BIT(__NR_msgsnd, word)
#else
#define BATCH__ALLOW_msgsnd(word) 0
#endif
#ifdef __NR_msgrcv
#define BATCH__ALLOW_msgrcv(word) BATCH__BIT(__NR_msgrcv, word)
#else
#define BATCH__ALLOW_msgrcv(word) 0
#endif
#ifdef __NR_msgctl
#define BATCH__ALLOW_msgctl(word) BATCH__BIT(__NR_msgctl, word)
#else
#define BATCH__ALLOW_msgctl(word) 0
#endif
#ifdef __NR_fcntl
#define BATCH__ALLOW_fcntl(word) BATCH__BIT(__NR_fcntl, word)
#else
#define BATCH__ALLOW_fcntl(word) 0
#endif
#ifdef __NR_flock
#define BATCH__ALLOW_flock(word) BATCH__BIT(__NR_flock, word)
#else
#define BATCH__ALLOW_flock(word) 0
#endif
#ifdef __NR_fsync
#define BATCH__ALLOW_fsync(word) BATCH__BIT(__NR_fsync, word)
#else
#define BATCH__ALLOW_fsync(word) 0
#endif
#ifdef __NR_fdatasync
#define BATCH__ALLOW_fdatasync(word) BATCH__BIT(__NR_fdatasync, word)
#else
#define BATCH__ALLOW_fdatasync(word) 0
#endif
#ifdef __NR_truncate
#define BATCH__ALLOW_truncate(word) BATCH__BIT(__NR_truncate, word)
#else
#define BATCH__ALLOW_truncate(word) 0
#endif
#ifdef __NR_ftruncate
#define BATCH__ALLOW_ftruncate(word) BATCH__BIT(__NR_ftruncate, word)
#else
#define BATCH__ALLOW_ftruncate(word) 0
#endif
#ifdef __NR_getdents
#define BATCH__ALLOW_getdents(word) BATCH__BIT(__NR_getdents, word)
#else
#define BATCH__ALLOW_getdents(word) 0
#endif
#ifdef __NR_getcwd
#define BATCH__ALLOW_getcwd(word) BATCH__BIT(__NR_getcwd, word)
#else
#define BATCH__ALLOW_getcwd(word) 0
#endif
#ifdef __NR_chdir
#define BATCH__ALLOW_chdir(word) BATCH__BIT(__NR_chdir, word)
#else
#define BATCH__ALLOW_chdir(word) 0
#endif
#ifdef __NR_fchdir
#define BATCH__ALLOW_fchdir(word) BATCH__BIT(__NR_fchdir, word)
#else
#define BATCH__ALLOW_fchdir(word) 0
#endif
#ifdef __NR_rename
#define BATCH__ALLOW_rename(word) BATCH__BIT(__NR_rename, word)
#else
#define BATCH__ALLOW_rename(word) 0
#endif
#ifdef __NR_mkdir
#define BATCH__ALLOW_mkdir(word) BATCH__BIT(__NR_mkdir, word)
#else
#define BATCH__ALLOW_mkdir(word) 0
#endif
#ifdef __NR_rmdir
#define BATCH__ALLOW_rmdir(word) BATCH__BIT(__NR_rmdir, word)
#else
#define BATCH__ALLOW_rmdir(word) 0
#endif
#ifdef __NR_creat
#define BATCH__ALLOW_creat(word) BATCH__BIT(__NR_creat, word)
#else
#define BATCH__ALLOW_creat(word) 0
#endif
#ifdef __NR_link
#define BATCH__ALLOW_link(word) BATCH__BIT(__NR_link, word)
#else
#define BATCH__ALLOW_link(word) 0
#endif
#ifdef __NR_unlink
#define BATCH__ALLOW_unlink(word) BATCH__BIT(__NR_unlink, word)
#else
#define BATCH__ALLOW_unlink(word) 0
#endif
#ifdef __NR_symlink
#define BATCH__ALLOW_symlink(word) BATCH__BIT(__NR_symlink, word)
#else
#define BATCH__ALLOW_symlink(word) 0
#endif
#ifdef __NR_readlink
#define BATCH__ALLOW_readlink(word) BATCH__BIT(__NR_readlink, word)
#else
#define BATCH__ALLOW_readlink(word) 0
#endif
#ifdef __NR_chmod
#define BATCH__ALLOW_chmod(word) BATCH__BIT(__NR_chmod, word)
#else
#define BATCH__ALLOW_chmod(word) 0
#endif
#ifdef __NR_fchmod
#define BATCH__ALLOW_fchmod(word) BATCH__BIT(__NR_fchmod, word)
#else
#define BATCH__ALLOW_fchmod(word) 0
#endif
#ifdef __NR_chown
#define BATCH__ALLOW_chown(word) BATCH__BIT(__NR_chown, word)
#else
#define BATCH__ALLOW_chown(word) 0
#endif
#ifdef __NR_fchown
#define BATCH__ALLOW_fchown(word) BATCH__BIT(__NR_fchown, word)
#else
#define BATCH__ALLOW_fchown(word) 0
#endif
#ifdef __NR_lchown
#define BATCH__ALLOW_lchown(word) BATCH__BIT(__NR_lchown, word)
#else
#define BATCH__ALLOW_lchown(word) 0
#endif
#ifdef __NR_umask
#define BATCH__ALLOW_umask(word) BATCH__BIT(__NR_umask, word)
#else
#define BATCH__ALLOW_umask(word) 0
#endif
#ifdef __NR_gettimeofday
#define BATCH__ALLOW_gettimeofday(word) BATCH__BIT(__NR_gettimeofday, word)
#else
#define BATCH__ALLOW_gettimeofday(word) 0
#endif
#ifdef __NR_getrlimit
#define BATCH__ALLOW_getrlimit(word) BATCH__BIT(__NR_getrlimit, word)
#else
#define BATCH__ALLOW_getrlimit(word) 0
#endif
#ifdef __NR_getrusage
#define BATCH__ALLOW_getrusage(word) BATCH__BIT(__NR_getrusage, word)
#else
#define BATCH__ALLOW_getrusage(word) 0
#endif
#ifdef __NR_sysinfo
#define BATCH__ALLOW_sysinfo(word) BATCH__BIT(__NR_sysinfo, word)
#else
#define BATCH__ALLOW_sysinfo(word) 0
#endif
#ifdef __NR_times
#define BATCH__ALLOW_times(word) BATCH__BIT(__NR_times, word)
#else
#define BATCH__ALLOW_times(word) 0
#endif
#ifdef __NR_ptrace
#define BATCH__ALLOW_ptrace(word) BATCH__BIT(__NR_ptrace, word)
#else
#define BATCH__ALLOW_ptrace(word) 0
#endif
#ifdef __NR_getuid
#define BATCH__ALLOW_getuid(word) BATCH__BIT(__NR_getuid, word)
#else
#define BATCH__ALLOW_getuid(word) 0
#endif
#ifdef __NR_syslog
#define BATCH__ALLOW_syslog(word) BATCH__BIT(__NR_syslog, word)
#else
#define BATCH__ALLOW_syslog(word) 0
#endif
#ifdef __NR_getgid
#define BATCH__ALLOW_getgid(word) BATCH__BIT(__NR_getgid, word)
#else
#define BATCH__ALLOW_getgid(word) 0
#endif
#ifdef __NR_setuid
#define BATCH__ALLOW_setuid(word) BATCH__BIT(__NR_setuid, word)
#else
#define BATCH__ALLOW_setuid(word) 0
#endif
#ifdef __NR_setgid
#define BATCH__ALLOW_setgid(word) BATCH__BIT(__NR_setgid, word)
#else
#define BATCH__ALLOW_setgid(word) 0
#endif
#ifdef __NR_geteuid
#define BATCH__ALLOW_geteuid(word) BATCH__BIT(__NR_geteuid, word)
#else
#define BATCH__ALLOW_geteuid(word) 0
#endif
#ifdef __NR_getegid
#define BATCH__ALLOW_getegid(word) BATCH__BIT(__NR_getegid, word)
#else
#define BATCH__ALLOW_getegid(word) 0
#endif
#ifdef __NR_setpgid
#define BATCH__ALLOW_setpgid(word) BATCH__BIT(__NR_setpgid, word)
#else
#define BATCH__ALLOW_setpgid(word) 0
#endif
#ifdef __NR_getppid
#define BATCH__ALLOW_getppid(word) BATCH__BIT(__NR_getppid, word)
#else
#define BATCH__ALLOW_getppid(word) 0
#endif
#ifdef __NR_getpgrp
#define BATCH__ALLOW_getpgrp(word) BATCH__BIT(__NR_getpgrp, word)
#else
#define BATCH__ALLOW_getpgrp(word) 0
#endif
#ifdef __NR_setsid
#define BATCH__ALLOW_setsid(word) BATCH__BIT(__NR_setsid, word)
#else
#define BATCH__ALLOW_setsid(word) 0
#endif
#ifdef __NR_setreuid
#define BATCH__ALLOW_setreuid(word) BATCH__BIT(__NR_setreuid, word)
#else
#define BATCH__ALLOW_setreuid(word) 0
#endif
#ifdef __NR_setregid
#define BATCH__ALLOW_setregid(word) BATCH__BIT(__NR_setregid, word)
#else
#define BATCH__ALLOW_setregid(word) 0
#endif
#ifdef __NR_getgroups
#define BATCH__ALLOW_getgroups(word) BATCH__BIT(__NR_getgroups, word)
#else
#define BATCH__ALLOW_getgroups(word) 0
#endif
#ifdef __NR_setgroups
#define BATCH__ALLOW_setgroups(word) BATCH__BIT(__NR_setgroups, word)
#else
#define BATCH__ALLOW_setgroups(word) 0
#endif
#ifdef __NR_setresuid
#define BATCH__ALLOW_setresuid(word) BATCH__BIT(__NR_setresuid, word)
#else
#define BATCH__ALLOW_setresuid(word) 0
#endif
#ifdef __NR_getresuid
#define BATCH__ALLOW_getresuid(word) BATCH__BIT(__NR_getresuid, word)
#else
#define BATCH__ALLOW_getresuid(word) 0
#endif
#ifdef __NR_setresgid
#define BATCH__ALLOW_setresgid(word) BATCH__BIT(__NR_setresgid, word)
#else
#define BATCH__ALLOW_setresgid(word) 0
#endif
#ifdef __NR_getresgid
#define BATCH__ALLOW_getresgid(word) BATCH__BIT(__NR_getresgid, word)
#else
#define BATCH__ALLOW_getresgid(word) 0
#endif
#ifdef __NR_getpgid
#define BATCH__ALLOW_getpgid(word) BATCH__BIT(__NR_getpgid, word)
#else
#define BATCH__ALLOW_getpgid(word) 0
#endif
#ifdef __NR_setfsuid
#define BATCH__ALLOW_setfsuid(word) BATCH__BIT(__NR_setfsuid, word)
#else
#define BATCH__ALLOW_setfsuid(word) 0
#endif
#ifdef __NR_setfsgid
#define BATCH__ALLOW_setfsgid(word) BATCH__BIT(__NR_setfsgid, word)
#else
#define BATCH__ALLOW_setfsgid(word) 0
#endif
#ifdef __NR_getsid
#define BATCH__ALLOW_getsid(word) BATCH__BIT(__NR_getsid, word)
#else
#define BATCH__ALLOW_getsid(word) 0
#endif
#ifdef __NR_capget
#define BATCH__ALLOW_capget(word) BATCH__BIT(__NR_capget, word)
#else
#define BATCH__ALLOW_capget(word) 0
#endif
#ifdef __NR_capset
#define BATCH__ALLOW_capset(word) BATCH__BIT(__NR_capset, word)
#else
#define BATCH__ALLOW_capset(word) 0
#endif
#ifdef __NR_rt_sigpending
#define BATCH__ALLOW_rt_sigpending(word) BATCH__BIT(__NR_rt_sigpending, word)
#else
#define BATCH__ALLOW_rt_sigpending(word) 0
#endif
#ifdef __NR_rt_sigtimedwait
#define BATCH__ALLOW_rt_sigtimedwait(word) BATCH__BIT(__NR_rt_sigtimedwait, word)
#else
#define BATCH__ALLOW_rt_sigtimedwait(word) 0
#endif
#ifdef __NR_rt_sigqueueinfo
#define BATCH__ALLOW_rt_sigqueueinfo(word) BATCH__BIT(__NR_rt_sigqueueinfo, word)
#else
#define BATCH__ALLOW_rt_sigqueueinfo(word) 0
#endif
#ifdef __NR_rt_sigsuspend
#define BATCH__ALLOW_rt_sigsuspend(word) BATCH__BIT(__NR_rt_sigsuspend, word)
#else
#define BATCH__ALLOW_rt_sigsuspend(word) 0
#endif
#ifdef __NR_sigaltstack
#define BATCH__ALLOW_sigaltstack(word) BATCH__BIT(__NR_sigaltstack, word)
#else
#define BATCH__ALLOW_sigaltstack(word) 0
#endif
#ifdef __NR_utime
#define BATCH__ALLOW_utime(word) BATCH__BIT(__NR_utime, word)
#else
#define BATCH__ALLOW_utime(word) 0
#endif
#ifdef __NR_mknod
#define BATCH__ALLOW_mknod(word) BATCH__BIT(__NR_mknod, word)
#else
#define BATCH__ALLOW_mknod(word) 0
#endif
#ifdef __NR_uselib
#define BATCH__ALLOW_uselib(word) BATCH__BIT(__NR_uselib, word)
#else
#define BATCH__ALLOW_uselib(word) 0
#endif
#ifdef __NR_personality
#define BATCH__ALLOW_personality(word) BATCH__BIT(__NR_personality, word)
#else
#define BATCH__ALLOW_personality(word) 0
#endif
#ifdef __NR_ustat
#define BATCH__ALLOW_ustat(word) BATCH__BIT(__NR_ustat, word)
#else
#define BATCH__ALLOW_ustat(word) 0
#endif
#ifdef __NR_statfs
#define BATCH__ALLOW_statfs(word) BATCH__BIT(__NR_statfs, word)
#else
#define BATCH__ALLOW_statfs(word) 0
#endif
#ifdef __NR_fstatfs
#define BATCH__ALLOW_fstatfs(word) BATCH__BIT(__NR_fstatfs, word)
#else
#define BATCH__ALLOW_fstatfs(word) 0
#endif
#ifdef __NR_sysfs
#define BATCH__ALLOW_sysfs(word) BATCH__BIT(__NR_sysfs, word)
#else
#define BATCH__ALLOW_sysfs(word) 0
#endif
#ifdef __NR_getpriority
#define BATCH__ALLOW_getpriority(word) BATCH__BIT(__NR_getpriority, word)
#else
#define BATCH__ALLOW_getpriority(word) 0
#endif
#ifdef __NR_setpriority
#define BATCH__ALLOW_setpriority(word) BATCH__BIT(__NR_setpriority, word)
#else
#define BATCH__ALLOW_setpriority(word) 0
#endif
#ifdef __NR_sched_setparam
#define BATCH__ALLOW_sched_setparam(word) BATCH__BIT(__NR_sched_setparam, word)
#else
#define BATCH__ALLOW_sched_setparam(word) 0
#endif
#ifdef __NR_sched_getparam
#define BATCH__ALLOW_sched_getparam(word) BATCH__BIT(__NR_sched_getparam, word)
#else
#define BATCH__ALLOW_sched_getparam(word) 0
#endif
#ifdef __NR_sched_setscheduler
#define BATCH__ALLOW_sched_setscheduler(word) BATCH__BIT(__NR_sched_setscheduler, word)
#else
#define BATCH__ALLOW_sched_setscheduler(word) 0
#endif
#ifdef __NR_sched_getscheduler
#define BATCH__ALLOW_sched_getscheduler(word) BATCH__BIT(__NR_sched_getscheduler, word)
#else
#define BATCH__ALLOW_sched_getscheduler(word) 0
#endif
#ifdef __NR_sched_get_priority_max
#define BATCH__ALLOW_sched_get_priority_max(word) BATCH__BIT(__NR_sched_get_priority_max, word)
#else
#define BATCH__ALLOW_sched_get_priority_max(word) 0
#endif
#ifdef __NR_sched_get_priority_min
#define BATCH__ALLOW_sched_get_priority_min(word) BATCH__BIT(__NR_sched_get_priority_min, word)
#else
#define BATCH__ALLOW_sched_get_priority_min(word) 0
#endif
#ifdef __NR_sched_rr_get_interval
#define BATCH__ALLOW_sched_rr_get_interval(word) BATCH__BIT(__NR_sched_rr_get_interval, word)
#else
#define BATCH__ALLOW_sched_rr_get_interval(word) 0
#endif
#ifdef __NR_mlock
#define BATCH__ALLOW_mlock(word) BATCH__BIT(__NR_mlock, word)
#else
#define BATCH__ALLOW_mlock(word) 0
#endif
#ifdef __NR_munlock
#define BATCH__ALLOW_munlock(word) BATCH__BIT(__NR_munlock, word)
#else
#define BATCH__ALLOW_munlock(word) 0
#endif
#ifdef __NR_mlockall
#define BATCH__ALLOW_mlockall(word) BATCH__BIT(__NR_mlockall, word)
#else
#define BATCH__ALLOW_mlockall(word) 0
#endif
#ifdef __NR_munlockall
#define BATCH__ALLOW_munlockall(word) BATCH__BIT(__NR_munlockall, word)
#else
#define BATCH__ALLOW_munlockall(word) 0
#endif
#ifdef __NR_vhangup
#define BATCH__ALLOW_vhangup(word) BATCH__BIT(__NR_vhangup, word)
#else
#define BATCH__ALLOW_vhangup(word) 0
#endif
#ifdef __NR_modify_ldt
#define BATCH__ALLOW_modify_ldt(word) BATCH__BIT(__NR_modify_ldt, word)
#else
#define BATCH__ALLOW_modify_ldt(word) 0
#endif
#ifdef __NR_pivot_root
#define BATCH__ALLOW_pivot_root(word) BATCH__BIT(__NR_pivot_root, word)
#else
#define BATCH__ALLOW_pivot_root(word) 0
#endif
#ifdef __NR__sysctl
#define BATCH__ALLOW__sysctl(word) BATCH__BIT(__NR__sysctl, word)
#else
#define BATCH__ALLOW__sysctl(word) 0
#endif
#ifdef __NR_prctl
#define BATCH__ALLOW_prctl(word) BATCH__BIT(__NR_prctl, word)
#else
#define BATCH__ALLOW_prctl(word) 0
#endif
#ifdef __NR_adjtimex
#define BATCH__ALLOW_adjtimex(word) BATCH__BIT(__NR_adjtimex, word)
#else
#define BATCH__ALLOW_adjtimex(word) 0
#endif
#ifdef __NR_setrlimit
#define BATCH__ALLOW_setrlimit(word) BATCH__BIT(__NR_setrlimit, word)
#else
#define BATCH__ALLOW_setrlimit(word) 0
#endif
#ifdef __NR_chroot
#define BATCH__ALLOW_chroot(word) BATCH__BIT(__NR_chroot, word)
#else
#define BATCH__ALLOW_chroot(word) 0
#endif
#ifdef __NR_sync
#define BATCH__ALLOW_sync(word) BATCH__BIT(__NR_sync, word)
#else
#define BATCH__ALLOW_sync(word) 0
#endif
#ifdef __NR_acct
#define BATCH__ALLOW_acct(word) BATCH__BIT(__NR_acct, word)
#else
#define BATCH__ALLOW_acct(word) 0
#endif
#ifdef __NR_settimeofday
#define BATCH__ALLOW_settimeofday(word) BATCH__BIT(__NR_settimeofday, word)
#else
#define BATCH__ALLOW_settimeofday(word) 0
#endif
#ifdef __NR_mount
#define BATCH__ALLOW_mount(word) BATCH__BIT(__NR_mount, word)
#else
#define BATCH__ALLOW_mount(word) 0
#endif
#ifdef __NR_umount2
#define BATCH__ALLOW_umount2(word) BATCH__BIT(__NR_umount2, word)
#else
#define BATCH__ALLOW_umount2(word) 0
#endif
#ifdef __NR_swapon
#define BATCH__ALLOW_swapon(word) BATCH__BIT(__NR_swapon, word)
#else
#define BATCH__ALLOW_swapon(word) 0
#endif
#ifdef __NR_swapoff
#define BATCH__ALLOW_swapoff(word) BATCH__BIT(__NR_swapoff, word)
#else
#define BATCH__ALLOW_swapoff(word) 0
#endif
#ifdef __NR_reboot
#define BATCH__ALLOW_reboot(word) BATCH__BIT(__NR_reboot, word)
#else
#define BATCH__ALLOW_reboot(word) 0
#endif
#ifdef __NR_sethostname
#define BATCH__ALLOW_sethostname(word) BATCH__BIT(__NR_sethostname, word)
#else
#define BATCH__ALLOW_sethostname(word) 0
#endif
#ifdef __NR_setdomainname
#define BATCH__ALLOW_setdomainname(word) BATCH__BIT(__NR_setdomainname, word)
#else
#define BATCH__ALLOW_setdomainname(word) 0
#endif
#ifdef __NR_ioperm
#define BATCH__ALLOW_ioperm(word) BATCH__BIT(__NR_ioperm, word)
#else
#define BATCH__ALLOW_ioperm(word) 0
#endif
#ifdef __NR_create_module
#define BATCH__ALLOW_create_module(word) BATCH__BIT(__NR_create_module, word)
#else
#define BATCH__ALLOW_create_module(word) 0
#endif
#ifdef __NR_init_module
#define BATCH__ALLOW_init_module(word) BATCH__BIT(__NR_init_module, word)
#else
#define BATCH__ALLOW_init_module(word) 0
#endif
#ifdef __NR_delete_module
#define BATCH__ALLOW_delete_module(word) BATCH__BIT(__NR_delete_module, word)
#else
#define BATCH__ALLOW_delete_module(word) 0
#endif
#ifdef __NR_get_kernel_syms
#define BATCH__ALLOW_get_kernel_syms(word) BATCH__BIT(__NR_get_kernel_syms, word)
#else
#define BATCH__ALLOW_get_kernel_syms(word) 0
#endif
#ifdef __NR_query_module
#define BATCH__ALLOW_query_module(word) BATCH__BIT(__NR_query_module, word)
#else
#define BATCH__ALLOW_query_module(word) 0
#endif
#ifdef __NR_quotactl
#define BATCH__ALLOW_quotactl(word) BATCH__BIT(__NR_quotactl, word)
#else
#define BATCH__ALLOW_quotactl(word) 0
#endif
#ifdef __NR_nfsservctl
#define BATCH__ALLOW_nfsservctl(word) BATCH__BIT(__NR_nfsservctl, word)
#else
#define BATCH__ALLOW_nfsservctl(word) 0
#endif
#ifdef __NR_getpmsg
#define BATCH__ALLOW_getpmsg(word) BATCH__BIT(__NR_getpmsg, word)
#else
#define BATCH__ALLOW_getpmsg(word) 0
#endif
#ifdef __NR_putpmsg
#define BATCH__ALLOW_putpmsg(word) BATCH__BIT(__NR_putpmsg, word)
#else
#define BATCH__ALLOW_putpmsg(word) 0
#endif
#ifdef __NR_tuxcall
#define BATCH__ALLOW_tuxcall(word) BATCH__BIT(__NR_tuxcall, word)
#else
#define BATCH__ALLOW_tuxcall(word) 0
#endif
#ifdef __NR_security
#define BATCH__ALLOW_security(word) BATCH__BIT(__NR_security, word)
#else
#define BATCH__ALLOW_security(word) 0
#endif
#ifdef __NR_gettid
#define BATCH__ALLOW_gettid(word) BATCH__BIT(__NR_gettid, word)
#else
#define BATCH__ALLOW_gettid(word) 0
#endif
#ifdef __NR_readahead
#define BATCH__ALLOW_readahead(word) BATCH__BIT(__NR_readahead, word)
#else
#define BATCH__ALLOW_readahead(word) 0
#endif
#ifdef __NR_setxattr
#define BATCH__ALLOW_setxattr(word) BATCH__BIT(__NR_setxattr, word)
#else
#define BATCH__ALLOW_setxattr(word) 0
#endif
#ifdef __NR_lsetxattr
#define BATCH__ALLOW_lsetxattr(word) BATCH__BIT(__NR_lsetxattr, word)
#else
#define BATCH__ALLOW_lsetxattr(word) 0
#endif
#ifdef __NR_fsetxattr
#define BATCH__ALLOW_fsetxattr(word) BATCH__BIT(__NR_fsetxattr, word)
#else
#define BATCH__ALLOW_fsetxattr(word) 0
#endif
#ifdef __NR_getxattr
#define BATCH__ALLOW_getxattr(word) BATCH__BIT(__NR_getxattr, word)
#else
#define BATCH__ALLOW_getxattr(word) 0
#endif
#ifdef __NR_lgetxattr
#define BATCH__ALLOW_lgetxattr(word) BATCH__BIT(__NR_lgetxattr, word)
#else
#define BATCH__ALLOW_lgetxattr(word) 0
#endif
#ifdef __NR_fgetxattr
#define BATCH__ALLOW_fgetxattr(word) BATCH__BIT(__NR_fgetxattr, word)
#else
#define BATCH__ALLOW_fgetxattr(word) 0
#endif
#ifdef __NR_listxattr
#define BATCH__ALLOW_listxattr(word) BATCH__BIT(__NR_listxattr, word)
#else
#define BATCH__ALLOW_listxattr(word) 0
#endif
#ifdef __NR_llistxattr
#define BATCH__ALLOW_llistxattr(word) BATCH__BIT(__NR_llistxattr, word)
#else
#define BATCH__ALLOW_llistxattr(word) 0
#endif
#ifdef __NR_flistxattr
#define BATCH__ALLOW_flistxattr(word) BATCH__BIT(__NR_flistxattr, word)
#else
#define BATCH__ALLOW_flistxattr(word) 0
#endif
#ifdef __NR_removexattr
#define BATCH__ALLOW_removexattr(word) BATCH__BIT(__NR_removexattr, word)
#else
#define BATCH__ALLOW_removexattr(word) 0
#endif
#ifdef __NR_lremovexattr
#define BATCH__ALLOW_lremovexattr(word) BATCH__BIT(__NR_lremovexattr, word)
#else
#define BATCH__ALLOW_lremovexattr(word) 0
#endif
#ifdef __NR_fremovexattr
#define BATCH__ALLOW_fremovexattr(word) BATCH__BIT(__NR_fremovexattr, word)
#else
#define BATCH__ALLOW_fremovexattr(word) 0
#endif
#ifdef __NR_tkill
#define BATCH__ALLOW_tkill(word) BATCH__BIT(__NR_tkill, word)
#else
#define BATCH__ALLOW_tkill(word) 0
#endif
#ifdef __NR_time
#define BATCH__ALLOW_time(word) BATCH__BIT(__NR_time, word)
#else
#define BATCH__ALLOW_time(word) 0
#endif
#ifdef __NR_futex
#define BATCH__ALLOW_futex(word) BATCH__BIT(__NR_futex, word)
#else
#define BATCH__ALLOW_futex(word) 0
#endif
#ifdef __NR_sched_setaffinity
#define BATCH__ALLOW_sched_setaffinity(word) BATCH__BIT(__NR_sched_setaffinity, word)
#else
#define BATCH__ALLOW_sched_setaffinity(word) 0
#endif
#ifdef __NR_sched_getaffinity
#define BATCH__ALLOW_sched_getaffinity(word) BATCH__BIT(__NR_sched_getaffinity, word)
#else
#define BATCH__ALLOW_sched_getaffinity(word) 0
#endif
#ifdef __NR_io_setup
#define BATCH__ALLOW_io_setup(word) BATCH__BIT(__NR_io_setup, word)
#else
#define BATCH__ALLOW_io_setup(word) 0
#endif
#ifdef __NR_io_destroy
#define BATCH__ALLOW_io_destroy(word) BATCH__BIT(__NR_io_destroy, word)
#else
#define BATCH__ALLOW_io_destroy(word) 0
#endif
#ifdef __NR_io_getevents
#define BATCH__ALLOW_io_getevents(word) BATCH__BIT(__NR_io_getevents, word)
#else
#define BATCH__ALLOW_io_getevents(word) 0
#endif
#ifdef __NR_io_submit
#define BATCH__ALLOW_io_submit(word) BATCH__BIT(__NR_io_submit, word)
#else
#define BATCH__ALLOW_io_submit(word) 0
#endif
#ifdef __NR_io_cancel
#define BATCH__ALLOW_io_cancel(word) BATCH__BIT(__NR_io_cancel, word)
#else
#define BATCH__ALLOW_io_cancel(word) 0
#endif
#ifdef __NR_get_thread_area
#define BATCH__ALLOW_get_thread_area(word) BATCH__BIT(__NR_get_thread_area, word)
#else
#define BATCH__ALLOW_get_thread_area(word) 0
#endif
#ifdef __NR_lookup_dcookie
#define BATCH__ALLOW_lookup_dcookie(word) BATCH__BIT(__NR_lookup_dcookie, word)
#else
#define BATCH__ALLOW_lookup_dcookie(word) 0
#endif
#ifdef __NR_epoll_create
#define BATCH__ALLOW_epoll_create(word) BATCH__BIT(__NR_epoll_create, word)
#else
#define BATCH__ALLOW_epoll_create(word) 0
#endif
#ifdef __NR_epoll_ctl_old
#define BATCH__ALLOW_epoll_ctl_old(word) BATCH__BIT(__NR_epoll_ctl_old, word)
#else
#define BATCH__ALLOW_epoll_ctl_old(word) 0
#endif
#ifdef __NR_epoll_wait_old
#define BATCH__ALLOW_epoll_wait_old(word) BATCH__BIT(__NR_epoll_wait_old, word)
#else
#define BATCH__ALLOW_epoll_wait_old(word) 0
#endif
#ifdef __NR_remap_file_pages
#define BATCH__ALLOW_remap_file_pages(word) BATCH__BIT(__NR_remap_file_pages, word)
#else
#define BATCH__ALLOW_remap_file_pages(word) 0
#endif
#ifdef __NR_getdents64
#define BATCH__ALLOW_getdents64(word) BATCH__BIT(__NR_getdents64, word)
#else
#define BATCH__ALLOW_getdents64(word) 0
#endif
#ifdef __NR_set_tid_address
#define BATCH__ALLOW_set_tid_address(word) BATCH__BIT(__NR_set_tid_address, word)
#else
#define BATCH__ALLOW_set_tid_address(word) 0
#endif
#ifdef __NR_semtimedop
#define BATCH__ALLOW_semtimedop(word) BATCH__BIT(__NR_semtimedop, word)
#else
#define BATCH__ALLOW_semtimedop(word) 0
#endif
#ifdef __NR_fadvise64
#define BATCH__ALLOW_fadvise64(word) BATCH__BIT(__NR_fadvise64, word)
#else
#define BATCH__ALLOW_fadvise64(word) 0
#endif
#ifdef __NR_timer_create
#define BATCH__ALLOW_timer_create(word) BATCH__BIT(__NR_timer_create, word)
#else
#define BATCH__ALLOW_timer_create(word) 0
#endif
#ifdef __NR_timer_settime
#define BATCH__ALLOW_timer_settime(word) BATCH__BIT(__NR_timer_settime, word)
#else
#define BATCH__ALLOW_timer_settime(word) 0
#endif
#ifdef __NR_timer_gettime
#define BATCH__ALLOW_timer_gettime(word) BATCH__BIT(__NR_timer_gettime, word)
#else
#define BATCH__ALLOW_timer_gettime(word) 0
#endif
#ifdef __NR_timer_getoverrun
#define BATCH__ALLOW_timer_getoverrun(word) BATCH__BIT(__NR_timer_getoverrun, word)
#else
#define BATCH__ALLOW_timer_getoverrun(word) 0
#endif
#ifdef __NR_timer_delete
#define BATCH__ALLOW_timer_delete(word) BATCH__BIT(__NR_timer_delete, word)
#else
#define BATCH__ALLOW_timer_delete(word) 0
#endif
#ifdef __NR_clock_settime
#define BATCH__ALLOW_clock_settime(word) BATCH__BIT(__NR_clock_settime, word)
#else
#define BATCH__ALLOW_clock_settime(word) 0
#endif
#ifdef __NR_clock_gettime
#define BATCH__ALLOW_clock_gettime(word) BATCH__BIT(__NR_clock_gettime, word)
#else
#define BATCH__ALLOW_clock_gettime(word) 0
#endif
#ifdef __NR_clock_getres
#define BATCH__ALLOW_clock_getres(word) BATCH__BIT(__NR_clock_getres, word)
#else
#define BATCH__ALLOW_clock_getres(word) 0
#endif
#ifdef __NR_clock_nanosleep
#define BATCH__ALLOW_clock_nanosleep(word) BATCH__BIT(__NR_clock_nanosleep, word)
#else
#define BATCH__ALLOW_clock_nanosleep(word) 0
#endif
#ifdef __NR_epoll_wait
#define BATCH__ALLOW_epoll_wait(word) BATCH__BIT(__NR_epoll_wait, word)
#else
#define BATCH__ALLOW_epoll_wait(word) 0
#endif
#ifdef __NR_epoll_ctl
#define BATCH__ALLOW_epoll_ctl(word) BATCH__BIT(__NR_epoll_ctl, word)
#else
#define BATCH__ALLOW_epoll_ctl(word) 0
#endif
#ifdef __NR_tgkill
#define BATCH__ALLOW_tgkill(word) BATCH__BIT(__NR_tgkill, word)
#else
#define BATCH__ALLOW_tgkill(word) 0
#endif
#ifdef __NR_utimes
#define BATCH__ALLOW_utimes(word) BATCH__BIT(__NR_utimes, word)
#else
#define BATCH__ALLOW_utimes(word) 0
#endif
#ifdef __NR_vserver
#define BATCH__ALLOW_vserver(word) BATCH__BIT(__NR_vserver, word)
#else
#define BATCH__ALLOW_vserver(word) 0
#endif
#ifdef __NR_mbind
#define BATCH__ALLOW_mbind(word) BATCH__BIT(__NR_mbind, word)
#else
#define BATCH__ALLOW_mbind(word) 0
#endif
#ifdef __NR_set_mempolicy
#define BATCH__ALLOW_set_mempolicy(word) BATCH__BIT(__NR_set_mempolicy, word)
#else
#define BATCH__ALLOW_set_mempolicy(word) 0
#endif
#ifdef __NR_get_mempolicy
#define BATCH__ALLOW_get_mempolicy(word) BATCH__BIT(__NR_get_mempolicy, word)
#else
#define BATCH__ALLOW_get_mempolicy(word) 0
#endif
#ifdef __NR_mq_open
#define BATCH__ALLOW_mq_open(word) BATCH__BIT(__NR_mq_open, word)
#else
#define BATCH__ALLOW_mq_open(word) 0
#endif
#ifdef __NR_mq_unlink
#define BATCH__ALLOW_mq_unlink(word) BATCH__BIT(__NR_mq_unlink, word)
#else
#define BATCH__ALLOW_mq_unlink(word) 0
#endif
#ifdef __NR_mq_timedsend
#define BATCH__ALLOW_mq_timedsend(word) BATCH__BIT(__NR_mq_timedsend, word)
#else
#define BATCH__ALLOW_mq_timedsend(word) 0
#endif
#ifdef __NR_mq_timedreceive
#define BATCH__ALLOW_mq_timedreceive(word) BATCH__BIT(__NR_mq_timedreceive, word)
#else
#define BATCH__ALLOW_mq_timedreceive(word) 0
#endif
#ifdef __NR_mq_notify
#define BATCH__ALLOW_mq_notify(word) BATCH__BIT(__NR_mq_notify, word)
#else
#define BATCH__ALLOW_mq_notify(word) 0
#endif
#ifdef __NR_mq_getsetattr
#define BATCH__ALLOW_mq_getsetattr(word) BATCH__BIT(__NR_mq_getsetattr, word)
#else
#define BATCH__ALLOW_mq_getsetattr(word) 0
#endif
#ifdef __NR_kexec_load
#define BATCH__ALLOW_kexec_load(word) BATCH__BIT(__NR_kexec_load, word)
#else
#define BATCH__ALLOW_kexec_load(word) 0
#endif
#ifdef __NR_waitid
#define BATCH__ALLOW_waitid(word) BATCH__BIT(__NR_waitid, word)
#else
#define BATCH__ALLOW_waitid(word) 0
#endif
#ifdef __NR_add_key
#define BATCH__ALLOW_add_key(word) BATCH__BIT(__NR_add_key, word)
#else
#define BATCH__ALLOW_add_key(word) 0
#endif
#ifdef __NR_request_key
#define BATCH__ALLOW_request_key(word) BATCH__BIT(__NR_request_key, word)
#else
#define BATCH__ALLOW_request_key(word) 0
#endif
#ifdef __NR_keyctl
#define BATCH__ALLOW_keyctl(word) BATCH__BIT(__NR_keyctl, word)
#else
#define BATCH__ALLOW_keyctl(word) 0
#endif
#ifdef __NR_ioprio_set
#define BATCH__ALLOW_ioprio_set(word) BATCH__BIT(__NR_ioprio_set, word)
#else
#define BATCH__ALLOW_ioprio_set(word) 0
#endif
#ifdef __NR_ioprio_get
#define BATCH__ALLOW_ioprio_get(word) BATCH__BIT(__NR_ioprio_get, word)
#else
#define BATCH__ALLOW_ioprio_get(word) 0
#endif
#ifdef __NR_inotify_init
#define BATCH__ALLOW_inotify_init(word) BATCH__BIT(__NR_inotify_init, word)
#else
#define BATCH__ALLOW_inotify_init(word) 0
#endif
#ifdef __NR_inotify_add_watch
#define BATCH__ALLOW_inotify_add_watch(word) BATCH__BIT(__NR_inotify_add_watch, word)
#else
#define BATCH__ALLOW_inotify_add_watch(word) 0
#endif
#ifdef __NR_inotify_rm_watch
#define BATCH__ALLOW_inotify_rm_watch(word) BATCH__BIT(__NR_inotify_rm_watch, word)
#else
#define BATCH__ALLOW_inotify_rm_watch(word) 0
#endif
#ifdef __NR_migrate_pages
#define BATCH__ALLOW_migrate_pages(word) BATCH__BIT(__NR_migrate_pages, word)
#else
#define BATCH__ALLOW_migrate_pages(word) 0
#endif
#ifdef __NR_openat
#define BATCH__ALLOW_openat(word) BATCH__BIT(__NR_openat, word)
#else
#define BATCH__ALLOW_openat(word) 0
#endif
#ifdef __NR_mkdirat
#define BATCH__ALLOW_mkdirat(word) BATCH__BIT(__NR_mkdirat, word)
#else
#define BATCH__ALLOW_mkdirat(word) 0
#endif
#ifdef __NR_mknodat
#define BATCH__ALLOW_mknodat(word) BATCH__BIT(__NR_mknodat, word)
#else
#define BATCH__ALLOW_mknodat(word) 0
#endif
#ifdef __NR_fchownat
#define BATCH__ALLOW_fchownat(word) BATCH__BIT(__NR_fchownat, word)
#else
#define BATCH__ALLOW_fchownat(word) 0
#endif
#ifdef __NR_futimesat
#define BATCH__ALLOW_futimesat(word) BATCH__BIT(__NR_futimesat, word)
#else
#define BATCH__ALLOW_futimesat(word) 0
#endif
#ifdef __NR_newfstatat
#define BATCH__ALLOW_newfstatat(word) BATCH__BIT(__NR_newfstatat, word)
#else
#define BATCH__ALLOW_newfstatat(word) 0
#endif
#ifdef __NR_unlinkat
#define BATCH__ALLOW_unlinkat(word) BATCH__BIT(__NR_unlinkat, word)
#else
#define BATCH__ALLOW_unlinkat(word) 0
#endif
#ifdef __NR_renameat
#define BATCH__ALLOW_renameat(word) BATCH__BIT(__NR_renameat, word)
#else
#define BATCH__ALLOW_renameat(word) 0
#endif
#ifdef __NR_linkat
#define BATCH__ALLOW_linkat(word) BATCH__BIT(__NR_linkat, word)
#else
#define BATCH__ALLOW_linkat(word) 0
#endif
#ifdef __NR_symlinkat
#define BATCH__ALLOW_symlinkat(word) BATCH__BIT(__NR_symlinkat, word)
#else
#define BATCH__ALLOW_symlinkat(word) 0
#endif
#ifdef __NR_readlinkat
#define BATCH__ALLOW_readlinkat(word) BATCH__BIT(__NR_readlinkat, word)
#else
#define BATCH__ALLOW_readlinkat(word) 0
#endif
#ifdef __NR_fchmodat
#define BATCH__ALLOW_fchmodat(word) BATCH__BIT(__NR_fchmodat, word)
#else
#define BATCH__ALLOW_fchmodat(word) 0
#endif
#ifdef __NR_faccessat
#define BATCH__ALLOW_faccessat(word) BATCH__BIT(__NR_faccessat, word)
#else
#define BATCH__ALLOW_faccessat(word) 0
#endif
#ifdef __NR_pselect6
#define BATCH__ALLOW_pselect6(word) BATCH__BIT(__NR_pselect6, word)
#else
#define BATCH__ALLOW_pselect6(word) 0
#endif
#ifdef __NR_ppoll
#define BATCH__ALLOW_ppoll(word) BATCH__BIT(__NR_ppoll, word)
#else
#define BATCH__ALLOW_ppoll(word) 0
#endif
#ifdef __NR_unshare
#define BATCH__ALLOW_unshare(word) BATCH__BIT(__NR_unshare, word)
#else
#define BATCH__ALLOW_unshare(word) 0
#endif
#ifdef __NR_set_robust_list
#define BATCH__ALLOW_set_robust_list(word) BATCH__BIT(__NR_set_robust_list, word)
#else
#define BATCH__ALLOW_set_robust_list(word) 0
#endif
#ifdef __NR_get_robust_list
#define BATCH__ALLOW_get_robust_list(word) BATCH__BIT(__NR_get_robust_list, word)
#else
#define BATCH__ALLOW_get_robust_list(word) 0
#endif
#ifdef __NR_splice
#define BATCH__ALLOW_splice(word) BATCH__BIT(__NR_splice, word)
#else
#define BATCH__ALLOW_splice(word) 0
#endif
#ifdef __NR_tee
#define BATCH__ALLOW_tee(word) BATCH__BIT(__NR_tee, word)
#else
#define BATCH__ALLOW_tee(word) 0
#endif
#ifdef __NR_sync_file_range
#define BATCH__ALLOW_sync_file_range(word) BATCH__BIT(__NR_sync_file_range, word)
#else
#define BATCH__ALLOW_sync_file_range(word) 0
#endif
#ifdef __NR_vmsplice
#define BATCH__ALLOW_vmsplice(word) BATCH__BIT(__NR_vmsplice, word)
#else
#define BATCH__ALLOW_vmsplice(word) 0
#endif
#ifdef __NR_move_pages
#define BATCH__ALLOW_move_pages(word) BATCH__BIT(__NR_move_pages, word)
#else
#define BATCH__ALLOW_move_pages(word) 0
#endif
#ifdef __NR_utimensat
#define BATCH__ALLOW_utimensat(word) BATCH__BIT(__NR_utimensat, word)
#else
#define BATCH__ALLOW_utimensat(word) 0
#endif
#ifdef __NR_epoll_pwait
#define BATCH__ALLOW_epoll_pwait(word) BATCH__BIT(__NR_epoll_pwait, word)
#else
#define BATCH__ALLOW_epoll_pwait(word) 0
#endif
#ifdef __NR_signalfd
#define BATCH__ALLOW_signalfd(word) BATCH__BIT(__NR_signalfd, word)
#else
#define BATCH__ALLOW_signalfd(word) 0
#endif
#ifdef __NR_timerfd_create
#define BATCH__ALLOW_timerfd_create(word) BATCH__BIT(__NR_timerfd_create, word)
#else
#define BATCH__ALLOW_timerfd_create(word) 0
#endif
#ifdef __NR_eventfd
#define BATCH__ALLOW_eventfd(word) BATCH__BIT(__NR_eventfd, word)
#else
#define BATCH__ALLOW_eventfd(word) 0
#endif
#ifdef __NR_fallocate
#define BATCH__ALLOW_fallocate(word) BATCH__BIT(__NR_fallocate, word)
#else
#define BATCH__ALLOW_fallocate(word) 0
#endif
#ifdef __NR_timerfd_settime
#define BATCH__ALLOW_timerfd_settime(word) BATCH__BIT(__NR_timerfd_settime, word)
#else
#define BATCH__ALLOW_timerfd_settime(word) 0
#endif
#ifdef __NR_timerfd_gettime
#define BATCH__ALLOW_timerfd_gettime(word) BATCH__BIT(__NR_timerfd_gettime, word)
#else
#define BATCH__ALLOW_timerfd_gettime(word) 0
#endif
#ifdef __NR_accept4
#define BATCH__ALLOW_accept4(word) BATCH__BIT(__NR_accept4, word)
#else
#define BATCH__ALLOW_accept4(word) 0
#endif
#ifdef __NR_signalfd4
#define BATCH__ALLOW_signalfd4(word) BATCH__BIT(__NR_signalfd4, word)
#else
#define BATCH__ALLOW_signalfd4(word) 0
#endif
#ifdef __NR_eventfd2
#define BATCH__ALLOW_eventfd2(word) BATCH__BIT(__NR_eventfd2, word)
#else
#define BATCH__ALLOW_eventfd2(word) 0
#endif
#ifdef __NR_epoll_create1
#define BATCH__ALLOW_epoll_create1(word) BATCH__BIT(__NR_epoll_create1, word)
#else
#define BATCH__ALLOW_epoll_create1(word) 0
#endif
#ifdef __NR_dup3
#define BATCH__ALLOW_dup3(word) BATCH__BIT(__NR_dup3, word)
#else
#define BATCH__ALLOW_dup3(word) 0
#endif
#ifdef __NR_pipe2
#define BATCH__ALLOW_pipe2(word) BATCH__BIT(__NR_pipe2, word)
#else
#define BATCH__ALLOW_pipe2(word) 0
#endif
#ifdef __NR_inotify_init1
#define BATCH__ALLOW_inotify_init1(word) BATCH__BIT(__NR_inotify_init1, word)
#else
#define BATCH__ALLOW_inotify_init1(word) 0
#endif
#ifdef __NR_preadv
#define BATCH__ALLOW_preadv(word) BATCH__BIT(__NR_preadv, word)
#else
#define BATCH__ALLOW_preadv(word) 0
#endif
#ifdef __NR_pwritev
#define BATCH__ALLOW_pwritev(word) BATCH__BIT(__NR_pwritev, word)
#else
#define BATCH__ALLOW_pwritev(word) 0
#endif
#ifdef __NR_rt_tgsigqueueinfo
#define BATCH__ALLOW_rt_tgsigqueueinfo(word) BATCH__BIT(__NR_rt_tgsigqueueinfo, word)
#else
#define BATCH__ALLOW_rt_tgsigqueueinfo(word) 0
#endif
#ifdef __NR_perf_event_open
#define BATCH__ALLOW_perf_event_open(word) BATCH__BIT(__NR_perf_event_open, word)
#else
#define BATCH__ALLOW_perf_event_open(word) 0
#endif
#ifdef __NR_recvmmsg
#define BATCH__ALLOW_recvmmsg(word) BATCH__BIT(__NR_recvmmsg, word)
#else
#define BATCH__ALLOW_recvmmsg(word) 0
#endif
#ifdef __NR_fanotify_init
#define BATCH__ALLOW_fanotify_init(word) BATCH__BIT(__NR_fanotify_init, word)
#else
#define BATCH__ALLOW_fanotify_init(word) 0
#endif
#ifdef __NR_fanotify_mark
#define BATCH__ALLOW_fanotify_mark(word) BATCH__BIT(__NR_fanotify_mark, word)
#else
#define BATCH__ALLOW_fanotify_mark(word) 0
#endif
#ifdef __NR_prlimit64
#define BATCH__ALLOW_prlimit64(word) BATCH__BIT(__NR_prlimit64, word)
#else
#define BATCH__ALLOW_prlimit64(word) 0
#endif
#ifdef __NR_name_to_handle_at
#define BATCH__ALLOW_name_to_handle_at(word) BATCH__BIT(__NR_name_to_handle_at, word)
#else
#define BATCH__ALLOW_name_to_handle_at(word) 0
#endif
#ifdef __NR_open_by_handle_at
#define BATCH__ALLOW_open_by_handle_at(word) BATCH__BIT(__NR_open_by_handle_at, word)
#else
#define BATCH__ALLOW_open_by_handle_at(word) 0
#endif
#ifdef __NR_clock_adjtime
#define BATCH__ALLOW_clock_adjtime(word) BATCH__BIT(__NR_clock_adjtime, word)
#else
#define BATCH__ALLOW_clock_adjtime(word) 0
#endif
#ifdef __NR_syncfs
#define BATCH__ALLOW_syncfs(word) BATCH__BIT(__NR_syncfs, word)
#else
#define BATCH__ALLOW_syncfs(word) 0
#endif
#ifdef __NR_sendmmsg
#define BATCH__ALLOW_sendmmsg(word) BATCH__BIT(__NR_sendmmsg, word)
#else
#define BATCH__ALLOW_sendmmsg(word) 0
#endif
#ifdef __NR_setns
#define BATCH__ALLOW_setns(word) BATCH__BIT(__NR_setns, word)
#else
#define BATCH__ALLOW_setns(word) 0
#endif
#ifdef __NR_getcpu
#define BATCH__ALLOW_getcpu(word) BATCH__BIT(__NR_getcpu, word)
#else
#define BATCH__ALLOW_getcpu(word) 0
#endif
#ifdef __NR_process_vm_readv
#define BATCH__ALLOW_process_vm_readv(word) BATCH__BIT(__NR_process_vm_readv, word)
#else
#define BATCH__ALLOW_process_vm_readv(word) 0
#endif
#ifdef __NR_process_vm_writev
#define BATCH__ALLOW_process_vm_writev(word) BATCH__BIT(__NR_process_vm_writev, word)
#else
#define BATCH__ALLOW_process_vm_writev(word) 0
#endif
#ifdef __NR_kcmp
#define BATCH__ALLOW_kcmp(word) BATCH__BIT(__NR_kcmp, word)
#else
#define BATCH__ALLOW_kcmp(word) 0
#endif
#ifdef __NR_finit_module
#define BATCH__ALLOW_finit_module(word) BATCH__BIT(__NR_finit_module, word)
#else
#define BATCH__ALLOW_finit_module(word) 0
#endif
#ifdef __NR_sched_setattr
#define BATCH__ALLOW_sched_setattr(word) BATCH__BIT(__NR_sched_setattr, word)
#else
#define BATCH__ALLOW_sched_setattr(word) 0
#endif
#ifdef __NR_sched_getattr
#define BATCH__ALLOW_sched_getattr(word) BATCH__BIT(__NR_sched_getattr, word)
#else
#define BATCH__ALLOW_sched_getattr(word) 0
#endif
#ifdef __NR_renameat2
#define BATCH__ALLOW_renameat2(word) BATCH__BIT(__NR_renameat2, word)
#else
#define BATCH__ALLOW_renameat2(word) 0
#endif
#ifdef __NR_seccomp
#define BATCH__ALLOW_seccomp(word) BATCH__BIT(__NR_seccomp, word)
#else
#define BATCH__ALLOW_seccomp(word) 0
#endif
#ifdef __NR_getrandom
#define BATCH__ALLOW_getrandom(word) BATCH__BIT(__NR_getrandom, word)
#else
#define BATCH__ALLOW_getrandom(word) 0
#endif
#ifdef __NR_memfd_create
#define BATCH__ALLOW_memfd_create(word) BATCH__BIT(__NR_memfd_create, word)
#else
#define BATCH__ALLOW_memfd_create(word) 0
#endif
#ifdef __NR_kexec_file_load
#define BATCH__ALLOW_kexec_file_load(word) BATCH__BIT(__NR_kexec_file_load, word)
#else
#define BATCH__ALLOW_kexec_file_load(word) 0
#endif
#ifdef __NR_bpf
#define BATCH__ALLOW_bpf(word) BATCH__BIT(__NR_bpf, word)
#else
#define BATCH__ALLOW_bpf(word) 0
#endif
#ifdef __NR_userfaultfd
#define BATCH__ALLOW_userfaultfd(word) BATCH__BIT(__NR_userfaultfd, word)
#else
#define BATCH__ALLOW_userfaultfd(word) 0
#endif
#ifdef __NR_membarrier
#define BATCH__ALLOW_membarrier(word) BATCH__BIT(__NR_membarrier, word)
#else
#define BATCH__ALLOW_membarrier(word) 0
#endif
#ifdef __NR_mlock2
#define BATCH__ALLOW_mlock2(word) BATCH__BIT(__NR_mlock2, word)
#else
#define BATCH__ALLOW_mlock2(word) 0
#endif
#ifdef __NR_copy_file_range
#define BATCH__ALLOW_copy_file_range(word) BATCH__BIT(__NR_copy_file_range, word)
#else
#define BATCH__ALLOW_copy_file_range(word) 0
#endif
#ifdef __NR_preadv2
#define BATCH__ALLOW_preadv2(word) BATCH__BIT(__NR_preadv2, word)
#else
#define BATCH__ALLOW_preadv2(word) 0
#endif
#ifdef __NR_pwritev2
#define BATCH__ALLOW_pwritev2(word) BATCH__BIT(__NR_pwritev2, word)
#else
#define BATCH__ALLOW_pwritev2(word) 0
#endif
#ifdef __NR_pkey_mprotect
#define BATCH__ALLOW_pkey_mprotect(word) BATCH__BIT(__NR_pkey_mprotect, word)
#else
#define BATCH__ALLOW_pkey_mprotect(word) 0
#endif
#ifdef __NR_pkey_alloc
#define BATCH__ALLOW_pkey_alloc(word) BATCH__BIT(__NR_pkey_alloc, word)
#else
#define BATCH__ALLOW_pkey_alloc(word) 0
#endif
#ifdef __NR_pkey_free
#define BATCH__ALLOW_pkey_free(word) BATCH__BIT(__NR_pkey_free, word)
#else
#define BATCH__ALLOW_pkey_free(word) 0
#endif
#ifdef __NR_statx
#define BATCH__ALLOW_statx(word) BATCH__BIT(__NR_statx, word)
#else
#define BATCH__ALLOW_statx(word) 0
#endif
#ifdef __NR_io_pgetevents
#define BATCH__ALLOW_io_pgetevents(word) BATCH__BIT(__NR_io_pgetevents, word)
#else
#define BATCH__ALLOW_io_pgetevents(word) 0
#endif
#ifdef __NR_rseq
#define BATCH__ALLOW_rseq(word) BATCH__BIT(__NR_rseq, word)
#else
#define BATCH__ALLOW_rseq(word) 0
#endif
#ifdef __NR_pidfd_send_signal
#define BATCH__ALLOW_pidfd_send_signal(word) BATCH__BIT(__NR_pidfd_send_signal, word)
#else
#define BATCH__ALLOW_pidfd_send_signal(word) 0
#endif
#ifdef __NR_io_uring_setup
#define BATCH__ALLOW_io_uring_setup(word) BATCH__BIT(__NR_io_uring_setup, word)
#else
#define BATCH__ALLOW_io_uring_setup(word) 0
#endif
#ifdef __NR_io_uring_enter
#define BATCH__ALLOW_io_uring_enter(word) BATCH__BIT(__NR_io_uring_enter, word)
#else
#define BATCH__ALLOW_io_uring_enter(word) 0
#endif
#ifdef __NR_io_uring_register
#define BATCH__ALLOW_io_uring_register(word) BATCH__BIT(__NR_io_uring_register, word)
#else
#define BATCH__ALLOW_io_uring_register(word) 0
#endif
#ifdef __NR_open_tree
#define BATCH__ALLOW_open_tree(word) BATCH__BIT(__NR_open_tree, word)
#else
#define BATCH__ALLOW_open_tree(word) 0
#endif
#ifdef __NR_move_mount
#define BATCH__ALLOW_move_mount(word) BATCH__BIT(__NR_move_mount, word)
#else
#define BATCH__ALLOW_move_mount(word) 0
#endif
#ifdef __NR_fsopen
#define BATCH__ALLOW_fsopen(word) BATCH__BIT(__NR_fsopen, word)
#else
#define BATCH__ALLOW_fsopen(word) 0
#endif
#ifdef __NR_fsconfig
#define BATCH__ALLOW_fsconfig(word) BATCH__BIT(__NR_fsconfig, word)
#else
#define BATCH__ALLOW_fsconfig(word) 0
#endif
#ifdef __NR_fsmount
#define BATCH__ALLOW_fsmount(word) BATCH__BIT(__NR_fsmount, word)
#else
#define BATCH__ALLOW_fsmount(word) 0
#endif
#ifdef __NR_fspick
#define BATCH__ALLOW_fspick(word) BATCH__BIT(__NR_fspick, word)
#else
#define BATCH__ALLOW_fspick(word) 0
#endif
#ifdef __NR_pidfd_open
#define BATCH__ALLOW_pidfd_open(word) BATCH__BIT(__NR_pidfd_open, word)
#else
#define BATCH__ALLOW_pidfd_open(word) 0
#endif
#ifdef __NR_close_range
#define BATCH__ALLOW_close_range(word) BATCH__BIT(__NR_close_range, word)
#else
#define BATCH__ALLOW_close_range(word) 0
#endif
#ifdef __NR_openat2
#define BATCH__ALLOW_openat2(word) BATCH__BIT(__NR_openat2, word)
#else
#define BATCH__ALLOW_openat2(word) 0
#endif
#ifdef __NR_pidfd_getfd
#define BATCH__ALLOW_pidfd_getfd(word) BATCH__BIT(__NR_pidfd_getfd, word)
#else
#define BATCH__ALLOW_pidfd_getfd(word) 0
#endif
#ifdef __NR_faccessat2
#define BATCH__ALLOW_faccessat2(word) BATCH__BIT(__NR_faccessat2, word)
#else
#define BATCH__ALLOW_faccessat2(word) 0
#endif
#ifdef __NR_process_madvise
#define BATCH__ALLOW_process_madvise(word) BATCH__BIT(__NR_process_madvise, word)
#else
#define BATCH__ALLOW_process_madvise(word) 0
#endif
#ifdef __NR_epoll_pwait2
#define BATCH__ALLOW_epoll_pwait2(word) BATCH__BIT(__NR_epoll_pwait2, word)
#else
#define BATCH__ALLOW_epoll_pwait2(word) 0
#endif
#ifdef __NR_mount_setattr
#define BATCH__ALLOW_mount_setattr(word) BATCH__BIT(__NR_mount_setattr, word)
#else
#define BATCH__ALLOW_mount_setattr(word) 0
#endif
#ifdef __NR_quotactl_fd
#define BATCH__ALLOW_quotactl_fd(word) BATCH__BIT(__NR_quotactl_fd, word)
#else
#define BATCH__ALLOW_quotactl_fd(word) 0
#endif
#ifdef __NR_landlock_create_ruleset
#define BATCH__ALLOW_landlock_create_ruleset(word) BATCH__BIT(__NR_landlock_create_ruleset, word)
#else
#define BATCH__ALLOW_landlock_create_ruleset(word) 0
#endif
#ifdef __NR_landlock_add_rule
#define BATCH__ALLOW_landlock_add_rule(word) BATCH__BIT(__NR_landlock_add_rule, word)
#else
#define BATCH__ALLOW_landlock_add_rule(word) 0
#endif
#ifdef __NR_landlock_restrict_self
#define BATCH__ALLOW_landlock_restrict_self(word) BATCH__BIT(__NR_landlock_restrict_self, word)
#else
#define BATCH__ALLOW_landlock_restrict_self(word) 0
#endif
#ifdef __NR_memfd_secret
#define BATCH__ALLOW_memfd_secret(word) BATCH__BIT(__NR_memfd_secret, word)
#else
#define BATCH__ALLOW_memfd_secret(word) 0
#endif
#ifdef __NR_process_mrelease
#define BATCH__ALLOW_process_mrelease(word) BATCH__BIT(__NR_process_mrelease, word)
#else
#define BATCH__ALLOW_process_mrelease(word) 0
#endif
#ifdef __NR_futex_waitv
#define BATCH__ALLOW_futex_waitv(word) BATCH__BIT(__NR_futex_waitv, word)
#else
#define BATCH__ALLOW_futex_waitv(word) 0
#endif
#ifdef __NR_set_mempolicy_home_node
#define BATCH__ALLOW_set_mempolicy_home_node(word) BATCH__BIT(__NR_set_mempolicy_home_node, word)
#else
#define BATCH__ALLOW_set_mempolicy_home_node(word) 0
#endif
#ifdef __NR_cachestat
#define BATCH__ALLOW_cachestat(word) BATCH__BIT(__NR_cachestat, word)
#else
#define BATCH__ALLOW_cachestat(word) 0
#endif
#ifdef __NR_fchmodat2
#define BATCH__ALLOW_fchmodat2(word) BATCH__BIT(__NR_fchmodat2, word)
#else
#define BATCH__ALLOW_fchmodat2(word) 0
#endif
#ifdef __NR_map_shadow_stack
#define BATCH__ALLOW_map_shadow_stack(word) BATCH__BIT(__NR_map_shadow_stack, word)
#else
#define BATCH__ALLOW_map_shadow_stack(word) 0
#endif
#ifdef __NR_futex_wake
#define BATCH__ALLOW_futex_wake(word) BATCH__BIT(__NR_futex_wake, word)
#else
#define BATCH__ALLOW_futex_wake(word) 0
#endif
#ifdef __NR_futex_wait
#define BATCH__ALLOW_futex_wait(word) BATCH__BIT(__NR_futex_wait, word)
#else
#define BATCH__ALLOW_futex_wait(word) 0
#endif
#ifdef __NR_futex_requeue
#define BATCH__ALLOW_futex_requeue(word) BATCH__BIT(__NR_futex_requeue, word)
#else
#define BATCH__ALLOW_futex_requeue(word) 0
#endif
#ifdef __NR_statmount
#define BATCH__ALLOW_statmount(word) BATCH__BIT(__NR_statmount, word)
#else
#define BATCH__ALLOW_statmount(word) 0
#endif
#ifdef __NR_listmount
#define BATCH__ALLOW_listmount(word) BATCH__BIT(__NR_listmount, word)
#else
#define BATCH__ALLOW_listmount(word) 0
#endif
#ifdef __NR_lsm_get_self_attr
#define BATCH__ALLOW_lsm_get_self_attr(word) BATCH__BIT(__NR_lsm_get_self_attr, word)
#else
#define BATCH__ALLOW_lsm_get_self_attr(word) 0
#endif
#ifdef __NR_lsm_set_self_attr
#define BATCH__ALLOW_lsm_set_self_attr(word) BATCH__BIT(__NR_lsm_set_self_attr, word)
#else
#define BATCH__ALLOW_lsm_set_self_attr(word) 0
#endif
#ifdef __NR_lsm_list_modules
#define BATCH__ALLOW_lsm_list_modules(word) BATCH__BIT(__NR_lsm_list_modules, word)
#else
#define BATCH__ALLOW_lsm_list_modules(word) 0
#endif
#ifdef __NR_mseal
#define BATCH__ALLOW_mseal(word) BATCH__BIT(__NR_mseal, word)
#else
#define BATCH__ALLOW_mseal(word) 0
#endif
#ifdef __NR_setxattrat
#define BATCH__ALLOW_setxattrat(word) BATCH__BIT(__NR_setxattrat, word)
#else
#define BATCH__ALLOW_setxattrat(word) 0
#endif
#ifdef __NR_getxattrat
#define BATCH__ALLOW_getxattrat(word) BATCH__BIT(__NR_getxattrat, word)
#else
#define BATCH__ALLOW_getxattrat(word) 0
#endif
#ifdef __NR_listxattrat
#define BATCH__ALLOW_listxattrat(word) BATCH__BIT(__NR_listxattrat, word)
#else
#define BATCH__ALLOW_listxattrat(word) 0
#endif
#ifdef __NR_removexattrat
#define BATCH__ALLOW_removexattrat(word) BATCH__BIT(__NR_removexattrat, word)
#else
#define BATCH__ALLOW_removexattrat(word) 0
#endif
#ifdef __NR_open_tree_attr
#define BATCH__ALLOW_open_tree_attr(word) BATCH__BIT(__NR_open_tree_attr, word)
#else
#define BATCH__ALLOW_open_tree_attr(word) 0
#endif
#ifdef __NR_file_getattr
#define BATCH__ALLOW_file_getattr(word) BATCH__BIT(__NR_file_getattr, word)
#else
#define BATCH__ALLOW_file_getattr(word) 0
#endif
#ifdef __NR_file_setattr
#define BATCH__ALLOW_file_setattr(word) BATCH__BIT(__NR_file_setattr, word)
#else
#define BATCH__ALLOW_file_setattr(word) 0
#endif
#define BATCH__ALLOWED(word) (0ULL \
	| BATCH__ALLOW_read(word) \
	| BATCH__ALLOW_write(word) \
	| BATCH__ALLOW_open(word) \
	| BATCH__ALLOW_close(word) \
	| BATCH__ALLOW_stat(word) \
	| BATCH__ALLOW_fstat(word) \
	| BATCH__ALLOW_lstat(word) \
	| BATCH__ALLOW_poll(word) \
	| BATCH__ALLOW_lseek(word) \
	| BATCH__ALLOW_mmap(word) \
	| BATCH__ALLOW_mprotect(word) \
	| BATCH__ALLOW_munmap(word) \
	| BATCH__ALLOW_brk(word) \
	| BATCH__ALLOW_rt_sigaction(word) \
	| BATCH__ALLOW_rt_sigprocmask(word) \
	| BATCH__ALLOW_ioctl(word) \
	| BATCH__ALLOW_pread64(word) \
	| BATCH__ALLOW_pwrite64(word) \
	| BATCH__ALLOW_readv(word) \
	| BATCH__ALLOW_writev(word) \
	| BATCH__ALLOW_access(word) \
	| BATCH__ALLOW_pipe(word) \
	| BATCH__ALLOW_select(word) \
	| BATCH__ALLOW_sched_yield(word) \
	| BATCH__ALLOW_mremap(word) \
	| BATCH__ALLOW_msync(word) \
	| BATCH__ALLOW_mincore(word) \
	| BATCH__ALLOW_madvise(word) \
	| BATCH__ALLOW_shmget(word) \
	| BATCH__ALLOW_shmat(word) \
	| BATCH__ALLOW_shmctl(word) \
	| BATCH__ALLOW_dup(word) \
	| BATCH__ALLOW_dup2(word) \
	| BATCH__ALLOW_pause(word) \
	| BATCH__ALLOW_nanosleep(word) \
	| BATCH__ALLOW_getitimer(word) \
	| BATCH__ALLOW_alarm(word) \
	| BATCH__ALLOW_setitimer(word) \
	| BATCH__ALLOW_getpid(word) \
	| BATCH__ALLOW_sendfile(word) \
	| BATCH__ALLOW_socket(word) \
	| BATCH__ALLOW_connect(word) \
	| BATCH__ALLOW_accept(word) \
	| BATCH__ALLOW_sendto(word) \
	| BATCH__ALLOW_recvfrom(word) \
	| BATCH__ALLOW_sendmsg(word) \
	| BATCH__ALLOW_recvmsg(word) \
	| BATCH__ALLOW_shutdown(word) \
	| BATCH__ALLOW_bind(word) \
	| BATCH__ALLOW_listen(word) \
	| BATCH__ALLOW_getsockname(word) \
	| BATCH__ALLOW_getpeername(word) \
	| BATCH__ALLOW_socketpair(word) \
	| BATCH__ALLOW_setsockopt(word) \
	| BATCH__ALLOW_getsockopt(word) \
	| BATCH__ALLOW_wait4(word) \
	| BATCH__ALLOW_kill(word) \
	| BATCH__ALLOW_uname(word) \
	| BATCH__ALLOW_semget(word) \
	| BATCH__ALLOW_semop(word) \
	| BATCH__ALLOW_semctl(word) \
	| BATCH__ALLOW_shmdt(word) \
	| BATCH__ALLOW_msgget(word) \
	| BATCH__ALLOW_msgsnd(word) \
	| BATCH__ALLOW_msgrcv(word) \
	| BATCH__ALLOW_msgctl(word) \
	| BATCH__ALLOW_fcntl(word) \
	| BATCH__ALLOW_flock(word) \
	| BATCH__ALLOW_fsync(word) \
	| BATCH__ALLOW_fdatasync(word) \
	| BATCH__ALLOW_truncate(word) \
	| BATCH__ALLOW_ftruncate(word) \
	| BATCH__ALLOW_getdents(word) \
	| BATCH__ALLOW_getcwd(word) \
	| BATCH__ALLOW_chdir(word) \
	| BATCH__ALLOW_fchdir(word) \
	| BATCH__ALLOW_rename(word) \
	| BATCH__ALLOW_mkdir(word) \
	| BATCH__ALLOW_rmdir(word) \
	| BATCH__ALLOW_creat(word) \
	| BATCH__ALLOW_link(word) \
	| BATCH__ALLOW_unlink(word) \
	| BATCH__ALLOW_symlink(word) \
	| BATCH__ALLOW_readlink(word) \
	| BATCH__ALLOW_chmod(word) \
	| BATCH__ALLOW_fchmod(word) \
	| BATCH__ALLOW_chown(word) \
	| BATCH__ALLOW_fchown(word) \
	| BATCH__ALLOW_lchown(word) \
	| BATCH__ALLOW_umask(word) \
	| BATCH__ALLOW_gettimeofday(word) \
	| BATCH__ALLOW_getrlimit(word) \
	| BATCH__ALLOW_getrusage(word) \
	| BATCH__ALLOW_sysinfo(word) \
	| BATCH__ALLOW_times(word) \
	| BATCH__ALLOW_ptrace(word) \
	| BATCH__ALLOW_getuid(word) \
	| BATCH__ALLOW_syslog(word) \
	| BATCH__ALLOW_getgid(word) \
	| BATCH__ALLOW_setuid(word) \
	| BATCH__ALLOW_setgid(word) \
	| BATCH__ALLOW_geteuid(word) \
	| BATCH__ALLOW_getegid(word) \
	| BATCH__ALLOW_setpgid(word) \
	| BATCH__ALLOW_getppid(word) \
	| BATCH__ALLOW_getpgrp(word) \
	| BATCH__ALLOW_setsid(word) \
	| BATCH__ALLOW_setreuid(word) \
	| BATCH__ALLOW_setregid(word) \
	| BATCH__ALLOW_getgroups(word) \
	| BATCH__ALLOW_setgroups(word) \
	| BATCH__ALLOW_setresuid(word) \
	| BATCH__ALLOW_getresuid(word) \
	| BATCH__ALLOW_setresgid(word) \
	| BATCH__ALLOW_getresgid(word) \
	| BATCH__ALLOW_getpgid(word) \
	| BATCH__ALLOW_setfsuid(word) \
	| BATCH__ALLOW_setfsgid(word) \
	| BATCH__ALLOW_getsid(word) \
	| BATCH__ALLOW_capget(word) \
	| BATCH__ALLOW_capset(word) \
	| BATCH__ALLOW_rt_sigpending(word) \
	| BATCH__ALLOW_rt_sigtimedwait(word) \
	| BATCH__ALLOW_rt_sigqueueinfo(word) \
	| BATCH__ALLOW_rt_sigsuspend(word) \
	| BATCH__ALLOW_sigaltstack(word) \
	| BATCH__ALLOW_utime(word) \
	| BATCH__ALLOW_mknod(word) \
	| BATCH__ALLOW_uselib(word) \
	| BATCH__ALLOW_personality(word) \
	| BATCH__ALLOW_ustat(word) \
	| BATCH__ALLOW_statfs(word) \
	| BATCH__ALLOW_fstatfs(word) \
	| BATCH__ALLOW_sysfs(word) \
	| BATCH__ALLOW_getpriority(word) \
	| BATCH__ALLOW_setpriority(word) \
	| BATCH__ALLOW_sched_setparam(word) \
	| BATCH__ALLOW_sched_getparam(word) \
	| BATCH__ALLOW_sched_setscheduler(word) \
	| BATCH__ALLOW_sched_getscheduler(word) \
	| BATCH__ALLOW_sched_get_priority_max(word) \
	| BATCH__ALLOW_sched_get_priority_min(word) \
	| BATCH__ALLOW_sched_rr_get_interval(word) \
	| BATCH__ALLOW_mlock(word) \
	| BATCH__ALLOW_munlock(word) \
	| BATCH__ALLOW_mlockall(word) \
	| BATCH__ALLOW_munlockall(word) \
	| BATCH__ALLOW_vhangup(word) \
	| BATCH__ALLOW_modify_ldt(word) \
	| BATCH__ALLOW_pivot_root(word) \
	| BATCH__ALLOW__sysctl(word) \
	| BATCH__ALLOW_prctl(word) \
	| BATCH__ALLOW_adjtimex(word) \
	| BATCH__ALLOW_setrlimit(word) \
	| BATCH__ALLOW_chroot(word) \
	| BATCH__ALLOW_sync(word) \
	| BATCH__ALLOW_acct(word) \
	| BATCH__ALLOW_settimeofday(word) \
	| BATCH__ALLOW_mount(word) \
	| BATCH__ALLOW_umount2(word) \
	| BATCH__ALLOW_swapon(word) \
	| BATCH__ALLOW_swapoff(word) \
	| BATCH__ALLOW_reboot(word) \
	| BATCH__ALLOW_sethostname(word) \
	| BATCH__ALLOW_setdomainname(word) \
	| BATCH__ALLOW_ioperm(word) \
	| BATCH__ALLOW_create_module(word) \
	| BATCH__ALLOW_init_module(word) \
	| BATCH__ALLOW_delete_module(word) \
	| BATCH__ALLOW_get_kernel_syms(word) \
	| BATCH__ALLOW_query_module(word) \
	| BATCH__ALLOW_quotactl(word) \
	| BATCH__ALLOW_nfsservctl(word) \
	| BATCH__ALLOW_getpmsg(word) \
	| BATCH__ALLOW_putpmsg(word) \
	| BATCH__ALLOW_tuxcall(word) \
	| BATCH__ALLOW_security(word) \
	| BATCH__ALLOW_gettid(word) \
	| BATCH__ALLOW_readahead(word) \
	| BATCH__ALLOW_setxattr(word) \
	| BATCH__ALLOW_lsetxattr(word) \
	| BATCH__ALLOW_fsetxattr(word) \
	| BATCH__ALLOW_getxattr(word) \
	| BATCH__ALLOW_lgetxattr(word) \
	| BATCH__ALLOW_fgetxattr(word) \
	| BATCH__ALLOW_listxattr(word) \
	| BATCH__ALLOW_llistxattr(word) \
	| BATCH__ALLOW_flistxattr(word) \
	| BATCH__ALLOW_removexattr(word) \
	| BATCH__ALLOW_lremovexattr(word) \
	| BATCH__ALLOW_fremovexattr(word) \
	| BATCH__ALLOW_tkill(word) \
	| BATCH__ALLOW_time(word) \
	| BATCH__ALLOW_futex(word) \
	| BATCH__ALLOW_sched_setaffinity(word) \
	| BATCH__ALLOW_sched_getaffinity(word) \
	| BATCH__ALLOW_io_setup(word) \
	| BATCH__ALLOW_io_destroy(word) \
	| BATCH__ALLOW_io_getevents(word) \
	| BATCH__ALLOW_io_submit(word) \
	| BATCH__ALLOW_io_cancel(word) \
	| BATCH__ALLOW_get_thread_area(word) \
	| BATCH__ALLOW_lookup_dcookie(word) \
	| BATCH__ALLOW_epoll_create(word) \
	| BATCH__ALLOW_epoll_ctl_old(word) \
	| BATCH__ALLOW_epoll_wait_old(word) \
	| BATCH__ALLOW_remap_file_pages(word) \
	| BATCH__ALLOW_getdents64(word) \
	| BATCH__ALLOW_set_tid_address(word) \
	| BATCH__ALLOW_semtimedop(word) \
	| BATCH__ALLOW_fadvise64(word) \
	| BATCH__ALLOW_timer_create(word) \
	| BATCH__ALLOW_timer_settime(word) \
	| BATCH__ALLOW_timer_gettime(word) \
	| BATCH__ALLOW_timer_getoverrun(word) \
	| BATCH__ALLOW_timer_delete(word) \
	| BATCH__ALLOW_clock_settime(word) \
	| BATCH__ALLOW_clock_gettime(word) \
	| BATCH__ALLOW_clock_getres(word) \
	| BATCH__ALLOW_clock_nanosleep(word) \
	| BATCH__ALLOW_epoll_wait(word) \
	| BATCH__ALLOW_epoll_ctl(word) \
	| BATCH__ALLOW_tgkill(word) \
	| BATCH__ALLOW_utimes(word) \
	| BATCH__ALLOW_vserver(word) \
	| BATCH__ALLOW_mbind(word) \
	| BATCH__ALLOW_set_mempolicy(word) \
	| BATCH__ALLOW_get_mempolicy(word) \
	| BATCH__ALLOW_mq_open(word) \
	| BATCH__ALLOW_mq_unlink(word) \
	| BATCH__ALLOW_mq_timedsend(word) \
	| BATCH__ALLOW_mq_timedreceive(word) \
	| BATCH__ALLOW_mq_notify(word) \
	| BATCH__ALLOW_mq_getsetattr(word) \
	| BATCH__ALLOW_kexec_load(word) \
	| BATCH__ALLOW_waitid(word) \
	| BATCH__ALLOW_add_key(word) \
	| BATCH__ALLOW_request_key(word) \
	| BATCH__ALLOW_keyctl(word) \
	| BATCH__ALLOW_ioprio_set(word) \
	| BATCH__ALLOW_ioprio_get(word) \
	| BATCH__ALLOW_inotify_init(word) \
	| BATCH__ALLOW_inotify_add_watch(word) \
	| BATCH__ALLOW_inotify_rm_watch(word) \
	| BATCH__ALLOW_migrate_pages(word) \
	| BATCH__ALLOW_openat(word) \
	| BATCH__ALLOW_mkdirat(word) \
	| BATCH__ALLOW_mknodat(word) \
	| BATCH__ALLOW_fchownat(word) \
	| BATCH__ALLOW_futimesat(word) \
	| BATCH__ALLOW_newfstatat(word) \
	| BATCH__ALLOW_unlinkat(word) \
	| BATCH__ALLOW_renameat(word) \
	| BATCH__ALLOW_linkat(word) \
	| BATCH__ALLOW_symlinkat(word) \
	| BATCH__ALLOW_readlinkat(word) \
	| BATCH__ALLOW_fchmodat(word) \
	| BATCH__ALLOW_faccessat(word) \
	| BATCH__ALLOW_pselect6(word) \
	| BATCH__ALLOW_ppoll(word) \
	| BATCH__ALLOW_unshare(word) \
	| BATCH__ALLOW_set_robust_list(word) \
	| BATCH__ALLOW_get_robust_list(word) \
	| BATCH__ALLOW_splice(word) \
	| BATCH__ALLOW_tee(word) \
	| BATCH__ALLOW_sync_file_range(word) \
	| BATCH__ALLOW_vmsplice(word) \
	| BATCH__ALLOW_move_pages(word) \
	| BATCH__ALLOW_utimensat(word) \
	| BATCH__ALLOW_epoll_pwait(word) \
	| BATCH__ALLOW_signalfd(word) \
	| BATCH__ALLOW_timerfd_create(word) \
	| BATCH__ALLOW_eventfd(word) \
	| BATCH__ALLOW_fallocate(word) \
	| BATCH__ALLOW_timerfd_settime(word) \
	| BATCH__ALLOW_timerfd_gettime(word) \
	| BATCH__ALLOW_accept4(word) \
	| BATCH__ALLOW_signalfd4(word) \
	| BATCH__ALLOW_eventfd2(word) \
	| BATCH__ALLOW_epoll_create1(word) \
	| BATCH__ALLOW_dup3(word) \
	| BATCH__ALLOW_pipe2(word) \
	| BATCH__ALLOW_inotify_init1(word) \
	| BATCH__ALLOW_preadv(word) \
	| BATCH__ALLOW_pwritev(word) \
	| BATCH__ALLOW_rt_tgsigqueueinfo(word) \
	| BATCH__ALLOW_perf_event_open(word) \
	| BATCH__ALLOW_recvmmsg(word) \
	| BATCH__ALLOW_fanotify_init(word) \
	| BATCH__ALLOW_fanotify_mark(word) \
	| BATCH__ALLOW_prlimit64(word) \
	| BATCH__ALLOW_name_to_handle_at(word) \
	| BATCH__ALLOW_open_by_handle_at(word) \
	| BATCH__ALLOW_clock_adjtime(word) \
	| BATCH__ALLOW_syncfs(word) \
	| BATCH__ALLOW_sendmmsg(word) \
	| BATCH__ALLOW_setns(word) \
	| BATCH__ALLOW_getcpu(word) \
	| BATCH__ALLOW_process_vm_readv(word) \
	| BATCH__ALLOW_process_vm_writev(word) \
	| BATCH__ALLOW_kcmp(word) \
	| BATCH__ALLOW_finit_module(word) \
	| BATCH__ALLOW_sched_setattr(word) \
	| BATCH__ALLOW_sched_getattr(word) \
	| BATCH__ALLOW_renameat2(word) \
	| BATCH__ALLOW_seccomp(word) \
	| BATCH__ALLOW_getrandom(word) \
	| BATCH__ALLOW_memfd_create(word) \
	| BATCH__ALLOW_kexec_file_load(word) \
	| BATCH__ALLOW_bpf(word) \
	| BATCH__ALLOW_userfaultfd(word) \
	| BATCH__ALLOW_membarrier(word) \
	| BATCH__ALLOW_mlock2(word) \
	| BATCH__ALLOW_copy_file_range(word) \
	| BATCH__ALLOW_preadv2(word) \
	| BATCH__ALLOW_pwritev2(word) \
	| BATCH__ALLOW_pkey_mprotect(word) \
	| BATCH__ALLOW_pkey_alloc(word) \
	| BATCH__ALLOW_pkey_free(word) \
	| BATCH__ALLOW_statx(word) \
	| BATCH__ALLOW_io_pgetevents(word) \
	| BATCH__ALLOW_rseq(word) \
	| BATCH__ALLOW_pidfd_send_signal(word) \
	| BATCH__ALLOW_io_uring_setup(word) \
	| BATCH__ALLOW_io_uring_enter(word) \
	| BATCH__ALLOW_io_uring_register(word) \
	| BATCH__ALLOW_open_tree(word) \
	| BATCH__ALLOW_move_mount(word) \
	| BATCH__ALLOW_fsopen(word) \
	| BATCH__ALLOW_fsconfig(word) \
	| BATCH__ALLOW_fsmount(word) \
	| BATCH__ALLOW_fspick(word) \
	| BATCH__ALLOW_pidfd_open(word) \
	| BATCH__ALLOW_close_range(word) \
	| BATCH__ALLOW_openat2(word) \
	| BATCH__ALLOW_pidfd_getfd(word) \
	| BATCH__ALLOW_faccessat2(word) \
	| BATCH__ALLOW_process_madvise(word) \
	| BATCH__ALLOW_epoll_pwait2(word) \
	| BATCH__ALLOW_mount_setattr(word) \
	| BATCH__ALLOW_quotactl_fd(word) \
	| BATCH__ALLOW_landlock_create_ruleset(word) \
	| BATCH__ALLOW_landlock_add_rule(word) \
	| BATCH__ALLOW_landlock_restrict_self(word) \
	| BATCH__ALLOW_memfd_secret(word) \
	| BATCH__ALLOW_process_mrelease(word) \
	| BATCH__ALLOW_futex_waitv(word) \
	| BATCH__ALLOW_set_mempolicy_home_node(word) \
	| BATCH__ALLOW_cachestat(word) \
	| BATCH__ALLOW_fchmodat2(word) \
	| BATCH__ALLOW_map_shadow_stack(word) \
	| BATCH__ALLOW_futex_wake(word) \
	| BATCH__ALLOW_futex_wait(word) \
	| BATCH__ALLOW_futex_requeue(word) \
	| BATCH__ALLOW_statmount(word) \
	| BATCH__ALLOW_listmount(word) \
	| BATCH__ALLOW_lsm_get_self_attr(word) \
	| BATCH__ALLOW_lsm_set_self_attr(word) \
	| BATCH__ALLOW_lsm_list_modules(word) \
	| BATCH__ALLOW_mseal(word) \
	| BATCH__ALLOW_setxattrat(word) \
	| BATCH__ALLOW_getxattrat(word) \
	| BATCH__ALLOW_listxattrat(word) \
	| BATCH__ALLOW_removexattrat(word) \
	| BATCH__ALLOW_open_tree_attr(word) \
	| BATCH__ALLOW_file_getattr(word) \
	| BATCH__ALLOW_file_setattr(word) \
	)
static const unsigned long long batch__calls_allowed[BATCH__CALL_WORDS] = {
	BATCH__ALLOWED(0),
	BATCH__ALLOWED(1),
	BATCH__ALLOWED(2),
	BATCH__ALLOWED(3),
	BATCH__ALLOWED(4),
	BATCH__ALLOWED(5),
	BATCH__ALLOWED(6),
	BATCH__ALLOWED(7),
	BATCH__ALLOWED(8),
	BATCH__ALLOWED(9),
	BATCH__ALLOWED(10),
	BATCH__ALLOWED(11),
	BATCH__ALLOWED(12),
	BATCH__ALLOWED(13),
	BATCH__ALLOWED(14),
	BATCH__ALLOWED(15),
};
#endif

/* whether slot number nr may reach the kernel; any value of nr is legal */
static inline int batch__call_allowed(int nr)
{
	return (unsigned int)nr < BATCH__CALL_LIMIT && (batch__calls_allowed[nr / 64] >> (nr % 64) & 1);
}

#endif /* FERRY_BATCH_CALLS_H */
