// words.c - select counters by words instead of a path
// SPDX-License-Identifier: MIT

#include "path/words.h"

#include <string.h>

// ---- Groups ---------------------------------------------------------------------------------

enum group {
	CPU,
	MEMORY,
	DISK,
	NETWORK,
	PROCESS,
	SQL,
	WEB,
	GROUPS
};

static const char *const group_words[GROUPS] = {"cpu",     "memory", "disk", "network",
						"process", "sql",    "web"};

// Patterns of an object and a counter. A test compares them with share/meanings.tsv.
struct member {
	enum group group;
	bool is_refined; // a member only next to another word: "process memory"
	const char *object;
	const char *counter;
};

static const struct member members[] = {
	{CPU, false, "Processor", "*"},
	{CPU, false, "Processor Information", "*"},
	{CPU, false, "Hyper-V Hypervisor*Processor", "*"},
	{CPU, false, "VM Processor", "*"},
	{CPU, false, "Physical Cpu", "*"},
	{CPU, false, "Group Cpu", "*"},
	{CPU, false, "Softirq", "*"},
	{CPU, false, "System", "Processor Queue Length"},
	{CPU, false, "System", "Context Switches/sec"},
	{CPU, false, "System", "System Calls/sec"},
	{CPU, false, "System", "Exception Dispatches/sec"},
	{CPU, false, "System", "Threads Running"},
	{CPU, false, "System", "Load Average*"},
	{CPU, false, "Cgroup", "*Throttled*"},
	{CPU, false, "Cgroup", "Periods/sec"},
	{CPU, false, "Cgroup", "% CPU*"},
	{CPU, false, "Pressure Stall", "*CPU*"},
	{CPU, true, "*", "% Processor Time"},
	{CPU, true, "*", "% User Time"},
	{CPU, true, "*", "% Privileged Time"},
	{CPU, true, "*", "*CPU*"},
	{MEMORY, false, "Memory", "*"},
	{MEMORY, false, "Paging File", "*"},
	{MEMORY, false, "NUMA Node Memory", "*"},
	{MEMORY, false, "VM Memory", "*"},
	{MEMORY, false, "Group Memory", "*"},
	{MEMORY, false, "Hyper-V Dynamic Memory*", "*"},
	{MEMORY, false, "Cgroup", "*Memory*"},
	{MEMORY, false, "Cgroup", "Swap Bytes"},
	{MEMORY, false, "Cgroup", "Anonymous Bytes"},
	{MEMORY, false, "Server", "Pool *"},
	{MEMORY, true, "*", "Working Set*"},
	{MEMORY, true, "*", "Private Bytes"},
	{MEMORY, true, "*", "Virtual Bytes*"},
	{MEMORY, true, "*", "Page File Bytes*"},
	{MEMORY, true, "*", "*Memory*"},
	{MEMORY, true, "*Memory*", "*"},
	{DISK, false, "PhysicalDisk", "*"},
	{DISK, false, "LogicalDisk", "*"},
	{DISK, false, "Physical Disk*", "*"},
	{DISK, false, "Virtual Disk", "*"},
	{DISK, false, "Hyper-V Virtual Storage Device", "*"},
	{DISK, false, "Cluster CSVFS", "*"},
	{DISK, false, "Memory", "Block *"},
	{DISK, false, "System", "File *"},
	{DISK, false, "System", "Threads Blocked"},
	{DISK, false, "Cgroup", "*I/O*"},
	{DISK, true, "*", "IO *"},
	{DISK, true, "*", "*Disk*"},
	{NETWORK, false, "Network *", "*"},
	{NETWORK, false, "TCPv?", "*"},
	{NETWORK, false, "UDPv?", "*"},
	{NETWORK, false, "IPv?", "*"},
	{NETWORK, false, "ICMP*", "*"},
	{NETWORK, false, "SMB *", "*"},
	{NETWORK, false, "Hyper-V Virtual Switch*", "*"},
	{NETWORK, false, "Hyper-V Virtual Network Adapter", "*"},
	{NETWORK, false, "Server", "Work Item Shortages"},
	{NETWORK, true, "*", "*Network*"},
	{PROCESS, false, "Process", "*"},
	{PROCESS, false, "Process V2", "*"},
	{PROCESS, false, "GPU Engine", "*"},
	{PROCESS, false, "System", "Processes"},
	{PROCESS, false, "System", "Threads"},
	{PROCESS, false, "System", "Forks/sec"},
	{PROCESS, false, "System", "Open Files*"},
	{PROCESS, false, "Cgroup", "% Processor Time"},
	{SQL, false, "SQLServer:*", "*"},
	{SQL, false, "MSSQL$*", "*"},
	{SQL, false, "SQLAgent*", "*"},
	{WEB, false, "Web Service*", "*"},
	{WEB, false, "W3SVC_W3WP", "*"},
	{WEB, false, "WAS_W3WP", "*"},
	{WEB, false, "APP_POOL_WAS", "*"},
	{WEB, false, "ASP.NET*", "*"},
	{WEB, false, "HTTP Service*", "*"},
};

#define N_MEMBERS (sizeof(members) / sizeof(members[0]))

static struct pmon_span
span(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// GROUPS: the word is not the name of a group.
static enum group
group_of(struct pmon_span word)
{
	enum group group = 0;

	while (group < GROUPS && !pmon_text_same(word, span(group_words[group])))
		group++;
	return group;
}

static bool
is_member(enum group group, bool is_refined, struct pmon_span object, struct pmon_span counter)
{
	for (size_t i = 0; i < N_MEMBERS; i++) {
		const struct member *m = &members[i];

		if (m->group == group && (is_refined || !m->is_refined) &&
		    pmon_text_match(span(m->object), object) &&
		    (counter.ptr == NULL || pmon_text_match(span(m->counter), counter)))
			return true;
	}
	return false;
}

// ---- Words ----------------------------------------------------------------------------------

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
skip_blanks(struct pmon_span *text)
{
	while (text->len > 0 && is_blank(text->ptr[0])) {
		text->ptr++;
		text->len--;
	}
}

static size_t
word_length(struct pmon_span text)
{
	size_t n = 0;

	while (n < text.len && !is_blank(text.ptr[n]))
		n++;
	return n;
}

bool
pmon_words_next(struct pmon_span *text, struct pmon_span *word)
{
	struct pmon_span rest;
	size_t len;

	skip_blanks(text);
	len = word_length(*text);
	rest = (struct pmon_span){text->ptr + len, text->len - len};
	if (len == 1 && text->ptr[0] == '%') {
		skip_blanks(&rest);
		len = (size_t)(rest.ptr - text->ptr) + word_length(rest);
		if (rest.len == 0)
			len = 1;
	}
	*word = (struct pmon_span){text->ptr, len};
	text->ptr += len;
	text->len -= len;
	return len > 0;
}

static bool
has_wildcard(struct pmon_span text)
{
	return memchr(text.ptr, '*', text.len) != NULL || memchr(text.ptr, '?', text.len) != NULL;
}

// Does the text match one of the path's names from its beginning to its end?
static bool
matches_name(struct pmon_span text, const struct pmon_path *path)
{
	return pmon_text_match(text, path->object) || pmon_text_match(text, path->counter) ||
	       (path->instance.ptr != NULL && pmon_text_match(text, path->instance)) ||
	       (path->machine.ptr != NULL && pmon_text_match(text, path->machine));
}

static bool
word_matches(struct pmon_span word, bool is_refined, const struct pmon_path *names, size_t n)
{
	enum group group = group_of(word);
	bool wild = has_wildcard(word);

	for (size_t i = 0; i < n; i++) {
		const struct pmon_path *path = &names[i];

		if (group < GROUPS ? is_member(group, is_refined, path->object, path->counter)
		    : wild         ? matches_name(word, path)
				   : pmon_path_contains(path, word))
			return true;
	}
	return false;
}

// Does the search have more than one word?
static bool
is_refined(struct pmon_span text)
{
	struct pmon_span word;

	return pmon_words_next(&text, &word) && pmon_words_next(&text, &word);
}

bool
pmon_words_match(struct pmon_span text, const struct pmon_path *names, size_t n)
{
	bool refined = is_refined(text);
	struct pmon_span rest = text;
	struct pmon_span word;

	// "Avg. Disk*" as a whole, although its second word does not begin a name.
	for (size_t i = 0; refined && has_wildcard(text) && i < n; i++)
		if (matches_name(text, &names[i]))
			return true;
	while (pmon_words_next(&rest, &word))
		if (!word_matches(word, refined, names, n))
			return false;
	return true;
}

bool
pmon_words_could(struct pmon_span text, struct pmon_span object, struct pmon_span counter)
{
	bool refined = is_refined(text);
	struct pmon_span word;

	while (pmon_words_next(&text, &word)) {
		enum group group = group_of(word);

		if (group < GROUPS && !is_member(group, refined, object, counter))
			return false;
	}
	return true;
}

bool
pmon_search_parse(struct pmon_span text, struct pmon_path *out, struct pmon_path_error *why)
{
	struct pmon_span rest = text;
	struct pmon_span word;

	if (text.len == 0 || memchr(text.ptr, '\\', text.len) != NULL ||
	    !pmon_words_next(&rest, &word))
		return pmon_pattern_parse(text, out, why);
	*out = (struct pmon_path){.counter = text};
	return true;
}
