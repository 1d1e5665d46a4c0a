// hidepid.c - does /proc show the processes of all users?
// SPDX-License-Identifier: MIT
//
// If /proc is mounted with hidepid=2 (invisible) or 4 (ptraceable), it lists only the processes
// that the reader may trace; with 2, one group sees all of them (proc(5)). With hidepid=1 all are
// listed, but their files cannot be opened.

#include <string.h>

#include "base/mem.h"
#include "live/linux/linux.h"

#define CAP_SYS_PTRACE 19 // of capabilities(7)

struct kept {
	uint64_t tree; // when it was determined, from 1
	bool sees;
};

static bool
is_any(struct pmon_span word, const char *const *texts)
{
	for (; *texts != NULL; texts++)
		if (word.len == strlen(*texts) && memcmp(word.ptr, *texts, word.len) == 0)
			return true;
	return false;
}

// One of the options in "rw,gid=4,hidepid=invisible".
static bool
has_hiding_option(struct pmon_span options)
{
	static const char *const hiding[] = {"hidepid=2", "hidepid=invisible", "hidepid=4",
					     "hidepid=ptraceable", NULL};

	while (options.len > 0) {
		const char *comma = memchr(options.ptr, ',', options.len);
		size_t len = comma != NULL ? (size_t)(comma - options.ptr) : options.len;

		if (is_any((struct pmon_span){options.ptr, len}, hiding))
			return true;
		len += comma != NULL;
		options = (struct pmon_span){options.ptr + len, options.len - len};
	}
	return false;
}

// "22 28 0:21 / /proc rw shared:12 - proc proc rw,hidepid=invisible"; the last line for a mount
// point counts.
static bool
is_hiding(struct live *live)
{
	static const char *const place[] = {"/proc", NULL};
	static const char *const dash[] = {"-", NULL};
	struct lx_reading reading;
	struct pmon_scan line;
	struct pmon_span word;
	bool hides = false;

	if (!pmon_lx_file(live->host, LX_MOUNTINFO, &reading))
		return false;
	while (pmon_lx_whole_line(&reading.text, &line)) {
		if (!pmon_lx_skip(&line, 4) || !pmon_lx_word(&line, &word) || !is_any(word, place))
			continue;
		while (pmon_lx_word(&line, &word) && !is_any(word, dash))
			;
		hides = pmon_lx_skip(&line, 2) && pmon_lx_word(&line, &word) &&
			has_hiding_option(word);
	}
	return hides;
}

// The effective user and capabilities of "Uid:\t0\t0\t0\t0" and "CapEff:\t000001ffffffffff".
struct identity {
	uint64_t user;
	uint64_t capabilities;
};

static uint64_t
read_hex(struct pmon_scan line)
{
	struct pmon_span word = {NULL, 0};
	uint64_t n = 0;

	(void)pmon_lx_word(&line, &word);
	for (size_t i = 0; i < word.len; i++) {
		char c = word.ptr[i];

		n = n << 4 | (uint64_t)(c >= 'a' ? c - 'a' + 10 : c - '0');
	}
	return n;
}

static bool
read_identity(struct live_host *host, const char *path, struct identity *out)
{
	char buf[8192];
	struct lx_reading reading;
	struct pmon_scan line;
	bool found = false;

	*out = (struct identity){0, 0};
	if (!pmon_lx_read(host, path, buf, sizeof(buf), &reading))
		return false;
	while (pmon_lx_line(&reading.text, &line))
		if (pmon_lx_key(&line, "Uid"))
			found = pmon_lx_skip(&line, 1) && pmon_lx_u64(&line, &out->user);
		else if (pmon_lx_key(&line, "CapEff"))
			out->capabilities = read_hex(line);
	return found;
}

// Whoever may trace the first process thanks to that capability, or sees it although it belongs to
// another user, sees all.
static bool
is_exempt(struct live_host *host)
{
	struct identity first;
	struct identity own;

	return read_identity(host, "proc/1/status", &first) &&
	       read_identity(host, "proc/self/status", &own) &&
	       ((own.capabilities >> CAP_SYS_PTRACE & 1) != 0 || own.user != first.user);
}

static void
free_kept(const struct live *live, void *kept)
{
	pmon_mem_free(live->allocator, kept, sizeof(struct kept));
}

enum pmon_status
pmon_lx_sees_processes(struct live *live, bool *out, struct pmon_err *err)
{
	void **slot = pmon_lx_kept(live->host, LX_SLOT_HIDEPID, free_kept);
	uint64_t tree = pmon_lx_tree(live->host) + 1;
	struct kept *kept;

	if (*slot == NULL)
		*slot = pmon_mem_alloc0(live->allocator, sizeof(struct kept));
	kept = *slot;
	if (kept == NULL)
		return pmon_err_nomem(err);
	if (kept->tree != tree) {
		kept->sees = !is_hiding(live) || is_exempt(live->host);
		kept->tree = tree;
	}
	*out = kept->sees;
	return PMON_OK;
}
