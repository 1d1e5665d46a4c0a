// range.c - the raw rows that the pairs of a time range are made of
// SPDX-License-Identifier: MIT

#include "push/clickhouse/clickhouse.h"

#include <string.h>

#include "core/sql.h"

// The rows that are read before the range, for the values that its first pairs begin with: 16 minutes.
#define BEFORE "9600000000"

#define COLUMNS                                                                                    \
	"series, time, nth, raw_time, first, second, multi, status, absent_after, type, "          \
	"time_base, size"

// The day of a time, as pmon_raw has it, which no time overflows.
static void
put_day(const char *time, const char *before, struct pmon_text *sql)
{
	pmon_text_str(sql, "toDate(toUInt16(intDiv(least(greatest(");
	pmon_text_str(sql, time);
	pmon_text_str(sql, ", 116444736000000000");
	pmon_text_str(sql, before[0] != '\0' ? " + " BEFORE ")" : ")");
	pmon_text_str(sql, before);
	pmon_text_str(sql, ", 173066976000000000) - 116444736000000000, 864000000000)))");
}

// No time is so old that the subtraction overflows.
static void
put_oldest(const struct ch_range *range, struct pmon_text *sql)
{
	pmon_text_str(sql, "greatest(");
	pmon_text_str(sql, range->from);
	pmon_text_str(sql, ", -9000000000000000000) - " BEFORE);
}

static void
put_from(const struct ch_place *place, const char *columns, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT ");
	pmon_text_str(sql, columns);
	pmon_text_str(sql, " FROM ");
	pmon_ch_put_name(place, "pmon_raw", false, sql);
}

// A subquery is made once for all nodes; older servers refuse to do that for a list.
static void
put_in(const struct ch_place *place, bool is_list, struct pmon_text *sql)
{
	bool is_global = place->cluster[0] != '\0' && !is_list;

	pmon_text_str(sql, is_global ? "series GLOBAL IN (" : "series IN (");
}

// The rows of the range and of the time shortly before it.
static void
put_near(const struct ch_place *place, const struct ch_range *range, struct pmon_text *sql)
{
	pmon_text_str(sql, "\n WHERE day >= ");
	put_day(range->from, " - " BEFORE, sql);
	pmon_text_str(sql, " AND day <= ");
	put_day(range->to, "", sql);
	pmon_text_str(sql, "\n AND time >= ");
	put_oldest(range, sql);
	pmon_text_str(sql, " AND time <= ");
	pmon_text_str(sql, range->to);
	if (range->put_series == NULL)
		return;
	pmon_text_str(sql, "\n AND ");
	put_in(place, range->is_list, sql);
	range->put_series(range->ctx, sql);
	pmon_text_char(sql, ')');
}

// Series that need more: no usable value shortly before their first in the range, or the record of a process
// that is compared with the one before it.
static void
put_needs_more(const struct ch_range *range, struct pmon_text *sql)
{
	pmon_text_str(sql, "\n GROUP BY series HAVING countIf(nth <= 2147483647 AND time >= ");
	pmon_text_str(sql, range->from);
	pmon_text_str(sql, ") > 0\n AND countIf(nth <= 2147483647 AND time < ");
	pmon_text_str(sql, range->from);
	pmon_text_str(sql, " AND status IN (" PMON_SQL_USABLE ")) = 0\n"
			   " OR countIf(nth > 2147483647 AND bitAnd(multi, 8) <> 0) > 0 AND\n"
			   " minIf(time, nth > 2147483647 AND bitAnd(multi, 8) <> 0) = "
			   "minIf(time, nth > 2147483647)");
}

void
pmon_ch_put_rows_in(const struct ch_place *place, const struct ch_range *range,
		    struct pmon_text *sql)
{
	pmon_text_char(sql, '(');
	put_from(place, COLUMNS, sql);
	put_near(place, range, sql);
	pmon_text_str(sql, "\nUNION ALL\n");
	put_from(place, COLUMNS, sql);
	pmon_text_str(sql, "\n WHERE day <= ");
	put_day(range->from, " - " BEFORE, sql);
	pmon_text_str(sql, " AND time < ");
	put_oldest(range, sql);
	pmon_text_str(sql, "\n AND ");
	put_in(place, false, sql);
	put_from(place, "series", sql);
	put_near(place, range, sql);
	put_needs_more(range, sql);
	pmon_text_str(sql, "))");
}

void
pmon_ch_put_pairs_in(const struct ch_place *place, const struct ch_range *range,
		     struct pmon_text *sql)
{
	pmon_ch_put_pairs_head(range, sql);
	pmon_ch_put_rows_in(place, range, sql);
	pmon_ch_put_pairs_tail(sql);
}

// ---- Views with parameters ------------------------------------------------------------------

#define TIME_OF(name)                                                                              \
	"(116444736000000000 + intDiv(toUnixTimestamp64Nano({" name ":DateTime64(7, 'UTC')}), "    \
	"100))"
#define TIMES .from = TIME_OF("time_from"), .to = TIME_OF("time_to")

// The keys of a path as in -c: '*' stands for anything, and case does not matter.
static void
put_keys_of_path(const void *place, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT key FROM ");
	pmon_ch_put_name(place, "pmon_series", false, sql);
	pmon_text_str(sql, " WHERE path ILIKE replaceAll(replaceAll(replaceAll(replaceAll("
			   "{path:String},\n '\\\\', '\\\\\\\\'), '%', '\\\\%'), '_', "
			   "'\\\\_'), '*', '%')");
}

static void
put_of_path(const struct ch_place *place,
	    void (*put)(const struct ch_place *, const struct ch_range *, struct pmon_text *),
	    struct pmon_text *sql)
{
	struct ch_range range = {TIMES, .put_series = put_keys_of_path, .ctx = place};

	put(place, &range, sql);
}

void
pmon_ch_put_pair_view_in(const struct ch_place *place, struct pmon_text *sql)
{
	put_of_path(place, pmon_ch_put_pairs_in, sql);
}

void
pmon_ch_put_displayed_view_in(const struct ch_place *place, struct pmon_text *sql)
{
	put_of_path(place, pmon_ch_put_displayed_in, sql);
}

void
pmon_ch_put_average_view_in(const struct ch_place *place, struct pmon_text *sql)
{
	put_of_path(place, pmon_ch_put_average_in, sql);
}

static void
put_keys_of_group(const void *place, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT series FROM ");
	pmon_ch_put_name(place, "pmon_group", false, sql);
	pmon_text_str(sql, " WHERE name = {group_name:String}");
}

void
pmon_ch_put_group_average_view_in(const struct ch_place *place, struct pmon_text *sql)
{
	struct ch_range range = {TIMES, .put_series = put_keys_of_group, .ctx = place};

	pmon_ch_put_group_average_in(place, &range, "{group_name:String}", sql);
}
