// rollup_sql.c - the statements that compute sums of whole hours in ClickHouse
// SPDX-License-Identifier: MIT
//
// Times are in 100 ns since 1601, and so are hours: the time of their beginning.

#include <string.h>

#include "push/clickhouse/batch.h"
#include "push/clickhouse/rollup.h"

#define HOUR      "36000000000"
#define ALL_TIMES "toInt64(9000000000000000000)"
#define HASHED    "time, nth, raw_time, first, second, multi, status, absent_after"
#define OF_CHUNK  "intDiv(" CH_SHARD_BY("series") ", 4096) % {chunks} = {chunk}"
#define OF_DAY    "hour >= {midnight} AND hour < {midnight_after}"
#define OF_LOOK   "day = {day} AND time >= {begin} AND time < {end} AND " OF_CHUNK
#define OF_RUN    "{todo} WHERE run = {run}"
#define OF_WORK   "{work} WHERE run = {run}"
#define OF_LEFT   OF_RUN " AND day = {day}"

// The raw rows of a day by series and hour, and what was known of them.
#define RAW_HOURS                                                                                  \
	"(SELECT series, intDiv(time, " HOUR ") * " HOUR " AS hour, count() AS n,\n"               \
	"  sum(cityHash64(" HASHED ")) AS h\n"                                                     \
	" FROM {raw} WHERE " OF_LOOK "\n"                                                          \
	" GROUP BY series, hour) AS r\n"                                                           \
	"ALL LEFT JOIN (SELECT series, hour, argMax(rows, run) AS n0, argMax(hash, run) AS h0\n"   \
	" FROM {seen} WHERE " OF_DAY " AND " OF_CHUNK " GROUP BY series, hour) AS s\n"             \
	"USING (series, hour) WHERE {again} = 1 OR n <> n0 OR h <> h0"

static const char find[] =
	"INSERT INTO {todo} (run, day, series, hour, rows, hash, is_changed)\n"
	"SELECT toUInt64({run}), toDate({day}), series, hour, n, h, toUInt8(1) FROM " RAW_HOURS;

#define COUNTS(ROWS, ALL)                                                                          \
	"SELECT count(), uniqExact(series), sum(" ROWS "), groupBitOr(bitShiftLeft(toUInt32(1),\n" \
	" toUInt8(intDiv(hour, " HOUR ") % 24))), " ALL " FROM "

static const char count[] =
	COUNTS("rows", "(SELECT count() FROM " OF_RUN ")") OF_RUN " AND is_changed";
static const char look[] = COUNTS("n", "count()") RAW_HOURS;

// ---- Hours that depend on others ------------------------------------------------------------

#define IS_USABLE "nth <= 2147483647 AND status IN (" PMON_SQL_USABLE ")"
#define IS_OWNER  "nth > 2147483647"

// The last usable raw row of each hour (kind 0), and its last record of a process (kind 1), as a number. Between the two
// stands from which rows.
#define LAST_HEAD                                                                                  \
	"(SELECT series, kind, hour, argMax(h, (time, k, h)) AS last FROM (SELECT series, time,\n" \
	"  intDiv(time, " HOUR ") * " HOUR " AS hour, toUInt8(" IS_OWNER ") AS kind,\n"            \
	"  toUInt32(" IS_OWNER " ? 4294967295 - nth : nth) AS k,\n"                                \
	"  bitOr(cityHash64(" HASHED "), 1) AS h\n  FROM "
#define LAST_TAIL " AND (" IS_OWNER " OR " IS_USABLE ")) GROUP BY series, kind, hour)"

// Hours of a day after this one are on their own days.
#define TODO_HEAD                                                                                  \
	"INSERT INTO {todo} (run, day, series, hour, rows, hash, is_changed)\n"                    \
	"SELECT toUInt64({run}), toDate(toUInt16(intDiv(t.1, 24 * " HOUR                           \
	") - 134774)), series, t.1,\n"                                                             \
	" toUInt64(0), toUInt64(0), toUInt8(0)\n"

// The hours after one that changed, by series, unless they did too.
static const char follow[] = TODO_HEAD
	"FROM (SELECT series, arraySort(groupArray((hour, c))) AS hs,\n"
	"  arrayJoin(arrayFilter((x, y) -> x.2 = 0 AND y.2 = 1, hs,\n"
	"   arrayPushFront(arrayPopBack(hs), (toInt64(0), toUInt8(0))))) AS t\n"
	" FROM (SELECT series, hour, max(c0) AS c\n"
	"  FROM (SELECT series, hour, toUInt8(0) AS c0 FROM {seen}\n"
	"    WHERE hour >= {midnight} AND series IN (SELECT series FROM " OF_LEFT ")\n"
	"   UNION ALL SELECT series, hour, toUInt8(1) AS c0 FROM " OF_LEFT " AND is_changed)\n"
	"  GROUP BY series, hour)\n"
	" GROUP BY series)";

// Hours of the day that there are raw rows of, "here", and later ones: do they begin with the row that is
// before them now? Where raw rows are gone, what begins with them stays.
static const char relink[] =
	TODO_HEAD "FROM (SELECT series, kind,\n"
		  "  arraySort(groupArray((hour, here = 1 ? l1 : l0, older, here))) AS hs,\n"
		  "  arrayJoin(arrayFilter((x, y) -> y.4 = 1 AND x.3 <> y.2\n"
		  "    AND (x.4 = 1 OR x.1 >= {end} OR x.1 >= {midnight_after}), hs,\n"
		  "   arrayPushFront(arrayPopBack(hs), (toInt64(0), toUInt64(0), toUInt64(0), "
		  "toUInt8(0))))) AS t\n"
		  " FROM (SELECT series, kind, hour, max(last0) AS l0, max(last1) AS l1, "
		  "max(older0) AS older,\n"
		  "   max(here0) AS here\n"
		  "  FROM (SELECT series, kind, hour, toUInt64(0) AS last0, last AS last1,\n"
		  "     toUInt64(0) AS older0, toUInt8(1) AS here0\n"
		  "    FROM " LAST_HEAD "{raw} WHERE " OF_LOOK LAST_TAIL "\n"
		  "   UNION ALL SELECT series, kind, hour, argMax(last, run) AS last0, toUInt64(0) "
		  "AS last1,\n"
		  "     argMax(older, run) AS older0, toUInt8(0) AS here0\n"
		  "    FROM {chain} WHERE day >= {day} AND series IN\n"
		  "     (SELECT DISTINCT series FROM {raw} WHERE " OF_LOOK ")\n"
		  "    GROUP BY series, kind, hour)\n"
		  "  GROUP BY series, kind, hour)\n"
		  " GROUP BY series, kind)";

static const char days[] =
	"SELECT DISTINCT toUInt32(day) + 134774 AS d FROM " OF_RUN " AND day > {day} ORDER BY d";

// ---- Raw rows -------------------------------------------------------------------------------

#define LIST    "(SELECT series FROM " OF_LEFT ")"
#define SELECT  "SELECT " CH_RAW_COLUMNS " FROM {raw} "
#define IN_WEEK "day >= {week} AND day < {day} AND time < {midnight}"

// Series that have no usable raw value within the hour, or the week, before the day.
#define NOT_NEAR                                                                                   \
	"series IN " LIST " AND series NOT IN (SELECT series FROM {raw} WHERE day = {before}\n"    \
	"  AND time >= {near} AND series IN " LIST " AND " IS_USABLE ")"
#define NOT_IN_WEEK                                                                                \
	"series IN " LIST " AND series NOT IN (SELECT series FROM {raw} WHERE " IN_WEEK "\n"       \
	"  AND series IN " LIST " AND " IS_USABLE ")"
#define LAST(WHERE)                                                                                \
	"(SELECT series, max(time) AS lead FROM {raw} WHERE " WHERE " AND " IS_USABLE "\n"         \
	"  GROUP BY series) AS l"

// What the pairs of a day are made of: its raw rows, those from the last usable one before it on, and the
// rows that say which process came last. More of those before the day would do no harm.
static const char gather[] =
	"INSERT INTO {work} (run, " CH_RAW_COLUMNS ") SELECT toUInt64({run}), " CH_RAW_COLUMNS
	"\nFROM (" SELECT "WHERE day = {day} AND series IN " LIST "\n"
	" UNION ALL " SELECT "WHERE day = {before} AND time >= {near} AND series IN " LIST "\n"
	" UNION ALL " SELECT "ALL INNER JOIN " LAST(
		IN_WEEK
		" AND " NOT_NEAR) " USING (series)\n"
				  "  WHERE " IN_WEEK " AND time < {near} AND time >= lead\n"
				  "   AND " NOT_NEAR "\n"
				  " UNION ALL " SELECT "ALL INNER JOIN " LAST(
					  "day < {week} AND " NOT_IN_WEEK) " USING (series)\n"
									   "  WHERE day < {day} "
									   "AND time >= lead "
									   "AND " NOT_IN_WEEK "\n"
									   " UNION ALL " SELECT
									   "WHERE day < {day} "
									   "AND " IS_OWNER
									   " AND series IN (SELECT "
									   "series FROM {raw}\n"
									   "  WHERE day = {day} "
									   "AND " IS_OWNER
									   " AND series IN " LIST
									   "))";

// ---- Sums -----------------------------------------------------------------------------------

// An hour never gets fewer samples than it had: pushes only add some, and where raw rows went, as they are
// no longer kept, the sums say what they were.
static const char after_sums[] =
	")))\n"
	" WHERE time >= {midnight} AND time < {midnight_after}\n"
	" GROUP BY series, hour, type, time_base) AS n\n"
	"ALL LEFT JOIN (SELECT series, hour, max(samples) AS had FROM {hour} WHERE " OF_DAY "\n"
	" AND series IN " LIST " GROUP BY series, hour) AS o USING (series, hour)\n"
	"WHERE ({again} = 1 OR samples0 >= had)\n"
	" AND (series, hour) IN (SELECT series, hour FROM " OF_LEFT ")";

static void
put_compute(const struct pmon_rollup_name *names, struct pmon_text *sql)
{
	pmon_rollup_fill(sql,
			 "INSERT INTO {hour} (" CH_HOUR_COLUMNS ")\n"
			 "SELECT series, hour, toDate({day}), type, time_base, samples0, pairs0, "
			 "is_wrapped,\n has_last, last, has_units, units, lowest, highest,\n"
			 " th0, tl0, tm0, ts0, tr0, tx0, uh0, ul0, vh0, vl0, toUInt64({run})\n"
			 "FROM (SELECT series, intDiv(time, " HOUR ") * " HOUR
			 " AS hour, type, time_base,\n",
			 names);
	pmon_text_str(sql, " min(value) AS lowest, max(value) AS highest,\n" CH_PART_SUMS);
	pmon_text_str(sql, "FROM (SELECT *, ");
	pmon_text_str(sql, pmon_sql_number_of_x);
	pmon_text_str(sql, " AS value\nFROM (SELECT *, ");
	pmon_text_str(sql, pmon_sql_status_of_x);
	pmon_text_str(sql, " AS status1\nFROM (SELECT *, ");
	pmon_sql_put_formula(sql, &pmon_ch_dialect);
	pmon_text_str(sql, " AS x\nFROM (");
	pmon_ch_put_pairs_head(NULL, sql);
	pmon_rollup_fill(sql, OF_WORK, names);
	pmon_ch_put_pairs_tail(sql);
	pmon_text_char(sql, ')');
	pmon_rollup_fill(sql, after_sums, names);
}

// What stands before each of the hours. (Of records of processes all are in {work}, where one of the day is.)
static const char chain[] =
	"INSERT INTO {chain} (series, kind, hour, day, last, older, run)\n"
	"SELECT series, kind, t.1, toDate({day}), t.2, t.3, toUInt64({run})\n"
	"FROM (SELECT series, kind, arraySort(groupArray((hour, last))) AS hs,\n"
	"  arrayJoin(arrayMap((x, y) -> (x.1, x.2, y.2), hs,\n"
	"   arrayPushFront(arrayPopBack(hs), (toInt64(0), toUInt64(0))))) AS t\n"
	" FROM " LAST_HEAD OF_WORK LAST_TAIL " GROUP BY series, kind)\n"
	"WHERE (series, t.1) IN (SELECT series, hour FROM " OF_LEFT ")";

static const char kept[] =
	"SELECT count() FROM " OF_LEFT
	" AND is_changed AND (series, hour) IN (SELECT series, hour\n"
	" FROM {hour} WHERE " OF_DAY " AND version < {run}) AND (series, hour) NOT IN\n"
	" (SELECT series, hour FROM {hour} WHERE " OF_DAY " AND version = {run})";

static const char seen[] =
	"INSERT INTO {seen} (series, hour, day, rows, hash, run)\n"
	"SELECT series, hour, day, rows, hash, run FROM " OF_RUN " AND is_changed";

static const char scrap[] = "ALTER TABLE {work} DROP PARTITION {run}";
static const char clear[] = "ALTER TABLE {todo} DROP PARTITION {run}";

// ---- Names ----------------------------------------------------------------------------------

// "toDate(15000)", without a time zone.
static void
name_day(char buf[CH_DAY_SIZE], pmon_time time)
{
	struct pmon_text text = pmon_text_init(buf, CH_DAY_SIZE);

	pmon_text_str(&text, "toDate(toUInt16(");
	pmon_text_i64(&text, time / PMON_DAY_100NS - CH_DAY_1970);
	pmon_text_str(&text, "))");
}

static void
name_table(const struct ch_place *place, char buf[CH_TABLE_SIZE + CH_NAME_SIZE], const char *name)
{
	struct pmon_text text = pmon_text_init(buf, CH_TABLE_SIZE + CH_NAME_SIZE);

	pmon_ch_put_name(place, name, true, &text);
}

void
pmon_ch_put_hours(const struct ch_hours *hours, enum ch_step step, struct pmon_text *sql)
{
	static const char *const tables[] = {"pmon_raw",        "pmon_hour",      "pmon_hour_seen",
					     "pmon_hour_chain", "pmon_hour_todo", "pmon_hour_work"};
	static const char *const templates[] = {
		[CH_HOURS_FIND] = find,     [CH_HOURS_FOLLOW] = follow, [CH_HOURS_COUNT] = count,
		[CH_HOURS_DAYS] = days,     [CH_HOURS_KEPT] = kept,     [CH_HOURS_SEEN] = seen,
		[CH_HOURS_GATHER] = gather, [CH_HOURS_SCRAP] = scrap,   [CH_HOURS_CLEAR] = clear,
		[CH_HOURS_LOOK] = look,     [CH_HOURS_RELINK] = relink, [CH_HOURS_CHAIN] = chain,
	};
	char table[6][CH_TABLE_SIZE + CH_NAME_SIZE];
	char day[3][CH_DAY_SIZE];
	const struct pmon_rollup_name names[] = {
		{"raw", table[0], 0},
		{"hour", table[1], 0},
		{"seen", table[2], 0},
		{"chain", table[3], 0},
		{"todo", table[4], 0},
		{"work", table[5], 0},
		{"day", day[0], 0},
		{"before", day[1], 0},
		{"week", day[2], 0},
		{"run", NULL, (int64_t)hours->run},
		{"begin", NULL, hours->begin},
		{"end", NULL, hours->end},
		{"near", NULL, hours->day - PMON_HOUR_100NS},
		{"midnight", NULL, hours->day},
		{"midnight_after", NULL, hours->day + PMON_DAY_100NS},
		{"chunk", NULL, hours->chunk},
		{"chunks", NULL, hours->n_chunks},
		{"again", NULL, hours->again},
		{NULL, NULL, 0},
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		name_table(hours->place, table[i], tables[i]);
	name_day(day[0], hours->day);
	name_day(day[1], hours->day - PMON_DAY_100NS);
	name_day(day[2], hours->day - 8 * PMON_DAY_100NS);
	if (step == CH_HOURS_COMPUTE)
		put_compute(names, sql);
	else
		pmon_rollup_fill(sql, templates[step], names);
}

// The days that there are raw rows of: number since 1601, rows, the parts as a number, and as they were when all was
// in the sums.
#define DAYS                                                                                       \
	"(SELECT toUInt32(day) + 134774 AS d, n, parts, had FROM (SELECT toDate(partition) AS "    \
	"day,\n"                                                                                   \
	"  sum(rows) AS n, sum(cityHash64(name, rows, toUInt32(modification_time))) AS parts\n"    \
	" FROM system.parts WHERE database = '{database}' AND table = '{raw}' AND active\n"        \
	" GROUP BY partition) AS p\n"                                                              \
	"ALL LEFT JOIN (SELECT day, argMax(parts, run) AS had FROM {known} GROUP BY day) AS k\n"   \
	"USING (day))"

static void
put_days(const struct ch_hours *hours, const char *template, struct pmon_text *sql)
{
	bool is_spread = hours->place->cluster[0] != '\0';
	char known[CH_TABLE_SIZE + CH_NAME_SIZE];
	const struct pmon_rollup_name names[] = {
		{"database", hours->place->database, 0},
		{"raw", is_spread ? "pmon_raw_local" : "pmon_raw", 0},
		{"known", known, 0},
		{"begin", NULL, hours->begin / PMON_DAY_100NS},
		{"end", NULL, (hours->end - 1) / PMON_DAY_100NS},
		{"again", NULL, hours->again},
		{NULL, NULL, 0},
	};

	name_table(hours->place, known, "pmon_hour_day");
	pmon_rollup_fill(sql, template, names);
}

void
pmon_ch_put_changed_days(const struct ch_hours *hours, struct pmon_text *sql)
{
	put_days(hours,
		 "SELECT d, n, parts FROM " DAYS "\n"
		 "WHERE ({again} = 1 OR parts <> had) AND d BETWEEN {begin} AND {end} ORDER BY d",
		 sql);
}

// On a cluster raw values are taken: a node sees its own parts and sums only. Without any sums the statement is half as
// long, and most of its time is that of its analysis.
void
pmon_ch_put_hours_end(const struct ch_place *place, struct pmon_text *sql)
{
	const struct ch_hours all = {.place = place};

	if (place->cluster[0] != '\0') {
		pmon_text_str(sql, "SELECT toInt64(0)");
		return;
	}
	put_days(&all,
		 "SELECT count() = 0 OR (SELECT count() FROM {known}) = 0 ? toInt64(0) : "
		 "(countIf(parts <> had) = 0 ? " ALL_TIMES "\n"
		 " : toInt64(minIf(d, parts <> had)) * 864000000000) FROM " DAYS,
		 sql);
}
