// tidy.c - one row for each raw value, for SQL and other programs that compute
// SPDX-License-Identifier: MIT

#include "query/tidy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/time.h"
#include "path/print.h"

const char *
pmon_tidy_name(enum pmon_tidy_column column)
{
	static const char *const names[] = {
		"time", "machine", "object",        "instance", "parent", "counter",
		"path", "pid",     "process_start", "type",     "value",  "status",
		"n",    "d",       "add",           "mul",
	};

	return (unsigned)column < PMON_TIDY_COLUMNS ? names[column] : "";
}

size_t
pmon_tidy_time(pmon_time time, char buf[PMON_TIDY_TIME_SIZE])
{
	static const char decimals[] = ".0000000Z";
	char iso[PMON_TIME_SIZE];
	size_t given;
	size_t len;

	_Static_assert(PMON_TIDY_TIME_SIZE >= PMON_TIME_SIZE + sizeof(decimals), "it fits");
	buf[0] = '\0';
	if (time == PMON_TIME_NONE)
		return 0;
	len = pmon_time_iso(time, iso);
	given = len - 1 - strcspn(iso, ".Z"); // characters of ".123"
	memcpy(buf, iso, len - 1);
	memcpy(buf + len - 1, decimals + given, sizeof(decimals) - given);
	return len - 1 + sizeof(decimals) - 1 - given;
}

enum pmon_status
pmon_tidy_begin(struct pmon_tidy *tidy, const struct pmon_schema *schema,
		const struct pmon_source *identity, const struct pmon_calc_options *options,
		const struct pmon_allocator *allocator, struct pmon_err *err)
{
	*tidy = (struct pmon_tidy){
		.allocator = pmon_mem_allocator(allocator), .schema = schema, .identity = identity};
	tidy->names.allocator = tidy->allocator;
	pmon_intervals_init(&tidy->intervals, schema, options, allocator);
	return pmon_statistics_new(schema, options, allocator, &tidy->statistics, err);
}

void
pmon_tidy_free(struct pmon_tidy *tidy)
{
	const struct pmon_allocator *allocator = tidy->allocator;

	if (allocator == NULL)
		return;
	pmon_statistics_free(tidy->statistics);
	pmon_intervals_free(&tidy->intervals);
	pmon_mem_free(allocator, tidy->processes, tidy->processes_cap * sizeof(*tidy->processes));
	pmon_mem_free(allocator, tidy->names.text, tidy->names.cap);
}

enum pmon_status
pmon_tidy_add(struct pmon_tidy *tidy, const struct pmon_sample *sample, struct pmon_err *err)
{
	return pmon_statistics_add(tidy->statistics, sample, &tidy->values, err);
}

// ---- Processes ------------------------------------------------------------------------------

static struct pmon_tidy_process *
process_of(struct pmon_tidy *tidy, uint32_t series)
{
	size_t n = pmon_schema_count(tidy->schema);

	if (series >= tidy->n_processes) {
		if (!pmon_mem_grow(tidy->allocator, &tidy->processes, &tidy->processes_cap, n,
				   sizeof(*tidy->processes)))
			return NULL;
		memset(tidy->processes + tidy->n_processes, 0,
		       (n - tidy->n_processes) * sizeof(*tidy->processes));
		tidy->n_processes = n;
	}
	return &tidy->processes[series];
}

// Look again when another process has the instance.
static void
find_process(const struct pmon_source *identity, struct pmon_tidy_process *of,
	     const struct pmon_series *series)
{
	struct pmon_identity_who who;
	uint32_t generation;

	if (of->life != series->life)
		of->is_known = false;
	of->life = series->life;
	if (!pmon_identity_who((const struct pmon_identity *)identity, &series->path, &who,
			       &generation))
		return;
	if (series->of_process && (of->is_known || who.process_id != series->process_id))
		return;
	if (of->is_known && of->generation == generation)
		return;
	of->who = who;
	of->generation = generation;
	of->is_known = true;
}

// Set *pid, -1 if there is none, and *start. false: out of memory.
static bool
see_process(struct pmon_tidy *tidy, const struct pmon_series *series, int64_t *pid,
	    pmon_time *start)
{
	struct pmon_tidy_process *of;

	*pid = -1;
	*start = PMON_TIME_NONE;
	if (tidy->identity == NULL || series->path.instance.ptr == NULL)
		return true;
	of = process_of(tidy, series->id);
	if (of == NULL)
		return false;
	find_process(tidy->identity, of, series);
	if (of->is_known && of->who.process_id >= 0)
		*pid = of->who.process_id;
	else if (series->of_process && series->process_id >= 0)
		*pid = series->process_id;
	if (of->is_known)
		*start = of->who.start;
	return true;
}

// ---- Cells ----------------------------------------------------------------------------------

static void
set_text(struct pmon_tidy_cell *cell, struct pmon_span text)
{
	cell->kind = text.ptr != NULL ? PMON_TIDY_TEXT : PMON_TIDY_NULL;
	cell->text = text;
}

static void
set_word(struct pmon_tidy_cell *cell, const char *word)
{
	cell->kind = PMON_TIDY_WORD;
	cell->text = (struct pmon_span){word, strlen(word)};
}

static void
set_time(struct pmon_tidy_cell *cell, pmon_time time)
{
	cell->kind = time != PMON_TIME_NONE ? PMON_TIDY_WORD : PMON_TIDY_NULL;
	cell->text.len = pmon_tidy_time(time, cell->buf);
	cell->text.ptr = cell->buf;
}

static void
set_integer(struct pmon_tidy_cell *cell, int64_t integer)
{
	cell->kind = PMON_TIDY_INTEGER;
	cell->integer = integer;
}

static void
set_real(struct pmon_tidy_cell *cell, double real)
{
	cell->kind = isfinite(real) ? PMON_TIDY_REAL : PMON_TIDY_NULL;
	cell->real = real;
}

// The path, or the instance with its number.
static bool
set_printed(struct pmon_tidy_names *names, struct pmon_tidy_cell *cell,
	    size_t (*print)(const struct pmon_path *, char *, size_t), const struct pmon_path *path)
{
	size_t len = print(path, NULL, 0);

	if (!pmon_mem_grow(names->allocator, &names->text, &names->cap, len + 1, 1))
		return false;
	(void)print(path, names->text, names->cap);
	set_text(cell, (struct pmon_span){names->text, len});
	return true;
}

static void
set_type(struct pmon_tidy_cell *cell, const struct pmon_series *series)
{
	uint32_t word = series->formatted ? series->known_type : series->counter.type;
	const struct pmon_counter_type *type = pmon_type_by_word(word);

	if (series->formatted && !series->type_known) {
		cell->kind = PMON_TIDY_NULL;
		return;
	}
	if (type == NULL)
		(void)snprintf(cell->buf, sizeof(cell->buf), "0x%08X", (unsigned)word);
	set_word(cell, type != NULL ? type->name : cell->buf);
}

bool
pmon_tidy_name_cell(struct pmon_tidy_names *names, const struct pmon_series *series,
		    enum pmon_tidy_column column, struct pmon_tidy_cell *cell)
{
	const struct pmon_path *path = pmon_series_english(series);

	cell->kind = PMON_TIDY_NULL;
	switch (column) {
	case PMON_TIDY_MACHINE:
		set_text(cell, path->machine);
		return true;
	case PMON_TIDY_OBJECT:
		set_text(cell, path->object);
		return true;
	case PMON_TIDY_INSTANCE:
		if (path->index > 0)
			return set_printed(names, cell, pmon_path_instance, path);
		set_text(cell, path->instance);
		return true;
	case PMON_TIDY_PARENT:
		set_text(cell, path->parent);
		return true;
	case PMON_TIDY_COUNTER:
		set_text(cell, path->counter);
		return true;
	case PMON_TIDY_PATH:
		if (path != &series->path)
			return set_printed(names, cell, pmon_path_format, path);
		set_text(cell, series->name);
		return true;
	case PMON_TIDY_TYPE:
		set_type(cell, series);
		return true;
	default:
		return true;
	}
}

bool
pmon_tidy_series_cell(struct pmon_tidy *tidy, const struct pmon_series *series,
		      enum pmon_tidy_column column, struct pmon_tidy_cell *cell)
{
	pmon_time start;
	int64_t pid;

	if (column != PMON_TIDY_PID && column != PMON_TIDY_PROCESS_START)
		return pmon_tidy_name_cell(&tidy->names, series, column, cell);
	if (!see_process(tidy, series, &pid, &start))
		return false;
	cell->kind = PMON_TIDY_NULL;
	if (column == PMON_TIDY_PROCESS_START)
		set_time(cell, start);
	else if (pid >= 0)
		set_integer(cell, pid);
	return true;
}

bool
pmon_tidy_cell(struct pmon_tidy *tidy, const struct pmon_tidy_row *row,
	       enum pmon_tidy_column column, struct pmon_tidy_cell *cell)
{
	const struct pmon_increment *increment = &row->increment;
	bool counts = increment->kind == PMON_INCREMENT_PAIR;

	switch (column) {
	case PMON_TIDY_TIME:
		set_time(cell, row->time);
		return true;
	case PMON_TIDY_VALUE:
		cell->kind = PMON_TIDY_NULL;
		if (pmon_vstat_has_value(row->value.status))
			set_real(cell, row->value.value);
		return true;
	case PMON_TIDY_STATUS:
		set_word(cell, pmon_vstat_name(row->value.status));
		return true;
	case PMON_TIDY_N:
		if (counts && row->form.is_real)
			set_real(cell, increment->x);
		else
			set_integer(cell, counts ? increment->n : 0);
		return true;
	case PMON_TIDY_D:
		set_integer(cell, counts ? increment->d : 0);
		return true;
	case PMON_TIDY_ADD:
		set_real(cell, row->form.add);
		return true;
	case PMON_TIDY_MUL:
		set_real(cell, row->form.mul);
		return true;
	default:
		return pmon_tidy_series_cell(tidy, row->series, column, cell);
	}
}

// ---- Rows -----------------------------------------------------------------------------------

bool
pmon_tidy_next(struct pmon_tidy *tidy, const struct pmon_sample *sample, size_t i,
	       struct pmon_tidy_row *row)
{
	struct pmon_interval *of = pmon_intervals_at(&tidy->intervals, sample, i);
	int64_t pid;
	pmon_time start;

	if (of == NULL)
		return false;
	row->series = pmon_schema_at(tidy->schema, sample->series[i]);
	row->time = sample->time;
	row->raw = sample->raw[i];
	row->value = tidy->values[i];
	row->form = of->form;
	row->has_older = of->rows.is_open;
	row->older = of->rows.tail;
	row->increment = pmon_increments_next(&of->rows, &sample->raw[i]);
	// The process that a series had at its first row: look now, whether the cell is read or not.
	return sample->preceding || see_process(tidy, row->series, &pid, &start);
}
