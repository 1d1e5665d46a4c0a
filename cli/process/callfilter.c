// callfilter.c - the system calls that a process may still make
// SPDX-License-Identifier: MIT
//
// A program for the kernel (seccomp, BPF), put together in an array: it needs neither memory nor a library. The
// kernel remembers which calls it always allows and does not run the program for them (since 5.11).

#ifdef __linux__
#define _GNU_SOURCE // syscall()
#endif

#include "cli/process/callfilter.h"

#ifdef PMON_HAS_CALLFILTER

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/process/audit_arch.h"

// What the C library needs for files, memory, threads, a child that draws, signals to itself, and time.
// Landlock decides which files. C libraries of any version run with it: they go without a newer call where the
// kernel says that it has none (ENOSYS). clone3() is such a call; its flags are out of a filter's reach.
// clang-format off
static const int allowed[] = {
	// files
	SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2,
	SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_pwritev2,
	SYS_openat, SYS_close, SYS_lseek, SYS_fcntl, SYS_flock, SYS_dup, SYS_dup3, SYS_pipe2,
	SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat,
	SYS_readlinkat, SYS_getcwd, SYS_getdents64, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr,
	SYS_fsync, SYS_fdatasync, SYS_fallocate, SYS_fadvise64, SYS_ftruncate,
	SYS_renameat2, SYS_linkat, SYS_unlinkat, SYS_mkdirat,
	SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_umask,
	// memory
	SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_mincore,
	// threads and children; clone() is below
	SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid, SYS_futex, SYS_membarrier,
	SYS_set_robust_list, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity,
	SYS_getcpu, SYS_restart_syscall,
	// signals; raise() and abort() use the last two
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending,
	SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_tkill, SYS_tgkill,
	// the process itself; prlimit64() is below
	SYS_getpid, SYS_getppid, SYS_gettid, SYS_getpgid, SYS_getsid, SYS_getuid, SYS_geteuid,
	SYS_getgid, SYS_getegid, SYS_getgroups, SYS_getrusage, SYS_times, SYS_uname,
	SYS_sysinfo, SYS_prctl, SYS_getrandom,
	// time
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
	SYS_gettimeofday, SYS_ppoll, SYS_pselect6, SYS_setitimer,
	// later than some system's headers
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef SYS_close_range
	SYS_close_range,
#endif
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
	// the same under older names, which newer machines do not have
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef __x86_64__
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_rename,
	SYS_link, SYS_unlink, SYS_mkdir, SYS_chmod, SYS_pipe, SYS_dup2, SYS_fork, SYS_getpgrp,
	SYS_getrlimit, SYS_setrlimit, SYS_time, SYS_poll, SYS_select, SYS_arch_prctl,
	SYS_alarm,
#endif
#ifdef __s390x__
	SYS_open, SYS_access, SYS_stat, SYS_lstat, SYS_readlink, SYS_getdents, SYS_rename, SYS_link,
	SYS_unlink, SYS_mkdir, SYS_chmod, SYS_pipe, SYS_dup2, SYS_fork, SYS_getpgrp,
	SYS_getrlimit, SYS_setrlimit, SYS_poll, SYS_select, SYS_alarm,
#endif
#ifdef __riscv
	259, // riscv_flush_icache()
#endif
};
// clang-format on

#define N_ALLOWED        (sizeof(allowed) / sizeof(allowed[0]))
#define NEW_NAMESPACES   0x7E020000u // the flags CLONE_NEW... of clone()
#define PASTE_TO_CONSOLE 0x541Cu     // TIOCLINUX

// Where the lower half of an argument is, and which argument of clone() has its flags: the second one on s390x.
#ifdef __s390x__
#define LOWER_HALF  4
#define CLONE_FLAGS 1
#else
#define LOWER_HALF  0
#define CLONE_FLAGS 0
#endif

struct program {
	struct sock_filter list[2 * N_ALLOWED + 32];
	unsigned short n;
};

static void
put(struct program *p, unsigned code, uint32_t value, unsigned skip_if_true, unsigned skip_if_false)
{
	p->list[p->n++] = (struct sock_filter){(uint16_t)code, (uint8_t)skip_if_true,
					       (uint8_t)skip_if_false, value};
}

static void
answer(struct program *p, uint32_t value)
{
	put(p, BPF_RET | BPF_K, value, 0, 0);
}

static void
load_word(struct program *p, size_t offset)
{
	put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

// The lower half of an argument.
static void
load_argument(struct program *p, size_t i)
{
	load_word(p, offsetof(struct seccomp_data, args) + 8 * i + LOWER_HALF);
}

// Without new namespaces, where a process is its own root.
static void
allow_clone(struct program *p)
{
	put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
	load_argument(p, CLONE_FLAGS);
	put(p, BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1);
	answer(p, SECCOMP_RET_ERRNO | EPERM);
	answer(p, SECCOMP_RET_ALLOW);
}

// Limits of this process, not of another one.
static void
allow_prlimit(struct program *p)
{
	put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4);
	load_argument(p, 0);
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	answer(p, SECCOMP_RET_ERRNO | EPERM);
	answer(p, SECCOMP_RET_ALLOW);
}

// All but typing into the terminal that pmon was started from.
static void
allow_ioctl(struct program *p)
{
	put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 5);
	load_argument(p, 1);
	put(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
	put(p, BPF_JMP | BPF_JEQ | BPF_K, PASTE_TO_CONSOLE, 0, 1);
	answer(p, SECCOMP_RET_ERRNO | EPERM);
	answer(p, SECCOMP_RET_ALLOW);
}

static void
put_program(struct program *p)
{
	load_word(p, offsetof(struct seccomp_data, arch));
	put(p, BPF_JMP | BPF_JEQ | BPF_K, PMON_AUDIT_ARCH, 1, 0);
	answer(p, SECCOMP_RET_ERRNO | ENOSYS); // the numbers of another machine mean other calls
	load_word(p, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < N_ALLOWED; i++) {
		put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
		answer(p, SECCOMP_RET_ALLOW);
	}
	allow_clone(p);
	allow_prlimit(p);
	allow_ioctl(p);
	answer(p, SECCOMP_RET_ERRNO | ENOSYS);
}

void
callfilter_load(void)
{
	struct program p = {.n = 0};
	struct sock_fprog program = {.filter = p.list};

	put_program(&p);
	program.len = p.n;
	// No code of others runs here, which the kernel would have to be slowed down for.
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		    &program) != 0)
		(void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
#else
void
callfilter_load(void)
{
}
#endif
