// levels.c - which counters can leak, in which direction, and up to which limit
// SPDX-License-Identifier: MIT

#include "verbs/trend/levels.h"

#include <string.h>

// ---- Names ----------------------------------------------------------------------------------

// Identifiers, and counters that keep their maximum so far.
static const char *const no_levels[] = {
	"*Process ID",    "ID *",          "*Peak*",    "*Maximum*",      "Priority *",
	"*Limit*",        "*Bandwidth",    "*Target*",  "*Frequency*",    "Thread *State",
	"Thread *Reason", "Start Address", "*Lifetime", "System Up Time",
};

// Memory that caches data from a disk. It grows into free memory, and is released when needed.
static const char *const caches[] = {
	"*Cache*",      "Standby*",       "Free & Zero*",  "Modified Page*",
	"Active Bytes", "Inactive Bytes", "Buffers Bytes", "Mapped Bytes",
	"File *",       "Dirty *",        "Writeback *",
};

static const char *const resources[] = {
	"*Bytes*",      "*Memory*",      "*Handle*",  "Thread*",   "* Threads",    "Processes",
	"*Heap*",       "*in Use*",      "*Used*",    "*Usage*",   "Mutexes",      "Events",
	"Semaphores",   "Sections",      "* Objects", "Current *", "Active *",     "*Available*",
	"*Allocs*",     "*Working Set*", "Open *",    "*(KB)*",    "*Free*",       "*Queue*",
	"*Established", "Sockets",       "*Tables*",  "* pages",   "*Connections", "*page life*",
};

// Totals of transferred bytes and of memory operations.
static const char *const no_resources[] = {
	"*Total*",   "*Received*", "*Sent*",       "*Transferred*",       "*Read*",
	"*Written*", "*Since*",    "*Request*",    "*Operations*",        "*Failures*",
	"*Errors*",  "*Jitted*",   "*Cache Hits*", "*Connections Active", "*Connections Passive",
};

static const char *const free_ones[] = {
	"Available*", "*Available", "* Available *",          "Free *",
	"* Free",     "* Free *",   "*Page life expectancy*",
};

static bool
is_one_of(struct pmon_span name, const char *const *patterns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pmon_text_match((struct pmon_span){patterns[i], strlen(patterns[i])}, name))
			return true;
	return false;
}
#define IS_ONE_OF(series, list)                                                                    \
	is_one_of(pmon_series_english(series)->counter, list, sizeof(list) / sizeof((list)[0]))

static bool
is_level_type(const struct pmon_counter_type *type)
{
	return type != NULL && !pmon_type_is_hex(type) &&
	       (type->formula == PMON_FORMULA_COUNT || type->formula == PMON_FORMULA_DOUBLE ||
		type->formula == PMON_FORMULA_FRACTION);
}

bool
levels_can_leak(const struct pmon_series *series)
{
	return is_level_type(pmon_series_type(series)) && !IS_ONE_OF(series, no_levels) &&
	       !IS_ONE_OF(series, caches);
}

bool
levels_is_resource(const struct pmon_series *series)
{
	return IS_ONE_OF(series, resources) && !IS_ONE_OF(series, no_resources);
}

bool
levels_counts_free(const struct pmon_series *series)
{
	return IS_ONE_OF(series, free_ones);
}

// ---- Limits ---------------------------------------------------------------------------------

struct level_limit {
	const char *object;
	const char *counter;
	const char *limit_counter; // or NULL: use `limit`
	double limit;
};

static const struct level_limit limits[] = {
	{"Memory", "Committed Bytes", "Commit Limit", 0},
	{"Memory", "% Committed Bytes In Use", NULL, 100},
	{"Memory", "Available *", NULL, 0},
	{"Memory", "Free System Page Table Entries", NULL, 0},
	{"Paging File", "% Usage", NULL, 100},
	{"LogicalDisk", "% Free *", NULL, 0},
	{"LogicalDisk", "Free Megabytes", NULL, 0},
	{"System", "Open Files", "Open Files Limit", 0},
	{"*", "Memory Bytes", "Memory Limit Bytes", 0},
	{"*", "% Memory Limit In Use", NULL, 100},
	{"*Databases", "Percent Log Used", NULL, 100},
	{"*Transactions", "Free Space in tempdb (KB)", NULL, 0},
};

const char *const levels_limits[] = {
	"\\Memory\\Commit Limit",
	"\\System\\Open Files Limit",
	"\\Cgroup(*)\\Memory Limit Bytes",
	NULL,
};

static bool
matches(const char *pattern, struct pmon_span text)
{
	return pmon_text_match((struct pmon_span){pattern, strlen(pattern)}, text);
}

bool
levels_limit(const struct pmon_series *series, double *limit, const char **limit_counter)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (!matches(limits[i].object, pmon_series_english(series)->object) ||
		    !matches(limits[i].counter, pmon_series_english(series)->counter))
			continue;
		*limit = limits[i].limit;
		*limit_counter = limits[i].limit_counter;
		return true;
	}
	return false;
}

// ---- Counters that show the same ------------------------------------------------------------

static const char *const groups[][8] = {
	{"Private Bytes", "Page File Bytes", "Working Set - Private", "Working Set",
	 "Virtual Bytes"},
	{"Committed Bytes", "% Committed Bytes In Use"},
	{"Available Bytes", "Available KBytes", "Available MBytes"},
	{"Free Megabytes", "% Free Space"},
	{"Pool Nonpaged Bytes", "Pool Nonpaged Allocs"},
	{"Pool Paged Bytes", "Pool Paged Allocs", "Pool Paged Resident Bytes"},
	{"Memory Bytes", "% Memory Limit In Use"},
	{"Used Bytes", "% Usage", "Free Bytes"},
	{"# Bytes in all Heaps", "# Total committed Bytes", "# Total reserved Bytes"},
};

struct levels_choice
levels_choice(const struct pmon_series *series)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		for (size_t k = 0; k < 8 && groups[i][k] != NULL; k++)
			if (matches(groups[i][k], pmon_series_english(series)->counter))
				return (struct levels_choice){i + 1, k};
	return (struct levels_choice){0, 0};
}
