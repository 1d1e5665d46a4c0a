// callfilter.c - restrict the system calls of a process
// SPDX-License-Identifier: MIT
//
// A BPF program for the kernel (seccomp), assembled in an array: this needs neither memory nor a
// library. The kernel remembers which calls are always allowed and does not run the program for
// them (since 5.11).

#ifdef __linux__
#define _GNU_SOURCE // syscall()
#endif

#include "shell/process/callfilter.h"

#ifdef PMON_HAS_CALLFILTER

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shell/process/audit_arch.h"

// The calls that the C library needs for reading files, memory, threads, a child that draws, signals
// to itself, and time. None of them changes a file by its name, its mode, its owner or its flags. C
// libraries of any version work: they do without a newer call if the kernel reports that it is
// missing (ENOSYS). clone3() is such a call; a filter cannot check its flags.
// clang-format off
static const int allowed[] = {
	// files; calls whose arguments are checked are below
	SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2,
	SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_pwritev2,
	SYS_close, SYS_lseek, SYS_dup, SYS_dup3, SYS_pipe2,
	SYS_fstat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat,
	SYS_readlinkat, SYS_getcwd, SYS_getdents64,
	SYS_fsync, SYS_fdatasync, SYS_fallocate, SYS_ftruncate,
	// answers of the process that opens files, and shutting it down
	SYS_recvmsg, SYS_shutdown,
	// memory; madvise() is below
	SYS_brk, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_mincore,
	// threads and children; clone() is below
	SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid, SYS_futex, SYS_membarrier,
	SYS_set_robust_list, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity,
	SYS_getcpu, SYS_restart_syscall,
	// signals; those to itself are below
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending,
	SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack,
	// the process itself; prctl() and prlimit64() are below
	SYS_getpid, SYS_getppid, SYS_gettid, SYS_getpgid, SYS_getsid, SYS_getuid, SYS_geteuid,
	SYS_getgid, SYS_getegid, SYS_getgroups, SYS_getrusage, SYS_times, SYS_uname,
	SYS_sysinfo, SYS_getrandom,
	// time
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
	SYS_gettimeofday, SYS_ppoll, SYS_pselect6, SYS_setitimer,
	// missing from some systems' headers
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef SYS_close_range
	SYS_close_range,
#endif
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
	// variants for 64 and 32 bits
#ifdef __LP64__
	SYS_mmap, SYS_newfstatat, SYS_fadvise64,
#else
	SYS_mmap2, SYS_fstatat64, SYS_fstat64, SYS_statfs64, SYS_fstatfs64, SYS__llseek,
	SYS_ftruncate64, SYS_getuid32, SYS_geteuid32, SYS_getgid32, SYS_getegid32,
	SYS_getgroups32, SYS_ugetrlimit, SYS_sigreturn,
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64, SYS_clock_getres_time64, SYS_clock_nanosleep_time64,
	SYS_futex_time64, SYS_ppoll_time64, SYS_pselect6_time64, SYS_rt_sigtimedwait_time64,
#endif
#endif
	// older variants, which newer architectures lack
#if defined(__x86_64__) || defined(__s390x__) || defined(__i386__) || defined(__arm__)
	SYS_access, SYS_stat, SYS_lstat, SYS_readlink, SYS_getdents, SYS_pipe, SYS_dup2, SYS_fork,
	SYS_getpgrp, SYS_setrlimit, SYS_poll,
#endif
#if defined(__x86_64__) || defined(__s390x__) || defined(__i386__)
	SYS_getrlimit, SYS_alarm,
#endif
#if defined(__i386__) || defined(__arm__)
	SYS_stat64, SYS_lstat64, SYS__newselect,
#else
#if defined(__x86_64__) || defined(__s390x__)
	SYS_select,
#endif
#endif
#if defined(__x86_64__) || defined(__i386__)
	SYS_time,
#endif
#ifdef __x86_64__
	SYS_arch_prctl,
#endif
#ifdef __i386__
	SYS_waitpid, SYS_set_thread_area, SYS_fadvise64, SYS_fadvise64_64,
#endif
#ifdef __arm__
	// cacheflush() and set_tls(), which the headers do not define
	SYS_arm_fadvise64_64, 0xF0002, 0xF0005,
#endif
#ifdef __riscv
	259, // riscv_flush_icache()
#endif
};

// Flags of open() that allow more than reading.
#define OPENS_TO_CHANGE (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

// For descriptors and file locks. Others make the kernel send signals.
static const uint32_t fcntl_commands[] = {
	F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
#ifndef __LP64__
	12, 13, 14, // F_GETLK64, F_SETLK64, F_SETLKW64
#endif
};

// Terminal settings, its size, and the number of bytes to read. 0x802C542A to 0x402C542D are the
// newer calls for settings, which some headers lack.
static const uint32_t ioctl_commands[] = {
	TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, FIONREAD,
	0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D,
};

// Advice that takes memory from the whole machine: MADV_HWPOISON, MADV_SOFT_OFFLINE.
static const uint32_t unwanted_advice[] = {100, 101};

static const uint32_t prctl_commands[] = {
	PR_SET_PDEATHSIG, PR_SET_NAME, PR_GET_NAME, 0x53564D41, // PR_SET_VMA, which names memory
};
// clang-format on

#define N_OF(list) (sizeof(list) / sizeof((list)[0]))
#define N_ALLOWED  N_OF(allowed)

// Flags of clone(): CLONE_NEW... for namespaces, and CLONE_PARENT, which makes a child of the
// process that started this one.
#define UNWANTED_CLONES (0x7E020080u | 0x8000u)

// The offset of the lower half of an argument, and which argument of clone() is its flags: the
// second on s390x.
#ifdef __s390x__
#define LOWER_HALF  4
#define CLONE_FLAGS 1
#else
#define LOWER_HALF  0
#define CLONE_FLAGS 0
#endif

struct program {
	struct sock_filter list[2 * N_ALLOWED + 160];
	unsigned short n;
};

static void
put_instruction(struct program *p, unsigned code, uint32_t value, unsigned skip_if_true,
		unsigned skip_if_false)
{
	p->list[p->n++] = (struct sock_filter){(uint16_t)code, (uint8_t)skip_if_true,
					       (uint8_t)skip_if_false, value};
}

static void
answer(struct program *p, uint32_t value)
{
	put_instruction(p, BPF_RET | BPF_K, value, 0, 0);
}

static void
load_word(struct program *p, size_t offset)
{
	put_instruction(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

// Load the lower half of an argument.
static void
load_argument(struct program *p, size_t i)
{
	load_word(p, offsetof(struct seccomp_data, args) + 8 * i + LOWER_HALF);
}

// Begin a call that depends on an argument. Its tests follow, then end_call().
static size_t
begin_call(struct program *p, int call, size_t argument)
{
	put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 0);
	load_argument(p, argument);
	return p->n;
}

// The call is allowed if one of the tests skipped the refusal.
static void
end_call(struct program *p, size_t begun)
{
	answer(p, SECCOMP_RET_ERRNO | EPERM);
	answer(p, SECCOMP_RET_ALLOW);
	p->list[begun - 2].jf = (uint8_t)(p->n - begun + 1);
}

// Allow a call if none of these bits is set.
static void
allow_without(struct program *p, int call, size_t argument, uint32_t bits)
{
	size_t begun = begin_call(p, call, argument);

	put_instruction(p, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	end_call(p, begun);
}

// Allow a call if the argument is one of these.
static void
allow_with(struct program *p, int call, size_t argument, const uint32_t *values, size_t n)
{
	size_t begun = begin_call(p, call, argument);

	for (size_t i = 0; i < n; i++)
		put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], (unsigned)(n - i), 0);
	end_call(p, begun);
}

// Allow a call unless the argument is one of these.
static void
allow_unless(struct program *p, int call, size_t argument, const uint32_t *values, size_t n)
{
	size_t begun = begin_call(p, call, argument);

	for (size_t i = 0; i < n; i++)
		put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], (unsigned)(n - 1 - i),
				i + 1 == n);
	end_call(p, begun);
}

#define ALLOW_WITH(p, call, argument, values) allow_with(p, call, argument, values, N_OF(values))

static void
allow_with_arguments(struct program *p)
{
	const uint32_t own = 0; // 0 means the calling process
	const uint32_t process = (uint32_t)getpid();

	allow_without(p, SYS_openat, 2, OPENS_TO_CHANGE);
#ifdef SYS_open
	allow_without(p, SYS_open, 1, OPENS_TO_CHANGE);
#endif
	ALLOW_WITH(p, SYS_fcntl, 1, fcntl_commands);
#ifdef SYS_fcntl64
	ALLOW_WITH(p, SYS_fcntl64, 1, fcntl_commands);
#endif
	ALLOW_WITH(p, SYS_ioctl, 1, ioctl_commands);
	ALLOW_WITH(p, SYS_prctl, 0, prctl_commands);
	allow_unless(p, SYS_madvise, 2, unwanted_advice, N_OF(unwanted_advice));
	allow_without(p, SYS_clone, CLONE_FLAGS, UNWANTED_CLONES);
	allow_with(p, SYS_prlimit64, 0, &own, 1);
	// raise() and abort()
	allow_with(p, SYS_tgkill, 0, &process, 1);
	allow_with(p, SYS_tkill, 0, &process, 1);
}

static void
put_program(struct program *p)
{
	load_word(p, offsetof(struct seccomp_data, arch));
	put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, PMON_AUDIT_ARCH, 1, 0);
	// on other architectures the numbers mean other calls
	answer(p, SECCOMP_RET_ERRNO | ENOSYS);
	load_word(p, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < N_ALLOWED; i++) {
		put_instruction(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
		answer(p, SECCOMP_RET_ALLOW);
	}
	allow_with_arguments(p);
	answer(p, SECCOMP_RET_ERRNO | ENOSYS);
}

bool
callfilter_load(void)
{
	struct program p = {.n = 0};
	struct sock_fprog program = {.filter = p.list};

	put_program(&p);
	program.len = p.n;
	// No foreign code runs here, so the kernel's slower mitigations are not needed.
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &program) == 0 ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
#else
bool
callfilter_load(void)
{
	return false;
}
#endif
