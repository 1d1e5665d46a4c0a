// sandbox.c - restrict a verb while it reads untrusted files
// SPDX-License-Identifier: MIT

#ifdef __linux__
#define _GNU_SOURCE // syscall(), O_PATH
#endif

#include "shell/process/sandbox.h"

#include <stdlib.h>
#include <string.h>

#include "shell/args/verb.h"
#include "shell/output/ask.h"
#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/keeper.h"

// Sanitizers inspect a process from outside and write reports anywhere; fuzzers run verbs in their
// own process.
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
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shell/process/callfilter.h"
#include "os/dir.h"

// ---- Rules of Landlock ----------------------------------------------------------------------
//
// The numbers of linux/landlock.h, which is missing or incomplete on older systems.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

#define ABI_QUESTION      1u // a flag: query the kernel's version
#define RULE_PATH_BENEATH 1

#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR  (UINT64_C(1) << 3)
#define FS_REFER     (UINT64_C(1) << 13) // since version 2: rename between folders
#define FS_TRUNCATE  (UINT64_C(1) << 14) // since version 3
#define FS_IOCTL_DEV (UINT64_C(1) << 15) // since version 5
// version 1: execute, read, write, create and remove everything
#define FS_ALL UINT64_C(0x1FFF)

#define NET_BIND_AND_CONNECT UINT64_C(3) // since version 4
// since version 6: abstract sockets, signals to processes outside
#define SCOPE_ALL UINT64_C(3)

struct ruleset_attr {
	uint64_t handled_fs;
	uint64_t handled_net;
	uint64_t scoped;
};

struct beneath_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

struct ruleset {
	int fd;
	uint64_t handled;
};

// Whatever is missing, or cannot be allowed, stays forbidden.
static void
allow_opened(const struct ruleset *rules, int fd, uint64_t rights)
{
	struct beneath_attr attr = {.allowed = rights & rules->handled, .fd = fd};

	(void)syscall(SYS_landlock_add_rule, rules->fd, RULE_PATH_BENEATH, &attr, 0);
}

static void
allow(const struct ruleset *rules, const char *path, uint64_t rights)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rights &= ~FS_READ_DIR;
	allow_opened(rules, fd, rights);
	(void)close(fd);
}

static void
allow_in(const struct ruleset *rules, const char *folder, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s%s", folder, name);

	if ((size_t)n < sizeof(path))
		allow(rules, path, FS_READ_FILE | FS_READ_DIR);
}

// A folder from someone else may contain a link that the user does not know about, so neither a
// link nor a folder is a table.
static void
allow_table(const struct ruleset *rules, const char *folder, int len, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%.*s%s", len, folder, name);
	int fd = (size_t)n < sizeof(path) ? open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		allow_opened(rules, fd, FS_READ_FILE);
	if (fd >= 0)
		(void)close(fd);
}

// ---- What is read ---------------------------------------------------------------------------

// Name tables next to performance blocks, or in their folder. For a folder, listing it is allowed.
static void
allow_tables(const struct ruleset *rules, const char *input)
{
	static const char *const names[] = {"Counter 009", "Counter_009", "Counter 009.bin",
					    "Counter_009.bin"};
	const char *slash = strrchr(input, '/');
	int folder = slash != NULL ? (int)(slash - input) + 1 : 0;
	char inside[4096];

	(void)snprintf(inside, sizeof(inside), "%s/", input);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		allow_table(rules, input, folder, names[i]);
		allow_table(rules, inside, (int)strlen(inside), names[i]);
	}
	if (pmon_is_directory(input))
		allow(rules, input, FS_READ_DIR);
}

// Allow the settings that the command line names, and files next to the logs. The logs themselves
// are opened by another process.
static void
allow_inputs(const struct ruleset *rules, const struct sandbox_inputs *inputs)
{
	for (size_t i = 0; i < inputs->logs.n; i++)
		allow_tables(rules, inputs->logs.list[i]);
	for (size_t i = 0; i < inputs->settings.n; i++)
		allow(rules, inputs->settings.list[i], FS_READ_FILE);
}

// What libraries read: other libraries, character sets, languages, time zones, terminals, fonts and
// their settings, and the number of processors and the amount of memory. None of it is secret, even
// for the superuser.
static void
allow_system(const struct ruleset *rules)
{
	static const char *const places[] = {
		"/usr/lib",
		"/usr/lib32",
		"/usr/lib64",
		"/usr/share",
		"/usr/local/lib",
		"/usr/local/lib64",
		"/usr/local/share",
		"/lib",
		"/lib32",
		"/lib64",
		"/etc/fonts",
		"/etc/ld.so.cache",
		"/etc/ld.so.conf",
		"/etc/ld.so.conf.d",
		"/etc/localtime",
		"/etc/terminfo",
		"/etc/timezone",
		"/nix/store",
		"/gnu/store",
		"/var/cache/fontconfig",
		"/sys/devices/system/cpu",
		"/sys/fs/cgroup",
		"/proc/self",
		"/proc/stat",
		"/proc/meminfo",
		"/proc/cpuinfo",
		"/dev/urandom",
		"/dev/null",
	};
	static const char *const variables[] = {"TZDIR",      "TERMINFO",        "LOCPATH",
						"GCONV_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"};
	static const char *const of_user[] = {
		"/.fonts",
		"/.local/share/fonts",
		"/.fonts.conf",
		"/.config/fontconfig",
		"/.cache/fontconfig",
		"/.fontconfig",
		"/.terminfo",
	};
	const char *home = getenv("HOME");

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		allow(rules, places[i], FS_READ_FILE | FS_READ_DIR);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (getenv(variables[i]) != NULL)
			allow(rules, getenv(variables[i]), FS_READ_FILE | FS_READ_DIR);
	for (size_t i = 0; home != NULL && i < sizeof(of_user) / sizeof(of_user[0]); i++)
		allow_in(rules, home, of_user[i]);
	allow(rules, "/dev/tty", FS_READ_FILE | FS_IOCTL_DEV);
}

// ---- All of it ------------------------------------------------------------------------------

static bool
begin_rules(struct ruleset *rules)
{
	struct ruleset_attr attr = {.handled_fs = FS_ALL};
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ABI_QUESTION);

	if (abi < 1)
		return false;
	attr.handled_fs |= abi >= 2 ? FS_REFER : 0;
	attr.handled_fs |= abi >= 3 ? FS_TRUNCATE : 0;
	attr.handled_fs |= abi >= 5 ? FS_IOCTL_DEV : 0;
	attr.handled_net = abi >= 4 ? NET_BIND_AND_CONNECT : 0;
	attr.scoped = abi >= 6 ? SCOPE_ALL : 0;
	rules->handled = attr.handled_fs;
	// An older kernel accepts a longer structure if the fields that it does not know are zero.
	rules->fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	return rules->fd >= 0;
}

static bool
restrict_files(const struct sandbox_inputs *inputs)
{
	struct ruleset rules;
	bool done;

	if (!begin_rules(&rules))
		return false;
	allow_system(&rules);
	allow_inputs(&rules, inputs);
	done = syscall(SYS_landlock_restrict_self, rules.fd, 0) == 0;
	(void)close(rules.fd);
	return done;
}

// Both require it: no started program can regain privileges.
static void
restrict_self(const struct sandbox_inputs *inputs)
{
	bool asked = prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0;
	bool has_files = asked && restrict_files(inputs);
	bool has_calls = asked && callfilter_load();

	if (inputs->verbose && !has_files)
		say(0, "the sandbox: this kernel has no Landlock; a malicious log that exploits "
		       "the reader could read your files");
	if (inputs->verbose && !has_calls)
		say(0, "the sandbox: this kernel or processor has no system call filter; a "
		       "malicious log that exploits the reader could change file modes and owners");
}
#else
static void
restrict_self(const struct sandbox_inputs *inputs)
{
	(void)inputs;
}
#endif

int
sandbox_enter(const struct sandbox_inputs *inputs, const struct keeper_outputs *outputs)
{
	static const struct keeper_outputs none;
	struct words all = {.n = 0};
	int status = words_take_all(&all, &inputs->logs);

	if (status == EXIT_DONE)
		status = words_take_all(&all, &inputs->settings);
	if (status == EXIT_DONE)
		status = words_take_all(&all, &inputs->pattern_files);
	if (status == EXIT_DONE)
		status = door_open_by_keeper(&all, outputs != NULL ? outputs : &none);
	free(all.list);
	if (status == EXIT_DONE)
		restrict_self(inputs);
	return status;
}

struct sandbox_inputs
sandbox_inputs_of(const struct args *args)
{
	return (struct sandbox_inputs){.logs = args->operands,
				       .settings = args->inputs,
				       .pattern_files = args->pattern_files,
				       .verbose = args->verbose};
}

// ---- Which verbs enter it ------------------------------------------------------------------

bool
sandbox_is_apart(const struct args *args)
{
	const struct verb *verb = args->verb;

	return verb->is_apart != NULL ? verb->is_apart(args) : (verb->traits & VERB_NETWORK) != 0;
}

// Logs may come from anywhere and are not trusted. Live sampling only reads this machine, and needs
// all of it.
int
sandbox_enter_for_verb(const struct args *args)
{
	const char *output = args->output;
	struct sandbox_inputs inputs = sandbox_inputs_of(args);
	struct keeper_outputs outputs = {.may_overwrite = args->yes || ask_possible()};

	if (!OPTION_IS_OFFERED(args->verb, reading.no_sandbox) || args->reading.no_sandbox ||
	    args->operands.n == 0 || sandbox_is_apart(args) ||
	    (args->verb->traits & VERB_NETWORK) != 0)
		return EXIT_DONE;
	if (output != NULL)
		outputs.names = (struct words){&output, 1, 1};
	else if ((args->verb->traits & VERB_WRITES_HERE) != 0)
		outputs.ending = ".html"; // a page without a name is created here
	return sandbox_enter(&inputs, &outputs);
}
