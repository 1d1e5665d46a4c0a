// names.c - record 0x24: the counter names of a machine by title index
// SPDX-License-Identifier: MIT
//
// Logs of whole objects identify a counter only by an index. The names are in these records: the
// machine's name, then pairs of an index as decimal text and a name, all NUL-terminated UTF-16, up
// to the end of the record or an empty string. A large table is divided into several records that
// are each complete.

#include "format/blg/blg.h"

#include <string.h>

#define MAX_MACHINES 4096

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

	return names != NULL ? pmon_titles_find(&blg->titles, names->table, title)
			     : (struct pmon_span){NULL, 0};
}

static struct blg_names *
add_names(struct blg *blg, const uint8_t log_id[16], struct pmon_span machine)
{
	struct blg_names *names = pmon_arena_alloc(&blg->arena, sizeof(*names));

	if (names == NULL || !pmon_arena_copy(&blg->arena, machine, &names->machine))
		return NULL;
	memcpy(names->log_id, log_id, sizeof(names->log_id));
	names->table = blg->n_names++;
	names->next = blg->names;
	blg->names = names;
	return names;
}

// The names of a machine; created if missing, or NULL if there are too many.
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

// Load the pairs after the machine's name. PMON_E_FORMAT if they are invalid.
static enum pmon_status
load_pairs(struct blg *blg, const struct blg_names *names, struct pmon_rd *r)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK)
		status = pmon_titles_next(&blg->titles, names->table, r, blg->limits.string_bytes);
	if (status == PMON_END)
		status = pmon_rd_left(r) == 0 ? PMON_OK : PMON_E_FORMAT;
	return status;
}

enum pmon_status
pmon_blg_names_load(struct blg *blg, const struct blg_record *record, struct pmon_err *err)
{
	struct pmon_rd r = pmon_rd_init(record->bytes, record->len, record->offset);
	enum pmon_status status = PMON_E_FORMAT;
	struct pmon_title_string text;
	struct pmon_span machine;
	struct blg_names *names;

	if (pmon_title_string(&r, &text) && text.len <= blg->limits.string_bytes) {
		struct pmon_perf_name name = {.ptr = text.ptr, .len = text.len, .unit = 2};

		if (!pmon_blg_utf8(blg, &name, &machine) ||
		    !names_of(blg, record->log_id, pmon_blg_machine(machine), &names))
			return pmon_err_nomem(err);
		if (names != NULL)
			status = load_pairs(blg, names, &r);
	}
	if (status == PMON_OK && !pmon_titles_translate(&blg->titles, &blg->source.schema))
		status = PMON_E_NOMEM;
	if (status == PMON_OK)
		return PMON_OK;
	if (status == PMON_E_NOMEM)
		return pmon_err_nomem(err);
	blg->names_damaged = true;
	pmon_report_loss(&blg->report, record->offset, record->len,
			 "a table of counter names is damaged");
	return PMON_OK;
}
