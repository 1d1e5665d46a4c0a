// tables.c - the modules of SQLite that show logs as tables
// SPDX-License-Identifier: MIT
//
// Conditions on names become patterns, so that the reader skips other counters; conditions on the time skip samples. Both
// may let through more than the condition, which SQLite applies to each row again. Times are compared as the texts that
// they are, so what is skipped is what SQLite would have dropped.

#include "sql/parts.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "core/calc.h"
#include "model/pace.h"
#include "query/latency.h"
#include "query/tidy.h"
#include "sql/operands.h"

enum kind {
	VALUES,
	RAW,
	COUNTERS,
	MACHINES,
};

// The columns of pmon_values are those of a tidy row, and then these.
enum {
	VALUES_FILE = PMON_TIDY_COLUMNS, // the first hidden one: the argument of pmon_values()
	VALUES_OPERANDS,
	VALUES_AHEAD,
};

// The columns of pmon_raw and pmon_counters begin with names.
static const enum pmon_tidy_column raw_tidy[] = {
	PMON_TIDY_TIME,          PMON_TIDY_MACHINE, PMON_TIDY_OBJECT, PMON_TIDY_INSTANCE,
	PMON_TIDY_PARENT,        PMON_TIDY_COUNTER, PMON_TIDY_PATH,   PMON_TIDY_PID,
	PMON_TIDY_PROCESS_START, PMON_TIDY_TYPE,
};
#define RAW_TIDY (sizeof(raw_tidy) / sizeof(raw_tidy[0]))
enum {
	RAW_STATUS = RAW_TIDY,
	RAW_FIRST,
	RAW_SECOND,
	RAW_MULTI,
	RAW_TIME_BASE,
	RAW_FILE,
};

static const enum pmon_tidy_column counters_tidy[] = {
	PMON_TIDY_MACHINE, PMON_TIDY_OBJECT, PMON_TIDY_INSTANCE, PMON_TIDY_PARENT,
	PMON_TIDY_COUNTER, PMON_TIDY_PATH,   PMON_TIDY_TYPE,
};
#define COUNTERS_TIDY (sizeof(counters_tidy) / sizeof(counters_tidy[0]))
enum {
	COUNTERS_UNIT = COUNTERS_TIDY,
	COUNTERS_SAMPLES,
	COUNTERS_FIRST,
	COUNTERS_LAST,
	COUNTERS_FILE,
};

enum {
	MACHINES_MACHINE,
	MACHINES_ID,
	MACHINES_COUNTERS,
	MACHINES_SAMPLES,
	MACHINES_FIRST,
	MACHINES_LAST,
	MACHINES_FILE,
};

static const struct {
	const char *module;
	const char *schema;
	int file; // the hidden column that is the argument of a table-valued function
} kinds[] = {
	[VALUES] = {"pmon_values",
		    "CREATE TABLE x(time TEXT, machine TEXT, object TEXT, instance TEXT, "
		    "parent TEXT, counter TEXT, path TEXT, pid INTEGER, process_start TEXT, "
		    "type TEXT, value REAL, status TEXT, n, d INTEGER, \"add\" REAL, mul REAL, "
		    "file TEXT HIDDEN, operands BLOB HIDDEN, utc_offset INTEGER HIDDEN)",
		    VALUES_FILE},
	[RAW] = {"pmon_raw",
		 "CREATE TABLE x(time TEXT, machine TEXT, object TEXT, instance TEXT, parent TEXT, "
		 "counter TEXT, path TEXT, pid INTEGER, process_start TEXT, type TEXT, "
		 "status TEXT, first, second INTEGER, multi INTEGER, time_base INTEGER, "
		 "file TEXT HIDDEN)",
		 RAW_FILE},
	[COUNTERS] = {"pmon_counters",
		      "CREATE TABLE x(machine TEXT, object TEXT, instance TEXT, parent TEXT, "
		      "counter TEXT, path TEXT, type TEXT, unit TEXT, samples INTEGER, "
		      "first_time TEXT, last_time TEXT, file TEXT HIDDEN)",
		      COUNTERS_FILE},
	[MACHINES] = {"pmon_machines",
		      "CREATE TABLE x(machine TEXT, id TEXT, counters INTEGER, samples INTEGER, "
		      "first_time TEXT, last_time TEXT, file TEXT HIDDEN)",
		      MACHINES_FILE},
};

// A module of a connection, with the host's functions.
struct module {
	struct pmon_sql_host host;
	enum kind kind;
};

struct table {
	sqlite3_vtab base;
	const struct module *module;
	char **files; // quotes removed
	size_t n_files;
};

// What the cursor knows of a series beyond its tidy row.
struct seen {
	uint64_t hash; // of its names
	uint32_t life;
	uint32_t stream;
	uint64_t ordinal;
	bool is_begun;
	bool is_hidden;
	bool needs_two;
	bool is_whole;  // as in struct pmon_spread
	pmon_time time; // of its newest raw value
	int64_t jumps_100ns;
	uint64_t samples;
	pmon_time first;
};

// A machine of pmon_machines.
struct machine {
	struct pmon_span name;
	uint64_t counters;
	uint64_t samples; // of the counter that has most
	pmon_time first;
	pmon_time last;
};

struct text_list {
	char **list;
	size_t n;
	size_t cap;
};

// A condition on the time, in the bytewise order of texts.
struct bound {
	unsigned char op; // SQLITE_INDEX_CONSTRAINT_*
	char *text;
};

struct cursor {
	sqlite3_vtab_cursor base;
	bool is_open;
	struct pmon_sql_input input;
	struct pmon_tidy tidy;
	struct pmon_paces paces;
	const struct pmon_pace *pace;
	struct pmon_latencies latencies;
	struct seen *seen;
	size_t n_seen;
	size_t seen_cap;
	struct machine *machines;
	size_t n_machines;
	size_t machines_cap;
	struct bound *bounds;
	size_t n_bounds;
	const struct pmon_sample *sample;
	size_t i; // in the sample; or of the series or machine
	bool is_at_end;
	sqlite3_int64 rowid;
	struct pmon_tidy_row row;
	bool has_span;
	pmon_time span_time;
	struct pmon_tidy_cell cell;
};

// ---- Errors -----------------------------------------------------------------------------------

static int
say(struct table *table, const struct pmon_err *err)
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

// ---- Tables -----------------------------------------------------------------------------------

static void
free_table(struct table *table)
{
	for (size_t i = 0; i < table->n_files; i++)
		sqlite3_free(table->files[i]);
	sqlite3_free(table->files);
	sqlite3_free(table);
}

// The text of an SQL literal: 'it''s' is it's.
static char *
unquoted(const char *text)
{
	size_t len = strlen(text);
	char quote = text[0];
	char *out = sqlite3_malloc64(len + 1);
	size_t n = 0;

	if (out == NULL)
		return NULL;
	if (len < 2 || (quote != '\'' && quote != '"') || text[len - 1] != quote) {
		memcpy(out, text, len + 1);
		return out;
	}
	for (size_t i = 1; i + 1 < len; i++) {
		out[n++] = text[i];
		i += text[i] == quote && text[i + 1] == quote && i + 2 < len;
	}
	out[n] = '\0';
	return out;
}

static int
connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
	const struct module *module = aux;
	struct table *table = sqlite3_malloc64(sizeof(*table));
	size_t n = argc > 3 ? (size_t)argc - 3 : 0;
	int rc;

	(void)error;
	if (table == NULL)
		return SQLITE_NOMEM;
	*table = (struct table){.module = module};
	table->files = n > 0 ? sqlite3_malloc64(n * sizeof(*table->files)) : NULL;
	for (size_t i = 0; i < n && table->files != NULL; i++) {
		table->files[i] = unquoted(argv[3 + i]);
		if (table->files[i] == NULL)
			break;
		table->n_files++;
	}
	rc = table->n_files == n ? sqlite3_declare_vtab(db, kinds[module->kind].schema)
				 : SQLITE_NOMEM;
	// Files are opened by name: not from within a view or trigger of a database that came from elsewhere.
	if (rc == SQLITE_OK)
		rc = sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
	if (rc != SQLITE_OK)
		free_table(table);
	else
		*out = &table->base;
	return rc;
}

static int
disconnect(sqlite3_vtab *base)
{
	free_table((struct table *)base);
	return SQLITE_OK;
}

// ---- Conditions -------------------------------------------------------------------------------

// The column of a tidy row that a column of a table is.
static bool
find_tidy(enum kind kind, int column, enum pmon_tidy_column *tidy)
{
	if (kind == VALUES && column < PMON_TIDY_COLUMNS)
		*tidy = (enum pmon_tidy_column)column;
	else if (kind == RAW && (size_t)column < RAW_TIDY)
		*tidy = raw_tidy[column];
	else if (kind == COUNTERS && (size_t)column < COUNTERS_TIDY)
		*tidy = counters_tidy[column];
	else
		return false;
	return true;
}

// What a column means for reading; the same letters stand in idxStr.
static char
meaning_of(enum kind kind, int column)
{
	enum pmon_tidy_column tidy;

	if (column == kinds[kind].file)
		return 'f';
	if (column < 0 || !find_tidy(kind, column, &tidy))
		return 0;
	switch (tidy) {
	case PMON_TIDY_TIME:
		return 't';
	case PMON_TIDY_MACHINE:
		return 'm';
	case PMON_TIDY_OBJECT:
		return 'o';
	case PMON_TIDY_INSTANCE:
		return 'i';
	case PMON_TIDY_COUNTER:
		return 'c';
	default:
		return 0;
	}
}

static bool
is_useful(char meaning, unsigned char op)
{
	if (op == SQLITE_INDEX_CONSTRAINT_EQ)
		return meaning != 0;
	return meaning == 't' &&
	       (op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE ||
		op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE);
}

// All values of IN in one scan, instead of a scan for each.
static bool
takes_list(sqlite3_index_info *info, int i)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	if (sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(info, i, -1))
		return sqlite3_vtab_in(info, i, 1) != 0;
#endif
	(void)info, (void)i;
	return false;
}

// idxStr has two characters for each argument: what the column means, and the operator, 'I' for IN.
static int
best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct table *table = (const struct table *)base;
	enum kind kind = table->module->kind;
	char *plan = sqlite3_malloc64(2 * (size_t)info->nConstraint + 1);
	double cost = 1e8;
	bool lacks_file = false;
	int n = 0;

	if (plan == NULL)
		return SQLITE_NOMEM;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
		char meaning = meaning_of(kind, constraint->iColumn);

		if (meaning == 'f' && constraint->op == SQLITE_INDEX_CONSTRAINT_EQ &&
		    !constraint->usable)
			lacks_file = true;
		if (!constraint->usable || !is_useful(meaning, constraint->op) ||
		    (meaning == 't' && strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0))
			continue;
		plan[2 * n] = meaning;
		plan[2 * n + 1] = (char)('A' + constraint->op);
		if (meaning != 'f' && constraint->op == SQLITE_INDEX_CONSTRAINT_EQ &&
		    takes_list(info, i))
			plan[2 * n + 1] = '+';
		info->aConstraintUsage[i].argvIndex = ++n;
		info->aConstraintUsage[i].omit = meaning == 'f';
		cost /= meaning == 'f' ? 1 : meaning == 't' ? 1.5 : 4;
	}
	plan[2 * n] = '\0';
	info->idxStr = plan;
	info->needToFreeIdxStr = 1;
	info->estimatedCost = cost;
	info->estimatedRows = (sqlite3_int64)(cost / 100) + 1;
	return lacks_file ? SQLITE_CONSTRAINT : SQLITE_OK;
}

// ---- Patterns ---------------------------------------------------------------------------------

static void
free_texts(struct text_list *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		sqlite3_free(texts->list[i]);
	pmon_mem_free(memory(), texts->list, texts->cap * sizeof(*texts->list));
	*texts = (struct text_list){.list = NULL};
}

// Takes the text, which may be NULL: out of memory.
static bool
add_text(struct text_list *texts, char *text)
{
	if (text == NULL ||
	    !pmon_mem_grow(memory(), &texts->list, &texts->cap, texts->n + 1, sizeof(text))) {
		sqlite3_free(text);
		return false;
	}
	texts->list[texts->n++] = text;
	return true;
}

// The values of one condition on a name. is_any: some of them cannot stand in a pattern.
struct wanted {
	struct text_list texts;
	bool is_given;
	bool is_any;
};

static bool
want_text(struct wanted *wanted, char meaning, sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);

	// What a pattern takes as something else: wildcards, and the marks between the parts of a path.
	if (sqlite3_value_type(value) != SQLITE_TEXT || text == NULL || text[0] == '\0' ||
	    strlen(text) != (size_t)sqlite3_value_bytes(value) ||
	    strpbrk(text, meaning == 'c' ? "*?" : "*?\\/#()") != NULL) {
		wanted->is_any = true;
		return true;
	}
	return add_text(&wanted->texts, sqlite3_mprintf("%s", text));
}

static bool
want_list(struct wanted *wanted, char meaning, sqlite3_value *list)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	sqlite3_value *value = NULL;
	int rc;

	for (rc = sqlite3_vtab_in_first(list, &value); rc == SQLITE_OK && value != NULL;
	     rc = sqlite3_vtab_in_next(list, &value))
		if (!want_text(wanted, meaning, value))
			return false;
#else
	(void)meaning, (void)list;
	wanted->is_any = true;
#endif
	return true;
}

#define MOST_PATTERNS 64

// One pattern for each object and counter that is wanted, with and without instances. Other names are not looked at: most
// of what a scan costs is saved by these two.
static bool
make_patterns(struct text_list *patterns, const struct wanted *object, const struct wanted *counter)
{
	static const char *const any[] = {"*"};
	bool no_object = !object->is_given || object->is_any || object->texts.n == 0;
	bool no_counter = !counter->is_given || counter->is_any || counter->texts.n == 0;
	const char *const *objects = no_object ? any : (const char *const *)object->texts.list;
	const char *const *counters = no_counter ? any : (const char *const *)counter->texts.list;
	size_t n_objects = no_object ? 1 : object->texts.n;
	size_t n_counters = no_counter ? 1 : counter->texts.n;

	if ((no_object && no_counter) || n_objects * n_counters > MOST_PATTERNS)
		return true;
	for (size_t i = 0; i < n_objects; i++)
		for (size_t k = 0; k < n_counters; k++)
			if (!add_text(patterns,
				      sqlite3_mprintf("\\%s\\%s", objects[i], counters[k])) ||
			    !add_text(patterns,
				      sqlite3_mprintf("\\%s(*)\\%s", objects[i], counters[k])))
				return false;
	return true;
}

// ---- A scan -----------------------------------------------------------------------------------

static void
end_scan(struct cursor *cursor)
{
	const struct table *table = (const struct table *)cursor->base.pVtab;

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
	*cursor = (struct cursor){.base = cursor->base};
}

static int
open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct cursor *cursor = sqlite3_malloc64(sizeof(*cursor));

	(void)base;
	if (cursor == NULL)
		return SQLITE_NOMEM;
	*cursor = (struct cursor){.is_open = false};
	*out = &cursor->base;
	return SQLITE_OK;
}

static int
close_cursor(sqlite3_vtab_cursor *base)
{
	end_scan((struct cursor *)base);
	sqlite3_free(base);
	return SQLITE_OK;
}

// Is a time outside of the conditions?
static bool
is_outside(const struct cursor *cursor, pmon_time time)
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
grow_seen(struct cursor *cursor)
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
find_span(struct cursor *cursor, struct seen *seen, const struct pmon_sample *sample)
{
	const struct pmon_tidy_row *row = &cursor->row;
	bool follows = seen->stream == sample->stream;
	int64_t jumps = pmon_pace_jumps(cursor->pace, seen->is_whole);

	cursor->has_span =
		seen->needs_two ? row->has_older
				: seen->is_begun && follows && seen->ordinal + 1 == sample->ordinal;
	cursor->span_time = seen->needs_two ? row->older.time : seen->time;
	if (cursor->has_span && follows && cursor->span_time != PMON_TIME_NONE)
		cursor->span_time = (pmon_time)pmon_raw_difference(
			cursor->span_time, (int64_t)pmon_raw_difference(jumps, seen->jumps_100ns));
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
see(struct cursor *cursor, const struct pmon_sample *sample)
{
	const struct pmon_series *series = cursor->row.series;
	struct seen *seen;

	if (!grow_seen(cursor))
		return false;
	seen = &cursor->seen[series->id];
	if (!seen->is_begun || seen->life != series->life)
		*seen = (struct seen){
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
take_row(struct cursor *cursor)
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
fail(struct cursor *cursor, struct pmon_err *err)
{
	struct table *table = (struct table *)cursor->base.pVtab;
	const struct pmon_sql_host *host = &table->module->host;

	cursor->is_at_end = true;
	if (host->failed != NULL)
		host->failed(host->ctx, &cursor->input, err);
	return say(table, err);
}

// The next sample: take what it does to the next, and stop at its first row if it is shown.
static int
next_sample(struct cursor *cursor)
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
next_in_sample(struct cursor *cursor)
{
	if (!take_row(cursor))
		return SQLITE_NOMEM;
	return cursor->i < cursor->sample->n ? SQLITE_OK : next_sample(cursor);
}

// How many rows a table of counters or machines has.
static size_t
n_listed(const struct cursor *cursor)
{
	const struct table *table = (const struct table *)cursor->base.pVtab;

	return table->module->kind == MACHINES ? cursor->n_machines : cursor->n_seen;
}

static int
next_row(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct table *table = (const struct table *)base->pVtab;

	cursor->rowid++;
	cursor->i++;
	if (table->module->kind >= COUNTERS) {
		cursor->is_at_end = cursor->i >= n_listed(cursor);
		return SQLITE_OK;
	}
	return next_in_sample(cursor);
}

static struct machine *
machine_of(struct cursor *cursor, struct pmon_map *map, uint64_t seed, struct pmon_span name)
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
		(struct machine){.name = name, .first = PMON_TIME_NONE, .last = PMON_TIME_NONE};
	return &cursor->machines[cursor->n_machines++];
}

// The machines of all series, in the order in which they come.
static bool
list_machines(struct cursor *cursor)
{
	struct pmon_map map = {.n = 0};
	uint64_t seed = pmon_hash_seed();
	size_t i;

	for (i = 0; i < cursor->n_seen; i++) {
		const struct pmon_series *series = pmon_schema_at(cursor->tidy.schema, i);
		const struct seen *seen = &cursor->seen[i];
		struct machine *machine = machine_of(cursor, &map, seed, series->path.machine);

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
read_all(struct cursor *cursor)
{
	int rc = next_sample(cursor);

	while (rc == SQLITE_OK && !cursor->is_at_end) {
		struct seen *seen = &cursor->seen[cursor->row.series->id];

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

static int
begin_scan(struct cursor *cursor, const char *file, const struct text_list *patterns)
{
	struct table *table = (struct table *)cursor->base.pVtab;
	const struct pmon_sql_host *host = &table->module->host;
	struct pmon_sql_wish wish = {
		.files = file != NULL ? &file : (const char *const *)table->files,
		.n_files = file != NULL ? 1 : table->n_files,
		.patterns = (const char *const *)patterns->list,
		.n_patterns = patterns->n,
		.averages = table->module->kind == VALUES,
	};
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status = host->open(host->ctx, &wish, &cursor->input, &err);

	if (status != PMON_OK)
		return say(table, &err);
	cursor->is_open = true;
	status = pmon_tidy_begin(&cursor->tidy, pmon_source_schema(cursor->input.source),
				 cursor->input.identity, &cursor->input.calc, NULL, &err);
	if (status != PMON_OK)
		return say(table, &err);
	return table->module->kind >= COUNTERS ? read_all(cursor) : next_sample(cursor);
}

static bool
add_bound(struct cursor *cursor, char letter, sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);
	struct bound *bound = &cursor->bounds[cursor->n_bounds];

	// A number is less than any text, and SQLite says so.
	if (sqlite3_value_type(value) != SQLITE_TEXT || text == NULL ||
	    strlen(text) != (size_t)sqlite3_value_bytes(value))
		return true;
	bound->op = (unsigned char)(letter - 'A');
	bound->text = sqlite3_mprintf("%s", text);
	cursor->n_bounds += bound->text != NULL;
	return bound->text != NULL;
}

static bool
take_argument(struct cursor *cursor, const char *plan, sqlite3_value *value, const char **file,
	      struct wanted *object, struct wanted *counter)
{
	struct wanted *wanted = plan[0] == 'o' ? object : plan[0] == 'c' ? counter : NULL;

	if (plan[0] == 'f')
		*file = (const char *)sqlite3_value_text(value);
	else if (plan[0] == 't')
		return plan[1] == '+' || add_bound(cursor, plan[1], value);
	if (wanted == NULL || wanted->is_given)
		return true;
	wanted->is_given = true;
	return plan[1] == '+' ? want_list(wanted, plan[0], value)
			      : want_text(wanted, plan[0], value);
}

static int
filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;
	struct text_list patterns = {.list = NULL};
	struct wanted object = {.is_given = false};
	struct wanted counter = {.is_given = false};
	const char *file = NULL;
	bool good = true;
	int rc = SQLITE_NOMEM;

	(void)number;
	end_scan(cursor);
	if (argc > 0)
		cursor->bounds = sqlite3_malloc64((size_t)argc * sizeof(*cursor->bounds));
	if (argc > 0 && cursor->bounds == NULL)
		return SQLITE_NOMEM;
	for (int i = 0; i < argc && good; i++)
		good = take_argument(cursor, plan + 2 * (size_t)i, argv[i], &file, &object,
				     &counter);
	if (good && make_patterns(&patterns, &object, &counter))
		rc = begin_scan(cursor, file, &patterns);
	free_texts(&patterns);
	free_texts(&object.texts);
	free_texts(&counter.texts);
	return rc;
}

static int
at_end(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->is_at_end;
}

static int
rowid_of(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = ((struct cursor *)base)->rowid;
	return SQLITE_OK;
}

// ---- Cells ------------------------------------------------------------------------------------

static void
set_cell(sqlite3_context *context, const struct pmon_tidy_cell *cell)
{
	switch (cell->kind) {
	case PMON_TIDY_TEXT:
	case PMON_TIDY_WORD:
		sqlite3_result_text64(context, cell->text.ptr, cell->text.len, SQLITE_TRANSIENT,
				      SQLITE_UTF8);
		return;
	case PMON_TIDY_INTEGER:
		sqlite3_result_int64(context, cell->integer);
		return;
	case PMON_TIDY_REAL:
		sqlite3_result_double(context, cell->real);
		return;
	default:
		sqlite3_result_null(context);
	}
}

static void
set_time(sqlite3_context *context, pmon_time time)
{
	char text[PMON_TIDY_TIME_SIZE];
	size_t len = pmon_tidy_time(time, text);

	if (time != PMON_TIME_NONE)
		sqlite3_result_text64(context, text, len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void
set_operands(sqlite3_context *context, struct cursor *cursor)
{
	const struct pmon_tidy_row *row = &cursor->row;
	uint8_t bytes[PMON_SQL_OPERANDS_MAX];
	struct pmon_sql_operands o = {
		.counter = row->series->counter,
		.options = cursor->input.calc,
		.series = cursor->seen[row->series->id].hash,
		.formatted = row->series->formatted,
		.type_known = row->series->type_known,
		.known_type = row->series->known_type,
		.raw = row->raw,
		.has_older = row->has_older,
		.older = row->older,
		.has_span = cursor->has_span,
		.span_time = cursor->span_time,
		.stream = cursor->sample->stream,
	};
	size_t len;

	o.has_part =
		pmon_latencies_part(&cursor->latencies, cursor->sample, row->series->id, &o.part);
	len = pmon_sql_operands_put(&o, bytes);

	sqlite3_result_blob64(context, bytes, len, SQLITE_TRANSIENT);
}

static void
set_raw_status(sqlite3_context *context, uint32_t status)
{
	const char *name = pmon_raw_status_name(status);
	char *hex;

	if (name != NULL) {
		sqlite3_result_text(context, name, -1, SQLITE_STATIC);
		return;
	}
	hex = sqlite3_mprintf("0x%08X", (unsigned)status);
	if (hex == NULL)
		sqlite3_result_error_nomem(context);
	else
		sqlite3_result_text(context, hex, -1, sqlite3_free);
}

static void
set_raw_first(sqlite3_context *context, const struct pmon_tidy_row *row)
{
	if (row->series->counter.type == PMON_PERF_DOUBLE_RAW)
		sqlite3_result_double(context, pmon_raw_double(&row->raw));
	else
		sqlite3_result_int64(context, row->raw.first);
}

static void
set_raw(sqlite3_context *context, const struct cursor *cursor, int column)
{
	const struct pmon_tidy_row *row = &cursor->row;

	switch (column) {
	case RAW_STATUS:
		set_raw_status(context, row->raw.status);
		return;
	case RAW_FIRST:
		set_raw_first(context, row);
		return;
	case RAW_SECOND:
		sqlite3_result_int64(context, row->raw.second);
		return;
	case RAW_MULTI:
		sqlite3_result_int64(context, (sqlite3_int64)row->raw.multi);
		return;
	case RAW_TIME_BASE:
		if (row->series->counter.time_base != 0)
			sqlite3_result_int64(context, row->series->counter.time_base);
		return;
	default:
		return;
	}
}

static void
set_counter(sqlite3_context *context, const struct cursor *cursor, const struct pmon_series *series,
	    int column)
{
	const struct seen *seen = &cursor->seen[series->id];

	switch (column) {
	case COUNTERS_UNIT:
		sqlite3_result_text(context, pmon_series_unit(series), -1, SQLITE_TRANSIENT);
		return;
	case COUNTERS_SAMPLES:
		sqlite3_result_int64(context, (sqlite3_int64)seen->samples);
		return;
	case COUNTERS_FIRST:
		set_time(context, seen->samples > 0 ? seen->first : PMON_TIME_NONE);
		return;
	case COUNTERS_LAST:
		set_time(context, seen->samples > 0 ? seen->time : PMON_TIME_NONE);
		return;
	default:
		return;
	}
}

static void
set_machine(sqlite3_context *context, const struct cursor *cursor, int column)
{
	const struct machine *machine = &cursor->machines[cursor->i];

	switch (column) {
	case MACHINES_MACHINE:
		if (machine->name.ptr != NULL)
			sqlite3_result_text64(context, machine->name.ptr, machine->name.len,
					      SQLITE_TRANSIENT, SQLITE_UTF8);
		return;
	case MACHINES_ID:
		sqlite3_result_text(
			context,
			pmon_machine_id(pmon_source_info(cursor->input.source), machine->name), -1,
			SQLITE_TRANSIENT);
		return;
	case MACHINES_COUNTERS:
		sqlite3_result_int64(context, (sqlite3_int64)machine->counters);
		return;
	case MACHINES_SAMPLES:
		sqlite3_result_int64(context, (sqlite3_int64)machine->samples);
		return;
	case MACHINES_FIRST:
		set_time(context, machine->first);
		return;
	case MACHINES_LAST:
		set_time(context, machine->last);
		return;
	default:
		return;
	}
}

static int
column_of(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct cursor *cursor = (struct cursor *)base;
	enum kind kind = ((const struct table *)base->pVtab)->module->kind;
	enum pmon_tidy_column tidy;
	bool good;

	if (find_tidy(kind, column, &tidy)) {
		good = kind == COUNTERS
			       ? pmon_tidy_series_cell(
					 &cursor->tidy,
					 pmon_schema_at(cursor->tidy.schema, cursor->i), tidy,
					 &cursor->cell)
			       : pmon_tidy_cell(&cursor->tidy, &cursor->row, tidy, &cursor->cell);
		if (good)
			set_cell(context, &cursor->cell);
		return good ? SQLITE_OK : SQLITE_NOMEM;
	}
	if (kind == RAW)
		set_raw(context, cursor, column);
	else if (kind == COUNTERS)
		set_counter(context, cursor, pmon_schema_at(cursor->tidy.schema, cursor->i),
			    column);
	else if (kind == MACHINES)
		set_machine(context, cursor, column);
	else if (column == VALUES_OPERANDS)
		set_operands(context, cursor);
	else if (column == VALUES_AHEAD)
		sqlite3_result_int64(context, cursor->sample->utc_offset_min);
	return SQLITE_OK;
}

// ---- Modules ----------------------------------------------------------------------------------

static const sqlite3_module module = {
	.iVersion = 1,
	.xCreate = connect,
	.xConnect = connect,
	.xBestIndex = best_index,
	.xDisconnect = disconnect,
	.xDestroy = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next_row,
	.xEof = at_end,
	.xColumn = column_of,
	.xRowid = rowid_of,
};

int
pmon_sql_add_tables(sqlite3 *db, const struct pmon_sql_host *host)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct module *own = sqlite3_malloc64(sizeof(*own));

		if (own == NULL)
			return SQLITE_NOMEM;
		*own = (struct module){.host = *host, .kind = (enum kind)i};
		// SQLite frees it, also when this fails.
		rc = sqlite3_create_module_v2(db, kinds[i].module, &module, own, sqlite3_free);
	}
	return rc;
}
