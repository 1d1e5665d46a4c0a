// statements.c - from the temporary tables of a batch into PostgreSQL's tables
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

// If a counter has two values at one time, one after an absence is kept, then one of another
// process, and then the smaller one, whichever came first.
#define RANK(ABSENT, STATUS, MULTI, TIME, ROW)                                                     \
	"-" ABSENT ", (" STATUS ") NOT IN (" PMON_SQL_CHANGED "), " ROW ".first, " ROW             \
	".second,\n"                                                                               \
	" " MULTI ", " STATUS ", coalesce(" TIME ", 0)"
#define RANK_PLAIN(ROW)                                                                            \
	RANK(ROW ".absent_after", ROW ".status", ROW ".multi", ROW ".time_100ns", ROW)
#define RANK_FACT(ROW) RANK(PG_ABSENT(ROW), PG_STATUS(ROW), PG_MULTI(ROW), PG_TIME(ROW), ROW)

// An id is taken from the sequence only where a series is new; ON CONFLICT is for others who have it at the
// same time. It waits for them, and the statements after it see theirs.
const char pmon_pg_insert_series[] =
	"INSERT INTO pmon_series (" PG_SERIES_COLUMNS ") SELECT " PG_SERIES_COLUMNS "\n"
	" FROM pmon_in_series AS i\n"
	" WHERE NOT EXISTS (SELECT FROM pmon_series AS s WHERE s.key = i.key)\n"
	" ORDER BY key ON CONFLICT (key) DO NOTHING;\n"
	"INSERT INTO pmon_in_id SELECT i.n, s.id\n"
	" FROM pmon_in_series AS i JOIN pmon_series AS s USING (key);\n"
	"SELECT min(i.n) FROM pmon_in_series AS i JOIN pmon_series AS s USING (key)\n"
	" WHERE s.identity <> i.identity";

const char pmon_pg_insert_owners[] =
	"INSERT INTO pmon_sample SELECT * FROM pmon_in_sample ORDER BY id ON CONFLICT DO NOTHING;\n"
	"INSERT INTO pmon_owner AS v (series, sample_100ns, nth, multi, status, first, second,\n"
	" time_100ns, absent_after, sample) SELECT DISTINCT ON (n.id, sample_100ns, nth) n.id,\n"
	" sample_100ns, nth, multi, status, first, second, time_100ns, absent_after, sample\n"
	" FROM pmon_in_value AS i JOIN pmon_in_id AS n ON n.n = i.series WHERE nth < 0\n"
	" ORDER BY n.id, sample_100ns, nth, " RANK_PLAIN(
		"i") "\n"
		     " ON CONFLICT (series, sample_100ns, nth) DO UPDATE SET multi = "
		     "excluded.multi,\n"
		     "  status = excluded.status, first = excluded.first, second = "
		     "excluded.second,\n"
		     "  time_100ns = excluded.time_100ns, absent_after = excluded.absent_after\n"
		     " WHERE (" RANK_PLAIN("excluded") ") < (" RANK_PLAIN("v") ")";

const char pmon_pg_insert_values[] =
	"INSERT INTO pmon_fact AS v (series, sample_100ns, nth, first, second, sample, kind, "
	"rare)\n"
	" SELECT id, sample_100ns, nth, first, second, sample, " PG_KIND ", " PG_RARE "\n"
	" FROM (SELECT DISTINCT ON (n.id, sample_100ns, nth) n.id, i.*\n"
	"  FROM pmon_in_value AS i JOIN pmon_in_id AS n ON n.n = i.series WHERE nth >= 0\n"
	"  ORDER BY n.id, sample_100ns, nth, " RANK_PLAIN(
		"i") ") AS i\n"
		     " ON CONFLICT (series, nth, sample_100ns) DO UPDATE SET first = "
		     "excluded.first,\n"
		     "  second = excluded.second, kind = excluded.kind, rare = excluded.rare\n"
		     " WHERE (" RANK_FACT("excluded") ") < (" RANK_FACT("v") ")";

// The session's own table of ids gets those of the series that are there. With their times in the statement, no
// other days are searched.
void
pmon_pg_put_count_missing(struct pmon_text *sql, const struct pg_batch *batch)
{
	pmon_text_str(sql,
		      "INSERT INTO pmon_in_id SELECT i.n, s.id\n"
		      " FROM pmon_in_series AS i JOIN pmon_series AS s USING (key) ON CONFLICT DO "
		      "NOTHING;\n"
		      "SELECT count(*) FROM (SELECT DISTINCT i.series, i.sample_100ns, i.nth\n"
		      " FROM pmon_in_value AS i) AS i LEFT JOIN pmon_in_id AS n ON n.n = i.series\n"
		      " WHERE NOT EXISTS (SELECT FROM pmon_value AS v WHERE v.series = n.id\n"
		      "  AND v.sample_100ns = i.sample_100ns AND v.nth = i.nth\n"
		      "  AND v.sample_100ns BETWEEN ");
	pmon_text_i64(sql, batch->first);
	pmon_text_str(sql, " AND ");
	pmon_text_i64(sql, batch->last);
	pmon_text_str(sql, ")");
}
