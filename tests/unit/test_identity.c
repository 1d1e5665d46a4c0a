// test_identity.c - no number mixes two processes
// SPDX-License-Identifier: MIT
//
// Raw values are written down here; expected values are computed by hand next to them.

#include <pmon/query.h>

#include "memsource.h"
#include "place.h"
#include "t.h"

#define RATE  PMON_PERF_COUNTER_BULK_COUNT
#define COUNT PMON_PERF_COUNTER_RAWCOUNT

static struct pmon_source *
identify(struct mem_source *m, const struct pmon_identity_options *options)
{
	struct pmon_source *source;

	assert_int_equal(pmon_identity_open(mem_source_open(m), options, &source, NULL), PMON_OK);
	return source;
}

static const struct pmon_series *
series_of(const struct pmon_source *source, uint32_t id)
{
	return pmon_schema_at(pmon_source_schema(source), id);
}

// The status of a counter's value in each displayed sample: "first_sample ok ...", or "-" if it is
// missing.
static void
check_statuses(struct pmon_source *source, const char *path, const char *want)
{
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	char got[512] = "";

	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		const char *status = "-";

		assert_int_equal(pmon_statistics_add(statistics, sample, &values, NULL), PMON_OK);
		if (sample->preceding)
			continue;
		for (size_t i = 0; i < sample->n; i++)
			if (strcmp(series_of(source, sample->series[i])->name.ptr, path) == 0)
				status = pmon_vstat_name(values[i].status);
		strcat(got, got[0] != '\0' ? " " : "");
		strcat(got, status);
	}
	T_EQ_STR(got, want);
	pmon_statistics_free(statistics);
}

static double
average_of(struct pmon_source *source, int64_t process_id)
{
	struct pmon_statistics *statistics;
	double average = -1;

	assert_int_equal(pmon_statistics_read(source, NULL, NULL, &statistics, NULL), PMON_OK);
	for (size_t i = 0; i < pmon_schema_count(pmon_source_schema(source)); i++) {
		const struct pmon_series *series = series_of(source, (uint32_t)i);

		if (series->counter.type == RATE && series->process_id == process_id)
			average = pmon_stats_average(pmon_statistics_at(statistics, i)).value;
	}
	pmon_statistics_free(statistics);
	return average;
}

static double
average_at(struct pmon_source *source, uint32_t id)
{
	struct pmon_statistics *statistics;
	double average;

	assert_int_equal(pmon_statistics_read(source, NULL, NULL, &statistics, NULL), PMON_OK);
	average = pmon_stats_average(pmon_statistics_at(statistics, id)).value;
	pmon_statistics_free(statistics);
	return average;
}

#define READS(instance) "\\\\SRV\\Process(" instance ")\\IO Read Operations/sec"

// ---- By place -------------------------------------------------------------------------------

// Another process with the same name replaces the first: no difference across the change.
static void
test_another_process_at_a_place(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = false};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -5, 100);
	mem_source_sample(m, START + SECOND);
	t_put(m, &x, 1, 10, -5, 110);
	mem_source_sample(m, START + 2 * SECOND);
	t_put(m, &x, 2, 11, -3, 5000);
	mem_source_sample(m, START + 3 * SECOND);
	t_put(m, &x, 3, 11, -3, 5002);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample ok instance_changed ok");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	check_statuses(source, READS("x"), "first_sample ok instance_changed ok");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_of(source, 0), 6); // 10 in one second, 2 in one
	assert_false(pmon_identity_is_unknown(source));
	pmon_source_close(source);
}

// The id was used again: the start of the process shows that.
static void
test_a_number_is_used_again(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = false};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -500, 100);
	mem_source_sample(m, START + SECOND);
	t_put(m, &x, 1, 10, -498, 110);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample instance_changed");
	pmon_source_close(source);
}

// The first value of the other process cannot be used: then the next one starts a new run, and is not
// paired with the process before.
static void
test_no_usable_value_at_the_change(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = false};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -5, 100);
	mem_source_sample(m, START + SECOND);
	mem_source_bad(m, x.reads, PMON_RAW_NO_INSTANCE);
	mem_source_raw(m, x.pid, 11, 0);
	mem_source_sample(m, START + 2 * SECOND);
	t_put(m, &x, 2, 11, -3, 200);
	mem_source_sample(m, START + 3 * SECOND);
	t_put(m, &x, 3, 11, -3, 201);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample bad_raw_status instance_changed ok");
	pmon_source_close(source);
}

// Identifying counters are read, and hidden unless requested.
static void
test_tellers_are_not_shown(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = false};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_select *select;
	struct pmon_select *reading;
	struct pmon_source *source;
	struct pmon_path path;

	(void)state;
	assert_int_equal(pmon_select_new(NULL, &select, NULL), PMON_OK);
	assert_int_equal(
		pmon_select_add(select, PMON_SPAN("\\Process(x*)\\IO Read Operations/sec"), NULL),
		PMON_OK);
	assert_int_equal(pmon_identity_select(select, NULL, &reading, NULL), PMON_OK);
	assert_non_null(reading);
	assert_true(pmon_path_parse(PMON_SPAN("\\\\SRV\\Process(x)\\ID Process"), &path, NULL));
	assert_true(pmon_select_matches(reading, &path));
	assert_false(pmon_select_matches(select, &path));
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -5, 100);
	mem_source_sample(m, START + SECOND);
	t_put(m, &x, 1, 11, -4, 110);
	options.shown = select;
	source = identify(m, &options);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 1);
	check_statuses(source, READS("x"), "first_sample instance_changed");
	pmon_source_close(source);
	pmon_select_free(reading);
	pmon_select_free(select);
}

// Patterns that match the identifying counters already, or no process, need no other counters.
static void
test_no_further_counters_are_read(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", "\\Processor(*)\\% Idle Time",
					       "\\System\\Threads"};

	(void)state;
	for (size_t i = 0; i < T_LEN(patterns); i++) {
		struct pmon_select *select;
		struct pmon_select *reading;

		assert_int_equal(pmon_select_new(NULL, &select, NULL), PMON_OK);
		assert_int_equal(pmon_select_add(select, t_span(patterns[i]), NULL), PMON_OK);
		assert_int_equal(pmon_identity_select(select, NULL, &reading, NULL), PMON_OK);
		assert_null(reading);
		pmon_select_free(select);
	}
}

static void
test_no_identifying_counters(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = false};
	struct mem_source *m = mem_source_new();
	uint32_t reads = mem_source_series(m, READS("x"), RATE, SECOND);
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	mem_source_raw(m, reads, 100, START);
	mem_source_sample(m, START + SECOND);
	mem_source_raw(m, reads, 110, START + SECOND);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample ok");
	assert_true(pmon_identity_is_unknown(source));
	pmon_source_close(source);
}

// The values of an instance come from one log, and its identifying counters from another.
static void
test_two_streams(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = false};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	for (int i = 0; i < 4; i++) {
		mem_source_sample_of(m, START + i * SECOND, 0, 1);
		mem_source_raw(m, x.pid, i < 2 ? 10 : 11, 0);
		mem_source_sample_of(m, START + i * SECOND + SECOND / 2, 0, 2);
		mem_source_raw(m, x.reads, 100 + i, START + i * SECOND + SECOND / 2);
	}
	source = identify(m, &options);
	check_statuses(source, READS("x"), "- first_sample - ok - instance_changed - ok");
	pmon_source_close(source);
}

// ---- By process -----------------------------------------------------------------------------

// x ends, and what was x#1 is x from then on: its reads are 10 a second all the time.
static void
test_one_series_through_all_places(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place x1 = t_new_place(m, "\\\\SRV", "x#1");
	struct pmon_source *source;

	(void)state;
	for (int i = 0; i < 2; i++) {
		mem_source_sample(m, START + i * SECOND);
		t_put(m, &x, i, 10, -9, 7000);
		t_put(m, &x1, i, 11, -8, 100 + 10 * i);
	}
	for (int i = 2; i < 4; i++) {
		mem_source_sample(m, START + i * SECOND);
		t_put(m, &x, i, 11, -8, 100 + 10 * i);
	}
	source = identify(m, &options);
	T_EQ_DBL(average_of(source, 11), 10);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 6); // three of each of two
	for (size_t i = 0; i < 6; i++) {
		const struct pmon_series *series = series_of(source, (uint32_t)i);

		assert_true(series->of_process);
		assert_int_equal(series->path.index, 0); // its newest path
	}
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_of(source, 10), 0);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 6);
	pmon_source_close(source);
}

// ---- From the start of a process ----------------------------------------------------------------

// A process that started half a second before its first sample made 3 reads in that time: 6 per
// second. One that existed before, but in no sample, has no value yet.
static void
test_from_the_start(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place y = t_new_place(m, "\\\\SRV", "y");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -9, 7000);
	mem_source_sample(m, START + SECOND);
	mem_source_raw(m, x.reads, 3, START + SECOND);
	mem_source_raw(m, x.pid, 12, 0);
	mem_source_raw(m, x.elapsed, START + SECOND / 2, START + SECOND);
	t_put(m, &y, 1, 13, -2, 50);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample ok");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	check_statuses(source, READS("y"), "- first_sample");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_at(source, x.reads), 6); // its 3 reads in half a second, and no other pair
	pmon_source_close(source);
}

// Intermediate samples without any requested series are not delivered. The process started after
// the last delivered sample: 3 reads in half a second.
static void
test_from_the_start_after_samples_left_out(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -9, 7000);
	mem_source_sample(m, START + SECOND); // no process has the slot
	mem_source_skip(m);
	mem_source_sample(m, START + 3 * SECOND);
	mem_source_raw(m, x.reads, 3, START + 3 * SECOND);
	mem_source_raw(m, x.pid, 12, 0);
	mem_source_raw(m, x.elapsed, START + 2 * SECOND + SECOND / 2, START + 3 * SECOND);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample - ok");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_at(source, x.reads), 6);
	pmon_source_close(source);
}

// y takes the place of x when that ends, and is renamed to z: it always makes 10 reads per second.
// So does a second process named z, whose first interval is unknown: it is older than the log, but
// was in no sample before.
static void
test_moved_between_two_samples(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place x1 = t_new_place(m, "\\\\SRV", "x#1");
	struct place z = t_new_place(m, "\\\\SRV", "z");
	struct place z1 = t_new_place(m, "\\\\SRV", "z#1");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -9, 7000);
	t_put(m, &x1, 0, 11, -8, 100);
	mem_source_sample(m, START + SECOND);
	t_put(m, &x, 1, 11, -8, 110);
	mem_source_sample(m, START + 2 * SECOND);
	t_put(m, &z, 2, 11, -8, 120);
	t_put(m, &z1, 2, 12, -7, 500);
	mem_source_sample(m, START + 3 * SECOND);
	t_put(m, &z, 3, 11, -8, 130);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample ok - -");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	check_statuses(source, READS("z"), "- - ok ok");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	check_statuses(source, READS("z#1"), "- - first_sample -");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_at(source, x.reads), 10);
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_at(source, z.reads), 10);
	pmon_source_close(source);
}

// A process that was absent in between, or whose start is unknown, is not continued: the same id
// does not prove that it is the same process.
static void
test_not_known_to_have_moved(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place y = t_new_place(m, "\\\\SRV", "y");
	struct place z = t_new_place(m, "\\\\SRV", "z");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -9, 7000);
	mem_source_sample(m, START + SECOND);
	mem_source_raw(m, z.pid, 12, 0);
	mem_source_raw(m, z.reads, 3, START + SECOND);
	mem_source_sample(m, START + 2 * SECOND);
	t_put(m, &y, 2, 10, -9, 7020);
	mem_source_raw(m, x.pid, 12, 0);
	mem_source_raw(m, x.reads, 5, START + 2 * SECOND);
	source = identify(m, &options);
	check_statuses(source, READS("y"), "- - first_sample");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	check_statuses(source, READS("x"), "first_sample - instance_changed");
	pmon_source_close(source);
}

// In a log of Windows, earlier places of a process are not looked up.
static void
test_moved_in_a_log_of_windows(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = false};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place x1 = t_new_place(m, "\\\\SRV", "x#1");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -9, 7000);
	t_put(m, &x1, 0, 11, -8, 100);
	mem_source_sample(m, START + SECOND);
	t_put(m, &x, 1, 11, -8, 110);
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample instance_changed");
	pmon_source_close(source);
}

// Each owner: "12+3" is process 12, started 3 s after START, "f" the first one; "-": no sample of owners.
// Only rates have owners: the other counters need one sample.
static void
check_owners(struct pmon_source *source, const char *want)
{
	const struct pmon_sample *sample;
	char got[256] = "";

	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		const struct pmon_sample *owners = sample->owners;
		size_t len = strlen(got);

		if (owners == NULL) {
			(void)snprintf(got + len, sizeof(got) - len,
				       sample->starts ? " (start)" : " -");
			continue;
		}
		assert_false(sample->starts);
		assert_true(owners->starts && owners->time == sample->time && owners->n == 1);
		assert_int_equal(series_of(source, owners->series[0])->counter.type, RATE);
		assert_int_equal(owners->raw[0].status, PMON_RAW_OWNER);
		(void)snprintf(got + len, sizeof(got) - len, " %lld+%lld%s",
			       (long long)owners->raw[0].first,
			       (long long)((owners->raw[0].second - START) / SECOND),
			       owners->raw[0].multi & PMON_OWNER_FIRST ? " f" : "");
		assert_int_equal(owners->raw[0].multi & 7, PMON_OWNER_PROCESS | PMON_OWNER_START);
	}
	assert_string_equal(got, want);
}

// The owner comes with the first usable value, and when it changes; also if other counters are hidden.
static void
test_owners_are_reported(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .tells_owners = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	for (int i = 0; i < 6; i++) {
		mem_source_sample(m, START + i * SECOND);
		t_put(m, &x, i, i < 4 ? 10 : 11, i < 4 ? -9 : -8, 100 * i);
		if (i == 0)
			m->raw[m->n_values - 3].status = PMON_RAW_INVALID;
	}
	source = identify(m, &options);
	check_owners(source, " - 10+-9 f - - 11+-8 -");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	check_owners(source, " - 10+-9 f - - 11+-8 -");
	pmon_source_close(source);
}

// A process that just started has a start value to form a pair with, so it need not be compared.
static void
test_owners_from_the_start(void **state)
{
	struct pmon_identity_options options = {
		.size = sizeof(options), .tells_owners = true, .from_start = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place y = t_new_place(m, "\\\\SRV", "y");
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, START);
	t_put(m, &x, 0, 10, -9, 7000);
	mem_source_sample(m, START + 2 * SECOND);
	t_put(m, &y, 2, 12, 1, 3);
	source = identify(m, &options);
	check_owners(source, " 10+-9 f (start) 12+1");
	pmon_source_close(source);
}

// `Elapsed Time` counts on a clock that is 5 s ahead of UTC: 4 s before START on it is 9 s before START in UTC.
static void
test_owners_in_utc(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .tells_owners = true};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct mem_source *m = mem_source_new();
		struct place x = t_new_place(m, "\\\\SRV", "x");
		struct pmon_source *source;

		mem_source_sample(m, START);
		mem_source_raw(m, x.reads, 7, START);
		mem_source_raw(m, x.pid, 10, 0);
		mem_source_raw(m, x.elapsed, START - 4 * SECOND, START + 5 * SECOND);
		options.owners_in_utc = i > 0;
		source = identify(m, &options);
		check_owners(source, i > 0 ? " 10+-9 f" : " 10+-4 f");
		pmon_source_close(source);
	}
}

// ---- Processes that are forgotten ---------------------------------------------------------------

#define N_SHORT 20000

// N_SHORT processes, one after another, each in one sample with 3 reads in half a second. Another
// process stays and makes 10 reads per second.
static struct pmon_source *
open_short_lived(const struct pmon_allocator *allocator)
{
	struct pmon_identity_options options = {.size = sizeof(options),
						.allocator = allocator,
						.by_process = true,
						.forget_after = 8,
						.from_start = true};
	struct mem_source *m = mem_source_new();
	struct place place[] = {t_new_place(m, "\\\\SRV", "x"), t_new_place(m, "\\\\SRV", "y")};
	struct place stays = t_new_place(m, "\\\\SRV", "z");

	for (int i = 0; i < N_SHORT; i++) {
		int64_t now = START + i * SECOND;

		mem_source_sample(m, now);
		mem_source_raw(m, place[i % 2].reads, 3, now);
		mem_source_raw(m, place[i % 2].pid, 100 + i, 0);
		mem_source_raw(m, place[i % 2].elapsed, now - SECOND / 2, now);
		t_put(m, &stays, i, 7, -90, 10 * i);
	}
	return identify(m, &options);
}

// Memory stays what the processes of some samples need, and each has its own numbers.
static void
test_memory_of_short_lived_processes(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_source *source = open_short_lived(&allocator);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	size_t early = 0;
	size_t most = 0;
	int n = 0;

	(void)state;
	assert_int_equal(pmon_statistics_new(pmon_source_schema(source), NULL, &allocator,
					     &statistics, NULL),
			 PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, NULL), PMON_OK);
		if (sample->preceding)
			continue;
		for (size_t i = 0; i < sample->n && n > 0; i++) {
			const struct pmon_series *series = series_of(source, sample->series[i]);
			bool stays = series->process_id == 7;

			if (series->counter.type != RATE)
				continue;
			T_EQ_I64(series->process_id, stays ? 7 : 100 + n);
			T_EQ_STR(series->name.ptr,
				 stays ? READS("z") : (n % 2 == 0 ? READS("x") : READS("y")));
			T_EQ_DBL(values[i].value, stays ? 10 : 6);
			T_EQ_U64(pmon_statistics_at(statistics, sample->series[i])->pairs,
				 stays ? (uint64_t)n : 1);
		}
		n++;
		if (n <= 100)
			early = memory.live_bytes;
		most = memory.live_bytes > most ? memory.live_bytes : most;
	}
	assert_int_equal(n, N_SHORT);
	assert_true(most < early + 4096); // the tables of the rest may double once
	assert_true(pmon_schema_count(pmon_source_schema(source)) < 100);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// When the process at x is forgotten, the one at x#1 gets its number; then it moves to x, and
// continues there.
static void
test_moved_to_the_place_of_a_forgotten_one(void **state)
{
	struct pmon_identity_options options = {
		.size = sizeof(options), .by_process = true, .forget_after = 2};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct place x1 = t_new_place(m, "\\\\SRV", "x#1");
	struct pmon_source *source;
	const struct pmon_sample *sample;
	int n = 0;

	(void)state;
	for (int i = 0; i < 40; i++) {
		mem_source_sample(m, START + i * SECOND);
		if (i < 3)
			t_put(m, &x, i, 10, -9, 7000);
		t_put(m, i < 36 ? &x1 : &x, i, 11, -8, 100 + 10 * i);
	}
	source = identify(m, &options);
	for (; pmon_source_next(source, &sample, NULL) == PMON_OK; n++)
		for (size_t i = 0; i < sample->n && n > 2; i++)
			T_EQ_I64(series_of(source, sample->series[i])->process_id, 11);
	assert_int_equal(n, 40);
	pmon_source_close(source);
}

// ---- Samples without values ---------------------------------------------------------------------

#define N_ABSENT 6

// Add a value for each series whose bit is set; the value encodes the sample and the series.
static void
put_some(struct mem_source *m, const uint32_t *series, size_t set, int64_t sample)
{
	for (size_t i = 0; i < N_ABSENT; i++)
		if (set >> i & 1)
			mem_source_raw(m, series[i], sample * N_ABSENT + (int64_t)i, 0);
}

// Without counters that identify processes, samples are delivered as in the log, whatever the
// previous sample had.
static void
check_all_given(struct pmon_source *source, const size_t *sets, size_t n)
{
	const struct pmon_sample *sample;

	for (size_t k = 0; k < n; k++) {
		size_t at = 0;

		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		T_EQ_U64(sample->ordinal, k);
		for (size_t i = 0; i < N_ABSENT; i++) {
			char path[64];

			if (!(sets[k] >> i & 1))
				continue;
			assert_true(at < sample->n);
			(void)snprintf(path, sizeof(path), "\\\\SRV\\Process(p%zu)\\Handle Count",
				       i);
			T_EQ_STR(series_of(source, sample->series[at])->name.ptr, path);
			T_EQ_I64(sample->raw[at].first, (int64_t)(k * N_ABSENT + i));
			at++;
		}
		T_EQ_U64(sample->n, at);
	}
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
}

// Samples of any series, each some number of times in a row, and samples of none.
static void
test_any_series_may_be_absent(void **state)
{
	static const struct pmon_identity_options options[] = {
		{.size = sizeof(options[0]), .by_process = false},
		{.size = sizeof(options[0]), .by_process = true},
		{.size = sizeof(options[0]), .by_process = true, .forget_after = 2}};
	struct t_rand r = {34};

	(void)state;
	for (size_t run = 0; run < 300; run++) {
		struct mem_source *m = mem_source_new();
		uint32_t series[N_ABSENT];
		size_t sets[40];
		struct pmon_source *source;

		for (size_t i = 0; i < N_ABSENT; i++) {
			char path[64];

			(void)snprintf(path, sizeof(path), "\\\\SRV\\Process(p%zu)\\Handle Count",
				       i);
			series[i] = mem_source_series(m, path, COUNT, 1);
		}
		for (size_t k = 0; k < T_LEN(sets); k++) {
			static const size_t some[] = {0, 0, (1 << N_ABSENT) - 1, 5, 6};

			sets[k] = k > 0 && t_rand_below(&r, 2) != 0
					  ? sets[k - 1]
					  : some[t_rand_below(&r, T_LEN(some))];
			mem_source_sample(m, START + (int64_t)k * SECOND);
			put_some(m, series, sets[k], (int64_t)k);
		}
		source = identify(m, &options[run % T_LEN(options)]);
		check_all_given(source, sets, T_LEN(sets));
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
		check_all_given(source, sets, T_LEN(sets));
		pmon_source_close(source);
	}
}

// A sample without values does not make pmon forget which process it is.
static void
test_a_process_after_samples_without_values(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .by_process = true};
	struct mem_source *m = mem_source_new();
	struct place x = t_new_place(m, "\\\\SRV", "x");
	struct pmon_source *source;

	(void)state;
	for (int i = 0; i < 8; i++) {
		mem_source_sample(m, START + i * SECOND);
		if (i != 2 && i != 5)
			t_put(m, &x, i, i < 5 ? 10 : 11, i < 5 ? -9 : 4, 7 * i);
	}
	source = identify(m, &options);
	check_statuses(source, READS("x"), "first_sample ok - first_sample ok - first_sample ok");
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_of(source, 10), 7);
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	T_EQ_DBL(average_of(source, 11), 7);
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_another_process_at_a_place),
		cmocka_unit_test(test_a_number_is_used_again),
		cmocka_unit_test(test_no_usable_value_at_the_change),
		cmocka_unit_test(test_tellers_are_not_shown),
		cmocka_unit_test(test_no_further_counters_are_read),
		cmocka_unit_test(test_no_identifying_counters),
		cmocka_unit_test(test_two_streams),
		cmocka_unit_test(test_one_series_through_all_places),
		cmocka_unit_test(test_from_the_start),
		cmocka_unit_test(test_from_the_start_after_samples_left_out),
		cmocka_unit_test(test_moved_between_two_samples),
		cmocka_unit_test(test_not_known_to_have_moved),
		cmocka_unit_test(test_moved_in_a_log_of_windows),
		cmocka_unit_test(test_owners_are_reported),
		cmocka_unit_test(test_owners_from_the_start),
		cmocka_unit_test(test_owners_in_utc),
		cmocka_unit_test(test_memory_of_short_lived_processes),
		cmocka_unit_test(test_moved_to_the_place_of_a_forgotten_one),
		cmocka_unit_test(test_any_series_may_be_absent),
		cmocka_unit_test(test_a_process_after_samples_without_values),
	};

	return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
