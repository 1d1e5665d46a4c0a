// rollup_sql.c - tables, statements and views of sums of whole hours in PostgreSQL
// SPDX-License-Identifier: MIT
//
// Times are in 100 ns since 1601, and so are hours: the time of their beginning.

#include "push/postgres/rollup.h"

#define HOUR       "36000000000"
#define HOUR_OF(T) T " - " T " % " HOUR
#define MIDNIGHT   "date '1601-01-01'"
#define IS_LEFT    "rollup IS DISTINCT FROM 0"
#define TODO_KEYS  "(SELECT series, hour FROM pmon_todo WHERE is_changed)"

// ---- Tables ---------------------------------------------------------------------------------

// Sums are NULL where they are 0 in most rows. `edge`: the raw row before the hour cannot be used, and one before
// it can, which the first pair of the hour begins with.
const char *const pmon_pg_hour_tables[] = {
	"ALTER TABLE pmon_push ADD COLUMN IF NOT EXISTS rollup bigint",

	"CREATE INDEX IF NOT EXISTS pmon_push_rollup ON pmon_push (time_from) WHERE " IS_LEFT,

	"CREATE TABLE IF NOT EXISTS pmon_hour (\n"
	" series integer NOT NULL,\n"
	" usable boolean NOT NULL,\n" // it has usable raw rows
	" edge boolean NOT NULL,\n"
	" wrapped boolean NOT NULL,\n"
	" hour bigint NOT NULL,\n"
	" version bigint NOT NULL,\n" // the transaction that computed it
	" samples bigint NOT NULL,\n"
	" pairs bigint NOT NULL,\n"
	" elapsed bigint[],\n"
	" units bigint,\n"
	" whole_n numeric,\n"
	" whole_d numeric,\n"
	" part numeric,\n"
	" real_units numeric,\n"
	" PRIMARY KEY (series, hour))",

	"CREATE INDEX IF NOT EXISTS pmon_hour_edge ON pmon_hour (series, hour) WHERE edge",

	"CREATE TABLE IF NOT EXISTS pmon_hour_seen (\n"
	" series integer NOT NULL,\n"
	" rows integer NOT NULL,\n"
	" hour bigint NOT NULL,\n"
	" hash numeric NOT NULL,\n"
	" older bigint[] NOT NULL,\n" // pmon_hour_older()
	" PRIMARY KEY (series, hour))",
	NULL,
};

// ---- A run ----------------------------------------------------------------------------------

// Batches that are not within the hours stay as they are.
static const char take[] =
	"UPDATE pmon_push SET rollup = txid_current() WHERE " IS_LEFT "\n"
	" AND " HOUR_OF("time_from") " >= {begin}\n"
				     " AND " HOUR_OF("time_to") " + " HOUR " <= {end};\n"
								"SELECT txid_current()";

static const char close_run[] = "UPDATE pmon_push SET rollup = 0 WHERE rollup = {run}";

// The hours of batches, and all hours of the days that there are.
static const char days[] =
	"SELECT day, max(first), min(last), max(size) FROM (SELECT day,\n"
	" greatest(CASE WHEN {again} = 1 THEN 0 ELSE first END, day * " PG_DAY
	", {begin}) AS first,\n"
	" least(CASE WHEN {again} = 1 THEN " PG_LAST " ELSE last END, (day + 1) * " PG_DAY
	", {end}) AS last,\n"
	" pg_relation_size(to_regclass('pmon_fact_' || to_char(" MIDNIGHT
	" + day::integer, 'YYYYMMDD')))\n"
	"  AS size\n"
	" FROM (SELECT day, min(first) AS first, max(last) AS last FROM (\n"
	"  SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - " MIDNIGHT " AS day,\n"
	"    NULL::bigint AS first, NULL::bigint AS last\n"
	"   FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid\n"
	"   WHERE inhparent = 'pmon_fact'::regclass AND {again} = 1\n"
	"  UNION ALL SELECT generate_series(time_from / " PG_DAY ", time_to / " PG_DAY "),\n"
	"    " HOUR_OF("time_from") ", " HOUR_OF(
		"time_to") " + " HOUR "\n"
			   "   FROM pmon_push WHERE " IS_LEFT ") AS b GROUP BY day) AS b) AS d\n"
			   "WHERE size IS NOT NULL AND first < last GROUP BY day ORDER BY day";

// What is read after the lock is of one moment.
static const char begin_day[] = "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
				"LOCK TABLE pmon_hour IN SHARE ROW EXCLUSIVE MODE";

#define OF_CHUNK                                                                                   \
	"WHERE sample_100ns >= {begin} AND sample_100ns < {end}\n"                                 \
	"   AND series % {chunks} = {chunk}"
#define HASH(X, SEED) "hashint8extended(" X ", " SEED ")"
#define HASH_OF_VALUE HASH("first", HASH("second", HASH("sample_100ns", "nth")))

// All hours of which there are raw rows.
static const char find[] =
	"CREATE TEMPORARY TABLE pmon_todo ON COMMIT DROP AS\n"
	"SELECT series, hour, n AS rows, h AS hash, usable,\n"
	" {again} = 1 OR s.rows IS NULL OR s.rows <> n OR s.hash <> h AS is_changed,\n"
	" FALSE AS follows, NULL::bigint[] AS older\n"
	"FROM (SELECT series, " HOUR_OF(
		"sample_100ns") " AS hour, count(*) AS n, sum(hash) AS h,\n"
				"  bool_or(is_usable) AS usable\n"
				" FROM (SELECT series, sample_100ns, " PG_IS_USABLE
				" AS is_usable,\n"
				"   " HASH(
					"coalesce(nullif(kind & 32767, 2), -1)",
					"CASE WHEN rare IS NULL THEN 0\n"
					"    ELSE hash_array_extended(rare, 0) END "
					"# " HASH_OF_VALUE) " AS hash\n"
							    "  FROM pmon_fact " OF_CHUNK "\n"
							    "  UNION ALL SELECT series, "
							    "sample_100ns, FALSE,\n"
							    "   " HASH(
								    "status",
								    HASH("multi",
									 HASH("absent_after",
									      HASH_OF_VALUE))) "\n"
											       "  "
											       "FRO"
											       "M "
											       "pmo"
											       "n_"
											       "own"
											       "er"
											       " " OF_CHUNK
											       ") "
											       "AS "
											       "v "
											       "GRO"
											       "UP "
											       "BY "
											       "1, "
											       "2) "
											       "AS "
											       "r\n"
											       "LEF"
											       "T "
											       "JOI"
											       "N "
											       "pmo"
											       "n_"
											       "hou"
											       "r_"
											       "see"
											       "n "
											       "AS "
											       "s "
											       "USI"
											       "NG "
											       "(se"
											       "rie"
											       "s, "
											       "hou"
											       "r);"
											       "\n"
											       "ANA"
											       "LYZ"
											       "E "
											       "pmo"
											       "n_"
											       "tod"
											       "o";

// Hours that come after these, up to the next of the series with a usable raw row: its first pair begins in them. And
// where a log begins that is compared with the process of the last log before it. If an hour has the raw rows that
// its sums were made of, they may have been away while the next hour was computed.
static const char follow[] =
	"INSERT INTO pmon_todo SELECT DISTINCT h.series, h.hour, 0, 0, h.usable, FALSE, TRUE, "
	"NULL::bigint[]\n"
	"FROM pmon_todo AS t CROSS JOIN LATERAL (SELECT * FROM pmon_hour AS h\n"
	"  WHERE h.series = t.series AND h.hour > t.hour AND h.hour <= coalesce((SELECT "
	"min(u.hour)\n"
	"   FROM pmon_hour AS u WHERE u.series = t.series AND u.hour > t.hour AND "
	"u.usable), " PG_LAST ")\n"
	" UNION ALL SELECT h.* FROM (SELECT min(sample_100ns) AS at FROM pmon_owner AS o\n"
	"   WHERE o.series = t.series AND sample_100ns >= t.hour + " HOUR
	" AND multi & 8 <> 0) AS o\n"
	"  JOIN pmon_hour AS h ON h.series = t.series AND h.hour = " HOUR_OF(
		"at") ") AS h\n"
		      "WHERE NOT EXISTS (SELECT FROM pmon_todo AS d WHERE d.is_changed AND "
		      "d.series = h.series\n"
		      "  AND d.hour = h.hour)\n"
		      " AND (t.is_changed OR (SELECT older FROM pmon_hour_seen AS s WHERE s.series "
		      "= h.series\n"
		      "  AND s.hour = h.hour) IS DISTINCT FROM pmon_hour_older(h.series, "
		      "h.hour));\n"
		      "DELETE FROM pmon_todo WHERE NOT is_changed AND NOT follows;\n"
		      "UPDATE pmon_todo SET older = pmon_hour_older(series, hour)";

static const char count[] = "SELECT count(*), count(DISTINCT series), coalesce(sum(rows), 0),\n"
			    " coalesce(bit_or(1 << (hour / " HOUR
			    " % 24)::integer), 0) FROM pmon_todo WHERE is_changed";

static const char list[] = "SELECT DISTINCT hour FROM pmon_todo ORDER BY hour";

#define SUMS                                                                                       \
	"usable, edge, wrapped, samples, pairs, elapsed, units, whole_n, whole_d, part, "          \
	"real_units"
#define NEW_SUMS                                                                                   \
	"excluded.version, excluded.usable, excluded.edge, excluded.wrapped, excluded.samples,\n"  \
	"  excluded.pairs, excluded.elapsed, excluded.units, excluded.whole_n, "                   \
	"excluded.whole_d,\n"                                                                      \
	"  excluded.part, excluded.real_units"

// An hour never gets fewer samples than it had: pushes only add some, and where raw rows went, as they are
// no longer kept, the sums say what they were.
static const char compute[] =
	"INSERT INTO pmon_hour AS o (series, hour, version, " SUMS ")\n"
	"SELECT t.series, t.hour, txid_current(), usable,\n"
	" usable AND older[1] = 1,\n"
	" coalesce(wrapped, FALSE), coalesce(samples, 0), coalesce(pairs, 0), elapsed, units,\n"
	" nullif(whole_n, 0), nullif(whole_d, 0), nullif(part, 0), nullif(real_units, 0)\n"
	"FROM pmon_todo AS t LEFT JOIN (SELECT * FROM pmon_sums({begin}, {begin} + " HOUR
	" - 1, 0) AS s\n"
	"  WHERE s.series = ANY(ARRAY(SELECT series FROM pmon_todo WHERE hour = {begin}))) AS s\n"
	" ON s.series = t.series\n"
	"WHERE t.hour = {begin} ORDER BY t.series\n"
	"ON CONFLICT (series, hour) DO UPDATE SET (version, " SUMS ")\n"
	"  = (" NEW_SUMS ")\n"
	" WHERE excluded.samples >= o.samples\n"
	"  OR {again} = 1 AND (o.series, o.hour) IN " TODO_KEYS;

static const char kept[] = "SELECT count(*) FROM pmon_hour WHERE version <> txid_current()\n"
			   " AND (series, hour) IN " TODO_KEYS;

static const char seen[] =
	"UPDATE pmon_hour_seen AS s SET older = t.older FROM pmon_todo AS t WHERE follows\n"
	" AND s.series = t.series AND s.hour = t.hour AND s.older <> t.older;\n"
	"INSERT INTO pmon_hour_seen (series, hour, rows, hash, older)\n"
	" SELECT series, hour, rows, hash, older FROM pmon_todo WHERE is_changed\n"
	"ON CONFLICT (series, hour) DO UPDATE SET rows = excluded.rows, hash = excluded.hash,\n"
	" older = excluded.older";

void
pmon_pg_put_hours(const struct pg_hours *hours, enum pg_step step, struct pmon_text *sql)
{
	static const char *const templates[] = {
		[PG_HOURS_TAKE] = take, [PG_HOURS_DAYS] = days,       [PG_HOURS_BEGIN] = begin_day,
		[PG_HOURS_FIND] = find, [PG_HOURS_FOLLOW] = follow,   [PG_HOURS_COUNT] = count,
		[PG_HOURS_LIST] = list, [PG_HOURS_COMPUTE] = compute, [PG_HOURS_KEPT] = kept,
		[PG_HOURS_SEEN] = seen, [PG_HOURS_CLOSE] = close_run,
	};
	const struct pmon_rollup_name names[] = {
		{"run", NULL, hours->run},
		{"begin", NULL, hours->begin},
		{"end", NULL, hours->end},
		{"chunk", NULL, hours->chunk},
		{"chunks", NULL, hours->n_chunks},
		{"again", NULL, hours->again},
		{NULL, NULL, 0},
	};

	pmon_rollup_fill(sql, templates[step], names);
}

// ---- Views ----------------------------------------------------------------------------------

// What an hour begins with: is the raw row before it one that cannot be used, where an older one can; what its first
// pair begins with; and the process of the log before.
void
pmon_pg_put_hour_older(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"CREATE FUNCTION pmon_hour_older(of_series integer, of_hour bigint) RETURNS "
		"bigint[]\n"
		"LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$\n"
		"DECLARE\n"
		" near bigint[] := pmon_older(of_series, of_hour, 0, 0, of_hour);\n"
		" far bigint[];\n"
		"BEGIN\n"
		" IF near IS NULL THEN\n"
		"  far := pmon_older(of_series, of_hour, 0, 0, 0);\n"
		" END IF;\n"
		" RETURN ARRAY[(far IS NOT NULL)::integer::bigint] || coalesce(near, far) ||\n"
		"  (SELECT ARRAY[multi, first, second] FROM pmon_owner WHERE series = of_series\n"
		"   AND sample_100ns < of_hour ORDER BY sample_100ns DESC, nth LIMIT 1);\n"
		"END $$");
}

#define ADDED PG_ADDED " FROM pmon_hour WHERE samples > 0"
#define TYPED                                                                                      \
	"JOIN pmon_series AS c ON c.id = s.series LEFT JOIN pmon_type AS t ON t.word = "           \
	"c.type_word"

void
pmon_pg_put_hour_sums(struct pmon_text *sql)
{
	pmon_text_str(
		sql,
		"CREATE FUNCTION pmon_hour_sums(window_from bigint, window_to bigint)\n"
		"RETURNS TABLE (series integer, path text, formula text, unit text,\n"
		" by_base boolean, divides boolean, f float8,\n" PG_TOTALS ")\n" PG_FUNCTION
		"SELECT s.series, c.path, t.formula, t.unit, t.by_base, t.divides, "
		"c.time_base::float8,\n"
		" s.samples, s.pairs, s.wrapped, s.elapsed, s.units, s.whole_n, s.whole_d, s.part, "
		"s.real_units\n"
		"FROM (SELECT series,\n" ADDED "\n"
		"  AND hour >= $1 AND hour <= $2 - " HOUR " + 1 GROUP BY series) AS s\n" TYPED
		"\n$$");
}

static void
put_each(struct pmon_text *sql, const char *step)
{
	const char *const pieces[] = {
		"(SELECT series, path, begins, pmon_utc(begins) AS at, t.formula, t.unit, "
		"t.by_base,\n"
		" t.divides, c.time_base::float8 AS f, samples, pairs, wrapped, elapsed, units,\n"
		" whole_n, whole_d, part, real_units\n"
		"FROM (SELECT series, hour - hour % ",
		step, " AS begins,\n" ADDED " GROUP BY series, begins) AS s\n" TYPED ") AS s",
		NULL};

	pmon_pg_put_average_head(sql, "series, path, begins, at", false);
	pmon_pg_put_all(sql, pieces);
	pmon_pg_put_average_tail(sql, false);
}

void
pmon_pg_put_hour_average(struct pmon_text *sql)
{
	put_each(sql, HOUR);
}

void
pmon_pg_put_day_average(struct pmon_text *sql)
{
	put_each(sql, PG_DAY);
}

void
pmon_pg_put_rollup_averages(struct pmon_text *sql)
{
	pmon_text_str(sql,
		      "CREATE FUNCTION pmon_rollup_averages(window_from bigint, window_to bigint)\n"
		      "RETURNS TABLE (series integer, path text,\n" PG_AVERAGE);
	pmon_pg_put_average_head(sql, "series, path", false);
	pmon_text_str(sql, "pmon_hour_sums($1, $2)");
	pmon_pg_put_average_tail(sql, false);
	pmon_text_str(sql, "\n$$");
}
