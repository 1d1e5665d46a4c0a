// titles.h - names by title index: the tables of machines
// SPDX-License-Identifier: MIT
//
// The registry value "Counter 009" (009 is English) of a machine names its objects and counters: a
// REG_MULTI_SZ of UTF-16 strings, an index as decimal text and the name in turn, to an empty string
// or the end.

#ifndef PMON_MODEL_TITLES_H
#define PMON_MODEL_TITLES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/rd.h"

struct pmon_schema;
struct pmon_title;

// Tables have numbers, which their users give.
struct pmon_titles {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct pmon_title *list;
	size_t n;
	size_t cap;
	struct pmon_map map;
	uint64_t seed; // of its hashes
};

void pmon_titles_init(struct pmon_titles *titles, const struct pmon_allocator *allocator);
void pmon_titles_free(struct pmon_titles *titles);

// A NUL-terminated string of a table: bytes in UTF-16LE, without the NUL.
struct pmon_title_string {
	const uint8_t *ptr;
	size_t len;
};

// The next string. False at the end, or when no NUL follows.
bool pmon_title_string(struct pmon_rd *r, struct pmon_title_string *out);

// Take in the next pair of an index and a name. If an index has several names, the first is kept. PMON_END
// at an empty string, and where no string follows; PMON_E_FORMAT: it is not a pair, or the name has more
// than max_name bytes; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_titles_next(struct pmon_titles *titles, uint32_t table,
						 struct pmon_rd *r, size_t max_name);

// Take in table 0 as a file has it, little- or big-endian, with or without a byte order mark.
// PMON_E_FORMAT when it is not such a table, or ends inside a pair; what comes before is kept.
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_titles_load(struct pmon_titles *titles, const void *bytes,
						 size_t len, struct pmon_err *err);

// The name of an index, or {NULL, 0}. Valid until the titles are freed.
struct pmon_span pmon_titles_find(const struct pmon_titles *titles, uint32_t table, uint32_t index);

// Title i of all tables, in the order in which they were taken in. False after the last.
bool pmon_titles_at(const struct pmon_titles *titles, size_t i, uint32_t *index_out,
		    struct pmon_span *name_out);

// Take the names of titles that are the same on all Windows systems for those of the English ones, in a schema. A
// table that is English, or not of Windows, changes nothing. False when memory is short.
PMON_NODISCARD bool pmon_titles_translate(const struct pmon_titles *titles,
					  struct pmon_schema *schema);

// "#<index>": what is shown where there is no name.
#define PMON_TITLE_SIZE 16
struct pmon_span pmon_title_number(uint32_t index, char buf[PMON_TITLE_SIZE]);

#endif
