// irregular.c - which raw values of PostgreSQL have to be computed one by one
// SPDX-License-Identifier: MIT
//
// Most raw values of a counter are usable and not smaller than the one before. The sum of the differences of such
// a sequence is its last value less its first, so an average need not look at each pair. All other rows are
// irregular, and marked (PG_IS_IRREGULAR): their pairs are computed one by one.
//
// A mark may be superfluous, never missing. Whoever stores, changes or deletes rows, triggers mark them, and the row after
// each, under a lock for the machine: of two sessions the second sees the rows of the first. What was regular stays so when a regular
// row before it goes; when an irregular one goes, the row after it gets the mark. The first row of each day has it, so
// that days can be dropped. Rows of types that are computed from single values need no marks. A row of another process
// than the log before is not marked, as logs may come in any order: pmon_seam says which these are.

#include "push/postgres/postgres.h"

#include "core/sql.h"

#define LOCK_NUMBER                                                                                \
	"1886220143" // and the number of a machine, of 1,024: few enough for the server's table of locks

#define MACHINE_NUMBER "hashtext(split_part(identity, E'\\t', 1)) & 1023"

#define DAY_TABLE(DAY) "'pmon_fact_' || to_char(date '1601-01-01' + (" DAY ")::integer, 'YYYYMMDD')"

// Mark irregular rows among those of SOURCE (series, low, high): from when to when. {fact}: the table of the day.
#define MARK(SOURCE)                                                                               \
	"UPDATE {fact} AS f SET kind = " PG_MARKED(                                                \
		"f.kind") "\n"                                                                     \
			  "FROM (SELECT r.series, r.sample_100ns, r.nth FROM (" SOURCE ") AS n\n"  \
			  " JOIN pmon_series AS c ON c.id = n.series\n"                            \
			  " LEFT JOIN pmon_type AS t ON t.word = c.type_word\n"                    \
			  " CROSS JOIN LATERAL (SELECT *, " PG_IS_USABLE " AS usable,\n"           \
			  "   lag(" PG_IS_USABLE ") OVER w AS usable0, lag(first) OVER w AS "      \
			  "first0,\n"                                                              \
			  "   lag(second) OVER w AS second0 FROM {fact} WHERE series = n.series\n" \
			  "    AND sample_100ns >= coalesce((SELECT max(sample_100ns) FROM "       \
			  "{fact}\n"                                                               \
			  "     WHERE series = n.series AND nth = 0 AND sample_100ns < low), "     \
			  "low)\n"                                                                 \
			  "    AND sample_100ns <= coalesce((SELECT min(sample_100ns) FROM "       \
			  "{fact}\n"                                                               \
			  "     WHERE series = n.series AND nth = 0 AND sample_100ns > high), "    \
			  "high)\n"                                                                \
			  "   WINDOW w AS (ORDER BY sample_100ns, nth)) AS r\n"                    \
			  " WHERE (t.is_single OR t.formula = 'none') IS NOT TRUE\n"               \
			  "  AND r.sample_100ns >= low AND coalesce(kind, 0) >= 0\n"               \
			  "  AND (usable AND usable0 AND first >= first0\n"                        \
			  "   AND (second >= second0 OR t.divides IS FALSE) AND (rare IS NULL\n"   \
			  "    OR rare[1] = 0 AND rare[3] NOT IN (" PMON_SQL_CHANGED               \
			  ", " PMON_SQL_STARTED "))) IS NOT TRUE OFFSET 0) AS r\n"                 \
			  "WHERE f.series = r.series AND f.sample_100ns = r.sample_100ns AND "     \
			  "f.nth = r.nth"

// Few rows are read of a large table, by its key, whatever the planner knows of it.
#define BY_KEY                                                                                     \
	" SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off SET "   \
	"jit = off"

const char *const pmon_pg_irregular[] = {
	"CREATE INDEX IF NOT EXISTS pmon_fact_irregular ON pmon_fact (series, sample_100ns)\n"
	" WHERE " PG_IS_IRREGULAR,

	// After rows were stored by whoever may push.
	"DO $do$ BEGIN EXECUTE format($f$\n"
	"CREATE OR REPLACE FUNCTION pmon_mark_new() RETURNS trigger LANGUAGE plpgsql\n"
	" SECURITY DEFINER SET search_path = %I, pg_temp" BY_KEY " AS $$\n"
	"DECLARE\n"
	" day bigint;\n"
	"BEGIN\n"
	" IF NOT EXISTS (SELECT FROM new_rows) THEN\n"
	"  RETURN NULL;\n"
	" END IF;\n"
	" PERFORM pg_advisory_xact_lock(" LOCK_NUMBER ", machine) FROM (SELECT DISTINCT\n"
	"   " MACHINE_NUMBER " AS machine\n"
	"  FROM (SELECT DISTINCT series FROM new_rows) AS n JOIN pmon_series ON id = series\n"
	"  ORDER BY machine OFFSET 0) AS m;\n"
	" FOR day IN SELECT DISTINCT sample_100ns / " PG_DAY " FROM new_rows LOOP\n"
	"  EXECUTE replace($q$" MARK(
		"SELECT series, min(sample_100ns) AS low,\n"
		"   max(sample_100ns) AS high FROM new_rows WHERE sample_100ns >= $1 * " PG_DAY "\n"
		"   AND sample_100ns < ($1 + 1) * " PG_DAY
		" GROUP BY series") "$q$,\n"
				    "   '{fact}', " DAY_TABLE(
					    "day") ") USING day;\n"
						   " END LOOP;\n"
						   " RETURN NULL;\n"
						   "END $$ $f$, current_schema()); END $do$",

	// After an irregular row was deleted, or any was changed: it, and those that may come after it.
	"DO $do$ BEGIN EXECUTE format($f$\n"
	"CREATE OR REPLACE FUNCTION pmon_mark_next() RETURNS trigger LANGUAGE plpgsql\n"
	" SECURITY DEFINER SET search_path = %I, pg_temp" BY_KEY " AS $$\n"
	"BEGIN\n"
	" PERFORM pg_advisory_xact_lock(" LOCK_NUMBER ", " MACHINE_NUMBER ")\n"
	"  FROM pmon_series WHERE id = OLD.series;\n"
	" UPDATE pmon_fact SET kind = " PG_MARKED(
		"kind") " WHERE series = OLD.series\n"
			"  AND sample_100ns IN (OLD.sample_100ns, (SELECT min(sample_100ns) FROM "
			"pmon_fact\n"
			"   WHERE series = OLD.series AND nth = 0 AND sample_100ns > "
			"OLD.sample_100ns\n"
			"    AND sample_100ns < (OLD.sample_100ns / " PG_DAY " + 1) * " PG_DAY
			"))\n"
			"  AND coalesce(kind, 0) >= 0;\n"
			" RETURN NULL;\n"
			"END $$ $f$, current_schema()); END $do$",

	// All rows of some series of a day, of a database that had no marks.
	"CREATE OR REPLACE FUNCTION pmon_mark_day(day bigint, chunk bigint, chunks bigint)\n"
	" RETURNS void LANGUAGE plpgsql" BY_KEY " AS $$\n"
	"BEGIN\n"
	" EXECUTE replace($q$" MARK(
		"SELECT id AS series, $1 * " PG_DAY " AS low,\n"
		"  ($1 + 1) * " PG_DAY " - 1 AS high FROM pmon_series\n"
		"  WHERE id % $3 = $2") "$q$, '{fact}', " DAY_TABLE("day") ")\n"
									   "  USING day, chunk, "
									   "chunks;\n"
									   "END $$",

	"DROP TRIGGER IF EXISTS pmon_mark_new ON pmon_fact",
	"CREATE TRIGGER pmon_mark_new AFTER INSERT ON pmon_fact REFERENCING NEW TABLE AS new_rows\n"
	" FOR EACH STATEMENT EXECUTE FUNCTION pmon_mark_new()",
	"DROP TRIGGER IF EXISTS pmon_mark_gone ON pmon_fact",
	"CREATE TRIGGER pmon_mark_gone AFTER DELETE ON pmon_fact FOR EACH ROW\n"
	" WHEN (OLD." PG_IS_IRREGULAR ") EXECUTE FUNCTION pmon_mark_next()",
	"DROP TRIGGER IF EXISTS pmon_mark_changed ON pmon_fact",
	"CREATE TRIGGER pmon_mark_changed AFTER UPDATE OF first, second, rare\n"
	" ON pmon_fact FOR EACH ROW EXECUTE FUNCTION pmon_mark_next()",
	NULL,
};
