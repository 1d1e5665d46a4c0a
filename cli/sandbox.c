// sandbox.c - what a verb may still do while it reads files that nobody trusts
// SPDX-License-Identifier: MIT

#ifdef __linux__
#define _GNU_SOURCE // syscall(), O_PATH
#endif

#include "sandbox.h"

// Sanitizers look at a process from outside it and write reports anywhere; fuzzers run verbs in theirs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
	defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
	__has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef PMON_WITH_SECCOMP
#include <errno.h>
#include <seccomp.h>
#endif

#include "cache.h"

// ---- Landlock: files ------------------------------------------------------------------------
//
// The numbers of linux/landlock.h, which older systems do not have, or not all of it.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

#define ABI_QUESTION      1u // a flag: what does the kernel know?
#define RULE_PATH_BENEATH 1

#define FS_EXECUTE     (UINT64_C(1) << 0)
#define FS_WRITE_FILE  (UINT64_C(1) << 1)
#define FS_REMOVE_DIR  (UINT64_C(1) << 4)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_DIR    (UINT64_C(1) << 7)
#define FS_MAKE_REG    (UINT64_C(1) << 8)
#define FS_MAKE_ALL    (UINT64_C(0x7F) << 6) // devices, folders, files, sockets, pipes, links
#define FS_REFER       (UINT64_C(1) << 13)   // since version 2: rename between folders
#define FS_TRUNCATE    (UINT64_C(1) << 14)   // since version 3

// Rights to a file itself, and to make files in a folder.
#define OF_FILE   (FS_WRITE_FILE | FS_TRUNCATE)
#define OF_FOLDER (OF_FILE | FS_REMOVE_FILE | FS_MAKE_REG)

struct ruleset_attr {
	uint64_t handled_fs;
};

struct beneath_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

struct ruleset {
	int fd;
	uint64_t handled;
};

// Whatever is not there, or cannot be allowed, stays forbidden.
static void
allow(const struct ruleset *rules, const char *path, uint64_t rights)
{
	struct beneath_attr attr = {.fd = open(path, O_PATH | O_CLOEXEC)};
	struct stat st;

	if (attr.fd < 0)
		return;
	if (fstat(attr.fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rights &= OF_FILE;
	attr.allowed = rights & rules->handled;
	(void)syscall(SYS_landlock_add_rule, rules->fd, RULE_PATH_BENEATH, &attr, 0);
	(void)close(attr.fd);
}

// The folder that a file is in, or will be.
static void
allow_folder_of(const struct ruleset *rules, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash != NULL ? strdup(path) : NULL;

	if (slash == NULL) {
		allow(rules, ".", OF_FOLDER);
		return;
	}
	if (folder == NULL)
		return;
	folder[slash == path ? 1 : slash - path] = '\0';
	allow(rules, folder, OF_FOLDER);
	free(folder);
}

// A file is replaced by one that is written beside it, or beside what a link leads to. A device is written
// in its place.
static void
allow_output(const struct ruleset *rules, const char *output)
{
	char *target = realpath(output, NULL);
	struct stat st;

	allow(rules, output, OF_FOLDER);
	if (stat(output, &st) != 0 || !S_ISDIR(st.st_mode)) {
		allow_folder_of(rules, output);
		if (target != NULL)
			allow_folder_of(rules, target);
	}
	free(target);
}

static void
allow_cache(const struct ruleset *rules)
{
	char folder[FOLDER_SIZE];

	if (!cache_folder(folder))
		return;
	folder_make(folder);
	allow(rules, folder, OF_FOLDER);
}

static void
restrict_files(const char *output, bool cache)
{
	static const char *const devices[] = {"/dev/null", "/dev/tty"};
	struct ruleset_attr attr = {.handled_fs = FS_EXECUTE | FS_WRITE_FILE | FS_REMOVE_DIR |
						  FS_REMOVE_FILE | FS_MAKE_ALL};
	struct ruleset rules;
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ABI_QUESTION);

	if (abi < 1)
		return;
	attr.handled_fs |= abi >= 2 ? FS_REFER : 0;
	attr.handled_fs |= abi >= 3 ? FS_TRUNCATE : 0;
	rules.handled = attr.handled_fs;
	rules.fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (rules.fd < 0)
		return;
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		allow(&rules, devices[i], OF_FILE);
	allow(&rules, "/tmp", OF_FOLDER);
	allow(&rules, "/var/tmp", OF_FOLDER);
	if (getenv("TMPDIR") != NULL)
		allow(&rules, getenv("TMPDIR"), OF_FOLDER);
	if (cache)
		allow_cache(&rules);
	if (output != NULL && strcmp(output, "-") != 0)
		allow_output(&rules, output);
	(void)syscall(SYS_landlock_restrict_self, rules.fd, 0);
	(void)close(rules.fd);
}

// ---- seccomp: system calls ------------------------------------------------------------------

#ifdef PMON_WITH_SECCOMP

// Reading a log needs none of these: networks, other programs and processes, the kernel's own settings,
// and io_uring, whose requests no filter sees.
static const char *const forbidden[] = {
	"socket",
	"socketpair",
	"connect",
	"bind",
	"listen",
	"accept",
	"accept4",
	"sendto",
	"sendmsg",
	"sendmmsg",
	"execve",
	"execveat",
	"fork",
	"vfork",
	"kill",
	"pidfd_open",
	"pidfd_getfd",
	"pidfd_send_signal",
	"rt_sigqueueinfo",
	"rt_tgsigqueueinfo",
	"ptrace",
	"process_vm_readv",
	"process_vm_writev",
	"process_madvise",
	"kcmp",
	"io_uring_setup",
	"io_uring_enter",
	"io_uring_register",
	"bpf",
	"perf_event_open",
	"userfaultfd",
	"keyctl",
	"add_key",
	"request_key",
	"mount",
	"umount2",
	"move_mount",
	"mount_setattr",
	"open_tree",
	"fsopen",
	"fsconfig",
	"fsmount",
	"fspick",
	"pivot_root",
	"chroot",
	"setns",
	"unshare",
	"name_to_handle_at",
	"open_by_handle_at",
	"mknod",
	"mknodat",
	"init_module",
	"finit_module",
	"delete_module",
	"kexec_load",
	"kexec_file_load",
	"reboot",
	"swapon",
	"swapoff",
	"acct",
	"quotactl",
	"syslog",
	"settimeofday",
	"clock_settime",
	"adjtimex",
	"clock_adjtime",
	"sethostname",
	"setdomainname",
	"personality",
	"iopl",
	"ioperm",
	"modify_ldt",
	"shmget",
	"shmat",
	"msgget",
	"semget",
	"mq_open",
	"memfd_secret",
};

static void
restrict_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	bool good = filter != NULL;

	for (size_t i = 0; good && i < sizeof(forbidden) / sizeof(forbidden[0]); i++) {
		int call = seccomp_syscall_resolve_name(forbidden[i]);

		// This machine may have no such call.
		if (call != __NR_SCMP_ERROR)
			good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
	}
	// Typing into the terminal that pmon was started from.
	good = good && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
					SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI, 0)) == 0;
	// No code of others runs here, which the kernel would have to be slowed down for.
	if (good) {
		(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
		(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
		(void)seccomp_load(filter);
	}
	if (filter != NULL)
		seccomp_release(filter);
}
#else
static void
restrict_calls(void)
{
}
#endif

void
sandbox_enter(const char *output, bool cache)
{
	// Both ask for it: no program that is started could have more rights again.
	if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0)
		return;
	restrict_files(output, cache);
	restrict_calls();
}
#else
void
sandbox_enter(const char *output, bool cache)
{
	(void)output, (void)cache;
}
#endif
