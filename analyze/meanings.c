// meanings.c - what counters mean to a person who looks for trouble
// SPDX-License-Identifier: MIT

#include "analyze/meanings.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

enum column {
	OBJECT,
	COUNTER,
	RESOURCE,
	KIND,
	WORSE,
	UNIT,
	FLOOR,
	SHIFT,
	NEEDS,
	BOUND,
	WHO,
	LABEL,
	SOURCE,
	COLUMNS
};

static const char *const resources[MEANING_RESOURCES] = {
	"processor", "memory", "disk",      "storage",         "network", "process",
	"database",  "web",    "directory", "virtual-machine", "system"};
static const char *const kinds[MEANING_KINDS] = {
	"utilization",       "saturation",      "errors",          "latency",
	"throughput",        "level-bounded",   "level-unbounded", "configuration",
	"count-since-start", "since-start-time"};
static const char *const directions[MEANING_DIRECTIONS] = {"none", "up", "down", "both"};

// Objects that mean the same as another one.
static const struct {
	const char *pattern;
	const char *object;
} same_objects[] = {
	{"Processor Information", "Processor"},
	{"Process V2", "Process"},
	{"TCPv6", "TCPv4"},
	{"UDPv6", "UDPv4"},
	{"IPv6", "IPv4"},
	{"Network Adapter", "Network Interface"},
	{"ASP.NET v*", "ASP.NET"},
	{"ASP.NET Apps v*", "ASP.NET Applications"},
	{"NTDS", "DirectoryServices"},
};

// ---- Reading --------------------------------------------------------------------------------

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// The index of a word in a list; n if it is not there.
static size_t
word_of(const char *const *words, size_t n, struct pmon_span word)
{
	size_t i = 0;

	while (i < n && !pmon_text_same(span_of(words[i]), word))
		i++;
	return i;
}

// Take the text before `end` off the beginning of *rest.
static struct pmon_span
take_until(struct pmon_span *rest, char end)
{
	const char *at = rest->len > 0 ? memchr(rest->ptr, end, rest->len) : NULL;
	struct pmon_span taken = {rest->ptr, at != NULL ? (size_t)(at - rest->ptr) : rest->len};
	size_t used = taken.len + (at != NULL);

	rest->ptr += used;
	rest->len -= used;
	return taken;
}

static bool
read_amount(struct pmon_span text, double *out)
{
	return pmon_num_parse_double(text, out) && isfinite(*out) && *out >= 0;
}

// "Disk Reads/sec >= 1"
static bool
read_needs(struct pmon_span text, struct meaning *m)
{
	static const char middle[] = " >= ";
	size_t len = strlen(middle);

	if (text.len == 0)
		return true;
	for (size_t i = 0; i + len < text.len; i++) {
		if (memcmp(text.ptr + i, middle, len) != 0)
			continue;
		m->needs = (struct pmon_span){text.ptr, i};
		return read_amount((struct pmon_span){text.ptr + i + len, text.len - i - len},
				   &m->least);
	}
	return false;
}

static bool
read_line(struct pmon_span line, struct meaning *m)
{
	struct pmon_span fields[COLUMNS] = {{NULL, 0}};

	for (size_t i = 0; i < COLUMNS; i++) {
		if (line.ptr == NULL)
			return false;
		fields[i] = take_until(&line, i + 1 < COLUMNS ? '\t' : '\n');
	}
	*m = (struct meaning){.object = fields[OBJECT],
			      .counter = fields[COUNTER],
			      .unit = fields[UNIT],
			      .bound = fields[BOUND],
			      .who = fields[WHO],
			      .label = fields[LABEL],
			      .source = fields[SOURCE]};
	m->resource =
		(enum meaning_resource)word_of(resources, MEANING_RESOURCES, fields[RESOURCE]);
	m->kind = (enum meaning_kind)word_of(kinds, MEANING_KINDS, fields[KIND]);
	m->worse = (enum meaning_worse)word_of(directions, MEANING_DIRECTIONS, fields[WORSE]);
	return m->object.len > 0 && m->counter.len > 0 && m->source.len > 0 &&
	       memchr(m->source.ptr, '\t', m->source.len) == NULL &&
	       m->resource < MEANING_RESOURCES && m->kind < MEANING_KINDS &&
	       m->worse < MEANING_DIRECTIONS && read_amount(fields[FLOOR], &m->floor) &&
	       (fields[SHIFT].len == 0 || read_amount(fields[SHIFT], &m->shift)) &&
	       read_needs(fields[NEEDS], m);
}

static uint64_t
hash_of(struct pmon_span object, struct pmon_span counter)
{
	return pmon_map_mix_name(pmon_map_mix_name(0, object), counter);
}

static const struct meaning *
find(const struct meanings *meanings, struct pmon_span object, struct pmon_span counter)
{
	uint64_t hash = hash_of(object, counter);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&meanings->by_name, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same(meanings->list[i].object, object) &&
		    pmon_text_same(meanings->list[i].counter, counter))
			return &meanings->list[i];
	return NULL;
}

// Note which counters others need.
static void
find_loads(struct meanings *meanings)
{
	for (size_t i = 0; i < meanings->n; i++)
		for (size_t k = 0; k < meanings->n; k++)
			if (meanings->list[k].shift > 0 && meanings->list[k].needs.len > 0 &&
			    pmon_text_same(meanings->list[k].object, meanings->list[i].object) &&
			    pmon_text_same(meanings->list[k].needs, meanings->list[i].counter))
				meanings->list[i].is_load = true;
}

bool
meanings_read(struct meanings *meanings, struct pmon_span text, size_t *line)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	struct meaning m;

	(void)take_until(&text, '\n'); // the names of the columns
	for (*line = 2; text.len > 0; ++*line) {
		if (!read_line(take_until(&text, '\n'), &m) ||
		    find(meanings, m.object, m.counter) != NULL)
			return false;
		if (!pmon_mem_grow(allocator, &meanings->list, &meanings->cap, meanings->n + 1,
				   sizeof(m)) ||
		    !pmon_map_put(&meanings->by_name, allocator, hash_of(m.object, m.counter),
				  (uint32_t)meanings->n)) {
			*line = 0;
			return false;
		}
		meanings->list[meanings->n++] = m;
	}
	find_loads(meanings);
	return true;
}

void
meanings_free(struct meanings *meanings)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	pmon_map_free(&meanings->by_name, allocator);
	pmon_mem_free(allocator, meanings->list, meanings->cap * sizeof(*meanings->list));
}

// ---- Finding --------------------------------------------------------------------------------

// "MSSQL$SALES:Locks" is found as "SQLServer:Locks".
static const struct meaning *
find_named_server(const struct meanings *meanings, const struct pmon_path *path)
{
	char buf[128] = "SQLServer:";
	size_t len = strlen(buf);
	struct pmon_span rest = path->object;

	if (!pmon_text_match(PMON_SPAN("MSSQL$*:*"), path->object))
		return NULL;
	(void)take_until(&rest, ':');
	if (rest.len > sizeof(buf) - len)
		return NULL;
	memcpy(buf + len, rest.ptr, rest.len);
	return find(meanings, (struct pmon_span){buf, len + rest.len}, path->counter);
}

// For SQL Server's waits the counters are the waits and the instances what is measured: the meaning is that of the
// average, and neither how many wait nor how many began to.
static bool
is_other_measure(const struct pmon_path *path)
{
	return pmon_text_match(PMON_SPAN("*:Wait Statistics"), path->object) &&
	       path->instance.len > 0 &&
	       !pmon_text_match(PMON_SPAN("Average wait time*"), path->instance);
}

const struct meaning *
meanings_of(const struct meanings *meanings, const struct pmon_path *path)
{
	const struct meaning *found = find(meanings, path->object, path->counter);

	if (is_other_measure(path))
		return NULL;
	for (size_t i = 0; found == NULL && i < sizeof(same_objects) / sizeof(same_objects[0]); i++)
		if (pmon_text_match(span_of(same_objects[i].pattern), path->object))
			found = find(meanings, span_of(same_objects[i].object), path->counter);
	return found != NULL ? found : find_named_server(meanings, path);
}

static bool
add_patterns(struct pmon_span object, struct pmon_span counter,
	     bool (*add)(void *ctx, struct pmon_span pattern), void *ctx)
{
	static const char *const instances[] = {"\\", "(*)\\"};

	for (size_t i = 0; i < sizeof(instances) / sizeof(instances[0]); i++) {
		char buf[256];
		struct pmon_text t = pmon_text_init(buf, sizeof(buf));

		pmon_text_char(&t, '\\');
		pmon_text_span(&t, object);
		pmon_text_str(&t, instances[i]);
		pmon_text_span(&t, counter);
		if (!add(ctx, (struct pmon_span){buf, t.len}))
			return false;
	}
	return true;
}

bool
meaning_patterns(const struct meaning *m, bool (*add)(void *ctx, struct pmon_span pattern),
		 void *ctx)
{
	if (!add_patterns(m->object, m->counter, add, ctx))
		return false;
	for (size_t i = 0; i < sizeof(same_objects) / sizeof(same_objects[0]); i++)
		if (pmon_text_same(span_of(same_objects[i].object), m->object) &&
		    !add_patterns(span_of(same_objects[i].pattern), m->counter, add, ctx))
			return false;
	return true;
}

const char *
meaning_resource_name(enum meaning_resource resource)
{
	return resources[resource];
}

const char *
meaning_kind_name(enum meaning_kind kind)
{
	return kinds[kind];
}
