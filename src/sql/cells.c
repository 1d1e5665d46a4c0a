// cells.c - the cells of a row
// SPDX-License-Identifier: MIT

#include "core/calc.h"
#include "sql/operands.h"
#include "sql/tables.h"

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
set_operands(sqlite3_context *context, struct sql_cursor *cursor)
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
set_raw(sqlite3_context *context, const struct sql_cursor *cursor, int column)
{
	const struct pmon_tidy_row *row = &cursor->row;

	switch (column) {
	case SQL_RAW_STATUS:
		set_raw_status(context, row->raw.status);
		return;
	case SQL_RAW_FIRST:
		set_raw_first(context, row);
		return;
	case SQL_RAW_SECOND:
		sqlite3_result_int64(context, row->raw.second);
		return;
	case SQL_RAW_MULTI:
		sqlite3_result_int64(context, (sqlite3_int64)row->raw.multi);
		return;
	case SQL_RAW_TIME_BASE:
		if (row->series->counter.time_base != 0)
			sqlite3_result_int64(context, row->series->counter.time_base);
		return;
	default:
		return;
	}
}

static void
set_counter(sqlite3_context *context, const struct sql_cursor *cursor,
	    const struct pmon_series *series, int column)
{
	const struct sql_seen *seen = &cursor->seen[series->id];

	switch (column) {
	case SQL_COUNTERS_UNIT:
		sqlite3_result_text(context, pmon_series_unit(series), -1, SQLITE_TRANSIENT);
		return;
	case SQL_COUNTERS_SAMPLES:
		sqlite3_result_int64(context, (sqlite3_int64)seen->samples);
		return;
	case SQL_COUNTERS_FIRST:
		set_time(context, seen->samples > 0 ? seen->first : PMON_TIME_NONE);
		return;
	case SQL_COUNTERS_LAST:
		set_time(context, seen->samples > 0 ? seen->time : PMON_TIME_NONE);
		return;
	default:
		return;
	}
}

static void
set_machine(sqlite3_context *context, const struct sql_cursor *cursor, int column)
{
	const struct sql_machine *machine = &cursor->machines[cursor->i];

	switch (column) {
	case SQL_MACHINES_MACHINE:
		if (machine->name.ptr != NULL)
			sqlite3_result_text64(context, machine->name.ptr, machine->name.len,
					      SQLITE_TRANSIENT, SQLITE_UTF8);
		return;
	case SQL_MACHINES_ID:
		sqlite3_result_text(
			context,
			pmon_machine_id(pmon_source_info(cursor->input.source), machine->name), -1,
			SQLITE_TRANSIENT);
		return;
	case SQL_MACHINES_COUNTERS:
		sqlite3_result_int64(context, (sqlite3_int64)machine->counters);
		return;
	case SQL_MACHINES_SAMPLES:
		sqlite3_result_int64(context, (sqlite3_int64)machine->samples);
		return;
	case SQL_MACHINES_FIRST:
		set_time(context, machine->first);
		return;
	case SQL_MACHINES_LAST:
		set_time(context, machine->last);
		return;
	default:
		return;
	}
}

int
pmon_sql_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	enum sql_kind kind = ((const struct sql_table *)base->pVtab)->module->kind;
	enum pmon_tidy_column tidy;
	bool good;

	if (pmon_sql_tidy_column(kind, column, &tidy)) {
		good = kind == SQL_COUNTERS
			       ? pmon_tidy_series_cell(
					 &cursor->tidy,
					 pmon_schema_at(cursor->tidy.schema, cursor->i), tidy,
					 &cursor->cell)
			       : pmon_tidy_cell(&cursor->tidy, &cursor->row, tidy, &cursor->cell);
		if (good)
			set_cell(context, &cursor->cell);
		return good ? SQLITE_OK : SQLITE_NOMEM;
	}
	if (kind == SQL_RAW)
		set_raw(context, cursor, column);
	else if (kind == SQL_COUNTERS)
		set_counter(context, cursor, pmon_schema_at(cursor->tidy.schema, cursor->i),
			    column);
	else if (kind == SQL_MACHINES)
		set_machine(context, cursor, column);
	else if (column == SQL_VALUES_OPERANDS)
		set_operands(context, cursor);
	else if (column == SQL_VALUES_AHEAD)
		sqlite3_result_int64(context, cursor->sample->utc_offset_min);
	return SQLITE_OK;
}
