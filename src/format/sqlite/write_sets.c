// write_sets.c - the log sets of a database being written: one for each stream of the source
// SPDX-License-Identifier: MIT

#include "format/sqlite/write.h"

#include <string.h>

#include "base/mem.h"

static enum pmon_status
add_log(const struct sqlog_writer *w, const struct pmon_log_set *set, struct pmon_err *err)
{
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_LOG);

	sqlog_put_int(&row, set->stream);
	sqlog_put_text(&row, set->guid);
	sqlog_put_text(&row, w->info->format);
	sqlog_put_text(&row, w->info->writer);
	sqlog_put_text(&row, w->info->machine);
	sqlog_put_text(&row, w->info->zone);
	sqlog_put_int(&row, w->info->utc_offset_min);
	sqlog_put_time(&row, w->info->log_start);
	sqlog_put_time(&row, w->info->log_end);
	sqlog_put_text(&row, pmon_source_converter(w->info));
	sqlog_put_int(&row, w->info->sampled_by_pmon);
	return pmon_sqlite_insert(w, &row, err);
}

// A live source is one stream.
static void
continue_set(const struct sqlog_writer *w, struct pmon_log_set *set)
{
	memcpy(set->guid, w->old.guid, sizeof(set->guid));
	set->records = w->old.records;
	set->first = w->old.first;
	set->utc_offset_min = w->old.utc_offset_min;
}

enum pmon_status
pmon_sqlite_out_set(struct sqlog_writer *w, const struct pmon_sample *sample,
		    struct pmon_log_set **out, struct pmon_err *err)
{
	struct pmon_log_set *set;

	for (size_t i = 0; i < w->n_sets; i++)
		if (w->sets[i].stream == sample->stream) {
			*out = &w->sets[i];
			return PMON_OK;
		}
	if (!pmon_mem_grow(w->allocator, &w->sets, &w->sets_cap, w->n_sets + 1, sizeof(*w->sets)))
		return pmon_err_nomem(err);
	set = &w->sets[w->n_sets++];
	*set = (struct pmon_log_set){.stream = sample->stream,
				     .first = sample->time,
				     .utc_offset_min = sample->utc_offset_min};
	*out = set;
	if (w->old.is_there) {
		continue_set(w, set);
		return PMON_OK;
	}
	pmon_log_set_make_guid(set, w->schema, w->info);
	return add_log(w, set, err);
}

static enum pmon_status
tell_set(const struct sqlog_writer *w, size_t i, struct pmon_err *err)
{
	const struct pmon_log_set *set = &w->sets[i];
	char from[PMON_TIME_SIZE];
	char to[PMON_TIME_SIZE];
	char name[PMON_SET_NAME];
	struct sqlog_cells row = sqlog_row_of(w, SQLOG_ROW_SET);

	pmon_log_set_name(w->stem, i, name);
	pmon_time_local(set->first, 0, from);
	pmon_time_local(set->last, 0, to);
	sqlog_put_text(&row, set->guid);
	sqlog_put_text(&row, name);
	sqlog_put_text(&row, from);
	sqlog_put_text(&row, to);
	sqlog_put_int(&row, (int64_t)set->records);
	sqlog_put_int(&row, -(int64_t)set->utc_offset_min);
	sqlog_put_text(&row, w->info->zone);
	return pmon_sqlite_insert(w, &row, err);
}

enum pmon_status
pmon_sqlite_tell_sets(const struct sqlog_writer *w, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < w->n_sets; i++)
		status = tell_set(w, i, err);
	return status;
}
