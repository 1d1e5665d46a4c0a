// titles.h - names by title index: the name tables of machines
// SPDX-License-Identifier: MIT
//
// A machine's registry value "Counter 009" (009 is English) names its objects and counters: a
// REG_MULTI_SZ of UTF-16 strings, alternating an index as decimal text and a name, up to an empty
// string or the end.

#ifndef PMON_MODEL_TITLES_H
#define PMON_MODEL_TITLES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/rd.h"

struct pmon_schema;
struct pmon_title;

// Tables are identified by numbers that their users assign.
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

// The next string. False at the end, or if no NUL follows.
bool pmon_title_string(struct pmon_rd *r, struct pmon_title_string *out);

// Read the next pair of an index and a name. If an index has several names, the first is kept.
// PMON_END after an empty string and at the end; if the reader has more bytes then, the table was
// longer. PMON_E_FORMAT: it is not a pair, or the name is empty or longer than max_name;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_titles_next(struct pmon_titles *titles, uint32_t table,
						 struct pmon_rd *r, size_t max_name);

// Read table 0 as a file contains it, little- or big-endian, with or without a byte order mark.
// PMON_E_FORMAT if it is not such a table, or ends inside a pair; everything before is kept.
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_titles_load(struct pmon_titles *titles, const void *bytes,
						 size_t len, struct pmon_err *err);

// The name of an index, or {NULL, 0}. Valid until the titles are freed.
struct pmon_span pmon_titles_find(const struct pmon_titles *titles, uint32_t table, uint32_t index);

// Title i of all tables, in the order in which they were read. False after the last.
bool pmon_titles_at(const struct pmon_titles *titles, size_t i, uint32_t *index_out,
		    struct pmon_span *name_out);

// For titles that are the same on all Windows systems, use the names in the tables as translations
// in a schema. A table that is English, or not from Windows, changes nothing. False if out of
// memory.
PMON_NODISCARD bool pmon_titles_translate(const struct pmon_titles *titles,
					  struct pmon_schema *schema);

// "#<index>", shown if there is no name.
#define PMON_TITLE_SIZE 16
struct pmon_span pmon_title_number(uint32_t index, char buf[PMON_TITLE_SIZE]);

#endif
