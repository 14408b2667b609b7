# SPDX-License-Identifier: BSD-3-Clause
"""Every name that a host language keeps to itself, in one place: spec/interface.md, I3, says what is done about them.

A name that meets one of these, or one that was given out before it in the same scope, gets `_` appended until it meets
none (`names.Scope`). No name of a description ends with `_`, so nothing else has that name already.

The lists are text and not asked of this machine's compiler or Python, so that bindings are the same wherever they are
written. What generated code has of its own is in tables beside those of the languages: tests/bindgen/test_declared.py
collects it from the files themselves, and fails where a table lacks a name. tests/bindgen/test_adversarial.py takes
names from all tables and compiles what comes out.
"""

from __future__ import annotations

from ferry.bindgen.names import listed

#: No library is called so: it would be a shared object, a package or a crate that is another one.
LIBRARIES = listed("c crypt dl ferry ferry_ingress ferryingress ferryomp gcc ingress m pthread rt stdc util")

# ---- C and C++ ------------------------------------------------------------------------------------------------------

#: Keywords of C up to C23 and of C++ up to C++23, since headers are read by both.
C_KEYWORDS = listed("""
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case
    catch char char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast
    consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public reflexpr register reinterpret_cast requires restrict
    return short signed sizeof static static_assert static_cast struct switch synchronized template this
    thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual void
    volatile wchar_t while xor xor_eq
""")
#: Macros of gcc and of the C library whose names are in lower case.
C_MACROS = listed("""
    alloca assert be16toh be32toh be64toh errno htobe16 htobe32 htobe64 htole16 htole32 htole64 i386 isfinite
    isinf isnan isnormal le16toh le32toh le64toh linux major makedev minor offsetof signbit stderr stdin stdout
    strdupa strndupa unix
""")
#: Macros of the C library that have a `_` within, as a constant or an enum's value of ours always has.
C_MACROS_UPPER = listed("""
    BIG_ENDIAN BYTE_ORDER EXIT_FAILURE EXIT_SUCCESS FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO FILENAME_MAX
    FOPEN_MAX INT16_C INT16_MAX INT16_MIN INT16_WIDTH INT32_C INT32_MAX INT32_MIN INT32_WIDTH INT64_C INT64_MAX
    INT64_MIN INT64_WIDTH INT8_C INT8_MAX INT8_MIN INT8_WIDTH INTMAX_C INTMAX_MAX INTMAX_MIN INTMAX_WIDTH
    INTPTR_MAX INTPTR_MIN INTPTR_WIDTH INT_FAST16_MAX INT_FAST16_MIN INT_FAST16_WIDTH INT_FAST32_MAX
    INT_FAST32_MIN INT_FAST32_WIDTH INT_FAST64_MAX INT_FAST64_MIN INT_FAST64_WIDTH INT_FAST8_MAX INT_FAST8_MIN
    INT_FAST8_WIDTH INT_LEAST16_MAX INT_LEAST16_MIN INT_LEAST16_WIDTH INT_LEAST32_MAX INT_LEAST32_MIN
    INT_LEAST32_WIDTH INT_LEAST64_MAX INT_LEAST64_MIN INT_LEAST64_WIDTH INT_LEAST8_MAX INT_LEAST8_MIN
    INT_LEAST8_WIDTH LITTLE_ENDIAN MB_CUR_MAX PDP_ENDIAN PTRDIFF_MAX PTRDIFF_MIN PTRDIFF_WIDTH RAND_MAX
    RENAME_EXCHANGE RENAME_NOREPLACE RENAME_WHITEOUT SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET
    SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_ATOMIC_WIDTH SIZE_MAX SIZE_WIDTH TMP_MAX UINT16_C UINT16_MAX UINT16_WIDTH
    UINT32_C UINT32_MAX UINT32_WIDTH UINT64_C UINT64_MAX UINT64_WIDTH UINT8_C UINT8_MAX UINT8_WIDTH UINTMAX_C
    UINTMAX_MAX UINTMAX_WIDTH UINTPTR_MAX UINTPTR_WIDTH UINT_FAST16_MAX UINT_FAST16_WIDTH UINT_FAST32_MAX
    UINT_FAST32_WIDTH UINT_FAST64_MAX UINT_FAST64_WIDTH UINT_FAST8_MAX UINT_FAST8_WIDTH UINT_LEAST16_MAX
    UINT_LEAST16_WIDTH UINT_LEAST32_MAX UINT_LEAST32_WIDTH UINT_LEAST64_MAX UINT_LEAST64_WIDTH UINT_LEAST8_MAX
    UINT_LEAST8_WIDTH WCHAR_MAX WCHAR_MIN WCHAR_WIDTH WINT_MAX WINT_MIN WINT_WIDTH
""")
#: Macros of the C library that are written as a type of a description can be.
CPP_MACROS_CAMEL = listed("""
    BUFSIZ CSIGNAL E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD
    EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED
    ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH
    EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED
    EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE
    EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS
    ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT
    ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP
    ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT
    EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH
    ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL
    INFINITY MAXFLOAT MINSIGSTKSZ NAN NFDBITS NGREG NSIG NULL NZERO SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD
    SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX
    SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1
    SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SNAN SNANF SNANF128 SNANF32 SNANF32X SNANF64 SNANF64X SNANL
    WCONTINUED WEOF WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED
    WSTOPSIG WTERMSIG WUNTRACED
""")
#: Types of the C library, which a member of a struct may not be called in C++.
C_TYPES = listed("""
    blkcnt64_t blkcnt_t blksize_t caddr_t clock_t clockid_t comparison_fn_t cookie_close_function_t
    cookie_io_functions_t cookie_read_function_t cookie_seek_function_t cookie_write_function_t daddr_t dev_t
    div_t fpos64_t fpos_t fsblkcnt64_t fsblkcnt_t fsfilcnt64_t fsfilcnt_t fsid_t gid_t id_t ino64_t ino_t
    int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t
    int_least32_t int_least64_t int_least8_t intmax_t intptr_t key_t ldiv_t lldiv_t locale_t loff_t max_align_t
    mode_t nlink_t off64_t off_t pid_t pthread_attr_t pthread_barrier_t pthread_barrierattr_t pthread_cond_t
    pthread_condattr_t pthread_key_t pthread_mutex_t pthread_mutexattr_t pthread_once_t pthread_rwlock_t
    pthread_rwlockattr_t pthread_spinlock_t pthread_t ptrdiff_t quad_t register_t sigset_t size_t ssize_t
    suseconds_t time_t timer_t u_int16_t u_int32_t u_int64_t u_int8_t u_quad_t uid_t uint16_t uint32_t uint64_t
    uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t
    uint_least8_t uintmax_t uintptr_t useconds_t wchar_t
""")
#: What the C library declares with a `_` within, as a function or a struct of ours always has.
C_GLOBALS = listed("""
    aio_cancel aio_read aio_write aligned_alloc arc4random_buf arc4random_uniform at_quick_exit blkcnt64_t
    blkcnt_t blksize_t caddr_t canonicalize_file_name clearerr_unlocked clock_getres clock_gettime
    clock_nanosleep clock_settime clock_t clockid_t comparison_fn_t cookie_close_function_t
    cookie_io_functions_t cookie_read_function_t cookie_seek_function_t cookie_write_function_t daddr_t
    dev_t div_t dl_find_object drand48_data drand48_r ecvt_r epoll_create epoll_ctl epoll_data epoll_event
    epoll_wait erand48_r explicit_bzero f_owner_ex fcvt_r fd_mask fd_set feof_unlocked ferror_unlocked
    fflush_unlocked fgetc_unlocked fgets_unlocked file_handle fileno_unlocked fpos64_t fpos_t fputc_unlocked
    fputs_unlocked fread_unlocked fsblkcnt64_t fsblkcnt_t fsfilcnt64_t fsfilcnt_t fsid_t fwrite_unlocked
    getc_unlocked getchar_unlocked gid_t group_filter group_req group_source_req id_t in6_addr in6_pktinfo
    in_addr in_pktinfo initstate_r ino64_t ino_t inotify_event int16_t int32_t int64_t int8_t int_fast16_t
    int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t
    intptr_t ip6_mtuinfo ip_mreq ip_mreq_source ip_mreqn ip_msfilter ip_opts ipv6_mreq jrand48_r key_t
    lcong48_r ldiv_t link_map lldiv_t locale_t loff_t lrand48_r max_align_t mode_t mq_attr mq_close mq_open
    mq_receive mq_send mrand48_r nlink_t nrand48_r obstack_printf obstack_vprintf off64_t off_t on_exit
    open_memstream pid_t posix_memalign posix_openpt posix_spawn pthread_attr_t pthread_barrier_t
    pthread_barrierattr_t pthread_cond_t pthread_condattr_t pthread_create pthread_join pthread_key_t
    pthread_kill pthread_mutex_t pthread_mutexattr_t pthread_once_t pthread_rwlock_t pthread_rwlockattr_t
    pthread_self pthread_spinlock_t pthread_t ptrdiff_t ptsname_r putc_unlocked putchar_unlocked qecvt_r
    qfcvt_r qsort_r quad_t quick_exit rand_r random_data random_r register_t sched_yield secure_getenv
    seed48_r sem_close sem_open sem_post sem_wait setstate_r shm_open shm_unlink sigabbrev_np sigdescr_np
    sigset_t size_t sockaddr_at sockaddr_ax25 sockaddr_dl sockaddr_eon sockaddr_in sockaddr_in6
    sockaddr_inarp sockaddr_ipx sockaddr_iso sockaddr_ns sockaddr_storage sockaddr_un sockaddr_x25 srand48_r
    srandom_r ssize_t statx_timestamp strcasecmp_l strcoll_l strerror_l strerror_r strerrordesc_np
    strerrorname_np strncasecmp_l strtod_l strtof128_l strtof32_l strtof32x_l strtof64_l strtof64x_l
    strtof_l strtok_r strtol_l strtold_l strtoll_l strtoul_l strtoull_l strxfrm_l suseconds_t time_t
    timer_create timer_delete timer_gettime timer_settime timer_t tmpnam_r u_char u_int u_int16_t u_int32_t
    u_int64_t u_int8_t u_long u_quad_t u_short ucontext_t uid_t uint16_t uint32_t uint64_t uint8_t
    uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t
    uint_least8_t uintmax_t uintptr_t useconds_t va_list wchar_t
""")
#: Headers: `include/time.h` of a library `time` would hide them.
C_HEADERS = listed("""
    aio alloca argp arpa assert byteswap complex cpio crypt ctype dirent dlfcn elf endian envz err errno error
    execinfo fcntl features fenv float fmtmsg fnmatch fts ftw gconv getopt glob grp iconv ifaddrs inttypes
    iso646 langinfo libgen libintl limits link locale malloc math memory mntent monetary mqueue ndbm netdb nss
    obstack paths poll printf proc pthread pty pwd regex resolv sched search semaphore setjmp sgtty shadow
    signal spawn stab stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings
    stropts syscall syslog tar termio termios tgmath threads time trace ttyent uchar ucontext ulimit unistd
    utime utmp utmpx values varargs version wait wchar wctype wordexp
""")
#: What generated C has of its own in functions: parameters, locals, and functions without a prefix.
C_LOCALS = listed("""
    asked buffer bytes call chain context data error event id inbox item listener memset number options reply result
    room status submitted tag timeout_ns user value whole wire
""")
#: Functions and macros that generated C has of its own, after the library's name and `_`.
C_FUNCTIONS = listed("check")
C_OWN_MACROS = listed("CBOR_H C_H H INTERFACE_HASH TYPES_H VERSION WIRE")
#: What begins with these is Ferry's, and so is what begins with the library's own name.
C_PREFIXES = ("ferry_", "ingress_")
#: What the C library has outside of any namespace, so that a namespace cannot be called so.
CPP_GLOBALS = listed("""
    a64l abort abs accept accept4 access acct acos acosf acosf128 acosf32 acosf32x acosf64 acosf64x acosh
    acoshf acoshf128 acoshf32 acoshf32x acoshf64 acoshf64x acoshl acosl addrinfo aiocb aiocb64 aioinit alarm
    alloca arc4random asctime asin asinf asinf128 asinf32 asinf32x asinf64 asinf64x asinh asinhf asinhf128
    asinhf32 asinhf32x asinhf64 asinhf64x asinhl asinl asprintf atan atan2 atan2f atan2f128 atan2f32
    atan2f32x atan2f64 atan2f64x atan2l atanf atanf128 atanf32 atanf32x atanf64 atanf64x atanh atanhf
    atanhf128 atanhf32 atanhf32x atanhf64 atanhf64x atanhl atanl atexit atof atoi atol atoll basename bcmp
    bcopy bind brk bsearch btowc bzero calloc canonicalize canonicalizef canonicalizef128 canonicalizef32
    canonicalizef32x canonicalizef64 canonicalizef64x canonicalizel cbrt cbrtf cbrtf128 cbrtf32 cbrtf32x
    cbrtf64 cbrtf64x cbrtl ceil ceilf ceilf128 ceilf32 ceilf32x ceilf64 ceilf64x ceill chdir chmod chown
    chroot clearenv clearerr clock clone close closefrom cmsghdr compare confstr connect copysign copysignf
    copysignf128 copysignf32 copysignf32x copysignf64 copysignf64x copysignl cos cosf cosf128 cosf32 cosf32x
    cosf64 cosf64x cosh coshf coshf128 coshf32 coshf32x coshf64 coshf64x coshl cosl creat creat64 crypt
    ctermid ctime cuserid daddl daemon ddivl dfmal difftime dirent dirent64 div dmull dprintf drand48 drem
    dremf dreml dsqrtl dsubl dup dup2 dup3 duplocale dysize eaccess ecvt endusershell environ erand48 erf
    erfc erfcf erfcf128 erfcf32 erfcf32x erfcf64 erfcf64x erfcl erff erff128 erff32 erff32x erff64 erff64x
    erfl euidaccess execl execle execlp execv execve execveat execvp execvpe exit exp exp10 exp10f exp10f128
    exp10f32 exp10f32x exp10f64 exp10f64x exp10l exp2 exp2f exp2f128 exp2f32 exp2f32x exp2f64 exp2f64x exp2l
    expf expf128 expf32 expf32x expf64 expf64x expl expm1 expm1f expm1f128 expm1f32 expm1f32x expm1f64
    expm1f64x expm1l f32addf128 f32addf32x f32addf64 f32addf64x f32divf128 f32divf32x f32divf64 f32divf64x
    f32fmaf128 f32fmaf32x f32fmaf64 f32fmaf64x f32mulf128 f32mulf32x f32mulf64 f32mulf64x f32sqrtf128
    f32sqrtf32x f32sqrtf64 f32sqrtf64x f32subf128 f32subf32x f32subf64 f32subf64x f32xaddf128 f32xaddf64
    f32xaddf64x f32xdivf128 f32xdivf64 f32xdivf64x f32xfmaf128 f32xfmaf64 f32xfmaf64x f32xmulf128 f32xmulf64
    f32xmulf64x f32xsqrtf128 f32xsqrtf64 f32xsqrtf64x f32xsubf128 f32xsubf64 f32xsubf64x f64addf128
    f64addf64x f64divf128 f64divf64x f64fmaf128 f64fmaf64x f64mulf128 f64mulf64x f64sqrtf128 f64sqrtf64x
    f64subf128 f64subf64x f64xaddf128 f64xdivf128 f64xfmaf128 f64xmulf128 f64xsqrtf128 f64xsubf128 fabs
    fabsf fabsf128 fabsf32 fabsf32x fabsf64 fabsf64x fabsl faccessat fadd faddl fallocate fallocate64 fchdir
    fchmod fchmodat fchown fchownat fclose fcloseall fcntl fcntl64 fcvt fdatasync fdim fdimf fdimf128
    fdimf32 fdimf32x fdimf64 fdimf64x fdiml fdiv fdivl fdopen feof ferror ferry fexecve fflush ffma ffmal
    ffs ffsl ffsll fgetc fgetpos fgetpos64 fgets fgetwc fgetws fileno finite finitef finitel flock flock64
    flockfile floor floorf floorf128 floorf32 floorf32x floorf64 floorf64x floorl fma fmaf fmaf128 fmaf32
    fmaf32x fmaf64 fmaf64x fmal fmax fmaxf fmaxf128 fmaxf32 fmaxf32x fmaxf64 fmaxf64x fmaximum fmaximumf
    fmaximumf128 fmaximumf32 fmaximumf32x fmaximumf64 fmaximumf64x fmaximuml fmaxl fmaxmag fmaxmagf
    fmaxmagf128 fmaxmagf32 fmaxmagf32x fmaxmagf64 fmaxmagf64x fmaxmagl fmemopen fmin fminf fminf128 fminf32
    fminf32x fminf64 fminf64x fminimum fminimumf fminimumf128 fminimumf32 fminimumf32x fminimumf64
    fminimumf64x fminimuml fminl fminmag fminmagf fminmagf128 fminmagf32 fminmagf32x fminmagf64 fminmagf64x
    fminmagl fmod fmodf fmodf128 fmodf32 fmodf32x fmodf64 fmodf64x fmodl fmul fmull fopen fopen64
    fopencookie fork fpathconf fprintf fputc fputs fputwc fputws fread free freelocale freopen freopen64
    frexp frexpf frexpf128 frexpf32 frexpf32x frexpf64 frexpf64x frexpl fromfp fromfpf fromfpf128 fromfpf32
    fromfpf32x fromfpf64 fromfpf64x fromfpl fromfpx fromfpxf fromfpxf128 fromfpxf32 fromfpxf32x fromfpxf64
    fromfpxf64x fromfpxl fscanf fseek fseeko fseeko64 fsetpos fsetpos64 fsqrt fsqrtl fstat fstat64 fstatat
    fstatat64 fsub fsubl fsync ftell ftello ftello64 ftruncate ftruncate64 ftrylockfile funlockfile futimens
    fwide fwprintf fwrite fwscanf gaicb gamma gammaf gammal gcvt getc getchar getcpu getcwd getdate getdelim
    getdomainname getdtablesize getegid getentropy getenv geteuid getgid getgroups gethostid gethostname
    getline getloadavg getlogin getopt getpagesize getpass getpayload getpayloadf getpayloadf128
    getpayloadf32 getpayloadf32x getpayloadf64 getpayloadf64x getpayloadl getpeername getpgid getpgrp getpid
    getppid getpt getresgid getresuid gets getsid getsockname getsockopt getsubopt gettid getuid getumask
    getusershell getw getwc getwchar getwd gmtime grantpt group gsignal hostent hypot hypotf hypotf128
    hypotf32 hypotf32x hypotf64 hypotf64x hypotl ilogb ilogbf ilogbf128 ilogbf32 ilogbf32x ilogbf64
    ilogbf64x ilogbl index initstate iovec isalnum isalpha isascii isatty isblank iscntrl isctype isdigit
    isfdtype isgraph isinf isinff isinfl islower isnan isnanf isnanl isprint ispunct isspace isupper
    isxdigit itimerspec itimerval j0 j0f j0f128 j0f32 j0f32x j0f64 j0f64x j0l j1 j1f j1f128 j1f32 j1f32x
    j1f64 j1f64x j1l jn jnf jnf128 jnf32 jnf32x jnf64 jnf64x jnl jrand48 kill killpg l64a labs lchmod lchown
    lcong48 lconv ldexp ldexpf ldexpf128 ldexpf32 ldexpf32x ldexpf64 ldexpf64x ldexpl ldiv lgamma lgammaf
    lgammaf128 lgammaf32 lgammaf32x lgammaf64 lgammaf64x lgammal linger link linkat listen llabs lldiv llogb
    llogbf llogbf128 llogbf32 llogbf32x llogbf64 llogbf64x llogbl llrint llrintf llrintf128 llrintf32
    llrintf32x llrintf64 llrintf64x llrintl llround llroundf llroundf128 llroundf32 llroundf32x llroundf64
    llroundf64x llroundl localeconv localtime lockf lockf64 log log10 log10f log10f128 log10f32 log10f32x
    log10f64 log10f64x log10l log1p log1pf log1pf128 log1pf32 log1pf32x log1pf64 log1pf64x log1pl log2 log2f
    log2f128 log2f32 log2f32x log2f64 log2f64x log2l logb logbf logbf128 logbf32 logbf32x logbf64 logbf64x
    logbl logf logf128 logf32 logf32x logf64 logf64x logl lrand48 lrint lrintf lrintf128 lrintf32 lrintf32x
    lrintf64 lrintf64x lrintl lround lroundf lroundf128 lroundf32 lroundf32x lroundf64 lroundf64x lroundl
    lseek lseek64 lstat lstat64 malloc mblen mbrlen mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc
    memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy memrchr memset mkdir mkdirat mkdtemp mkfifo
    mkfifoat mknod mknodat mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64
    mktemp mktime mmsghdr modf modff modff128 modff32 modff32x modff64 modff64x modfl mrand48 msghdr nan
    nanf nanf128 nanf32 nanf32x nanf64 nanf64x nanl nanosleep nearbyint nearbyintf nearbyintf128
    nearbyintf32 nearbyintf32x nearbyintf64 nearbyintf64x nearbyintl netent newlocale nextafter nextafterf
    nextafterf128 nextafterf32 nextafterf32x nextafterf64 nextafterf64x nextafterl nextdown nextdownf
    nextdownf128 nextdownf32 nextdownf32x nextdownf64 nextdownf64x nextdownl nexttoward nexttowardf
    nexttowardl nextup nextupf nextupf128 nextupf32 nextupf32x nextupf64 nextupf64x nextupl nice nrand48
    obstack open open64 openat openat64 option osockaddr passwd pathconf pause pclose perror pipe pipe2 poll
    pollfd popen pow powf powf128 powf32 powf32x powf64 powf64x powl pread pread64 printf profil protoent
    pselect psiginfo psignal ptsname putc putchar putenv puts putw putwc putwchar pwrite pwrite64 qecvt
    qfcvt qgcvt qsort raise rand random rawmemchr read readahead readlink readlinkat realloc reallocarray
    realpath recv recvfrom recvmmsg recvmsg remainder remainderf remainderf128 remainderf32 remainderf32x
    remainderf64 remainderf64x remainderl remove remquo remquof remquof128 remquof32 remquof32x remquof64
    remquof64x remquol rename renameat renameat2 revoke rewind rindex rint rintf rintf128 rintf32 rintf32x
    rintf64 rintf64x rintl rlimit rlimit64 rmdir round roundeven roundevenf roundevenf128 roundevenf32
    roundevenf32x roundevenf64 roundevenf64x roundevenl roundf roundf128 roundf32 roundf32x roundf64
    roundf64x roundl rpcent rpmatch rusage sbrk scalb scalbf scalbl scalbln scalblnf scalblnf128 scalblnf32
    scalblnf32x scalblnf64 scalblnf64x scalblnl scalbn scalbnf scalbnf128 scalbnf32 scalbnf32x scalbnf64
    scalbnf64x scalbnl scanf sched_param seed48 select send sendmmsg sendmsg sendto servent setbuf setbuffer
    setdomainname setegid setenv seteuid setgid sethostid sethostname setlinebuf setlocale setlogin setns
    setpayload setpayloadf setpayloadf128 setpayloadf32 setpayloadf32x setpayloadf64 setpayloadf64x
    setpayloadl setpayloadsig setpayloadsigf setpayloadsigf128 setpayloadsigf32 setpayloadsigf32x
    setpayloadsigf64 setpayloadsigf64x setpayloadsigl setpgid setpgrp setregid setresgid setresuid setreuid
    setsid setsockopt setstate setuid setusershell setvbuf shutdown sigaction sigaddset sigaltstack
    sigandset sigblock sigcontext sigdelset sigemptyset sigevent sigfillset siggetmask sighold sigignore
    siginterrupt sigisemptyset sigismember signal significand significandf significandl sigorset sigpause
    sigpending sigprocmask sigqueue sigrelse sigreturn sigset sigsetmask sigstack sigsuspend sigtimedwait
    sigval sigwait sigwaitinfo sin sincos sincosf sincosf128 sincosf32 sincosf32x sincosf64 sincosf64x
    sincosl sinf sinf128 sinf32 sinf32x sinf64 sinf64x sinh sinhf sinhf128 sinhf32 sinhf32x sinhf64 sinhf64x
    sinhl sinl size_t sleep snprintf sockaddr sockatmark socket socketpair splice sprintf sqrt sqrtf
    sqrtf128 sqrtf32 sqrtf32x sqrtf64 sqrtf64x sqrtl srand srand48 srandom sscanf ssignal stat stat64
    statvfs statvfs64 statx std stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp strcoll
    strcpy strcspn strdup strerror strfromd strfromf strfromf128 strfromf32 strfromf32x strfromf64
    strfromf64x strfroml strfry strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk
    strptime strrchr strsep strsignal strspn strstr strtod strtof strtof128 strtof32 strtof32x strtof64
    strtof64x strtok strtol strtold strtoll strtoq strtoul strtoull strtouq strverscmp strxfrm swab swprintf
    swscanf symlink symlinkat sync syncfs syscall sysconf sysinfo system tan tanf tanf128 tanf32 tanf32x
    tanf64 tanf64x tanh tanhf tanhf128 tanhf32 tanhf32x tanhf64 tanhf64x tanhl tanl tcgetpgrp tcsetpgrp tee
    tempnam termio termios tgamma tgammaf tgammaf128 tgammaf32 tgammaf32x tgammaf64 tgammaf64x tgammal
    tgkill time timegm timelocal timer timespec timeval timex timezone tm tmpfile tmpfile64 tmpnam tms
    toascii tolower totalorder totalorderf totalorderf128 totalorderf32 totalorderf32x totalorderf64
    totalorderf64x totalorderl totalordermag totalordermagf totalordermagf128 totalordermagf32
    totalordermagf32x totalordermagf64 totalordermagf64x totalordermagl toupper trunc truncate truncate64
    truncf truncf128 truncf32 truncf32x truncf64 truncf64x truncl ttyname ttyslot tzset ualarm ucred ufromfp
    ufromfpf ufromfpf128 ufromfpf32 ufromfpf32x ufromfpf64 ufromfpf64x ufromfpl ufromfpx ufromfpxf
    ufromfpxf128 ufromfpxf32 ufromfpxf32x ufromfpxf64 ufromfpxf64x ufromfpxl umask ungetc ungetwc unlink
    unlinkat unlockpt unsetenv unshare uselocale usleep utimbuf utimensat utsname valloc vasprintf vdprintf
    vfork vfprintf vfscanf vfwprintf vfwscanf vhangup vmsplice vprintf vscanf vsnprintf vsprintf vsscanf
    vswprintf vswscanf vwprintf vwscanf wait wcpcpy wcpncpy wcrtomb wcscasecmp wcscat wcschr wcschrnul
    wcscmp wcscoll wcscpy wcscspn wcsdup wcsftime wcslen wcsncasecmp wcsncat wcsncmp wcsncpy wcsnlen
    wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstof128 wcstof32 wcstof32x wcstof64
    wcstof64x wcstok wcstol wcstold wcstoll wcstombs wcstoq wcstoul wcstoull wcstouq wcswcs wcswidth wcsxfrm
    wctob wctomb wcwidth winsize wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset wprintf write wscanf y0
    y0f y0f128 y0f32 y0f32x y0f64 y0f64x y0l y1 y1f y1f128 y1f32 y1f32x y1f64 y1f64x y1l yn ynf ynf128 ynf32
    ynf32x ynf64 ynf64x ynl
""")
#: What generated C++ has of its own in a library's namespace; what hides a type there, as a parameter of templates or a
#: member of a handle's class; and what it has in a context, in a handle's class, and in functions.
CPP_NAMESPACE = listed("default_wire detail interface_hash library")
CPP_TYPES = listed("F Id OwnedHandle")
CPP_MEMBERS = listed("default_wire detail instance_ interface_hash library link")
#: Members of the struct of a variant.
CPP_VARIANT_MEMBERS = listed("value which")
CPP_CHAIN_MEMBERS = listed("after chain_ default_wire detail interface_hash library submit try_submit")
CPP_HANDLE_MEMBERS = listed("Id OwnedHandle detail id id_ library link link_ release reset")
CPP_LOCALS = listed("""
    batch callback chain_ default_wire future id_ inbox instance_ interface_hash library link_ made options promise
    status ticket timeout
""")
#: What a constant would be hidden by, besides.
CPP_CONSTANTS = listed("id instance link number")

# ---- Rust -----------------------------------------------------------------------------------------------------------

#: Words that are no names, in 2021 and as far as they are reserved.
RUST_KEYWORDS = listed("""
    abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen
    if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait
    true try type typeof union unsafe unsized use virtual where while yield
""")
#: Types and traits that generated code uses by these names, and `Self`.
RUST_TYPES = listed("""
    Argument AsRef BTreeMap Borrow Box Call Case Chain Clone Context Copy Creation Debug Default Draft Drop Duration Eq
    Err Error Event EventKind Events Failure Field Fn FnMut FnOnce From Given Hash Into Iterator Library None Ok Option
    Options Ord Overflow Part PartialEq PartialOrd Promise Promised Raisable RawLibrary Refusal Result Results Self Send
    Some Status Stream String Submitted Subscription Sync Vec Wire
""")
#: Crates that every program has.
RUST_CRATES = listed("alloc core proc_macro std test")
#: Constants and functions that the crate's root has from elsewhere.
RUST_CONSTANTS = listed("STREAM_CREDITS STREAM_DEPTH WIRE INTERFACE_HASH")
RUST_FUNCTIONS = listed("block_on call_static call_static_raising library submit_all")
#: Parameters, locals and functions of generated functions.
RUST_LOCALS = listed("call_static call_static_raising library notify options timeout")
#: Functions of a chain's struct that are not the library's methods.
RUST_CHAIN_MEMBERS = listed("after submit submit_async")

# ---- Python ---------------------------------------------------------------------------------------------------------

PYTHON_KEYWORDS = listed("""
    False None True _ and as assert async await break case class continue def del elif else except finally for
    from global if import in is lambda match nonlocal not or pass raise return try type while with yield
""")
PYTHON_BUILTINS = listed("""
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError
    FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
    IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning
    PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
    SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError
    UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter
    all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
    credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals
    hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min
    next object oct open ord pow print property quit range repr reversed round set setattr slice sorted
    staticmethod str sum super tuple type vars zip
""")
#: Modules of the standard library, of 3.11 to 3.14.
PYTHON_MODULES = listed("""
    abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
    binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections
    colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes
    curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
    faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass
    gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io
    ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math
    mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
    opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib
    poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri
    random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
    signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl
    stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile
    telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace
    traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings
    wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
""")
#: Classes that generated code has from elsewhere.
PYTHON_TYPES = listed("""
    Any AskKind AsyncAnswering AsyncBatch AsyncContext AsyncEvents AsyncStream Awaitable
    Batch Callable Calls Context Event EventKind Events HandleId
    IngressError IntEnum KW_ONLY Library Mapping Options Overflow Promise RaisedError Self Sequence Status Stream
    Subscription Wire
""")
#: What every class has, and a dataclass takes for a field's default.
PYTHON_FIELDS = listed("mro")
#: What generated classes say between their methods.
PYTHON_METHODS = listed("classmethod staticmethod types")
#: What annotations say: where a class has an attribute of that name, they say `_builtins.` before it.
PYTHON_ANNOTATIONS = listed("bool bytes dict float int list object str")
#: Parameters and locals of generated methods.
PYTHON_LOCALS = listed("after call_static cls context function notify options self timeout")

# ---- Go -------------------------------------------------------------------------------------------------------------

GO_KEYWORDS = listed("""
    break case chan const continue default defer else fallthrough for func go goto if import interface map package
    range return select struct switch type var
""")
#: What Go declares itself; a parameter of such a name would hide it from the types of later ones.
GO_PREDECLARED = listed("""
    any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32
    float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune
    string true uint uint16 uint32 uint64 uint8 uintptr
""")
#: Parameters, locals and imports of generated functions.
GO_LOCALS = listed("b c context ctx err ferryingress init main math options wire")
#: First elements of paths of Go's standard library; a module of such a name, without a dot, would not be found.
GO_PACKAGES = listed("""
    archive arena bufio builtin bytes cmd cmp compress container context crypto database debug embed encoding errors
    expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp
    runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe uuid vendor weak
""")

# ---- Haskell --------------------------------------------------------------------------------------------------------

#: Modules that a library's may not hide or be.
HASKELL_MODULES = listed("Main Prelude")
#: Types and classes of the Prelude, of Ferry.Ingress, and of modules that most authors import as they are.
HASKELL_TYPES = listed("""
    Answer Applicative Bool Bounded ByteString CallCancelled Char Context Double Either Enum Eq Failure FilePath Float
    Floating Foldable Fractional Functor Held IO IOError Int Int16 Int32 Int64 Int8 Integer Integral Library Map Maybe
    Monad MonadFail Monoid NoError Num Ord Ordering Rational Read ReadS Real RealFloat RealFrac Reply Semigroup Show
    ShowS String Text Traversable Type Word Word16 Word32 Word64 Word8
""")
#: Constructors of the Prelude and of Ferry.Ingress.
HASKELL_CONSTRUCTORS = listed("CallCancelled EQ Failure False GT Held Just LT Left Nothing Right True")
#: Keywords, and functions of the Prelude and of Ferry.Ingress.
HASKELL_VALUES = listed("""
    abs acos acosh all and any appendFile as asTypeOf asin asinh atan atan2 atanh break case ceiling class compare
    concat concatMap const cos cosh curry cycle data decodeFloat default deriving div divMod do drop dropWhile either
    elem else encodeFloat enumFrom enumFromThen enumFromThenTo enumFromTo error errorWithoutStackTrace even exp exponent
    fail failure family filter flip floatDigits floatRadix floatRange floor fmap foldMap foldl foldl1 foldr foldr1
    forall foreign forked fromEnum fromInteger fromIntegral fromRational fst gcd getChar getContents getLine give giveUp
    head heldHandle heldObject hiding id if import in infix infixl infixr init instance interact ioError isCancelled
    isDenormalized isIEEE isInfinite isNaN isNegativeZero iterate last later lcm length let lex lines log logBase lookup
    map mapM mapM_ mappend max maxBound maximum maybe mconcat mdo mempty min minBound minimum mod module negate newtype
    not notElem null odd of onLibraryThread or otherwise pack pi pred print proc product properFraction pure putChar
    putStr putStrLn qualified quot quotRem raise read readFile readIO readList readLn readParen reads readsPrec
    realToFrac rec recip rem repeat replicate reply return reverse round scaleFloat scanl scanl1 scanr scanr1 seq
    sequence sequenceA sequence_ show showChar showList showParen showString shows showsPrec significand signum sin sinh
    snd span splitAt sqrt subtract succ sum tail take takeWhile tan tanh then toEnum toInteger toRational traverse
    truncate type uncurry undefined unlines until unwords unzip unzip3 userError where words writeFile zip zip3 zipWith
    zipWith3
""")
