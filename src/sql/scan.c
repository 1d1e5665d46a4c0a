// scan.c - the rows of a table, one after the other
// SPDX-License-Identifier: MIT

#include "sql/tables.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"
#include "base/time.h"
#include "core/calc.h"

static int
say(struct sql_table *table, const struct pmon_err *err)
{
	sqlite3_free(table->base.zErrMsg);
	table->base.zErrMsg = sqlite3_mprintf("%s", err->msg);
	if (err->status == PMON_E_NOMEM)
		return SQLITE_NOMEM;
	return err->status == PMON_E_NOTFOUND ? SQLITE_CANTOPEN : SQLITE_ERROR;
}

static const struct pmon_allocator *
memory(void)
{
	return pmon_mem_allocator(NULL);
}

void
pmon_sql_scan_end(struct sql_cursor *cursor)
{
	const struct sql_table *table = (const struct sql_table *)cursor->base.pVtab;

	if (cursor->is_open) {
		pmon_tidy_free(&cursor->tidy);
		pmon_paces_free(&cursor->paces);
		pmon_latencies_free(&cursor->latencies);
		table->module->host.close(table->module->host.ctx, &cursor->input);
	}
	pmon_mem_free(memory(), cursor->seen, cursor->seen_cap * sizeof(*cursor->seen));
	pmon_mem_free(memory(), cursor->machines, cursor->machines_cap * sizeof(*cursor->machines));
	for (size_t i = 0; i < cursor->n_bounds; i++)
		sqlite3_free(cursor->bounds[i].text);
	sqlite3_free(cursor->bounds);
	*cursor = (struct sql_cursor){.base = cursor->base};
}

// Is a time outside of the conditions?
static bool
is_outside(const struct sql_cursor *cursor, pmon_time time)
{
	char text[PMON_TIDY_TIME_SIZE];

	if (cursor->n_bounds == 0)
		return false;
	(void)pmon_tidy_time(time, text);
	for (size_t i = 0; i < cursor->n_bounds; i++) {
		int order = strcmp(text, cursor->bounds[i].text);
		unsigned char op = cursor->bounds[i].op;

		if ((op == SQLITE_INDEX_CONSTRAINT_EQ && order != 0) ||
		    (op == SQLITE_INDEX_CONSTRAINT_GT && order <= 0) ||
		    (op == SQLITE_INDEX_CONSTRAINT_GE && order < 0) ||
		    (op == SQLITE_INDEX_CONSTRAINT_LT && order >= 0) ||
		    (op == SQLITE_INDEX_CONSTRAINT_LE && order > 0))
			return true;
	}
	return false;
}

static bool
grow_seen(struct sql_cursor *cursor)
{
	size_t n = pmon_schema_count(cursor->tidy.schema);

	if (n <= cursor->n_seen)
		return true;
	if (!pmon_mem_grow(memory(), &cursor->seen, &cursor->seen_cap, n, sizeof(*cursor->seen)))
		return false;
	memset(cursor->seen + cursor->n_seen, 0, (n - cursor->n_seen) * sizeof(*cursor->seen));
	cursor->n_seen = n;
	return true;
}

static uint64_t
hash_of(const struct pmon_series *series)
{
	uint64_t hash = pmon_map_mix_name(series->counter.type, series->name);

	hash = pmon_map_mix(hash, (uint64_t)series->counter.time_base);
	if (!series->of_process)
		return hash;
	hash = pmon_map_mix(hash, (uint64_t)series->process_id);
	return pmon_map_mix(hash, (uint64_t)series->thread_id);
}

// The time that the value of the current row stands for, as pmon_rows_add_kept() finds it.
static void
find_span(struct sql_cursor *cursor, struct sql_seen *seen, const struct pmon_sample *sample)
{
	const struct pmon_tidy_row *row = &cursor->row;
	bool follows = seen->stream == sample->stream;
	int64_t jumps = pmon_pace_jumps(cursor->pace, seen->is_whole);

	cursor->has_span =
		seen->needs_two ? row->has_older
				: seen->is_begun && follows && seen->ordinal + 1 == sample->ordinal;
	cursor->span_time = seen->needs_two ? row->older.time : seen->time;
	if (cursor->has_span && follows && cursor->span_time != PMON_TIME_NONE)
		cursor->span_time = pmon_time_minus(cursor->span_time,
						    pmon_time_minus(jumps, seen->jumps_100ns));
	seen->jumps_100ns = jumps;
	if (row->raw.time != PMON_TIME_NONE)
		seen->time = row->raw.time;
	seen->stream = sample->stream;
	seen->ordinal = sample->ordinal;
}

static bool
needs_two(const struct pmon_counter_type *type)
{
	return type != NULL && !pmon_formula_is_single(type->formula);
}

static bool
see(struct sql_cursor *cursor, const struct pmon_sample *sample)
{
	const struct pmon_series *series = cursor->row.series;
	struct sql_seen *seen;

	if (!grow_seen(cursor))
		return false;
	seen = &cursor->seen[series->id];
	if (!seen->is_begun || seen->life != series->life)
		*seen = (struct sql_seen){
			.hash = hash_of(series),
			.life = series->life,
			.needs_two = needs_two(pmon_type_by_word(series->counter.type)),
			.is_whole = needs_two(pmon_series_type(series)),
			.is_hidden = cursor->input.shown != NULL &&
				     !pmon_select_shows(cursor->input.shown, series),
		};
	find_span(cursor, seen, sample);
	seen->is_begun = true;
	return true;
}

// Take raw values of the sample from i on, up to one that is shown. false: out of memory.
static bool
take_row(struct sql_cursor *cursor)
{
	for (; cursor->i < cursor->sample->n; cursor->i++) {
		if (!pmon_tidy_next(&cursor->tidy, cursor->sample, cursor->i, &cursor->row) ||
		    !see(cursor, cursor->sample))
			return false;
		if (!cursor->seen[cursor->row.series->id].is_hidden)
			return true;
	}
	return true;
}

static int
fail(struct sql_cursor *cursor, struct pmon_err *err)
{
	struct sql_table *table = (struct sql_table *)cursor->base.pVtab;
	const struct pmon_sql_host *host = &table->module->host;

	cursor->is_at_end = true;
	if (host->failed != NULL)
		host->failed(host->ctx, &cursor->input, err);
	return say(table, err);
}

// Go to the first row of the next sample that has one. Samples without rows are read for the intervals that begin there.
static int
next_sample(struct sql_cursor *cursor)
{
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;
	bool is_shown;

	for (;;) {
		status = pmon_source_next(cursor->input.source, &cursor->sample, &err);
		if (status == PMON_END) {
			cursor->is_at_end = cursor->input.is_read = true;
			return SQLITE_OK;
		}
		if (status == PMON_OK)
			status = pmon_tidy_add(&cursor->tidy, cursor->sample, &err);
		if (status != PMON_OK)
			return fail(cursor, &err);
		cursor->pace = pmon_paces_add(&cursor->paces, cursor->sample);
		if (cursor->pace == NULL ||
		    !pmon_latencies_grow(&cursor->latencies, cursor->tidy.schema) ||
		    !pmon_latencies_add(&cursor->latencies, cursor->sample, NULL))
			return SQLITE_NOMEM;
		cursor->i = 0;
		is_shown = !cursor->sample->preceding && !is_outside(cursor, cursor->sample->time);
		if (!take_row(cursor))
			return SQLITE_NOMEM;
		if (is_shown && cursor->i < cursor->sample->n)
			return SQLITE_OK;
		for (cursor->i++; cursor->i < cursor->sample->n; cursor->i++)
			if (!take_row(cursor))
				return SQLITE_NOMEM;
	}
}

// The next row, in this sample or a later one.
static int
next_in_sample(struct sql_cursor *cursor)
{
	if (!take_row(cursor))
		return SQLITE_NOMEM;
	return cursor->i < cursor->sample->n ? SQLITE_OK : next_sample(cursor);
}

// How many rows a table of counters or machines has.
static size_t
n_listed(const struct sql_cursor *cursor)
{
	const struct sql_table *table = (const struct sql_table *)cursor->base.pVtab;

	return table->module->kind == SQL_MACHINES ? cursor->n_machines : cursor->n_seen;
}

int
pmon_sql_scan_next(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	const struct sql_table *table = (const struct sql_table *)base->pVtab;

	cursor->rowid++;
	cursor->i++;
	if (table->module->kind >= SQL_COUNTERS) {
		cursor->is_at_end = cursor->i >= n_listed(cursor);
		return SQLITE_OK;
	}
	return next_in_sample(cursor);
}

static struct sql_machine *
machine_of(struct sql_cursor *cursor, struct pmon_map *map, uint64_t seed, struct pmon_span name)
{
	uint64_t hash = pmon_map_mix_name(seed, name);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same(cursor->machines[i].name, name))
			return &cursor->machines[i];
	if (!pmon_mem_grow(memory(), &cursor->machines, &cursor->machines_cap,
			   cursor->n_machines + 1, sizeof(*cursor->machines)) ||
	    !pmon_map_put(map, memory(), hash, (uint32_t)cursor->n_machines))
		return NULL;
	cursor->machines[cursor->n_machines] =
		(struct sql_machine){.name = name, .first = PMON_TIME_NONE, .last = PMON_TIME_NONE};
	return &cursor->machines[cursor->n_machines++];
}

// The machines of all series, in the order in which they come.
static bool
list_machines(struct sql_cursor *cursor)
{
	struct pmon_map map = {.n = 0};
	uint64_t seed = pmon_hash_seed();
	size_t i;

	for (i = 0; i < cursor->n_seen; i++) {
		const struct pmon_series *series = pmon_schema_at(cursor->tidy.schema, i);
		const struct sql_seen *seen = &cursor->seen[i];
		struct sql_machine *machine = machine_of(cursor, &map, seed, series->path.machine);

		if (machine == NULL)
			break;
		machine->counters++;
		if (seen->samples > machine->samples)
			machine->samples = seen->samples;
		if (seen->samples > 0 &&
		    (machine->first == PMON_TIME_NONE || seen->first < machine->first))
			machine->first = seen->first;
		if (seen->samples > 0 && seen->time > machine->last)
			machine->last = seen->time;
	}
	pmon_map_free(&map, memory());
	return i == cursor->n_seen;
}

// Read to the end, so that all counters are known.
static int
read_all(struct sql_cursor *cursor)
{
	int rc = next_sample(cursor);

	while (rc == SQLITE_OK && !cursor->is_at_end) {
		struct sql_seen *seen = &cursor->seen[cursor->row.series->id];

		if (seen->samples++ == 0)
			seen->first = cursor->row.time;
		cursor->i++;
		rc = next_in_sample(cursor);
	}
	cursor->i = 0;
	if (rc == SQLITE_OK && (!grow_seen(cursor) || !list_machines(cursor)))
		rc = SQLITE_NOMEM;
	cursor->is_at_end = n_listed(cursor) == 0;
	return rc;
}

int
pmon_sql_scan_begin(struct sql_cursor *cursor, const char *file, const char *const *patterns,
		    size_t n_patterns)
{
	struct sql_table *table = (struct sql_table *)cursor->base.pVtab;
	const struct pmon_sql_host *host = &table->module->host;
	struct pmon_sql_scope scope = {
		.files = file != NULL ? &file : (const char *const *)table->files,
		.n_files = file != NULL ? 1 : table->n_files,
		.patterns = patterns,
		.n_patterns = n_patterns,
		.averages = table->module->kind == SQL_VALUES,
	};
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status = host->open(host->ctx, &scope, &cursor->input, &err);

	if (status != PMON_OK)
		return say(table, &err);
	cursor->is_open = true;
	status = pmon_tidy_begin(&cursor->tidy, pmon_source_schema(cursor->input.source),
				 cursor->input.identity, &cursor->input.calc, NULL, &err);
	if (status != PMON_OK)
		return say(table, &err);
	return table->module->kind >= SQL_COUNTERS ? read_all(cursor) : next_sample(cursor);
}
