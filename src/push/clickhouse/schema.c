// schema.c - the tables in ClickHouse
// SPDX-License-Identifier: MIT

#include "push/clickhouse/clickhouse.h"

#include <string.h>

#include "base/err.h"
#include "base/scan.h"

// A table of ours, without its name before and its engine after this.
struct table {
	const char *name;
	const char *columns;
	const char *engine;
	const char *shard_by; // what deals its rows out over a cluster; NULL: a node's own
};

// In columns: where current servers get the codec of columns that go on in small steps from row to row. It was
// chosen by measurement, see docs/engines/clickhouse.md.
#define SMALL_STEPS "\1"
#define CODEC       " CODEC(Delta, T64, ZSTD(1))"

// That the same rows come again counts for nothing: they are replaced when parts are merged, and the
// views know them until then. Rows of one series and time that differ all stay, and the views take the
// same one whichever came first.
static const struct table tables[] = {
	{"pmon_series",
	 " key UUID,\n"        // the hash of the identity, push/keys.h
	 " identity String,\n" // two of one key both stay, so that it is noticed
	 " machine String,\n"
	 " object String,\n"
	 " parent String,\n"
	 " instance String,\n"
	 " has_instance UInt8,\n" // 0: the object has none
	 " instance_index Int32,\n"
	 " counter String,\n"
	 " path String,\n"
	 " type UInt32,\n"
	 " type_name String,\n"
	 " unit String,\n"
	 " time_base Int64,\n"
	 " scale Int32,\n"
	 " size UInt8,\n"     // bytes of the counter; 0: by its type
	 " duplicate UInt32", // 0 but where a log lists the same counter several times
	 "ReplacingMergeTree() ORDER BY (key, identity)", CH_SHARD_BY("key")},
	{"pmon_raw",
	 " series UUID,\n"
	 " time Int64" SMALL_STEPS ",\n" // of the sample, 100 ns since 1601, UTC
	 " nth UInt32,\n"                // of the samples of this time
	 " day Date,\n"                  // of it
	 " raw_time Int64" SMALL_STEPS ",\n"
	 " first Int64" SMALL_STEPS ",\n"
	 " second Int64" SMALL_STEPS ",\n"
	 " multi UInt32,\n"
	 " status UInt32,\n"
	 " absent_after Int64,\n" // the series was absent since then; 0: it was not
	 " type UInt32,\n"        // these three of the series: the views need no join
	 " time_base Int64,\n"
	 " size UInt8,\n"
	 " at DateTime ALIAS toDateTime(intDiv(time - 116444736000000000, 10000000))",
	 "ReplacingMergeTree() PARTITION BY day PRIMARY KEY (series, time) "
	 "ORDER BY (series, time, nth, first, second, absent_after, status) "
	 "SETTINGS index_granularity = 1024", // two granules of each series are read for a range
	 CH_SHARD_BY("series")},
	{"pmon_push",
	 " log String,\n"   // digest of its first sample
	 " batch String,\n" // digest of the rows
	 " name String,\n"
	 " rows UInt64,\n"
	 " time_from Int64,\n"
	 " time_to Int64,\n"
	 " stored DateTime DEFAULT now()",
	 "ReplacingMergeTree() ORDER BY (log, batch)", "sipHash64(log)"},
	{"pmon_machine",
	 " name String,\n" // as identities have it
	 " id String,\n"
	 " accepted UInt8,\n" // by the user, beside the one that came first
	 " since DateTime DEFAULT now()",
	 "ReplacingMergeTree() ORDER BY (name, id, accepted)", "sipHash64(name)"},
	{"pmon_window",
	 " name String,\n" // an interval to average over; the newest of a name counts
	 " time_from Int64 DEFAULT -9223372036854775808,\n"
	 " time_to Int64 DEFAULT 9223372036854775807,\n"
	 " made DateTime DEFAULT now()",
	 "ReplacingMergeTree(made) ORDER BY name", "sipHash64(name)"},
	// Sums of whole hours, see rollup.h.
	{"pmon_hour",
	 " series UUID,\n"
	 " hour Int64,\n" // its beginning, 100 ns since 1601, UTC
	 " day Date,\n"
	 " type UInt32,\n"
	 " time_base Int64,\n"
	 " samples UInt64,\n"
	 " pairs UInt64,\n"
	 " is_wrapped UInt8,\n"
	 " has_last UInt8,\n"
	 " last Float64,\n" // the newest value of what is not added up
	 " has_units UInt8,\n"
	 " units Float64,\n"            // the newest number of units of a timer
	 " lowest Nullable(Float64),\n" // of the displayed values
	 " highest Nullable(Float64),\n"
	 " th Int64, tl Int64, tm Int64, ts Int64, tr Float64, tx Float64,\n" // as in views.c
	 " uh Int64, ul Int64, vh Int64, vl Int64,\n"
	 " version UInt64", // the newest counts
	 "ReplacingMergeTree(version) PARTITION BY toYYYYMM(day) ORDER BY (series, hour)",
	 CH_SHARD_BY("series")},
	{"pmon_hour_seen",
	 " series UUID,\n" // the raw rows that the sums of an hour were made of
	 " hour Int64,\n"
	 " day Date,\n"
	 " rows UInt64,\n"
	 " hash UInt64,\n"
	 " run UInt64", // that saw them, the newest counts
	 "ReplacingMergeTree(run) PARTITION BY toYYYYMM(day) ORDER BY (series, hour)",
	 CH_SHARD_BY("series")},
	{"pmon_hour_chain",
	 " series UUID,\n" // see CH_HOURS_CHAIN
	 " kind UInt8,\n"
	 " hour Int64,\n"
	 " day Date,\n"
	 " last UInt64,\n"
	 " older UInt64,\n"
	 " run UInt64", // that computed the sums
	 "ReplacingMergeTree(run) PARTITION BY toYYYYMM(day) ORDER BY (series, kind, hour)",
	 CH_SHARD_BY("series")},
	{"pmon_hour_todo",
	 " run UInt64,\n"
	 " day Date,\n"
	 " series UUID,\n"
	 " hour Int64,\n"
	 " rows UInt64,\n"
	 " hash UInt64,\n"
	 " is_changed UInt8", // or comes after such an hour
	 "MergeTree() PARTITION BY run ORDER BY (run, day, series, hour)", NULL},
	{"pmon_hour_work",
	 " run UInt64,\n" // and raw rows
	 " series UUID,\n"
	 " time Int64,\n"
	 " nth UInt32,\n"
	 " day Date,\n"
	 " raw_time Int64,\n"
	 " first Int64,\n"
	 " second Int64,\n"
	 " multi UInt32,\n"
	 " status UInt32,\n"
	 " absent_after Int64,\n"
	 " type UInt32,\n"
	 " time_base Int64,\n"
	 " size UInt8",
	 "MergeTree() PARTITION BY run ORDER BY (run, series, time)", NULL},
	{"pmon_hour_day",
	 " day Date,\n"
	 " parts UInt64,\n" // a hash of the parts that it had
	 " run UInt64",     // that saw them all
	 "ReplacingMergeTree(run) ORDER BY day", "rand()"},
	{"pmon_group",
	 " name String,\n" // counters to average over together
	 " series UUID",
	 "ReplacingMergeTree() ORDER BY (name, series)", CH_SHARD_BY("series")},
};

#define FIRST_CURRENT 23001 // 23.1
#define N_TABLES      (sizeof(tables) / sizeof(tables[0]))

bool
pmon_ch_is_current(const struct ch_place *place)
{
	return place->version == 0 || place->version >= FIRST_CURRENT;
}

void
pmon_ch_put_name(const struct ch_place *place, const char *name, bool is_local,
		 struct pmon_text *sql)
{
	pmon_text_str(sql, place->database);
	pmon_text_char(sql, '.');
	pmon_text_str(sql, name);
	pmon_text_str(sql, is_local && place->cluster[0] != '\0' ? "_local" : "");
}

// "ReplacingMergeTree(made) ORDER BY name", or the same for a Keeper. The server fills in the macros.
static void
put_engine(const struct ch_place *place, const struct table *table, struct pmon_text *sql)
{
	const char *arguments = strchr(table->engine, '(') + 1;

	if (!place->is_replicated || table->shard_by == NULL) {
		pmon_text_str(sql, table->engine);
		return;
	}
	pmon_text_str(sql, "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/");
	pmon_text_str(sql, place->database);
	pmon_text_char(sql, '/');
	pmon_text_str(sql, table->name);
	pmon_text_str(sql, "', '{replica}'");
	pmon_text_str(sql, arguments[0] != ')' ? ", " : "");
	pmon_text_str(sql, arguments);
}

static void
put_columns(const struct ch_place *place, const char *columns, struct pmon_text *sql)
{
	for (const char *c = columns; *c != '\0'; c++)
		if (*c != SMALL_STEPS[0])
			pmon_text_char(sql, *c);
		else if (pmon_ch_is_current(place))
			pmon_text_str(sql, CODEC);
}

// Give the tables of an older pmon the codecs of today; what is stored is compressed anew when parts are merged.
static void
put_codecs(const struct ch_place *place, struct pmon_text *sql)
{
	static const char *const names[] = {"time", "raw_time", "first", "second"};

	pmon_text_str(sql, "ALTER TABLE ");
	pmon_ch_put_name(place, "pmon_raw", true, sql);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		pmon_text_str(sql, i > 0 ? "," : "");
		pmon_text_str(sql, "\n MODIFY COLUMN ");
		pmon_text_str(sql, names[i]);
		pmon_text_str(sql, CODEC);
	}
}

static void
put_table(const struct ch_place *place, const struct table *table, struct pmon_text *sql)
{
	pmon_text_str(sql, "CREATE TABLE IF NOT EXISTS ");
	pmon_ch_put_name(place, table->name, true, sql);
	pmon_text_str(sql, " (\n");
	put_columns(place, table->columns, sql);
	pmon_text_str(sql, ")\nENGINE = ");
	put_engine(place, table, sql);
}

// A table over the parts of all nodes. What `name` is of, a table or a view, says how it is dealt out.
void
pmon_ch_put_distributed(const struct ch_place *place, const char *name, const char *shard_by,
			struct pmon_text *sql)
{
	pmon_text_str(sql, "CREATE TABLE IF NOT EXISTS ");
	pmon_ch_put_name(place, name, false, sql);
	pmon_text_str(sql, " AS ");
	pmon_ch_put_name(place, name, true, sql);
	pmon_text_str(sql, "\nENGINE = Distributed(");
	pmon_text_str(sql, place->cluster);
	pmon_text_str(sql, ", ");
	pmon_text_str(sql, place->database);
	pmon_text_str(sql, ", ");
	pmon_text_str(sql, name);
	pmon_text_str(sql, "_local");
	pmon_text_str(sql, shard_by != NULL ? ", " : "");
	pmon_text_str(sql, shard_by != NULL ? shard_by : "");
	pmon_text_char(sql, ')');
}

bool
pmon_ch_statement(const struct ch_place *place, size_t i, struct pmon_text *sql)
{
	bool is_spread = place->cluster[0] != '\0';

	if (i == 0) {
		pmon_text_str(sql, "CREATE DATABASE IF NOT EXISTS ");
		pmon_text_str(sql, place->database);
		return true;
	}
	i--;
	if (i < N_TABLES) {
		put_table(place, &tables[i], sql);
		return true;
	}
	i -= N_TABLES;
	if (pmon_ch_is_current(place) && i-- == 0) {
		put_codecs(place, sql);
		return true;
	}
	if (is_spread && i < N_TABLES) {
		pmon_ch_put_distributed(place, tables[i].name, tables[i].shard_by, sql);
		return true;
	}
	return pmon_ch_view(place, i - (is_spread ? N_TABLES : 0), sql);
}

// ---- Places ---------------------------------------------------------------------------------

// Names go into statements as they are, so they are plain.
static enum pmon_status
take_name(const char *what, const char *name, char out[CH_NAME_SIZE], struct pmon_err *err)
{
	size_t len = strlen(name);
	bool is_plain = len > 0 && len < CH_NAME_SIZE && !pmon_is_digit(name[0]);

	for (size_t i = 0; is_plain && i < len; i++)
		is_plain = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
				  name[i]) != NULL;
	if (!is_plain)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the name of the %s may contain only letters, digits and _",
				    what);
	memcpy(out, name, len + 1);
	return PMON_OK;
}

enum pmon_status
pmon_ch_find_place(const char *text, const struct pmon_push_options *options,
		   struct pmon_push_url *url, struct ch_place *place, struct pmon_err *err)
{
	enum pmon_status status = pmon_push_url_parse(text, url, err);

	*place = (struct ch_place){.cluster = ""};
	if (status == PMON_OK && url->path[0] == '\0')
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the URL names no database; write it as "
				    "clickhouse+http://HOST:8123/DATABASE");
	if (status == PMON_OK)
		status = take_name("database", url->path, place->database, err);
	if (status == PMON_OK && options->cluster != NULL)
		status = take_name("cluster", options->cluster, place->cluster, err);
	if (status == PMON_OK && options->cluster == NULL && url->n_hosts > 1)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "several hosts need the name of their cluster");
	return status;
}
