// meanings.h - what counters mean to a person who looks for trouble
// SPDX-License-Identifier: MIT
//
// share/meanings.tsv is the table; docs/reference/meanings.md describes its columns. Counters are found by their
// English names, whatever the language of the log.

#ifndef PMON_ANALYZE_MEANINGS_H
#define PMON_ANALYZE_MEANINGS_H

#include <pmon/path.h>

#include "base/map.h"

enum meaning_resource {
	MEANING_PROCESSOR,
	MEANING_MEMORY,
	MEANING_DISK,
	MEANING_STORAGE,
	MEANING_NETWORK,
	MEANING_PROCESS,
	MEANING_DATABASE,
	MEANING_WEB,
	MEANING_DIRECTORY,
	MEANING_MACHINE, // a virtual one
	MEANING_SYSTEM,
	MEANING_RESOURCES
};

enum meaning_kind {
	MEANING_UTILIZATION,
	MEANING_SATURATION,
	MEANING_ERRORS,
	MEANING_LATENCY,
	MEANING_THROUGHPUT,
	MEANING_BOUNDED,   // a level with a bound
	MEANING_UNBOUNDED, // a level without one
	MEANING_CONFIGURATION,
	MEANING_COUNT,   // since the start: only its increase means something
	MEANING_STARTED, // the time since the start
	MEANING_KINDS
};

enum meaning_worse {
	MEANING_NEITHER,
	MEANING_UP,
	MEANING_DOWN,
	MEANING_BOTH,
	MEANING_DIRECTIONS
};

struct meaning {
	struct pmon_span object;
	struct pmon_span counter;
	enum meaning_resource resource;
	enum meaning_kind kind;
	enum meaning_worse worse;
	struct pmon_span unit; // of the displayed values
	double floor;          // the least change that is worth a word
	double shift; // the least change that can be trouble by itself; 0: none can, it is evidence only
	struct pmon_span needs; // another counter of the instance, or empty ...
	double least;           // ... below which the value says nothing
	bool is_load;           // other counters need it
	struct pmon_span bound;
	struct pmon_span who;
	struct pmon_span label; // "Reads of disk * take", or empty
	struct pmon_span source;
};

struct meanings {
	struct meaning *list;
	size_t n;
	size_t cap;
	struct pmon_map by_name;
};

extern const struct pmon_span meanings_text; // share/meanings.tsv

// Read a table. Begin with all zero bytes. On failure *line is the line that is wrong, or 0 when memory is short.
bool meanings_read(struct meanings *meanings, struct pmon_span text, size_t *line);
void meanings_free(struct meanings *meanings);

// The meaning of a counter by its English path; NULL if the table has none. A named instance of SQL Server and
// other names of one object are found as well.
const struct meaning *meanings_of(const struct meanings *meanings, const struct pmon_path *path);

// List patterns that match all counters of a meaning. False if a call of `add` returned false.
bool meaning_patterns(const struct meaning *m, bool (*add)(void *ctx, struct pmon_span pattern),
		      void *ctx);

// "disk", "latency": as in the table.
const char *meaning_resource_name(enum meaning_resource resource);
const char *meaning_kind_name(enum meaning_kind kind);

#endif
