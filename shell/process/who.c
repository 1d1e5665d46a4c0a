// who.c - what a process of this machine is: its command line, user, unit and limits
// SPDX-License-Identifier: MIT

#include "shell/process/who.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"

#define PATH      4096
#define TEXT      16384
#define NAME_MOST 15 // bytes of a process name in /proc/PID/stat
#define ID_SHOWN  12 // hexadecimal digits of the ID of a container
#define LOOKS     400
#define PAUSE     (PMON_TIME_PER_SEC / 4000)
#define PARENTS   64

// Read at most size - 1 bytes and add a NUL. Returns their number; 0 if the file cannot be read.
static size_t
read_text(const char *path, char *buf, size_t size)
{
	FILE *file = fopen(path, "rb");
	size_t n = file != NULL ? fread(buf, 1, size - 1, file) : 0;

	if (file != NULL)
		(void)fclose(file);
	buf[n] = '\0';
	return n;
}

static size_t
read_of(const char *root, int64_t pid, const char *name, char *buf, size_t size)
{
	char path[PATH];

	(void)snprintf(path, sizeof(path), "%s/proc/%" PRId64 "/%s", root, pid, name);
	return read_text(path, buf, size);
}

// Find the line that begins with a key. Returns the text after the key, or NULL.
static const char *
line_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, len) == 0)
			return at + len;
	}
	return NULL;
}

// ---- Name and state -------------------------------------------------------------------------

// "77 (name) S ...": a name may contain blanks and parentheses.
static bool
read_state(const char *root, int64_t pid, struct pmon_span name, struct who *out)
{
	char text[1024];
	const char *begin;
	const char *end;
	size_t len;

	if (read_of(root, pid, "stat", text, sizeof(text)) == 0)
		return false;
	begin = strchr(text, '(');
	end = strrchr(text, ')');
	if (begin == NULL || end == NULL || end < begin || end[1] != ' ')
		return false;
	out->state = end[2];
	len = (size_t)(end - begin) - 1;
	// Names of counters replace characters that a path cannot have, so only the length and the first character are
	// compared.
	return len == (name.len < NAME_MOST ? name.len : len) && len > 0 && name.len > 0 &&
	       (begin[1] == name.ptr[0] || strchr("()#/\\*", begin[1]) != NULL);
}

// ---- Command line ---------------------------------------------------------------------------

static void
read_command(const char *root, int64_t pid, struct who *out)
{
	size_t n = read_of(root, pid, "cmdline", out->command, sizeof(out->command));

	while (n > 0 && out->command[n - 1] == '\0')
		n--;
	for (size_t i = 0; i < n; i++)
		if (out->command[i] == '\0')
			out->command[i] = ' ';
}

// ---- User -----------------------------------------------------------------------------------

// "name:x:1000:": the name of the third field.
static bool
is_user(const char *line, unsigned long id, char *name, size_t size)
{
	const char *end = strchr(line, ':');
	const char *number = end != NULL ? strchr(end + 1, ':') : NULL;
	char *after;

	if (number == NULL || strtoul(number + 1, &after, 10) != id || after == number + 1 ||
	    *after != ':' || (size_t)(end - line) >= size)
		return false;
	memcpy(name, line, (size_t)(end - line));
	name[end - line] = '\0';
	return true;
}

// A user who is not in /etc/passwd, but in a directory service, is shown as a number.
static void
read_user(const char *root, int64_t pid, struct who *out)
{
	char text[TEXT];
	char path[PATH];
	const char *uid;
	FILE *file;
	unsigned long id;

	(void)read_of(root, pid, "status", text, sizeof(text));
	uid = line_of(text, "Uid:");
	if (uid == NULL)
		return;
	// The second is the effective one.
	uid += strspn(uid, " \t");
	uid += strcspn(uid, " \t");
	id = strtoul(uid, NULL, 10);
	(void)snprintf(out->user, sizeof(out->user), "%lu", id);
	(void)snprintf(path, sizeof(path), "%s/etc/passwd", root);
	file = fopen(path, "rb");
	while (file != NULL && fgets(text, sizeof(text), file) != NULL)
		if (is_user(text, id, out->user, sizeof(out->user)))
			break;
	if (file != NULL)
		(void)fclose(file);
}

// ---- Unit -----------------------------------------------------------------------------------

static bool
is_hexadecimal(const char *text, size_t n)
{
	return strspn(text, "0123456789abcdef") >= n;
}

// The last part of the path of a group: "nginx.service"; "docker-0123456789ab" for the scope of a container.
static void
put_unit(const char *path, struct who *out)
{
	const char *last = strrchr(path, '/');
	size_t n = 0;

	last = last != NULL ? last + 1 : path;
	while (last[n] != '\0' && n + 1 < sizeof(out->unit)) {
		// The ID of a container has 64 digits, or 32; container tools show the first 12.
		if (is_hexadecimal(&last[n], 32)) {
			n += ID_SHOWN;
			n = n < sizeof(out->unit) ? n : sizeof(out->unit) - 1;
			break;
		}
		n++;
	}
	memcpy(out->unit, last, n);
	out->unit[n] = '\0';
}

static uint64_t
read_number(const char *path)
{
	char text[64];

	return read_text(path, text, sizeof(text)) > 0 ? strtoull(text, NULL, 10) : 0;
}

// The files of a controller: unified, or of version 1.
struct files {
	const char *folder;
	const char *limit;
	const char *usage;
	const char *cache; // in memory.stat: the key of the inactive file pages
};

// "max", and the largest number of version 1, mean that there is no limit. File pages that the kernel can drop at once
// are subtracted, as in the working set of Kubernetes: a group that reads files is at its limit all the time.
static void
read_memory(const char *root, const char *group, const struct files *files, struct who *out)
{
	char path[2 * PATH];
	char text[TEXT];
	const char *cache;
	uint64_t unused;

	(void)snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s%s/%s", root, files->folder, group,
		       files->limit);
	out->memory_limit = read_number(path);
	if (out->memory_limit >= INT64_MAX / 2)
		out->memory_limit = 0;
	(void)snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s%s/%s", root, files->folder, group,
		       files->usage);
	out->memory = read_number(path);
	(void)snprintf(path, sizeof(path), "%s/sys/fs/cgroup%s%s/memory.stat", root, files->folder,
		       group);
	(void)read_text(path, text, sizeof(text));
	cache = line_of(text, files->cache);
	unused = cache != NULL ? strtoull(cache, NULL, 10) : 0;
	out->memory -= unused < out->memory ? unused : out->memory;
}

// Find the path of a group in the line of its controller, such as "4:memory:/system.slice/x.service".
static bool
find_group(const char *text, const char *controller, char group[PATH])
{
	char key[64];
	const char *path;
	size_t n;

	for (int number = 0; number < 64; number++) {
		(void)snprintf(key, sizeof(key), "%d:%s:", number, controller);
		path = line_of(text, key);
		n = path != NULL ? strcspn(path, "\n") : 0;
		if (n == 0 || n >= PATH || path[0] != '/')
			continue;
		memcpy(group, path, n);
		group[n] = '\0';
		return true;
	}
	return false;
}

static void
read_group(const char *root, int64_t pid, struct who *out)
{
	static const struct files unified = {"", "memory.max", "memory.current", "inactive_file "};
	static const struct files separate = {"/memory", "memory.limit_in_bytes",
					      "memory.usage_in_bytes", "total_inactive_file "};
	char text[TEXT];
	char group[PATH];

	(void)read_of(root, pid, "cgroup", text, sizeof(text));
	if (find_group(text, "", group)) {
		put_unit(group, out);
		read_memory(root, group, &unified, out);
	}
	if (out->unit[0] == '\0' && find_group(text, "name=systemd", group))
		put_unit(group, out);
	if (out->memory_limit > 0 || !find_group(text, "memory", group))
		return;
	if (out->unit[0] == '\0')
		put_unit(group, out);
	read_memory(root, group, &separate, out);
}

// ---- Limits ---------------------------------------------------------------------------------

uint64_t
who_files_limit(const char *root, int64_t pid, struct pmon_span name)
{
	char text[TEXT];
	const char *files;
	struct who who;

	root = root != NULL ? root : "";
	if (!read_state(root, pid, name, &who))
		return 0;
	(void)read_of(root, pid, "limits", text, sizeof(text));
	files = line_of(text, "Max open files");
	return files != NULL ? strtoull(files, NULL, 10) : 0; // "unlimited" is 0
}

char
who_state(const char *root, int64_t pid, struct pmon_span name)
{
	struct who who;

	return read_state(root != NULL ? root : "", pid, name, &who) ? who.state : '\0';
}

bool
who_is(const char *root, int64_t pid, struct pmon_span name, struct who *out)
{
	*out = (struct who){.state = '\0'};
	root = root != NULL ? root : "";
	if (!read_state(root, pid, name, out))
		return false;
	read_command(root, pid, out);
	read_user(root, pid, out);
	read_group(root, pid, out);
	return true;
}

// ---- Who starts processes -------------------------------------------------------------------

struct tally {
	int64_t id[PARENTS];
	unsigned starts[PARENTS];
	size_t n;
};

static void
count(struct tally *tally, int64_t id)
{
	size_t i = 0;

	while (i < tally->n && tally->id[i] != id)
		i++;
	if (i == PARENTS)
		return;
	if (i == tally->n) {
		tally->id[tally->n] = id;
		tally->starts[tally->n++] = 0;
	}
	tally->starts[i]++;
}

// The fifth word of /proc/loadavg.
static int64_t
newest_id(const char *root)
{
	char path[PATH];
	char text[128];
	const char *last;

	(void)snprintf(path, sizeof(path), "%s/proc/loadavg", root);
	(void)read_text(path, text, sizeof(text));
	last = strrchr(text, ' ');
	return last != NULL ? strtoll(last, NULL, 10) : WHO_NOBODY;
}

// The fourth word of /proc/PID/stat, the second after the name.
static int64_t
parent_of(const char *root, int64_t id)
{
	char text[1024];
	const char *end;

	(void)read_of(root, id, "stat", text, sizeof(text));
	end = strrchr(text, ')');
	return end != NULL && strlen(end) > 4 ? strtoll(end + 4, NULL, 10) : WHO_NOBODY;
}

int64_t
who_starts(const char *root, bool (*counts)(const void *ctx, int64_t pid), const void *ctx)
{
	struct tally tally = {.n = 0};
	int64_t before = WHO_NOBODY;
	size_t best = 0;

	root = root != NULL ? root : "";
	for (int i = 0; i < LOOKS; i++) {
		int64_t id = newest_id(root);
		int64_t parent = id != before ? parent_of(root, id) : WHO_NOBODY;

		// The first one may have started earlier.
		if (parent > 0 && before != WHO_NOBODY && counts(ctx, parent))
			count(&tally, parent);
		before = id;
		pmon_os_sleep(PAUSE);
	}
	for (size_t i = 1; i < tally.n; i++)
		if (tally.starts[i] > tally.starts[best])
			best = i;
	return tally.n > 0 && tally.starts[best] > 1 ? tally.id[best] : WHO_NOBODY;
}
