// names.c - record 0x24: the counter names of a machine by title index
// SPDX-License-Identifier: MIT
//
// Logs of whole objects say which counter a number belongs to by an index only. The names are in
// these records: the machine's name, then pairs of an index as decimal text and a name, all
// NUL-terminated UTF-16, until an empty string or the end. A large table is cut into several
// records, each complete in itself.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"
#include "model/titles.h"

#define MAX_MACHINES 4096

struct blg_title {
	uint32_t index;
	struct pmon_span name;
};

static uint64_t
index_hash(const struct blg *blg, uint32_t index)
{
	return pmon_map_mix(blg->hash_seed, index);
}

static const struct blg_title *
find_title(const struct blg *blg, const struct blg_names *names, uint32_t index)
{
	uint64_t hash = index_hash(blg, index);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&names->map, hash, &at)) != PMON_MAP_NONE)
		if (names->list[i].index == index)
			return &names->list[i];
	return NULL;
}

static struct blg_names *
find_names(const struct blg *blg, const uint8_t log_id[16], struct pmon_span machine)
{
	for (struct blg_names *n = blg->names; n != NULL; n = n->next)
		if (memcmp(n->log_id, log_id, sizeof(n->log_id)) == 0 &&
		    pmon_text_same(n->machine, machine))
			return n;
	return NULL;
}

struct pmon_span
pmon_blg_names_find(const struct blg *blg, const uint8_t log_id[16], struct pmon_span machine,
		    uint32_t title)
{
	const struct blg_names *names = find_names(blg, log_id, machine);
	const struct blg_title *found = names != NULL ? find_title(blg, names, title) : NULL;

	return found != NULL ? found->name : (struct pmon_span){NULL, 0};
}

static struct blg_names *
add_names(struct blg *blg, const uint8_t log_id[16], struct pmon_span machine)
{
	struct blg_names *names = pmon_arena_alloc(&blg->arena, sizeof(*names));

	blg->n_names++;
	if (names == NULL || !pmon_arena_copy(&blg->arena, machine, &names->machine))
		return NULL;
	memcpy(names->log_id, log_id, sizeof(names->log_id));
	names->next = blg->names;
	blg->names = names;
	return names;
}

// The names of a machine; new ones where there are none, and NULL where there are too many.
static bool
names_of(struct blg *blg, const uint8_t log_id[16], struct pmon_span machine,
	 struct blg_names **out)
{
	*out = find_names(blg, log_id, machine);
	if (*out != NULL || blg->n_names >= MAX_MACHINES)
		return true;
	*out = add_names(blg, log_id, machine);
	return *out != NULL;
}

void
pmon_blg_names_free(struct blg *blg)
{
	for (struct blg_names *n = blg->names; n != NULL; n = n->next) {
		pmon_map_free(&n->map, blg->allocator);
		pmon_mem_free(blg->allocator, n->list, n->cap * sizeof(*n->list));
	}
	blg->names = NULL;
}

static bool
add_title(struct blg *blg, struct blg_names *names, uint32_t index, struct pmon_span name)
{
	struct blg_title *title;

	if (find_title(blg, names, index) != NULL)
		return true;
	if (!pmon_mem_grow(blg->allocator, &names->list, &names->cap, names->n + 1,
			   sizeof(*names->list)))
		return false;
	title = &names->list[names->n];
	title->index = index;
	if (!pmon_arena_copy(&blg->arena, name, &title->name) ||
	    !pmon_map_put(&names->map, blg->allocator, index_hash(blg, index), (uint32_t)names->n))
		return false;
	names->n++;
	return true;
}

// The next NUL-terminated string. False at the end, or when no NUL follows.
static bool
next_string(struct pmon_rd *r, struct pmon_perf_name *out)
{
	const uint8_t *p = r->base + r->pos;
	size_t len;

	if (!pmon_utf16_length(p, pmon_rd_left(r), &len))
		return false;
	*out = (struct pmon_perf_name){.ptr = p, .len = len, .unit = 2};
	pmon_rd_skip(r, len + 2);
	return true;
}

// The pairs after the machine's name. *ok_out is false when they are not what they should be.
static bool
load_pairs(struct blg *blg, struct blg_names *names, struct pmon_rd *r, bool *ok_out)
{
	struct pmon_perf_name index_text, name;
	struct pmon_span utf8;
	uint32_t index;

	*ok_out = true;
	while (pmon_rd_left(r) >= 2 && next_string(r, &index_text) && index_text.len > 0) {
		if (!pmon_title_index(index_text.ptr, index_text.len, &index) ||
		    !next_string(r, &name) || name.len > blg->limits.string_bytes) {
			*ok_out = false;
			return true;
		}
		if (!pmon_blg_utf8(blg, &name, &utf8) || !add_title(blg, names, index, utf8))
			return false;
	}
	return true;
}

enum pmon_status
pmon_blg_names_load(struct blg *blg, const struct blg_record *record, struct pmon_err *err)
{
	struct pmon_rd r = pmon_rd_init(record->bytes, record->len, record->offset);
	struct pmon_perf_name name;
	struct pmon_span machine;
	struct blg_names *names;
	bool ok = false;

	if (next_string(&r, &name) && name.len <= blg->limits.string_bytes) {
		if (!pmon_blg_utf8(blg, &name, &machine) ||
		    !names_of(blg, record->log_id, pmon_blg_machine(machine), &names) ||
		    (names != NULL && !load_pairs(blg, names, &r, &ok)))
			return pmon_err_nomem(err);
	}
	blg->names_damaged = blg->names_damaged || !ok;
	if (!ok)
		pmon_report_loss(&blg->report, record->offset, record->len,
				 "a table of counter names is damaged");
	return PMON_OK;
}
