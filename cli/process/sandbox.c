// sandbox.c - what a verb may still do while it reads files that nobody trusts
// SPDX-License-Identifier: MIT

#ifdef __linux__
#define _GNU_SOURCE // syscall(), O_PATH
#endif

#include "cli/process/sandbox.h"

#include <string.h>

#include "cli/args/verb.h"

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
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/process/callfilter.h"

// ---- Rules of Landlock ----------------------------------------------------------------------
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
#define FS_READ_FILE   (UINT64_C(1) << 2)
#define FS_REMOVE_DIR  (UINT64_C(1) << 4)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_DIR    (UINT64_C(1) << 7)
#define FS_MAKE_REG    (UINT64_C(1) << 8)
#define FS_MAKE_ALL    (UINT64_C(0x7F) << 6) // devices, folders, files, sockets, pipes, links
#define FS_REFER       (UINT64_C(1) << 13)   // since version 2: rename between folders
#define FS_TRUNCATE    (UINT64_C(1) << 14)   // since version 3

// Rights to read, to a file itself, and to make files in a folder.
#define OF_INPUT  FS_READ_FILE
#define OF_FILE   (OF_INPUT | FS_WRITE_FILE | FS_TRUNCATE)
#define OF_FOLDER (OF_FILE | FS_REMOVE_FILE | FS_MAKE_REG)

#define NET_BIND_AND_CONNECT UINT64_C(3) // since version 4
#define SCOPE_ALL            UINT64_C(3) // since version 6: abstract sockets, signals to processes outside

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

// ---- What is read ---------------------------------------------------------------------------

// Files that lie beside an input and belong to it.
static void
allow_beside(const struct ruleset *rules, const char *input)
{
	static const char *const endings[] = {"-wal", "-shm", "-journal"}; // of SQLite
	static const char *const names[] = {"Counter 009", "Counter_009", "Counter 009.bin",
					    "Counter_009.bin"}; // of performance blocks
	const char *slash = strrchr(input, '/');
	int folder = slash != NULL ? (int)(slash - input) + 1 : 0;
	size_t size = strlen(input) + sizeof("Counter_009.bin");
	char *path = malloc(size);

	for (size_t i = 0; path != NULL && i < sizeof(endings) / sizeof(endings[0]); i++) {
		(void)snprintf(path, size, "%s%s", input, endings[i]);
		allow(rules, path, OF_INPUT);
	}
	for (size_t i = 0; path != NULL && i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, size, "%.*s%s", folder, input, names[i]);
		allow(rules, path, OF_INPUT);
	}
	free(path);
}

// The files that the command line names.
static void
allow_inputs(const struct ruleset *rules, const struct args *args)
{
	for (size_t i = 0; i < args->operands.n; i++) {
		allow(rules, args->operands.list[i], OF_INPUT);
		allow_beside(rules, args->operands.list[i]);
	}
	for (size_t i = 0; i < args->pattern_files.n; i++)
		allow(rules, args->pattern_files.list[i], OF_INPUT);
	for (size_t i = 0; i < args->inputs.n; i++)
		allow(rules, args->inputs.list[i], OF_INPUT);
}

// What libraries read: other libraries, character sets, languages, time zones, terminals, fonts and their settings,
// and how many processors and how much memory there are. The folders of a distribution hold no secrets of a user.
static void
allow_system(const struct ruleset *rules)
{
	static const char *const places[] = {
		"/usr",
		"/lib",
		"/lib64",
		"/etc",
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
	};
	static const char *const variables[] = {"TZDIR",      "TERMINFO",        "LOCPATH",
						"GCONV_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"};
	static const char *const of_user[] = {
		".fonts",
		".local/share/fonts",
		".fonts.conf",
		".config/fontconfig",
		".cache/fontconfig",
		".fontconfig",
		".terminfo",
	};
	const char *home = getenv("HOME");
	char path[4096];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		allow(rules, places[i], OF_INPUT);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (getenv(variables[i]) != NULL)
			allow(rules, getenv(variables[i]), OF_INPUT);
	for (size_t i = 0; home != NULL && i < sizeof(of_user) / sizeof(of_user[0]); i++) {
		int n = snprintf(path, sizeof(path), "%s/%s", home, of_user[i]);

		if ((size_t)n < sizeof(path))
			allow(rules, path, OF_INPUT);
	}
}

// ---- All of it ------------------------------------------------------------------------------

static void
allow_temporary(const struct ruleset *rules)
{
	allow(rules, "/tmp", OF_FOLDER);
	allow(rules, "/var/tmp", OF_FOLDER);
	if (getenv("TMPDIR") != NULL)
		allow(rules, getenv("TMPDIR"), OF_FOLDER);
}

static bool
begin_rules(struct ruleset *rules)
{
	struct ruleset_attr attr = {.handled_fs =
					    FS_EXECUTE | OF_FOLDER | FS_REMOVE_DIR | FS_MAKE_ALL};
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ABI_QUESTION);

	if (abi < 1)
		return false;
	attr.handled_fs &= abi >= 3 ? UINT64_MAX : ~FS_TRUNCATE;
	attr.handled_fs |= abi >= 2 ? FS_REFER : 0;
	attr.handled_net = abi >= 4 ? NET_BIND_AND_CONNECT : 0;
	attr.scoped = abi >= 6 ? SCOPE_ALL : 0;
	rules->handled = attr.handled_fs;
	// An older kernel takes a longer structure when it has zeros where that kernel knows nothing.
	rules->fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	return rules->fd >= 0;
}

static void
restrict_files(const struct args *args, const char *output)
{
	struct ruleset rules;

	if (!begin_rules(&rules))
		return;
	allow_system(&rules);
	allow_inputs(&rules, args);
	allow(&rules, "/dev/null", OF_FILE);
	allow(&rules, "/dev/tty", OF_FILE);
	allow_temporary(&rules);
	if (output != NULL && strcmp(output, "-") != 0)
		allow_output(&rules, output);
	(void)syscall(SYS_landlock_restrict_self, rules.fd, 0);
	(void)close(rules.fd);
}

void
sandbox_enter(const struct args *args, const char *output)
{
	// Both ask for it: no program that is started could have more rights again.
	if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0)
		return;
	restrict_files(args, output);
	callfilter_load();
}
#else
void
sandbox_enter(const struct args *args, const char *output)
{
	(void)args, (void)output;
}
#endif

// ---- Which verbs enter it ------------------------------------------------------------------

bool
sandbox_is_apart(const struct args *args)
{
	if (args_text(args, "--exec") != NULL || args_text(args, "--webhook") != NULL ||
	    args_flag(args, "--journal"))
		return true;
	if ((args->verb->traits & VERB_OR_MACHINE) != 0 && args->operands.n == 1 &&
	    args_text(args, "--before") == NULL)
		return true;
	return (args->verb->traits & VERB_NETWORK) != 0 && !args_flag(args, "--dry-run");
}

static bool
has_option(const struct args *args, const char *name)
{
	return option_find(args->verb->options, name, strlen(name)) != OPTION_NONE;
}

// Logs come from anywhere and are not trusted. Live sampling reads this machine only, and needs all of it.
void
sandbox_enter_for_verb(const struct args *args)
{
	const char *output = args->output;

	if (!has_option(args, "--no-sandbox") || args->no_sandbox || args->operands.n == 0 ||
	    sandbox_is_apart(args))
		return;
	if (output == NULL && (args->verb->traits & VERB_WRITES_HERE) != 0)
		output = "."; // a page without a name is written here
	sandbox_enter(args, output);
}
