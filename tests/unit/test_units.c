// test_units.c - the units of counters: by name, by type, and in limits of rules
// SPDX-License-Identifier: MIT

#include <pmon/pmon.h>

#include <stdlib.h>

#include "draw/label.h"
#include "memsource.h"
#include "model/english.h"
#include "rules/rules.h"
#include "t.h"

struct row {
	const char *path;
	uint32_t type;
	const char *unit;
	const char *amount; // of 240099
};

// The units: windows_exporter and Microsoft, "Hyper-V Hypervisor Virtual Processor": nanoseconds; SQL Server's object
// pages (learn.microsoft.com/sql/relational-databases/performance-monitor); Exchange 2013 counters for latencies;
// NTDS objects: milliseconds.
static const struct row rows[] = {
	{"\\Hyper-V Hypervisor Virtual Processor(vm:0)\\CPU Wait Time Per Dispatch",
	 PMON_PERF_PRECISION_100NS_TIMER, "ns", "240.1 \xC2\xB5s"},
	{"\\SQLServer:Databases(a)\\Log Flush Wait Time", PMON_PERF_COUNTER_LARGE_RAWCOUNT, "ms",
	 "4.002 min"},
	{"\\MSSQL$ONE:Databases(a)\\Log Flush Wait Time", PMON_PERF_COUNTER_LARGE_RAWCOUNT, "ms",
	 "4.002 min"},
	{"\\SQLServer:Latches\\Average Latch Wait Time (ms)", PMON_PERF_AVERAGE_BULK, "ms",
	 "4.002 min"},
	{"\\SQLServer:Latches\\Total Latch Wait Time (ms)", PMON_PERF_COUNTER_BULK_COUNT, "ms/s",
	 "240.1 s/s"},
	{"\\Somebody's\\Wait (ms)", PMON_PERF_COUNTER_BULK_COUNT, "ms/s", "240.1 s/s"},
	{"\\Somebody's\\Wait (ms)", PMON_PERF_COUNTER_RAWCOUNT, "ms", "4.002 min"},
	{"\\Somebody's\\Wait (ms)", PMON_PERF_AVERAGE_TIMER, "s", "2.779 d"}, // by its type
	{"\\Somebody's\\Age in seconds", PMON_PERF_COUNTER_RAWCOUNT, "s", "2.779 d"},
	{"\\DirectoryServices(NTDS)\\LDAP Bind Time", PMON_PERF_COUNTER_RAWCOUNT, "ms",
	 "4.002 min"},
	{"\\NTDS\\LDAP Bind Time", PMON_PERF_COUNTER_RAWCOUNT, "ms", "4.002 min"},
	{"\\MSExchange RpcClientAccess\\RPC Averaged Latency", PMON_PERF_COUNTER_RAWCOUNT, "ms",
	 "4.002 min"},
	{"\\Network Interface(a)\\Current Bandwidth", PMON_PERF_COUNTER_LARGE_RAWCOUNT, "bit/s",
	 "240.1 kbit/s"},
	{"\\Processor Information(0,0)\\Processor Frequency", PMON_PERF_COUNTER_RAWCOUNT, "MHz",
	 "240.1 GHz"},
	{"\\Processor Information(0,0)\\% Processor Utility", PMON_PERF_AVERAGE_BULK, "%",
	 "240,099 %"},
	// Processor Information and Hyper-V, "ns per event (100 x 100ns/events)": known_counters_more.csv
	{"\\Processor Information(0,0)\\Average Idle Time", PMON_PERF_PRECISION_100NS_TIMER, "ns",
	 "240.1 \xC2\xB5s"},
	{"\\Hyper-V Hypervisor Root Virtual Processor(a)\\MSR Accesses Cost",
	 PMON_PERF_PRECISION_100NS_TIMER, "ns", "240.1 \xC2\xB5s"},
	{"\\Anything\\Latency (us)", PMON_PERF_AVERAGE_BULK, "us", "240.1 ms"},
	{"\\Anything\\Latency (us)/sec", PMON_PERF_COUNTER_BULK_COUNT, "us/s", "240.1 ms/s"},
	{"\\Anything\\Latency (100 ns)", PMON_PERF_AVERAGE_BULK, "100 ns", "24.01 ms"},
	{"\\Anything\\Total mSec - Processor", PMON_PERF_COUNTER_LARGE_RAWCOUNT, "ms", "4.002 min"},
	{"\\Anything\\Speed (MB/s)", PMON_PERF_COUNTER_RAWCOUNT, "MB/s", "234.5 GB/s"},
	{"\\Anything\\Size in KB", PMON_PERF_COUNTER_RAWCOUNT, "KB", "234.5 MB"},
	{"\\Memory\\Available MBytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, "MB", "234.5 GB"},
	{"\\Network Interface(a)\\Bytes Total/sec", PMON_PERF_COUNTER_BULK_COUNT, "B/s",
	 "234.5 KB/s"},
	{"\\Memory\\Pages/sec", PMON_PERF_COUNTER_COUNTER, "/s", "240.1 k/s"},
	{"\\System\\Processes", PMON_PERF_COUNTER_RAWCOUNT, "", "240,099"},
	{"\\Anything\\Kernel State", PMON_PERF_COUNTER_RAWCOUNT_HEX, "", "0x3A9E3"},
	{"\\SQLServer:Wait Statistics(Average wait time (ms))\\Lock waits",
	 PMON_PERF_COUNTER_LARGE_RAWCOUNT, "ms", "4.002 min"},
	{"\\SQLServer:Wait Statistics(Waits in progress)\\Lock waits",
	 PMON_PERF_COUNTER_LARGE_RAWCOUNT, "", "240,099"},
};

static void
by_name_and_type(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_source *source = mem_source_open(m);

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		uint32_t id = mem_source_series(m, rows[i].path, rows[i].type, 1);
		const struct pmon_series *series = pmon_schema_at(pmon_source_schema(source), id);
		struct draw_unit unit = draw_unit_of(series);
		char amount[2 * DRAW_NUMBER];

		T_EQ_STR(draw_unit_name(series), rows[i].unit);
		// A rate of bytes keeps the unit of its type.
		T_EQ_STR(pmon_series_unit(series),
			 strcmp(rows[i].unit, "B/s") == 0 ? "/s" : rows[i].unit);
		(void)draw_amount(240099, &unit, amount, sizeof(amount));
		T_EQ_STR(amount, rows[i].amount);
	}
	pmon_source_close(source);
}

// ---- What a person knows of counters --------------------------------------------------------

// Types and documentation disagree: the type is a count, the help text says a rate.
static const char *const uncertain[] = {"Kerberos Authentications", "NTLM Authentications"};

static bool
is_one_of(const char *const *list, size_t n, struct pmon_span counter)
{
	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(counter, t_span(list[i])))
			return true;
	return false;
}

// "SQLServer:Wait Statistics" has what is measured as its instance.
static void
check_meaning(struct mem_source *m, const struct pmon_source *source, const char *object,
	      const char *counter, const char *unit)
{
	const char *instance =
		strstr(object, "Wait Statistics") != NULL ? "Average wait time (ms)" : NULL;
	struct pmon_path path = {.object = t_span(object), .counter = t_span(counter)};
	struct pmon_counter c = {.type = PMON_PERF_DOUBLE_RAW};
	const struct pmon_series *series;
	bool inferred;

	if (instance != NULL)
		path.instance = t_span(instance);
	(void)pmon_english_type(&path, &c.type, &inferred);
	series = pmon_schema_at(pmon_source_schema(source), mem_source_add(m, &path, &c));
	if (!is_one_of(uncertain, T_LEN(uncertain), path.counter) &&
	    strcmp(draw_unit_name(series), strcmp(unit, "count") == 0 ? "" : unit) != 0)
		fail_msg("\\%s\\%s is in \"%s\", want \"%s\"", object, counter,
			 draw_unit_name(series), unit);
}

static void
meanings(void **state)
{
	const char *path = t_data_path("../reference/meanings.tsv");
	struct mem_source *m;
	struct pmon_source *source;
	size_t len;
	char *text;
	size_t n = 0;

	(void)state;
	if (path == NULL)
		skip();
	text = (char *)t_read_file(path, &len);
	m = mem_source_new();
	source = mem_source_open(m);
	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		char *fields[7] = {line};

		for (size_t i = 1; i < 7; i++) {
			fields[i] = strchr(fields[i - 1], '\t');
			assert_non_null(fields[i]);
			*fields[i]++ = '\0';
		}
		fields[6][strcspn(fields[6], "\t")] = '\0';
		if (n++ > 0)
			check_meaning(m, source, fields[0], fields[1], fields[6]);
	}
	assert_true(n > 400);
	pmon_source_close(source);
	free(text);
}

// ---- The table of known counters --------------------------------------------------------------

// The units of known_counters_more.csv, which has no other words for them. NULL: the table says
// nothing of the unit.
static const struct {
	const char *hint;
	const char *unit;
} hints[] = {
	{"%", "%"},
	{"100ns", "100 ns"},
	{"100ns (average per operation)", "100 ns"},
	{"KB", "KB"},
	{"MB", "MB"},
	{"MHz", "MHz"},
	{"average per operation", NULL},
	{"bytes", "B"},
	{"bytes (average per operation)", "B"},
	{"bytes per sample", "B"},
	{"bytes/s", "B/s"},
	{"count", ""},
	{"count per sample", ""},
	{"events/s", "/s"},
	{"ms", "ms"},
	{"ms (average per operation)", "ms"},
	{"ms/s", "ms/s"},
	{"ns per event (100 x 100ns/events; not a percentage)", "ns"},
	{"ns per idle period (not a percentage)", "ns"},
	{"pages", ""},
	{"pages/s", "/s"},
	{"s", "s"},
	{"us", "us"},
	{"us (average per operation)", "us"},
	{"us/s", "us/s"},
};

// The table has the type's word for these, and Microsoft's documents another one: SQL Server,
// "Buffer Manager object" and "Databases object"; the others have it in their names.
static const char *const better[] = {
	"Page life expectancy",
	"Backup/Restore Throughput/sec",
	"Forwarded Msg Byte Total",
	"Forwarded Msg Byte/sec",
	"Commit byte count",
	"Read from file byte count",
	"Read from storage byte count",
	"Write to file byte count",
	"Write to storage byte count",
};

static const char *
unit_of_hint(const char *hint)
{
	for (size_t i = 0; i < T_LEN(hints); i++)
		if (strcmp(hints[i].hint, hint) == 0)
			return hints[i].unit;
	return NULL;
}

// The fields of a line of CSV, whose quotes are removed.
static size_t
split_csv(char *line, char **fields, size_t n_most)
{
	size_t n = 0;

	for (char *at = line; at != NULL && n < n_most;) {
		char *end;

		if (*at == '"') {
			fields[n++] = ++at;
			end = strchr(at, '"');
			assert_non_null(end);
			*end++ = '\0';
		} else {
			fields[n++] = at;
			end = at + strcspn(at, ",");
		}
		at = *end == ',' ? end + 1 : NULL;
		*end = '\0';
	}
	return n;
}

static void
known_counters(void **state)
{
	const char *path = t_data_path("vectors/known_counters_more.csv");
	struct mem_source *m;
	struct pmon_source *source;
	size_t len, n = 0, n_wrong = 0;
	char *text;

	(void)state;
	if (path == NULL)
		skip();
	text = (char *)t_read_file(path, &len);
	m = mem_source_new();
	source = mem_source_open(m);
	for (char *line = strtok(text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
		char *f[6];
		const char *want;
		struct pmon_counter c = {.type = 0};
		struct pmon_path of;
		const struct pmon_series *series;

		if (split_csv(line, f, 6) < 6 || (want = unit_of_hint(f[5])) == NULL ||
		    is_one_of(better, T_LEN(better), t_span(f[1])))
			continue;
		of = (struct pmon_path){.object = t_span(f[0]), .counter = t_span(f[1])};
		c.type = (uint32_t)strtoul(f[2], NULL, 16);
		series = pmon_schema_at(pmon_source_schema(source), mem_source_add(m, &of, &c));
		n++;
		if (strcmp(draw_unit_name(series), want) == 0)
			continue;
		n_wrong++;
		print_error("\\%s\\%s (%s) is in \"%s\", want \"%s\"\n", f[0], f[1], f[3],
			    draw_unit_name(series), want);
	}
	assert_int_equal(n_wrong, 0);
	assert_true(n > 3500);
	pmon_source_close(source);
	free(text);
}

// ---- Rules ----------------------------------------------------------------------------------

// A limit with a unit is in what the counter is displayed in, if a text log of it is judged too.
static void
check_rule(struct mem_source *m, const struct pmon_source *source, const struct rules_rule *rule)
{
	for (size_t i = 0; i < rule->counters.n; i++) {
		struct pmon_counter c = {.type = PMON_PERF_DOUBLE_RAW};
		struct pmon_path path = rule->counters.list[i]->path;
		const struct pmon_series *series;
		bool inferred;

		if (memchr(path.object.ptr, '*', path.object.len) != NULL)
			path.object = PMON_SPAN("SQLServer:Locks");
		path.machine = (struct pmon_span){NULL, 0};
		(void)pmon_english_type(&path, &c.type, &inferred);
		series = pmon_schema_at(pmon_source_schema(source), mem_source_add(m, &path, &c));
		for (size_t level = 0; level < RULES_LEVELS; level++) {
			const struct rules_limit *limit = &rule->limits[level];

			if (limit->given && !limit->threshold.any && rule->of.n == 0 &&
			    limit->threshold.quantity != draw_unit_of(series).quantity)
				fail_msg("%.*s: the limit %s is for %s, and %.*s is in \"%s\"",
					 (int)rule->name.len, rule->name.ptr, limit->threshold.text,
					 draw_quantity_name(limit->threshold.quantity),
					 (int)path.counter.len, path.counter.ptr,
					 draw_unit_name(series));
		}
	}
}

static void
limits(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_source *source = mem_source_open(m);

	(void)state;
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		struct rules rules;
		struct rules_error why;

		assert_true(rules_parse(pack->text, &rules, &why));
		for (size_t i = 0; i < rules.n; i++)
			check_rule(m, source, &rules.list[i]);
		rules_free(&rules);
	}
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_name_and_type),
		cmocka_unit_test(meanings),
		cmocka_unit_test(known_counters),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
