/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated from spec/batch.toml by spec/generate.py; edit that file and run `make generate`. */
/*
 * Calls and reasons by name, for texts that name them: NAMES_CALLS and NAMES_REASONS are initialisers. The
 * number of a call that this architecture does not have is -1.
 */
#ifndef FERRY_TESTS_CONFORMANCE_NAMES_H
#define FERRY_TESTS_CONFORMANCE_NAMES_H

#if defined(__x86_64__)
#define NAMES_NUMBER(x86_64, generic) x86_64
#else
#define NAMES_NUMBER(x86_64, generic) generic
#endif

#define NAMES_CALLS \
	{ "read", NAMES_NUMBER(0, 63) }, \
	{ "write", NAMES_NUMBER(1, 64) }, \
	{ "open", NAMES_NUMBER(2, -1) }, \
	{ "close", NAMES_NUMBER(3, 57) }, \
	{ "stat", NAMES_NUMBER(4, -1) }, \
	{ "fstat", NAMES_NUMBER(5, 80) }, \
	{ "lstat", NAMES_NUMBER(6, -1) }, \
	{ "poll", NAMES_NUMBER(7, -1) }, \
	{ "lseek", NAMES_NUMBER(8, 62) }, \
	{ "mmap", NAMES_NUMBER(9, 222) }, \
	{ "mprotect", NAMES_NUMBER(10, 226) }, \
	{ "munmap", NAMES_NUMBER(11, 215) }, \
	{ "brk", NAMES_NUMBER(12, 214) }, \
	{ "rt_sigaction", NAMES_NUMBER(13, 134) }, \
	{ "rt_sigprocmask", NAMES_NUMBER(14, 135) }, \
	{ "rt_sigreturn", NAMES_NUMBER(15, 139) }, \
	{ "ioctl", NAMES_NUMBER(16, 29) }, \
	{ "pread64", NAMES_NUMBER(17, 67) }, \
	{ "pwrite64", NAMES_NUMBER(18, 68) }, \
	{ "readv", NAMES_NUMBER(19, 65) }, \
	{ "writev", NAMES_NUMBER(20, 66) }, \
	{ "access", NAMES_NUMBER(21, -1) }, \
	{ "pipe", NAMES_NUMBER(22, -1) }, \
	{ "select", NAMES_NUMBER(23, -1) }, \
	{ "sched_yield", NAMES_NUMBER(24, 124) }, \
	{ "mremap", NAMES_NUMBER(25, 216) }, \
	{ "msync", NAMES_NUMBER(26, 227) }, \
	{ "mincore", NAMES_NUMBER(27, 232) }, \
	{ "madvise", NAMES_NUMBER(28, 233) }, \
	{ "shmget", NAMES_NUMBER(29, 194) }, \
	{ "shmat", NAMES_NUMBER(30, 196) }, \
	{ "shmctl", NAMES_NUMBER(31, 195) }, \
	{ "dup", NAMES_NUMBER(32, 23) }, \
	{ "dup2", NAMES_NUMBER(33, -1) }, \
	{ "pause", NAMES_NUMBER(34, -1) }, \
	{ "nanosleep", NAMES_NUMBER(35, 101) }, \
	{ "getitimer", NAMES_NUMBER(36, 102) }, \
	{ "alarm", NAMES_NUMBER(37, -1) }, \
	{ "setitimer", NAMES_NUMBER(38, 103) }, \
	{ "getpid", NAMES_NUMBER(39, 172) }, \
	{ "sendfile", NAMES_NUMBER(40, 71) }, \
	{ "socket", NAMES_NUMBER(41, 198) }, \
	{ "connect", NAMES_NUMBER(42, 203) }, \
	{ "accept", NAMES_NUMBER(43, 202) }, \
	{ "sendto", NAMES_NUMBER(44, 206) }, \
	{ "recvfrom", NAMES_NUMBER(45, 207) }, \
	{ "sendmsg", NAMES_NUMBER(46, 211) }, \
	{ "recvmsg", NAMES_NUMBER(47, 212) }, \
	{ "shutdown", NAMES_NUMBER(48, 210) }, \
	{ "bind", NAMES_NUMBER(49, 200) }, \
	{ "listen", NAMES_NUMBER(50, 201) }, \
	{ "getsockname", NAMES_NUMBER(51, 204) }, \
	{ "getpeername", NAMES_NUMBER(52, 205) }, \
	{ "socketpair", NAMES_NUMBER(53, 199) }, \
	{ "setsockopt", NAMES_NUMBER(54, 208) }, \
	{ "getsockopt", NAMES_NUMBER(55, 209) }, \
	{ "clone", NAMES_NUMBER(56, 220) }, \
	{ "fork", NAMES_NUMBER(57, -1) }, \
	{ "vfork", NAMES_NUMBER(58, -1) }, \
	{ "execve", NAMES_NUMBER(59, 221) }, \
	{ "exit", NAMES_NUMBER(60, 93) }, \
	{ "wait4", NAMES_NUMBER(61, 260) }, \
	{ "kill", NAMES_NUMBER(62, 129) }, \
	{ "uname", NAMES_NUMBER(63, 160) }, \
	{ "semget", NAMES_NUMBER(64, 190) }, \
	{ "semop", NAMES_NUMBER(65, 193) }, \
	{ "semctl", NAMES_NUMBER(66, 191) }, \
	{ "shmdt", NAMES_NUMBER(67, 197) }, \
	{ "msgget", NAMES_NUMBER(68, 186) }, \
	{ "msgsnd", NAMES_NUMBER(69, 189) }, \
	{ "msgrcv", NAMES_NUMBER(70, 188) }, \
	{ "msgctl", NAMES_NUMBER(71, 187) }, \
	{ "fcntl", NAMES_NUMBER(72, 25) }, \
	{ "flock", NAMES_NUMBER(73, 32) }, \
	{ "fsync", NAMES_NUMBER(74, 82) }, \
	{ "fdatasync", NAMES_NUMBER(75, 83) }, \
	{ "truncate", NAMES_NUMBER(76, 45) }, \
	{ "ftruncate", NAMES_NUMBER(77, 46) }, \
	{ "getdents", NAMES_NUMBER(78, -1) }, \
	{ "getcwd", NAMES_NUMBER(79, 17) }, \
	{ "chdir", NAMES_NUMBER(80, 49) }, \
	{ "fchdir", NAMES_NUMBER(81, 50) }, \
	{ "rename", NAMES_NUMBER(82, -1) }, \
	{ "mkdir", NAMES_NUMBER(83, -1) }, \
	{ "rmdir", NAMES_NUMBER(84, -1) }, \
	{ "creat", NAMES_NUMBER(85, -1) }, \
	{ "link", NAMES_NUMBER(86, -1) }, \
	{ "unlink", NAMES_NUMBER(87, -1) }, \
	{ "symlink", NAMES_NUMBER(88, -1) }, \
	{ "readlink", NAMES_NUMBER(89, -1) }, \
	{ "chmod", NAMES_NUMBER(90, -1) }, \
	{ "fchmod", NAMES_NUMBER(91, 52) }, \
	{ "chown", NAMES_NUMBER(92, -1) }, \
	{ "fchown", NAMES_NUMBER(93, 55) }, \
	{ "lchown", NAMES_NUMBER(94, -1) }, \
	{ "umask", NAMES_NUMBER(95, 166) }, \
	{ "gettimeofday", NAMES_NUMBER(96, 169) }, \
	{ "getrlimit", NAMES_NUMBER(97, 163) }, \
	{ "getrusage", NAMES_NUMBER(98, 165) }, \
	{ "sysinfo", NAMES_NUMBER(99, 179) }, \
	{ "times", NAMES_NUMBER(100, 153) }, \
	{ "ptrace", NAMES_NUMBER(101, 117) }, \
	{ "getuid", NAMES_NUMBER(102, 174) }, \
	{ "syslog", NAMES_NUMBER(103, 116) }, \
	{ "getgid", NAMES_NUMBER(104, 176) }, \
	{ "setuid", NAMES_NUMBER(105, 146) }, \
	{ "setgid", NAMES_NUMBER(106, 144) }, \
	{ "geteuid", NAMES_NUMBER(107, 175) }, \
	{ "getegid", NAMES_NUMBER(108, 177) }, \
	{ "setpgid", NAMES_NUMBER(109, 154) }, \
	{ "getppid", NAMES_NUMBER(110, 173) }, \
	{ "getpgrp", NAMES_NUMBER(111, -1) }, \
	{ "setsid", NAMES_NUMBER(112, 157) }, \
	{ "setreuid", NAMES_NUMBER(113, 145) }, \
	{ "setregid", NAMES_NUMBER(114, 143) }, \
	{ "getgroups", NAMES_NUMBER(115, 158) }, \
	{ "setgroups", NAMES_NUMBER(116, 159) }, \
	{ "setresuid", NAMES_NUMBER(117, 147) }, \
	{ "getresuid", NAMES_NUMBER(118, 148) }, \
	{ "setresgid", NAMES_NUMBER(119, 149) }, \
	{ "getresgid", NAMES_NUMBER(120, 150) }, \
	{ "getpgid", NAMES_NUMBER(121, 155) }, \
	{ "setfsuid", NAMES_NUMBER(122, 151) }, \
	{ "setfsgid", NAMES_NUMBER(123, 152) }, \
	{ "getsid", NAMES_NUMBER(124, 156) }, \
	{ "capget", NAMES_NUMBER(125, 90) }, \
	{ "capset", NAMES_NUMBER(126, 91) }, \
	{ "rt_sigpending", NAMES_NUMBER(127, 136) }, \
	{ "rt_sigtimedwait", NAMES_NUMBER(128, 137) }, \
	{ "rt_sigqueueinfo", NAMES_NUMBER(129, 138) }, \
	{ "rt_sigsuspend", NAMES_NUMBER(130, 133) }, \
	{ "sigaltstack", NAMES_NUMBER(131, 132) }, \
	{ "utime", NAMES_NUMBER(132, -1) }, \
	{ "mknod", NAMES_NUMBER(133, -1) }, \
	{ "uselib", NAMES_NUMBER(134, -1) }, \
	{ "personality", NAMES_NUMBER(135, 92) }, \
	{ "ustat", NAMES_NUMBER(136, -1) }, \
	{ "statfs", NAMES_NUMBER(137, 43) }, \
	{ "fstatfs", NAMES_NUMBER(138, 44) }, \
	{ "sysfs", NAMES_NUMBER(139, -1) }, \
	{ "getpriority", NAMES_NUMBER(140, 141) }, \
	{ "setpriority", NAMES_NUMBER(141, 140) }, \
	{ "sched_setparam", NAMES_NUMBER(142, 118) }, \
	{ "sched_getparam", NAMES_NUMBER(143, 121) }, \
	{ "sched_setscheduler", NAMES_NUMBER(144, 119) }, \
	{ "sched_getscheduler", NAMES_NUMBER(145, 120) }, \
	{ "sched_get_priority_max", NAMES_NUMBER(146, 125) }, \
	{ "sched_get_priority_min", NAMES_NUMBER(147, 126) }, \
	{ "sched_rr_get_interval", NAMES_NUMBER(148, 127) }, \
	{ "mlock", NAMES_NUMBER(149, 228) }, \
	{ "munlock", NAMES_NUMBER(150, 229) }, \
	{ "mlockall", NAMES_NUMBER(151, 230) }, \
	{ "munlockall", NAMES_NUMBER(152, 231) }, \
	{ "vhangup", NAMES_NUMBER(153, 58) }, \
	{ "modify_ldt", NAMES_NUMBER(154, -1) }, \
	{ "pivot_root", NAMES_NUMBER(155, 41) }, \
	{ "_sysctl", NAMES_NUMBER(156, -1) }, \
	{ "prctl", NAMES_NUMBER(157, 167) }, \
	{ "arch_prctl", NAMES_NUMBER(158, -1) }, \
	{ "adjtimex", NAMES_NUMBER(159, 171) }, \
	{ "setrlimit", NAMES_NUMBER(160, 164) }, \
	{ "chroot", NAMES_NUMBER(161, 51) }, \
	{ "sync", NAMES_NUMBER(162, 81) }, \
	{ "acct", NAMES_NUMBER(163, 89) }, \
	{ "settimeofday", NAMES_NUMBER(164, 170) }, \
	{ "mount", NAMES_NUMBER(165, 40) }, \
	{ "umount2", NAMES_NUMBER(166, 39) }, \
	{ "swapon", NAMES_NUMBER(167, 224) }, \
	{ "swapoff", NAMES_NUMBER(168, 225) }, \
	{ "reboot", NAMES_NUMBER(169, 142) }, \
	{ "sethostname", NAMES_NUMBER(170, 161) }, \
	{ "setdomainname", NAMES_NUMBER(171, 162) }, \
	{ "iopl", NAMES_NUMBER(172, -1) }, \
	{ "ioperm", NAMES_NUMBER(173, -1) }, \
	{ "create_module", NAMES_NUMBER(174, -1) }, \
	{ "init_module", NAMES_NUMBER(175, 105) }, \
	{ "delete_module", NAMES_NUMBER(176, 106) }, \
	{ "get_kernel_syms", NAMES_NUMBER(177, -1) }, \
	{ "query_module", NAMES_NUMBER(178, -1) }, \
	{ "quotactl", NAMES_NUMBER(179, 60) }, \
	{ "nfsservctl", NAMES_NUMBER(180, 42) }, \
	{ "getpmsg", NAMES_NUMBER(181, -1) }, \
	{ "putpmsg", NAMES_NUMBER(182, -1) }, \
	{ "afs_syscall", NAMES_NUMBER(183, -1) }, \
	{ "tuxcall", NAMES_NUMBER(184, -1) }, \
	{ "security", NAMES_NUMBER(185, -1) }, \
	{ "gettid", NAMES_NUMBER(186, 178) }, \
	{ "readahead", NAMES_NUMBER(187, 213) }, \
	{ "setxattr", NAMES_NUMBER(188, 5) }, \
	{ "lsetxattr", NAMES_NUMBER(189, 6) }, \
	{ "fsetxattr", NAMES_NUMBER(190, 7) }, \
	{ "getxattr", NAMES_NUMBER(191, 8) }, \
	{ "lgetxattr", NAMES_NUMBER(192, 9) }, \
	{ "fgetxattr", NAMES_NUMBER(193, 10) }, \
	{ "listxattr", NAMES_NUMBER(194, 11) }, \
	{ "llistxattr", NAMES_NUMBER(195, 12) }, \
	{ "flistxattr", NAMES_NUMBER(196, 13) }, \
	{ "removexattr", NAMES_NUMBER(197, 14) }, \
	{ "lremovexattr", NAMES_NUMBER(198, 15) }, \
	{ "fremovexattr", NAMES_NUMBER(199, 16) }, \
	{ "tkill", NAMES_NUMBER(200, 130) }, \
	{ "time", NAMES_NUMBER(201, -1) }, \
	{ "futex", NAMES_NUMBER(202, 98) }, \
	{ "sched_setaffinity", NAMES_NUMBER(203, 122) }, \
	{ "sched_getaffinity", NAMES_NUMBER(204, 123) }, \
	{ "set_thread_area", NAMES_NUMBER(205, -1) }, \
	{ "io_setup", NAMES_NUMBER(206, 0) }, \
	{ "io_destroy", NAMES_NUMBER(207, 1) }, \
	{ "io_getevents", NAMES_NUMBER(208, 4) }, \
	{ "io_submit", NAMES_NUMBER(209, 2) }, \
	{ "io_cancel", NAMES_NUMBER(210, 3) }, \
	{ "get_thread_area", NAMES_NUMBER(211, -1) }, \
	{ "lookup_dcookie", NAMES_NUMBER(212, 18) }, \
	{ "epoll_create", NAMES_NUMBER(213, -1) }, \
	{ "epoll_ctl_old", NAMES_NUMBER(214, -1) }, \
	{ "epoll_wait_old", NAMES_NUMBER(215, -1) }, \
	{ "remap_file_pages", NAMES_NUMBER(216, 234) }, \
	{ "getdents64", NAMES_NUMBER(217, 61) }, \
	{ "set_tid_address", NAMES_NUMBER(218, 96) }, \
	{ "restart_syscall", NAMES_NUMBER(219, 128) }, \
	{ "semtimedop", NAMES_NUMBER(220, 192) }, \
	{ "fadvise64", NAMES_NUMBER(221, 223) }, \
	{ "timer_create", NAMES_NUMBER(222, 107) }, \
	{ "timer_settime", NAMES_NUMBER(223, 110) }, \
	{ "timer_gettime", NAMES_NUMBER(224, 108) }, \
	{ "timer_getoverrun", NAMES_NUMBER(225, 109) }, \
	{ "timer_delete", NAMES_NUMBER(226, 111) }, \
	{ "clock_settime", NAMES_NUMBER(227, 112) }, \
	{ "clock_gettime", NAMES_NUMBER(228, 113) }, \
	{ "clock_getres", NAMES_NUMBER(229, 114) }, \
	{ "clock_nanosleep", NAMES_NUMBER(230, 115) }, \
	{ "exit_group", NAMES_NUMBER(231, 94) }, \
	{ "epoll_wait", NAMES_NUMBER(232, -1) }, \
	{ "epoll_ctl", NAMES_NUMBER(233, 21) }, \
	{ "tgkill", NAMES_NUMBER(234, 131) }, \
	{ "utimes", NAMES_NUMBER(235, -1) }, \
	{ "vserver", NAMES_NUMBER(236, -1) }, \
	{ "mbind", NAMES_NUMBER(237, 235) }, \
	{ "set_mempolicy", NAMES_NUMBER(238, 237) }, \
	{ "get_mempolicy", NAMES_NUMBER(239, 236) }, \
	{ "mq_open", NAMES_NUMBER(240, 180) }, \
	{ "mq_unlink", NAMES_NUMBER(241, 181) }, \
	{ "mq_timedsend", NAMES_NUMBER(242, 182) }, \
	{ "mq_timedreceive", NAMES_NUMBER(243, 183) }, \
	{ "mq_notify", NAMES_NUMBER(244, 184) }, \
	{ "mq_getsetattr", NAMES_NUMBER(245, 185) }, \
	{ "kexec_load", NAMES_NUMBER(246, 104) }, \
	{ "waitid", NAMES_NUMBER(247, 95) }, \
	{ "add_key", NAMES_NUMBER(248, 217) }, \
	{ "request_key", NAMES_NUMBER(249, 218) }, \
	{ "keyctl", NAMES_NUMBER(250, 219) }, \
	{ "ioprio_set", NAMES_NUMBER(251, 30) }, \
	{ "ioprio_get", NAMES_NUMBER(252, 31) }, \
	{ "inotify_init", NAMES_NUMBER(253, -1) }, \
	{ "inotify_add_watch", NAMES_NUMBER(254, 27) }, \
	{ "inotify_rm_watch", NAMES_NUMBER(255, 28) }, \
	{ "migrate_pages", NAMES_NUMBER(256, 238) }, \
	{ "openat", NAMES_NUMBER(257, 56) }, \
	{ "mkdirat", NAMES_NUMBER(258, 34) }, \
	{ "mknodat", NAMES_NUMBER(259, 33) }, \
	{ "fchownat", NAMES_NUMBER(260, 54) }, \
	{ "futimesat", NAMES_NUMBER(261, -1) }, \
	{ "newfstatat", NAMES_NUMBER(262, 79) }, \
	{ "unlinkat", NAMES_NUMBER(263, 35) }, \
	{ "renameat", NAMES_NUMBER(264, 38) }, \
	{ "linkat", NAMES_NUMBER(265, 37) }, \
	{ "symlinkat", NAMES_NUMBER(266, 36) }, \
	{ "readlinkat", NAMES_NUMBER(267, 78) }, \
	{ "fchmodat", NAMES_NUMBER(268, 53) }, \
	{ "faccessat", NAMES_NUMBER(269, 48) }, \
	{ "pselect6", NAMES_NUMBER(270, 72) }, \
	{ "ppoll", NAMES_NUMBER(271, 73) }, \
	{ "unshare", NAMES_NUMBER(272, 97) }, \
	{ "set_robust_list", NAMES_NUMBER(273, 99) }, \
	{ "get_robust_list", NAMES_NUMBER(274, 100) }, \
	{ "splice", NAMES_NUMBER(275, 76) }, \
	{ "tee", NAMES_NUMBER(276, 77) }, \
	{ "sync_file_range", NAMES_NUMBER(277, 84) }, \
	{ "vmsplice", NAMES_NUMBER(278, 75) }, \
	{ "move_pages", NAMES_NUMBER(279, 239) }, \
	{ "utimensat", NAMES_NUMBER(280, 88) }, \
	{ "epoll_pwait", NAMES_NUMBER(281, 22) }, \
	{ "signalfd", NAMES_NUMBER(282, -1) }, \
	{ "timerfd_create", NAMES_NUMBER(283, 85) }, \
	{ "eventfd", NAMES_NUMBER(284, -1) }, \
	{ "fallocate", NAMES_NUMBER(285, 47) }, \
	{ "timerfd_settime", NAMES_NUMBER(286, 86) }, \
	{ "timerfd_gettime", NAMES_NUMBER(287, 87) }, \
	{ "accept4", NAMES_NUMBER(288, 242) }, \
	{ "signalfd4", NAMES_NUMBER(289, 74) }, \
	{ "eventfd2", NAMES_NUMBER(290, 19) }, \
	{ "epoll_create1", NAMES_NUMBER(291, 20) }, \
	{ "dup3", NAMES_NUMBER(292, 24) }, \
	{ "pipe2", NAMES_NUMBER(293, 59) }, \
	{ "inotify_init1", NAMES_NUMBER(294, 26) }, \
	{ "preadv", NAMES_NUMBER(295, 69) }, \
	{ "pwritev", NAMES_NUMBER(296, 70) }, \
	{ "rt_tgsigqueueinfo", NAMES_NUMBER(297, 240) }, \
	{ "perf_event_open", NAMES_NUMBER(298, 241) }, \
	{ "recvmmsg", NAMES_NUMBER(299, 243) }, \
	{ "fanotify_init", NAMES_NUMBER(300, 262) }, \
	{ "fanotify_mark", NAMES_NUMBER(301, 263) }, \
	{ "prlimit64", NAMES_NUMBER(302, 261) }, \
	{ "name_to_handle_at", NAMES_NUMBER(303, 264) }, \
	{ "open_by_handle_at", NAMES_NUMBER(304, 265) }, \
	{ "clock_adjtime", NAMES_NUMBER(305, 266) }, \
	{ "syncfs", NAMES_NUMBER(306, 267) }, \
	{ "sendmmsg", NAMES_NUMBER(307, 269) }, \
	{ "setns", NAMES_NUMBER(308, 268) }, \
	{ "getcpu", NAMES_NUMBER(309, 168) }, \
	{ "process_vm_readv", NAMES_NUMBER(310, 270) }, \
	{ "process_vm_writev", NAMES_NUMBER(311, 271) }, \
	{ "kcmp", NAMES_NUMBER(312, 272) }, \
	{ "finit_module", NAMES_NUMBER(313, 273) }, \
	{ "sched_setattr", NAMES_NUMBER(314, 274) }, \
	{ "sched_getattr", NAMES_NUMBER(315, 275) }, \
	{ "renameat2", NAMES_NUMBER(316, 276) }, \
	{ "seccomp", NAMES_NUMBER(317, 277) }, \
	{ "getrandom", NAMES_NUMBER(318, 278) }, \
	{ "memfd_create", NAMES_NUMBER(319, 279) }, \
	{ "kexec_file_load", NAMES_NUMBER(320, 294) }, \
	{ "bpf", NAMES_NUMBER(321, 280) }, \
	{ "execveat", NAMES_NUMBER(322, 281) }, \
	{ "userfaultfd", NAMES_NUMBER(323, 282) }, \
	{ "membarrier", NAMES_NUMBER(324, 283) }, \
	{ "mlock2", NAMES_NUMBER(325, 284) }, \
	{ "copy_file_range", NAMES_NUMBER(326, 285) }, \
	{ "preadv2", NAMES_NUMBER(327, 286) }, \
	{ "pwritev2", NAMES_NUMBER(328, 287) }, \
	{ "pkey_mprotect", NAMES_NUMBER(329, 288) }, \
	{ "pkey_alloc", NAMES_NUMBER(330, 289) }, \
	{ "pkey_free", NAMES_NUMBER(331, 290) }, \
	{ "statx", NAMES_NUMBER(332, 291) }, \
	{ "io_pgetevents", NAMES_NUMBER(333, 292) }, \
	{ "rseq", NAMES_NUMBER(334, 293) }, \
	{ "uretprobe", NAMES_NUMBER(335, -1) }, \
	{ "uprobe", NAMES_NUMBER(336, -1) }, \
	{ "pidfd_send_signal", NAMES_NUMBER(424, 424) }, \
	{ "io_uring_setup", NAMES_NUMBER(425, 425) }, \
	{ "io_uring_enter", NAMES_NUMBER(426, 426) }, \
	{ "io_uring_register", NAMES_NUMBER(427, 427) }, \
	{ "open_tree", NAMES_NUMBER(428, 428) }, \
	{ "move_mount", NAMES_NUMBER(429, 429) }, \
	{ "fsopen", NAMES_NUMBER(430, 430) }, \
	{ "fsconfig", NAMES_NUMBER(431, 431) }, \
	{ "fsmount", NAMES_NUMBER(432, 432) }, \
	{ "fspick", NAMES_NUMBER(433, 433) }, \
	{ "pidfd_open", NAMES_NUMBER(434, 434) }, \
	{ "clone3", NAMES_NUMBER(435, 435) }, \
	{ "close_range", NAMES_NUMBER(436, 436) }, \
	{ "openat2", NAMES_NUMBER(437, 437) }, \
	{ "pidfd_getfd", NAMES_NUMBER(438, 438) }, \
	{ "faccessat2", NAMES_NUMBER(439, 439) }, \
	{ "process_madvise", NAMES_NUMBER(440, 440) }, \
	{ "epoll_pwait2", NAMES_NUMBER(441, 441) }, \
	{ "mount_setattr", NAMES_NUMBER(442, 442) }, \
	{ "quotactl_fd", NAMES_NUMBER(443, 443) }, \
	{ "landlock_create_ruleset", NAMES_NUMBER(444, 444) }, \
	{ "landlock_add_rule", NAMES_NUMBER(445, 445) }, \
	{ "landlock_restrict_self", NAMES_NUMBER(446, 446) }, \
	{ "memfd_secret", NAMES_NUMBER(447, 447) }, \
	{ "process_mrelease", NAMES_NUMBER(448, 448) }, \
	{ "futex_waitv", NAMES_NUMBER(449, 449) }, \
	{ "set_mempolicy_home_node", NAMES_NUMBER(450, 450) }, \
	{ "cachestat", NAMES_NUMBER(451, 451) }, \
	{ "fchmodat2", NAMES_NUMBER(452, 452) }, \
	{ "map_shadow_stack", NAMES_NUMBER(453, 453) }, \
	{ "futex_wake", NAMES_NUMBER(454, 454) }, \
	{ "futex_wait", NAMES_NUMBER(455, 455) }, \
	{ "futex_requeue", NAMES_NUMBER(456, 456) }, \
	{ "statmount", NAMES_NUMBER(457, 457) }, \
	{ "listmount", NAMES_NUMBER(458, 458) }, \
	{ "lsm_get_self_attr", NAMES_NUMBER(459, 459) }, \
	{ "lsm_set_self_attr", NAMES_NUMBER(460, 460) }, \
	{ "lsm_list_modules", NAMES_NUMBER(461, 461) }, \
	{ "mseal", NAMES_NUMBER(462, 462) }, \
	{ "setxattrat", NAMES_NUMBER(463, 463) }, \
	{ "getxattrat", NAMES_NUMBER(464, 464) }, \
	{ "listxattrat", NAMES_NUMBER(465, 465) }, \
	{ "removexattrat", NAMES_NUMBER(466, 466) }, \
	{ "open_tree_attr", NAMES_NUMBER(467, 467) }, \
	{ "file_getattr", NAMES_NUMBER(468, 468) }, \
	{ "file_setattr", NAMES_NUMBER(469, 469) }, \

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
	{ "NONBLOCK", BATCH_REASON_NONBLOCK }, \

#endif /* FERRY_TESTS_CONFORMANCE_NAMES_H */
