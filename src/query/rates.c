// rates.c - averages per operation in logs of displayed values, from the rates next to them
// SPDX-License-Identifier: MIT
//
// The mean of displayed latencies weights all intervals equally, regardless of their number of
// operations. A displayed value times the rate times the interval is the total of that interval's
// operations. The sum of these totals, divided by the number of operations, is the average.
//
// Disks also have the number of operations in progress, whose integral is the total time of all
// operations (Little's law). Windows computes the latency and the queue length from the same ticks,
// so the integral of the queue length divided by that of the rate equals the average from raw
// values.

#include "query/rates.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/english.h"
#include "path/words.h"

struct kind {
	const char *value;
	const char *queue; // NULL: there is none
	const char *rate;
};

static const struct kind of_disks[] = {
	{"Avg. Disk sec/Read", "Avg. Disk Read Queue Length", "Disk Reads/sec"},
	{"Avg. Disk sec/Write", "Avg. Disk Write Queue Length", "Disk Writes/sec"},
	{"Avg. Disk sec/Transfer", "Avg. Disk Queue Length", "Disk Transfers/sec"},
	{"Avg. Disk Bytes/Read", NULL, "Disk Reads/sec"},
	{"Avg. Disk Bytes/Write", NULL, "Disk Writes/sec"},
	{"Avg. Disk Bytes/Transfer", NULL, "Disk Transfers/sec"},
};

static const struct kind of_volumes[] = {
	{"avg. sec/read", NULL, "reads/sec"},
	{"avg. sec/write", NULL, "writes/sec"},
};

static const struct kind of_shares[] = {
	{"Avg. sec/Read", NULL, "Read Requests/sec"},
	{"Avg. sec/Write", NULL, "Write Requests/sec"},
	{"Avg. sec/Request", NULL, "Requests/sec"},
	{"Avg. sec/Data Request", NULL, "Data Requests/sec"},
	{"Avg. Bytes/Read", NULL, "Read Requests/sec"},
	{"Avg. Bytes/Write", NULL, "Write Requests/sec"},
	{"Avg. Data Bytes/Request", NULL, "Data Requests/sec"},
};

// The Extensible Storage Engine, also of Exchange and Active Directory.
#define IO(what)                                                                                   \
	{what " Average Latency", NULL, what "/sec"},                                              \
	{                                                                                          \
		what " Average Bytes", NULL, what "/sec"                                           \
	}
#define OPS(what)                                                                                  \
	{                                                                                          \
		what " average latency (us)", NULL, what " Ops/sec"                                \
	}

static const struct kind of_databases[] = {
	IO("I/O Database Reads"),
	IO("I/O Database Reads (Attached)"),
	IO("I/O Database Reads (Recovery)"),
	IO("I/O Database Writes"),
	IO("I/O Database Writes (Attached)"),
	IO("I/O Database Writes (Recovery)"),
	IO("I/O Flush Map Writes"),
	IO("I/O Log Reads"),
	IO("I/O Log Writes"),
	IO("I/O Snapshot Reads"),
	IO("I/O Snapshot Writes"),
	OPS("Compression"),
	OPS("Decompression"),
	OPS("Decryption"),
	OPS("Encryption"),
	{"FlushFileBuffers Average Latency", NULL, "FlushFileBuffers ops/sec"},
};

static const struct kind of_rpc[] = {
	{"RPC Average Latency", NULL, "RPC Operations/sec"},
	{"RPC Averaged Latency", NULL, "RPC Operations/sec"},
};

static const struct kind of_directory[] = {
	{"LDAP Read Time", NULL, "LDAP Read Calls/sec"},
	{"LDAP Search Time", NULL, "LDAP Search Calls/sec"},
};

static const struct kind of_requests[] = {
	{"Request Execution Time", NULL, "Requests/Sec"},
	{"Request Wait Time", NULL, "Requests/Sec"},
};

static const struct kind of_calls[] = {
	{"Calls Duration", NULL, "Calls Per Second"},
};

static const struct kind of_latches[] = {
	{"Average Latch Wait Time (ms)", NULL, "Latch Waits/sec"},
};

static const struct kind of_locks[] = {
	{"Average Wait Time (ms)", NULL, "Lock Waits/sec"},
};

static const struct kind of_pools[] = {
	{"Avg Disk Read IO (ms)", NULL, "Disk Read IO/sec"},
	{"Avg Disk Write IO (ms)", NULL, "Disk Write IO/sec"},
};

static const struct kind of_storage[] = {
	{"Avg. Bytes/Read", NULL, "Reads/sec"},
	{"Avg. Bytes/Write", NULL, "Writes/sec"},
	{"Avg. Bytes/Transfer", NULL, "Transfers/sec"},
	{"Avg. microsec/Read", NULL, "Reads/sec"},
	{"Avg. microsec/Write", NULL, "Writes/sec"},
	{"Avg. microsec/Transfer", NULL, "Transfers/sec"},
};

static const struct kind of_transport[] = {
	{"Receive I/O Len Avg", NULL, "Receive I/Os/sec"},
	{"Send I/O Len Avg", NULL, "Send I/Os/sec"},
	{"Msg Fragment Recv Size Avg", NULL, "Message Fragment Receives/sec"},
	{"Msg Fragment Send Size Avg", NULL, "Message Fragment Sends/sec"},
};

#define KINDS(kinds) kinds, sizeof(kinds) / sizeof((kinds)[0])

// In these objects; an object of SQL Server has another beginning for each named instance.
static const struct group {
	const char *object; // a pattern
	const struct kind *kinds;
	size_t n;
} groups[] = {
	{"PhysicalDisk", KINDS(of_disks)},
	{"LogicalDisk", KINDS(of_disks)},
	{"Cluster CSVFS", KINDS(of_volumes)},
	{"SMB Client Shares", KINDS(of_shares)},
	{"SMB Server Shares", KINDS(of_shares)},
	{"SMB Server Sessions", KINDS(of_shares)},
	{"Database", KINDS(of_databases)},
	{"Database ==> *", KINDS(of_databases)},
	{"MSExchange Database", KINDS(of_databases)},
	{"MSExchange Database ==> *", KINDS(of_databases)},
	{"MSExchangeIS*", KINDS(of_rpc)},
	{"MSExchange RpcClientAccess", KINDS(of_rpc)},
	{"MSExchange ADAccess *", KINDS(of_directory)},
	{"ASP.NET App*", KINDS(of_requests)},
	{"ServiceModel*", KINDS(of_calls)},
	{"*:Latches", KINDS(of_latches)},
	{"*:Locks", KINDS(of_locks)},
	{"*:Resource Pool Stats", KINDS(of_pools)},
	{"*:Http Storage", KINDS(of_storage)},
	{"*:Broker/DBM Transport", KINDS(of_transport)},
};

#define N_GROUPS      (sizeof(groups) / sizeof(groups[0]))
#define N_DISK_GROUPS 2 // the first ones

// Patterns of all rates and queue lengths above; few, because each series of a log is compared with
// each pattern.
#define DISK_NEEDS                                                                                 \
	"\\PhysicalDisk(*)\\Avg. Disk *Queue Length", "\\PhysicalDisk(*)\\Disk *s/sec",            \
		"\\LogicalDisk(*)\\Avg. Disk *Queue Length", "\\LogicalDisk(*)\\Disk *s/sec"

const char *const pmon_latency_needs[] = {DISK_NEEDS, NULL};

const char *const pmon_average_needs[] = {
	DISK_NEEDS,
	"\\Cluster CSVFS(*)\\*s/sec",
	"\\SMB *(*)\\*Requests/sec",
	"\\Database*(*)\\* Ops/sec",
	"\\Database*(*)\\I/O */sec",
	"\\MSExchange Database*(*)\\* Ops/sec",
	"\\MSExchange Database*(*)\\I/O */sec",
	"\\MSExchange*\\RPC Operations/sec",
	"\\MSExchange*(*)\\RPC Operations/sec",
	"\\MSExchange*(*)\\LDAP * Calls/sec",
	"\\ASP.NET App*(*)\\Requests/Sec",
	"\\ServiceModel*(*)\\Calls Per Second",
	"\\*:Latches\\Latch Waits/sec",
	"\\*:Locks(*)\\Lock Waits/sec",
	"\\*:Resource Pool Stats(*)\\Disk * IO/sec",
	"\\*:Http Storage(*)\\*s/sec",
	"\\*:Broker/DBM Transport\\*s/sec",
	NULL,
};

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

static bool
is(struct pmon_span text, const char *name)
{
	return pmon_text_same(text, span_of(name));
}

// The averages of the object of a displayed counter; NULL if there are none.
static const struct group *
find_group(const struct pmon_series *series)
{
	struct pmon_span object;

	if (!series->formatted)
		return NULL;
	object = pmon_series_english(series)->object;
	for (size_t i = 0; i < N_GROUPS; i++)
		if (pmon_text_match(span_of(groups[i].object), object))
			return &groups[i];
	return NULL;
}

static bool
is_part(const struct kind *kind, struct pmon_span counter)
{
	return is(counter, kind->value) || is(counter, kind->rate) ||
	       (kind->queue != NULL && is(counter, kind->queue));
}

static uint64_t
hash_of(const struct pmon_rates *rates, const struct pmon_path *path, struct pmon_span counter)
{
	uint64_t hash = pmon_map_mix_name(rates->seed ^ (uint32_t)path->index, path->machine);

	hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->object), path->instance);
	return pmon_map_mix_name(hash, counter);
}

// The counter with that name for the instance of the series; NULL if it is missing from the log.
static const struct pmon_series *
find_counter(const struct pmon_rates *rates, const struct pmon_series *series,
	     struct pmon_span counter)
{
	const struct pmon_path *path = pmon_series_english(series);
	uint64_t hash = hash_of(rates, path, counter);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&rates->map, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_path *other = pmon_series_english(rates->list[i]);

		if (pmon_text_same(other->counter, counter) &&
		    pmon_text_same(other->machine, path->machine) &&
		    pmon_text_same(other->object, path->object) &&
		    pmon_text_same(other->instance, path->instance) && other->index == path->index)
			return rates->list[i];
	}
	return NULL;
}

bool
pmon_rates_note(struct pmon_rates *rates, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	const struct group *group = find_group(series);
	const struct pmon_allocator *allocator;
	bool is_needed = false;

	for (size_t i = 0; group != NULL && i < group->n; i++)
		is_needed = is_needed || is_part(&group->kinds[i], path->counter);
	if (!is_needed || find_counter(rates, series, path->counter) != NULL)
		return true;
	if (rates->n == 0)
		rates->seed = pmon_hash_seed();
	allocator = pmon_mem_allocator(rates->allocator);
	if (!pmon_mem_grow(allocator, &rates->list, &rates->cap, rates->n + 1,
			   sizeof(*rates->list)) ||
	    !pmon_map_put(&rates->map, allocator, hash_of(rates, path, path->counter),
			  (uint32_t)rates->n))
		return false;
	rates->list[rates->n++] = series;
	return true;
}

bool
pmon_rates_find(struct pmon_rates *rates, const struct pmon_schema *schema)
{
	*rates = (struct pmon_rates){.n = 0};
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (!pmon_rates_note(rates, pmon_schema_at(schema, i)))
			return false;
	return true;
}

void
pmon_rates_free(struct pmon_rates *rates)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(rates->allocator);

	pmon_mem_free(allocator, rates->list, rates->cap * sizeof(*rates->list));
	pmon_map_free(&rates->map, allocator);
}

bool
pmon_rates_of(const struct pmon_rates *rates, const struct pmon_series *series,
	      const struct pmon_series **queue, const struct pmon_series **rate)
{
	struct pmon_span counter = pmon_series_english(series)->counter;
	const struct group *group = find_group(series);

	*queue = *rate = NULL;
	for (size_t i = 0; group != NULL && i < group->n; i++) {
		const struct kind *kind = &group->kinds[i];

		if (!is(counter, kind->value))
			continue;
		if (kind->queue != NULL)
			*queue = find_counter(rates, series, span_of(kind->queue));
		*rate = find_counter(rates, series, span_of(kind->rate));
		return *queue != NULL && *rate != NULL;
	}
	return false;
}

const struct pmon_series *
pmon_rates_average(const struct pmon_rates *rates, const struct pmon_series *series, size_t *at)
{
	struct pmon_span counter = pmon_series_english(series)->counter;
	const struct group *group = find_group(series);
	const struct pmon_series *found = NULL;

	while (group != NULL && *at < group->n && found == NULL) {
		const struct kind *kind = &group->kinds[(*at)++];

		if (is_part(kind, counter))
			found = find_counter(rates, series, span_of(kind->value));
	}
	return found;
}

// ---- Patterns -----------------------------------------------------------------------------

static bool
may_be(const struct pmon_path *path, const struct group *group)
{
	if (pmon_path_is_words(path)) {
		for (size_t i = 0; i < group->n; i++)
			if (pmon_words_could(path->counter, span_of(group->object),
					     span_of(group->kinds[i].value)))
				return true;
		return false;
	}
	if (!pmon_text_match(path->object, span_of(group->object)) &&
	    !pmon_text_match(span_of(group->object), path->object))
		return false;
	for (size_t i = 0; i < group->n; i++)
		if (pmon_text_match(path->counter, span_of(group->kinds[i].value)))
			return true;
	return false;
}

static bool
may_be_among(const struct pmon_path *pattern, size_t n_groups)
{
	struct pmon_english english;
	struct pmon_path path = *pattern;

	if (!pmon_path_is_words(pattern) && pmon_english_of(NULL, pattern, &english))
		path = pmon_english_path(pattern, &english, 0);
	for (size_t i = 0; i < n_groups; i++)
		if (may_be(&path, &groups[i]))
			return true;
	return false;
}

bool
pmon_may_be_latency(const struct pmon_path *pattern)
{
	return may_be_among(pattern, N_DISK_GROUPS);
}

bool
pmon_may_be_average(const struct pmon_path *pattern)
{
	return may_be_among(pattern, N_GROUPS);
}
