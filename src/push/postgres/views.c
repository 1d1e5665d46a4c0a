// views.c - views in PostgreSQL: displayed values, averages, and the tables of Windows and SQLite
// SPDX-License-Identifier: MIT
//
// The views compute what src/core/ computes, by the formulas and rules of core/sql.h, so that numbers
// are the same to the last digit; names and columns are those of the database files of SQLite.
//
// Here dividing by zero is an error, and so is an integer that is too large: denominators of 0 are NULL
// where a formula sees them, and differences that need more than 64 bits are of type numeric. Sums are
// numeric and exact: of integers as they are, of other numbers in units of 2^-112, as in core/sum.h.

#include "push/postgres/postgres.h"

#include <string.h>

#include "core/sql.h"

// ---- Functions ------------------------------------------------------------------------------

#define FUNCTION " LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$\n"

static const char *const functions[] = {
	// A moment in 100 ns since 1601 as a time of PostgreSQL, to the microsecond, and as ISO 8601.
	"CREATE OR REPLACE FUNCTION pmon_utc(moment bigint) RETURNS timestamp" FUNCTION
	"SELECT timestamp '1601-01-01' + (moment / 864000000000)::integer * interval '1 day'\n"
	" + (moment % 864000000000 / 10) * interval '1 microsecond'\n"
	"$$",
	"CREATE OR REPLACE FUNCTION pmon_iso(moment bigint) RETURNS text" FUNCTION
	"SELECT rtrim(rtrim(to_char(pmon_utc(moment - moment % 10000000),\n"
	" 'YYYY-MM-DD\"T\"HH24:MI:SS') || '.' || lpad((moment % 10000000)::text, 7, '0'), '0'),\n"
	" '.') || 'Z'\n"
	"$$",
	// And back. Times in text have to be UTC.
	"CREATE OR REPLACE FUNCTION pmon_from_iso(iso text) RETURNS bigint" FUNCTION
	"SELECT (extract(epoch FROM substr(iso, 1, 19)::timestamp)::bigint + 11644473600) * "
	"10000000\n"
	" + CASE WHEN substr(iso, 20, 1) = '.'\n"
	"    THEN rpad(substr(rtrim(iso, 'Z'), 21, 7), 7, '0')::bigint ELSE 0 END\n"
	"$$",
	// The number whose bits, as those of an IEEE double, these are; 0 where it is 2^80 or more.
	"CREATE OR REPLACE FUNCTION pmon_double(bits bigint) RETURNS float8" FUNCTION
	"SELECT CASE WHEN ((bits >> 52) & 2047) >= 1103 THEN 0::float8\n"
	" ELSE (CASE WHEN bits < 0 THEN -1 ELSE 1 END)::float8\n"
	"  * ((bits & 4503599627370495)\n"
	"   + CASE WHEN ((bits >> 52) & 2047) = 0 THEN 0 ELSE 4503599627370496 END)::float8\n"
	"  * power(2::float8, (greatest((bits >> 52) & 2047, 1) - 1075)::float8) END\n"
	"$$",
	// newer - older, where the newer is not smaller, as the nearest double. Of equal signs it fits.
	"CREATE OR REPLACE FUNCTION pmon_difference(newer bigint, older bigint) RETURNS "
	"float8" FUNCTION
	"SELECT CASE WHEN (newer >= 0) = (older >= 0) THEN (newer - older)::float8\n"
	" ELSE (newer::numeric - older)::float8 END\n"
	"$$",
	// One of the two columns that Windows keeps a number of 64 bits in.
	"CREATE OR REPLACE FUNCTION pmon_low(number bigint) RETURNS integer" FUNCTION
	"SELECT ((number << 32) >> 32)::integer\n"
	"$$",
};

#define N_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

// ---- Values ---------------------------------------------------------------------------------

static void
put_value(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT series, sample_100ns, nth, " PG_MULTI(
			"f") " AS multi,\n"
			     " " PG_STATUS(
				     "f") " AS status, first, second,\n"
					  " " PG_TIME(
						  "f") " AS time_100ns,\n"
						       " " PG_ABSENT(
							       "f") " AS absent_after, sample FROM "
								    "pmon_fact AS f\n"
								    "UNION ALL SELECT series, "
								    "sample_100ns, nth, multi, "
								    "status, first, second,\n"
								    " time_100ns, absent_after, "
								    "sample FROM pmon_owner");
}

// ---- Seams ----------------------------------------------------------------------------------

// The raw values whose process is another one than that of the log before: the first process of
// their log differs from the last one before it.
static void
put_seam(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT series, sample_100ns, -1 - nth AS nth\n"
		"FROM (SELECT *, lag(first) OVER w AS first0, lag(second) OVER w AS second0,\n"
		"  lag(multi) OVER w AS multi0 FROM pmon_owner\n"
		" WINDOW w AS (PARTITION BY series ORDER BY sample_100ns, nth DESC)) AS o\n"
		"WHERE multi & 8 <> 0 AND (multi & 3 = multi0 & 3 AND first <> first0\n"
		" OR multi & multi0 & 4 <> 0 AND abs(second - second0) > " PMON_SQL_SAME_START ")");
}

// ---- Raw values -----------------------------------------------------------------------------

// The number of a run goes up where the counter was absent, if that is what came last.
static void
put_raw(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT series, sample, sample_100ns,\n"
		" (status IN (" PMON_SQL_STARTED "))::integer AS lead_in,\n"
		" sum(CASE WHEN absent_after <> 0 AND absent_after = older_100ns THEN 1 ELSE 0 "
		"END)\n"
		"  OVER w AS run,\n"
		" time_100ns, status, first, second, multi, pmon_double(first) AS shown, nth\n"
		"FROM (SELECT *, lag(sample_100ns) OVER v AS older_100ns FROM pmon_value\n"
		" WHERE nth >= 0 WINDOW v AS (PARTITION BY series ORDER BY sample_100ns, nth)) AS "
		"r\n"
		"WINDOW w AS (PARTITION BY series ORDER BY sample_100ns, nth)");
}

// ---- All times ------------------------------------------------------------------------------

static void
put_pair(struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT * FROM pmon_pairs(" PG_FIRST ", " PG_LAST ", 0)");
}

static void
put_displayed(struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT * FROM pmon_values(" PG_FIRST ", " PG_LAST ")");
}

// ---- Windows' own tables --------------------------------------------------------------------

static void
put_details(struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "SELECT id AS CounterID,\n"
		      " CASE WHEN machine = '' THEN '' ELSE E'\\\\\\\\' || machine END AS "
		      "MachineName,\n"
		      " object AS ObjectName, counter AS CounterName,\n"
		      " pmon_low(type_word) AS CounterType, scale AS DefaultScale,\n"
		      " instance AS InstanceName,\n"
		      " CASE WHEN instance_index <> 0 THEN instance_index END AS InstanceIndex,\n"
		      " parent AS ParentName, NULL::integer AS ParentObjectID,\n"
		      " pmon_low(time_base) AS TimeBaseA, (time_base >> 32)::integer AS TimeBaseB\n"
		      "FROM pmon_series");
}

static void
put_logs(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT guid AS GUID, 0 AS RunID, name AS DisplayString,\n"
		" to_char(pmon_utc(s.first), 'YYYY-MM-DD HH24:MI:SS.MS') AS LogStartTime,\n"
		" to_char(pmon_utc(s.last), 'YYYY-MM-DD HH24:MI:SS.MS') AS LogStopTime,\n"
		" s.n AS NumberOfRecords, -utc_offset_min AS MinutesToUTC, zone AS TimeZoneName\n"
		"FROM pmon_log LEFT JOIN (SELECT stream, count(*) AS n, min(time_100ns) AS first,\n"
		" max(time_100ns) AS last FROM pmon_sample GROUP BY stream) AS s USING (stream)");
}

static void
put_data(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"SELECT l.guid AS GUID, r.series AS CounterID,\n"
		" (r.sample & 4294967295) + 1 AS RecordIndex,\n"
		" to_char(pmon_utc(r.sample_100ns), 'YYYY-MM-DD HH24:MI:SS.MS') AS "
		"CounterDateTime,\n"
		" CASE WHEN c.type_word = 73728 THEN r.shown ELSE 0::float8 END AS CounterValue,\n"
		" pmon_low(r.first) AS FirstValueA, (r.first >> 32)::integer AS FirstValueB,\n"
		" pmon_low(r.second) AS SecondValueA, (r.second >> 32)::integer AS SecondValueB,\n"
		" r.multi AS MultiCount, r.sample AS Sample, r.status AS Status,\n"
		" r.time_100ns AS Time100ns, r.run AS Run\n"
		"FROM pmon_raw AS r JOIN pmon_series AS c ON c.id = r.series\n"
		"JOIN pmon_log AS l ON l.stream = r.sample >> 32 WHERE r.lead_in = 0");
}

// ---- All of them ----------------------------------------------------------------------------

// In the order in which they need each other. A function's text is complete.
static const struct {
	const char *name;
	void (*put)(struct pmon_text *sql);
} objects[] = {
	{"VIEW pmon_value", put_value},
	{"VIEW pmon_seam", put_seam},
	{"VIEW pmon_raw", put_raw},
	{"FUNCTION pmon_previous(integer, bigint, integer)", pmon_pg_put_previous},
	{"FUNCTION pmon_older(integer, bigint, integer, bigint, bigint)", pmon_pg_put_older},
	{"FUNCTION pmon_pairs(bigint, bigint, bigint)", pmon_pg_put_pairs},
	{"FUNCTION pmon_values(bigint, bigint)", pmon_pg_put_values},
	{"FUNCTION pmon_sums(bigint, bigint, bigint)", pmon_pg_put_sums},
	{"FUNCTION pmon_averages(bigint, bigint)", pmon_pg_put_averages},
	{"FUNCTION pmon_group_averages(bigint, bigint)", pmon_pg_put_group_averages},
	{"FUNCTION pmon_hour_older(integer, bigint)", pmon_pg_put_hour_older},
	{"FUNCTION pmon_hour_sums(bigint, bigint)", pmon_pg_put_hour_sums},
	{"FUNCTION pmon_rollup_averages(bigint, bigint)", pmon_pg_put_rollup_averages},
	{"VIEW pmon_pair", put_pair},
	{"VIEW pmon_displayed", put_displayed},
	{"VIEW pmon_average", pmon_pg_put_average},
	{"VIEW pmon_group_average", pmon_pg_put_group_average},
	{"VIEW pmon_hour_average", pmon_pg_put_hour_average},
	{"VIEW pmon_day_average", pmon_pg_put_day_average},
	{"VIEW pmon_rollup_average", pmon_pg_put_rollup_average},
	{"VIEW CounterDetails", put_details},
	{"VIEW DisplayToID", put_logs},
	{"VIEW CounterData", put_data},
};

size_t
pmon_pg_count_views(void)
{
	return sizeof(objects) / sizeof(objects[0]);
}

void
pmon_pg_put_drop(size_t i, struct pmon_text *sql)
{
	pmon_text_str(sql, "DROP ");
	pmon_text_str(sql, objects[i].name[0] == 'V' ? "VIEW" : "FUNCTION");
	pmon_text_str(sql, " IF EXISTS ");
	pmon_text_str(sql, strchr(objects[i].name, ' ') + 1);
}

bool
pmon_pg_view(size_t i, struct pmon_text *sql)
{
	if (i < N_FUNCTIONS) {
		pmon_text_str(sql, functions[i]);
		return true;
	}
	i -= N_FUNCTIONS;
	if (i >= sizeof(objects) / sizeof(objects[0]))
		return false;
	if (objects[i].name[0] == 'V') {
		pmon_text_str(sql, "CREATE ");
		pmon_text_str(sql, objects[i].name);
		pmon_text_str(sql, " AS\n");
	}
	objects[i].put(sql);
	return true;
}
