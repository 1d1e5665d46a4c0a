// schema.c - the tables in PostgreSQL
// SPDX-License-Identifier: MIT
//
// What is stored stands in few tables, each fact once: pmon_value has the raw values of all logs, keyed
// by the counter and the time of the sample. The tables of Windows and the ones that a database file
// of SQLite has are views over them, so that queries run in both.

#include "push/postgres/postgres.h"

#include "core/sql.h"

#define LOCK_NUMBER "1886220142" // "pmon": who makes tables waits for others who do

static const char *const tables[] = {
	"SELECT pg_advisory_xact_lock(" LOCK_NUMBER ")",

	"CREATE TABLE IF NOT EXISTS pmon_log (\n"
	" stream integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,\n"
	" digest text NOT NULL UNIQUE,\n" // of its first sample: the same log, whatever its file
	" guid uuid NOT NULL,\n"
	" name text NOT NULL,\n"
	" format text,\n"
	" writer text,\n"
	" machine text,\n"
	" zone text,\n"
	" utc_offset_min integer,\n"
	" log_start_100ns bigint,\n"
	" log_end_100ns bigint)",

	"CREATE TABLE IF NOT EXISTS pmon_series (\n"
	" id bigint PRIMARY KEY,\n" // made of all that makes it another counter
	" path text NOT NULL,\n"
	" type_word bigint NOT NULL,\n"
	" time_base bigint NOT NULL,\n"
	" size_bytes integer NOT NULL,\n" // of the counter; 0: by its type
	" listed bigint NOT NULL,\n"      // ascending in the order of its log
	" source integer NOT NULL,\n"
	" wildcard integer NOT NULL,\n"
	" formatted integer NOT NULL,\n"
	" known_type bigint,\n"
	" scale integer NOT NULL,\n"
	" machine text NOT NULL,\n"
	" object text NOT NULL,\n"
	" parent text,\n"
	" instance text,\n" // NULL: the object has none
	" instance_index integer NOT NULL,\n"
	" counter text NOT NULL,\n"
	" twin bigint NOT NULL)", // 0 but where a log lists the same counter several times

	"CREATE INDEX IF NOT EXISTS pmon_series_path ON pmon_series (path)",

	"CREATE TABLE IF NOT EXISTS pmon_value (\n"
	" series bigint NOT NULL,\n"
	" sample_100ns bigint NOT NULL,\n" // time of the sample, 100 ns since 1601, UTC
	" nth integer NOT NULL,\n"         // of the samples of this time
	" multi bigint NOT NULL,\n"
	" status bigint NOT NULL,\n" // PDH_CSTATUS_* of the raw value
	" first bigint NOT NULL,\n"
	" second bigint NOT NULL,\n"
	" time_100ns bigint,\n"            // of the raw value; NULL is not known
	" absent_after bigint NOT NULL,\n" // the counter was absent since then; 0: it was not
	" sample bigint NOT NULL,\n"       // pmon_sample.id, of the log that had it first
	" PRIMARY KEY (series, sample_100ns, nth))",

	"CREATE TABLE IF NOT EXISTS pmon_sample (\n"
	" id bigint PRIMARY KEY,\n" // stream * 2^32 + its number in what was pushed
	" stream integer NOT NULL,\n"
	" RecordIndex bigint NOT NULL,\n"
	" ordinal bigint NOT NULL,\n"
	" time_100ns bigint NOT NULL,\n"
	" utc_offset_min integer NOT NULL,\n"
	" lead_in integer NOT NULL)",

	"CREATE TABLE IF NOT EXISTS pmon_push (\n"
	" stream integer NOT NULL,\n"
	" batch text NOT NULL,\n" // digest of its rows
	" rows bigint NOT NULL,\n"
	" time_from bigint NOT NULL,\n"
	" time_to bigint NOT NULL,\n"
	" stored timestamptz NOT NULL DEFAULT now(),\n"
	" PRIMARY KEY (stream, batch))",

	"CREATE TABLE IF NOT EXISTS pmon_window (\n"
	" name text PRIMARY KEY,\n"
	" time_from text,\n" // ISO 8601, UTC; NULL: from the first sample
	" time_to text)",

	"INSERT INTO pmon_window VALUES ('all', NULL, NULL) ON CONFLICT DO NOTHING",

	"CREATE TABLE IF NOT EXISTS pmon_group (\n"
	" name text,\n" // counters to average over together
	" series bigint,\n"
	" PRIMARY KEY (name, series))",

	"CREATE TABLE IF NOT EXISTS pmon_type (\n"
	" word bigint PRIMARY KEY,\n" PMON_SQL_TYPE_COLUMNS("boolean") ")",
};

#define N_TABLES (sizeof(tables) / sizeof(tables[0]))

void
pmon_pg_put_quoted(struct pmon_text *sql, const char *text)
{
	pmon_text_str(sql, "E'");
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			pmon_text_char(sql, *text);
		pmon_text_char(sql, *text);
	}
	pmon_text_char(sql, '\'');
}

static void
put_type(struct pmon_text *sql, const struct pmon_counter_type *type)
{
	struct pmon_sql_type t = pmon_sql_type(type);
	const char *const texts[] = {type->name,         type->unit,         t.formula,
				     type->formula_text, type->average_text, type->meaning};
	const bool flags[] = {t.is_single,   t.divides, t.by_base,
			      t.needs_ticks, t.wraps,   t.base_wraps};

	pmon_text_char(sql, '(');
	pmon_text_u64(sql, type->word);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		pmon_text_str(sql, ", ");
		pmon_pg_put_quoted(sql, texts[i]);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		pmon_text_str(sql, flags[i] ? ", TRUE" : ", FALSE");
	pmon_text_char(sql, ')');
}

// The one table of counter types, a row for each word.
static void
put_types(struct pmon_text *sql)
{
	const char *comma = "\n";

	pmon_text_str(sql, "INSERT INTO pmon_type VALUES");
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		if (type != pmon_type_by_word(type->word)) // two names have the same word
			continue;
		pmon_text_str(sql, comma);
		put_type(sql, type);
		comma = ",\n";
	}
	// A planner that knows how few rows these have plans for that.
	pmon_text_str(sql, "\nON CONFLICT DO NOTHING;\nANALYZE pmon_type; ANALYZE pmon_window");
}

bool
pmon_pg_statement(size_t i, struct pmon_text *sql)
{
	if (i < N_TABLES) {
		pmon_text_str(sql, tables[i]);
		return true;
	}
	if (i > N_TABLES)
		return pmon_pg_view(i - N_TABLES - 1, sql);
	put_types(sql);
	return true;
}
