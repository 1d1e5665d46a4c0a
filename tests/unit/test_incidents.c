// test_incidents.c - what was wrong, from samples that are made here, so that it is known what must be found
// SPDX-License-Identifier: MIT

#include "t.h"

#include <math.h>
#include <stdio.h>

#include "analyze/incidents.h"
#include "memsource.h"
#include "model/schema.h"
#include "moments.h"
#include "query/display.h"

#define N    480
#define MOST 20

typedef double (*level_fn)(uint32_t sample);

// A counter whose displayed value is the level; NaN: it has none.
struct column {
	const char *path;
	level_fn level;
	int64_t process; // 0: it is of none
	uint32_t from;   // samples of a life; 0: all
	uint32_t to;
};

static struct incidents incidents;
static struct pmon_source *source;
static struct pmon_values shown;

static void
open_log(const struct column *columns, size_t n)
{
	struct mem_source *m = mem_source_new();
	uint32_t series[MOST];

	for (size_t c = 0; c < n; c++) {
		series[c] =
			mem_source_series(m, columns[c].path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
		if (columns[c].process != 0)
			pmon_schema_set_process(&m->base.schema, series[c], columns[c].process, -1);
	}
	for (uint32_t i = 0; i < N; i++) {
		mem_source_sample(m, T0 + (pmon_time)i * 15 * SECOND);
		for (size_t c = 0; c < n; c++) {
			bool lives =
				columns[c].to == 0 || (i >= columns[c].from && i < columns[c].to);
			double level = lives ? columns[c].level(i) : NAN;

			if (!isnan(level))
				mem_source_raw(m, series[c], (int64_t)level, 0);
		}
	}
	source = mem_source_open(m);
}

static void
judge(const struct column *columns, size_t n)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;

	open_log(columns, n);
	pmon_values_init(&shown, pmon_source_schema(source), NULL, NULL);
	incidents = (struct incidents){.n = 0};
	assert_true(tracks_begin(&incidents.tracks));
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_values_add(&shown, sample, &values, NULL), PMON_OK);
		assert_true(
			tracks_add(&incidents.tracks, pmon_source_schema(source), sample, values));
	}
	assert_true(incidents_judge(&incidents, NULL, 0));
}

static void
end(void)
{
	incidents_free(&incidents);
	pmon_values_free(&shown);
	pmon_source_close(source);
}

// ---- Levels ---------------------------------------------------------------------------------

static double
usual(uint32_t i)
{
	return 20 + (i * 7) % 5;
}
static double
pulse(uint32_t i)
{
	return i >= 200 && i < 240 ? 97 : usual(i);
}
static double
small_pulse(uint32_t i)
{
	return i >= 200 && i < 208 ? 60 : usual(i);
}
static double
halved(uint32_t i)
{
	return i < 300 ? 32e9 : 16e9;
}
static double
often_changed(uint32_t i)
{
	return i / 60 % 2 != 0 ? 32e9 : 16e9;
}
static double
away(uint32_t i)
{
	return i >= 200 && i < 220 ? NAN : usual(i);
}
static double
growing(uint32_t i)
{
	return 5e8 + 1e7 * (i % 120);
}
static double
life_1(uint32_t i)
{
	return i < 120 ? growing(i) : NAN;
}
static double
life_2(uint32_t i)
{
	return i >= 120 && i < 240 ? growing(i) : NAN;
}
static double
life_3(uint32_t i)
{
	return i >= 240 && i < 360 ? growing(i) : NAN;
}
static double
life_4(uint32_t i)
{
	return i >= 360 ? growing(i) : NAN;
}

// ---- Tests ----------------------------------------------------------------------------------

static void
test_pulse_and_its_id(void **state)
{
	static const struct column alone[] = {
		{"\\\\SRV\\Processor(_Total)\\% Processor Time", pulse, 0, 0, 0}};
	static const struct column with_others[] = {
		{"\\\\SRV\\System\\Processor Queue Length", pulse, 0, 0, 0},
		{"\\\\SRV\\Memory\\Available MBytes", usual, 0, 0, 0},
		{"\\\\SRV\\Processor(_Total)\\% Processor Time", pulse, 0, 0, 0}};
	static const struct column renamed[] = {
		{"\\\\OTHER\\Processor(_Total)\\% Processor Time", pulse, 0, 0, 0}};
	uint64_t id;
	(void)state;

	judge(alone, T_LEN(alone));
	assert_int_equal(incidents.n, 1);
	assert_int_equal(incidents.list[0].from, T0 + 199 * 15 * SECOND);
	assert_int_equal(incidents.list[0].to, T0 + 239 * 15 * SECOND);
	assert_true(incidents.list[0].head->shift.level == 97);
	assert_true(incidents.list[0].severity == INCIDENT_WARNING);
	id = incidents.list[0].id;
	end();
	judge(with_others, T_LEN(with_others));
	assert_int_equal(incidents.n, 1);
	assert_true(incidents.list[0].id == id);
	end();
	judge(renamed, T_LEN(renamed));
	assert_int_equal(incidents.n, 1);
	assert_true(incidents.list[0].id != id);
	end();
}

// One processor of four that is not full, and nothing waits.
static void
test_busy_part_is_no_incident(void **state)
{
	static const struct column columns[] = {
		{"\\\\SRV\\Processor(0)\\% Processor Time", usual, 0, 0, 0},
		{"\\\\SRV\\Processor(1)\\% Processor Time", small_pulse, 0, 0, 0},
		{"\\\\SRV\\Processor(2)\\% Processor Time", usual, 0, 0, 0},
		{"\\\\SRV\\Processor(3)\\% Processor Time", usual, 0, 0, 0}};
	(void)state;

	judge(columns, T_LEN(columns));
	assert_int_equal(incidents.n_evidence, 1);
	assert_int_equal(incidents.n, 0);
	end();
}

static void
test_configuration(void **state)
{
	static const struct column columns[] = {
		{"\\\\SRV\\Memory\\Commit Limit", halved, 0, 0, 0},
		{"\\\\SRV\\Network Interface(A)\\Current Bandwidth", often_changed, 0, 0, 0}};
	(void)state;

	judge(columns, T_LEN(columns));
	assert_int_equal(incidents.n, 0);
	assert_int_equal(incidents.tracks.events.n, 1);
	assert_int_equal(incidents.tracks.events.list[0].kind, EVENT_CONFIGURED);
	assert_int_equal(incidents.tracks.events.list[0].to, T0 + 300 * 15 * SECOND);
	assert_true(fabs(incidents.tracks.events.list[0].after - 16e9) < 1e4); // single floats
	end();
}

// All counters of a provider, or only some: one of SQL Server has other instances than another.
static void
test_absent(void **state)
{
	static const struct column all[] = {
		{"\\\\SRV\\MSSQL$A:SQL Statistics\\Batch Requests/sec", away, 0, 0, 0},
		{"\\\\SRV\\MSSQL$A:General Statistics\\Processes blocked", away, 0, 0, 0},
		{"\\\\SRV\\MSSQL$B:General Statistics\\Processes blocked", usual, 0, 0, 0}};
	static const struct column some[] = {
		{"\\\\SRV\\MSSQL$A:SQL Statistics\\Batch Requests/sec", away, 0, 0, 0},
		{"\\\\SRV\\MSSQL$A:General Statistics\\Processes blocked", usual, 0, 0, 0}};
	(void)state;

	judge(all, T_LEN(all));
	assert_int_equal(incidents.tracks.events.n, 1);
	assert_int_equal(incidents.tracks.events.list[0].kind, EVENT_ABSENT);
	assert_int_equal(incidents.tracks.events.list[0].from, T0 + 199 * 15 * SECOND);
	end();
	judge(some, T_LEN(some));
	assert_int_equal(incidents.tracks.events.n, 0);
	end();
}

// Each of four processes grows from 0.5 to 1.69 GB in 120 samples. Parts are 15 samples: their means lie 70 MB inside.
static void
test_recycled_leak(void **state)
{
	static const struct column columns[] = {
		{"\\\\SRV\\Process(w3wp)\\Private Bytes", life_1, 100, 0, 0},
		{"\\\\SRV\\Process(w3wp)\\Private Bytes", life_2, 200, 0, 0},
		{"\\\\SRV\\Process(w3wp)\\Private Bytes", life_3, 300, 0, 0},
		{"\\\\SRV\\Process(w3wp)\\Private Bytes", life_4, 400, 0, 0}};
	const struct evidence *head;
	(void)state;

	judge(columns, T_LEN(columns));
	assert_int_equal(incidents.n, 1);
	head = incidents.list[0].head;
	assert_int_equal(head->shift.kind, SHIFT_RECYCLED);
	assert_int_equal(head->shift.times, 4);
	assert_int_equal(head->from, 0);
	assert_int_equal(head->to, N);
	assert_true(fabs(head->shift.usual - 5.7e8) < 1e6);
	assert_true(fabs(head->shift.level - 16.2e8) < 1e6);
	// 10 MB in 15 s
	assert_true(fabs(incidents_slope(&incidents, head) / 2.4e9 - 1) < 0.02);
	end();
}

#define SERVICE(pid, from, to)                                                                     \
	{                                                                                          \
		"\\\\SRV\\Process(service)\\% Processor Time", usual, pid, from, to                \
	}

#define OTHERS                                                                                     \
	{                                                                                          \
		"\\\\SRV\\Memory\\Available MBytes", usual, 0, 0, 0                                \
	}

// Every 6 samples, with distances of 5 and of 7: a start is known to a sample. The life before may be long.
static void
test_loop(void **state)
{
	static const struct column columns[] = {OTHERS,
						SERVICE(1, 0, 100),
						SERVICE(2, 101, 106),
						SERVICE(3, 107, 111),
						SERVICE(4, 112, 118),
						SERVICE(5, 119, 124)};
	(void)state;

	judge(columns, T_LEN(columns));
	assert_int_equal(incidents.n, 1);
	assert_int_equal(incidents.list[0].head->shift.kind, SHIFT_LOOP);
	assert_int_equal(incidents.list[0].head->shift.times, 4);
	assert_int_equal(incidents.list[0].head->from, 100);
	end();
}

// A build starts compilers at irregular times, or several at once.
static void
test_build_is_no_loop(void **state)
{
	static const struct column irregular[] = {OTHERS,
						  SERVICE(1, 100, 101),
						  SERVICE(2, 101, 103),
						  SERVICE(3, 103, 104),
						  SERVICE(4, 104, 109),
						  SERVICE(5, 109, 110),
						  SERVICE(6, 110, 116),
						  SERVICE(7, 116, 117),
						  SERVICE(8, 117, 122)};
	static const struct column at_once[] = {OTHERS,
						SERVICE(1, 100, 101),
						SERVICE(2, 101, 102),
						SERVICE(3, 102, 103),
						SERVICE(4, 103, 104),
						SERVICE(5, 104, 105),
						SERVICE(6, 100, 101),
						SERVICE(7, 101, 102),
						SERVICE(8, 102, 103),
						SERVICE(9, 103, 104)};
	(void)state;

	judge(irregular, T_LEN(irregular));
	assert_int_equal(incidents.n, 0);
	end();
	judge(at_once, T_LEN(at_once));
	assert_int_equal(incidents.n, 0);
	end();
	// One of the two alone: each sample has another process.
	judge(at_once, 6);
	assert_int_equal(incidents.n, 1);
	end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pulse_and_its_id),
		cmocka_unit_test(test_busy_part_is_no_incident),
		cmocka_unit_test(test_configuration),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_recycled_leak),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_build_is_no_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
