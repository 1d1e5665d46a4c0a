// test_blg_write_time.c - the clocks in a written BLG: time zones, and several machines
// SPDX-License-Identifier: MIT

#include "t.h"

#include "blg_trip.h"
#include "folder.h"
#include "lines.h"

#include <pmon/query.h>

#include "format/blg/write.h"

// ---- Time -----------------------------------------------------------------------------------

// No counter contains UTC here: only the zone in the header determines it.
static void
clock_changes(const pmon_time *at, const int32_t *offsets, size_t n, pmon_time step)
{
	struct mem_source *m = trip_new();
	uint32_t a = trip_series(m, "\\\\S\\O\\A", COUNTER, false);
	size_t part = 0;

	for (pmon_time t = at[0]; t < at[n]; t += step) {
		while (t >= at[part + 1])
			part++;
		mem_source_sample_of(m, t, offsets[part], 0);
		trip_value(m, a, t / step);
	}
	round_trip(&m->base);
}

static void
test_daylight_saving(void **state)
{
	// Central Europe: 2020-03-29 01:00 UTC, 2020-10-25 01:00 UTC, 2021-03-28 01:00 UTC
	const pmon_time spring = T0 + (88 * 24 + 1) * HOUR;
	const pmon_time autumn = T0 + (298 * 24 + 1) * HOUR;
	const pmon_time spring_2021 = T0 + (452 * 24 + 1) * HOUR;
	const int32_t offsets[] = {60, 120, 60, 120};
	const pmon_time year[] = {T0, spring, autumn, spring_2021, spring_2021 + 48 * HOUR};
	const pmon_time in_spring[] = {spring - HOUR, spring, spring + 3 * HOUR};
	const pmon_time in_autumn[] = {autumn - 3 * HOUR, autumn, autumn + 3 * HOUR};
	const pmon_time odd[] = {autumn - 10 * SECOND, autumn - 7 * SECOND, autumn + HOUR};

	(void)state;
	clock_changes(year, offsets, 4, 30 * 60 * SECOND);
	clock_changes(in_spring, offsets, 2, 10 * SECOND);
	clock_changes(in_autumn, offsets + 1, 2, 10 * SECOND);
	clock_changes(odd, offsets + 1, 2, SECOND);
	clock_changes(year + 1, offsets + 1, 3, 30 * 60 * SECOND);
}

// The clock is set between samples, while the second values of a live source continue. A step by a
// multiple of 15 minutes looks like a change of time zone; but the events contain the offset, so no
// change is detected.
static void
test_clock_steps(void **state)
{
	static const int64_t steps_s[] = {900, 1800, 2700,  3600,  7200, 14 * 3600, 100,
					  777, -900, -3600, -7200, -100, -777,      86400};

	(void)state;
	for (unsigned has_clock = 0; has_clock < 2; has_clock++)
		for (size_t i = 0; i < T_LEN(steps_s); i++) {
			struct mem_source *m = trip_new();
			uint32_t id = trip_series(m, "\\\\S\\P(a)\\T",
						  has_clock ? TIMER_100N : COUNTER, true);

			for (int64_t k = 0; k < 9; k++) {
				pmon_time time =
					T0 + k * SECOND + (k >= 4 ? steps_s[i] * SECOND : 0);

				mem_source_sample_of(m, time, 60, 0);
				mem_source_put(m, id,
					       &(struct pmon_raw){.multi = 1,
								  .time = time,
								  .first = k,
								  .second = T0 + k * SECOND});
			}
			round_trip(&m->base);
		}
}

// More changes than the zone in the header can say, at moments that no zone has.
static void
test_many_zones(void **state)
{
	const int32_t offsets[] = {60, 120, 0, -300, 345, 60, 61};
	const pmon_time at[] = {T0,
				T0 + 7 * SECOND,
				T0 + 9 * SECOND,
				T0 + 11 * SECOND,
				T0 + 20 * SECOND,
				T0 + 30 * SECOND,
				T0 + 31 * SECOND,
				T0 + 40 * SECOND};

	(void)state;
	clock_changes(at, offsets, T_LEN(offsets), SECOND);
}

static void
test_zones(void **state)
{
	const int32_t offsets[] = {0, 330, 345, -570, -720, 840, 15, -480};

	(void)state;
	for (size_t i = 0; i < T_LEN(offsets); i++) {
		struct mem_source *m = trip_new();
		uint32_t a = trip_series(m, "\\\\S\\O\\A", COUNTER, false);

		m->base.info.zone = "A name of a zone that is longer than 31 characters";
		m->base.info.utc_offset_min = 60; // wrong; the samples know better
		for (size_t k = 0; k < 3; k++) {
			mem_source_sample_of(m, T0 + (pmon_time)k * SECOND + 1, offsets[i], 0);
			trip_value(m, a, (int64_t)k);
			// 100 ns units and times of their own are kept
			m->raw[m->n_values - 1].time += (int64_t)k - 20007;
		}
		round_trip(&m->base);
	}
}

// The rules of the source's zone are kept if they fit, otherwise not.
static void
test_zone_rules(void **state)
{
	struct blg_out_zone zone;
	struct pmon_source_info info = {.zone = "@tzres.dll,-212", .utc_offset_min = -480};
	uint8_t rules[BLG_OUT_ZONE];
	struct pmon_host host = {.zone_info = rules};

	(void)state;
	pmon_blg_out_zone_begin(&zone, &info);
	T_EQ_U64(pmon_le32(zone.bytes), 480);
	T_EQ_U64(zone.bytes[0x04 + 28], '2'); // "@tzres.dll,-212"
	T_EQ_U64(zone.bytes[0x58 + 28], '1'); // "@tzres.dll,-211"
	memcpy(rules, zone.bytes, sizeof(rules));
	rules[0x46] = 11, rules[0x4A] = 1, rules[0x4C] = 2; // first Sunday of November, 2:00
	rules[0x9A] = 3, rules[0x9E] = 2, rules[0xA0] = 2;  // second Sunday of March, 2:00
	info.host = &host;
	pmon_blg_out_zone_begin(&zone, &info);
	assert_false(pmon_blg_out_zone_add(&zone, T0, -480));
	assert_false(pmon_blg_out_zone_add(&zone, T0 + 180 * 24 * HOUR, -420));
	assert_memory_equal(zone.bytes, rules, sizeof(rules));
	pmon_blg_out_zone_begin(&zone, &info);
	assert_true(pmon_blg_out_zone_add(&zone, T0, 60));
	T_EQ_I64((int32_t)pmon_le32(zone.bytes), -60);
	assert_false(pmon_blg_out_zone_add(&zone, T0 + 180 * 24 * HOUR, 60));
}

// Changes of the clock that go there and back become rules: the weekday of a week of a month. In New York the clock
// is changed on the second Sunday of March and the first of November, at 2:00.
static void
test_rules_of_changes(void **state)
{
	static const uint8_t november[10] = {0, 0, 11, 0, 0,
					     0, 1, 0,  2, 0}; // year, month, weekday, week, hour
	static const uint8_t march[10] = {0, 0, 3, 0, 0, 0, 2, 0, 2, 0};
	const pmon_time spring = T0 + (67 * 24 + 7) * HOUR;  // 2020-03-08 07:00 UTC
	const pmon_time autumn = T0 + (305 * 24 + 6) * HOUR; // 2020-11-01 06:00 UTC
	struct pmon_source_info info = {.utc_offset_min = -300};
	struct blg_out_zone zone;

	(void)state;
	pmon_blg_out_zone_begin(&zone, &info);
	assert_false(pmon_blg_out_zone_add(&zone, spring - SECOND, -300));
	assert_true(pmon_blg_out_zone_add(&zone, spring, -240));
	assert_false(pmon_blg_out_zone_add(&zone, autumn - SECOND, -240));
	assert_true(pmon_blg_out_zone_add(&zone, autumn, -300));
	assert_memory_equal(zone.bytes + 0x44, november, sizeof(november));
	assert_memory_equal(zone.bytes + 0x98, march, sizeof(march));
}

// ---- Several logs ---------------------------------------------------------------------------

// Two machines, sampled in turn: neither is absent when it is the other's turn.
static void
test_streams(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t a = trip_series(m, "\\\\A\\O\\C", COUNTER, false);
	uint32_t ai = trip_series(m, "\\\\A\\P(i)\\C", COUNTER, true);
	uint32_t b = trip_series(m, "\\\\B\\O\\C", COUNTER, false);
	uint32_t bi = trip_series(m, "\\\\B\\P(i)\\C", COUNTER, true);
	struct pmon_source *back;
	struct lines x, y;

	(void)state;
	pmon_schema_set_source(&m->base.schema, b, 1);
	pmon_schema_set_source(&m->base.schema, bi, 1);
	for (size_t k = 0; k < 20; k++) {
		pmon_time t = T0 + (pmon_time)k * SECOND;

		mem_source_sample_of(m, t, 60, 0);
		trip_value(m, a, (int64_t)(k * k));
		if (k % 5 != 2)
			trip_value(m, ai, (int64_t)(k * k));
		if (k % 3 != 0)
			continue;
		mem_source_sample_of(m, t + SECOND / 2, 60, 1);
		if (k != 9) // an empty sample: both are absent
			trip_value(m, b, (int64_t)(k * k));
		if (k != 9)
			trip_value(m, bi, (int64_t)(k * k));
	}
	round_trip(&m->base);
	back = open_log(trip_path);
	x = read_statistics(back);
	assert_int_equal(x.n, 4);
	y = read_statistics(back);
	same_lines(&x, &y);
	pmon_source_close(back);
}

// The header has only one zone. A machine in another zone keeps its own clock if a counter provides
// it; otherwise its times are correct, but on the clock of the first machine.
static void
test_streams_in_zones(void **state)
{
	for (uint32_t has_clock = 0; has_clock < 2; has_clock++) {
		struct mem_source *m = trip_new();
		uint32_t a = trip_series(m, "\\\\A\\O\\C", COUNTER, false);
		uint32_t b = trip_series(m, "\\\\B\\O\\C", has_clock ? TIMER_100N : COUNTER, false);
		struct pmon_source *back;
		struct lines x, y;

		(void)state;
		pmon_schema_set_source(&m->base.schema, b, 1);
		m->base.info.utc_offset_min = 60;
		for (size_t k = 0; k < 20; k++) {
			pmon_time t = T0 + (pmon_time)k * SECOND;

			mem_source_sample_of(m, t, k % 2 ? 60 : -300, k % 2 == 0);
			trip_value(m, k % 2 ? a : b, (int64_t)k);
			m->raw[k].second = t;
		}
		if (has_clock) {
			round_trip(&m->base);
			continue;
		}
		write_log(&m->base);
		back = open_log(trip_path);
		x = read_lines(back);
		y = read_lines(&m->base);
		drop_samples(&x);
		drop_samples(&y);
		same_lines(&x, &y);
		pmon_source_close(back);
		pmon_source_close(&m->base);
	}
}

// ---- The performance clock ------------------------------------------------------------------

// Which counters a log has, in order: two timers on the system clock, which the clock change spoils,
// and perhaps one on the performance clock.
struct clocks_case {
	const char *order; // T: timers; P: the performance clock
	bool wildcard;     // the timers are instances
	bool perf_wildcard;
	uint64_t lost; // values after the clock was set that readers cannot recognize
};

struct told {
	uint64_t n;
	char text[256];
};

static void
take_loss(void *ctx, const struct pmon_notice *notice)
{
	struct told *told = ctx;

	assert_true(notice->is_loss);
	told->n++;
	(void)snprintf(told->text, sizeof(told->text), "%s", notice->text);
}

static void
write_and_listen(struct pmon_source *source, struct told *told)
{
	struct pmon_create_options options = {.size = sizeof(options),
					      .overwrite = true,
					      .notice = take_loss,
					      .notice_ctx = told};
	struct pmon_sink *sink;
	struct pmon_err err;

	assert_int_equal(pmon_log_create(trip_path, "blg", &options, &sink, &err), PMON_OK);
	assert_int_equal(pmon_copy(source, sink, NULL, &err), PMON_OK);
	pmon_sink_close(sink);
}

static bool
wants_timers(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->counter.len == 1 && path->counter.ptr[0] == 'T';
}

// Values after the clock was set that a reader of the timers recognizes.
static uint64_t
count_recognized(void)
{
	struct pmon_log_options options = {.size = sizeof(options), .want = wants_timers};
	struct pmon_identity_options identity = {.size = sizeof(identity)};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	uint64_t n = 0;

	assert_int_equal(pmon_log_open(trip_path, &options, &source, NULL), PMON_OK);
	assert_int_equal(pmon_identity_open(source, &identity, &source, NULL), PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		for (size_t i = 0; i < sample->n; i++)
			n += sample->raw[i].status == PMON_RAW_STEPPED;
	pmon_source_close(source);
	return n;
}

static void
try_clocks(const struct clocks_case *c, int64_t set_s, int64_t at)
{
	struct mem_source *m = trip_new();
	struct told told = {.n = 0};
	uint32_t timers[2] = {0, 0};
	uint32_t perf = PMON_SERIES_NONE;
	char want[64];

	for (const char *p = c->order; *p != '\0'; p++) {
		if (*p == 'P') {
			perf = trip_series(m, "\\\\S\\O(p)\\P", COUNTER, c->perf_wildcard);
			continue;
		}
		timers[0] = trip_series(m, "\\\\S\\O(a)\\T", TIMER_100N, c->wildcard);
		timers[1] = trip_series(m, "\\\\S\\O(b)\\T", TIMER_100N, c->wildcard);
	}
	for (int64_t k = 0; k < 9; k++) {
		pmon_time time = T0 + k * SECOND + (k >= at ? set_s * SECOND : 0);

		mem_source_sample(m, time);
		m->samples[m->n - 1].perf_100ns = (1000 + k) * SECOND;
		mem_source_raw(m, timers[0], k, time);
		mem_source_raw(m, timers[1], k, time);
		if (perf != PMON_SERIES_NONE)
			mem_source_raw(m, perf, k, (1000 + k) * 1000);
	}
	write_and_listen(&m->base, &told);
	assert_int_equal(told.n, c->lost > 0);
	(void)snprintf(want, sizeof(want), "before %d values", (int)c->lost);
	assert_true(c->lost == 0 || strstr(told.text, want) != NULL);
	assert_int_equal(count_recognized(), 2 - c->lost);
	pmon_source_close(&m->base);
}

// Whatever the order and the form of the counters: readers recognize that the clock was set, or the
// writer reports how many values it is lost for.
static void
test_set_clocks(void **state)
{
	static const struct clocks_case cases[] = {
		{"T", false, false, 2},  {"T", true, false, 2},  {"PT", false, false, 0},
		{"TP", false, false, 0}, {"PT", true, false, 0}, {"TP", true, false, 0},
		{"PT", true, true, 0},   {"TP", true, true, 0},  {"TP", false, true, 0},
	};
	static const int64_t steps_s[] = {5, -5, 61, 3600, -7200, 86400};

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++)
		for (size_t s = 0; s < T_LEN(steps_s); s++)
			for (int64_t at = 1; at < 9; at++)
				try_clocks(&cases[i], steps_s[s], at);
}

// ---------------------------------------------------------------------------------------------

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TRIP_TEST(test_daylight_saving), TRIP_TEST(test_zones),
		TRIP_TEST(test_clock_steps),     TRIP_TEST(test_many_zones),
		TRIP_TEST(test_zone_rules),      TRIP_TEST(test_rules_of_changes),
		TRIP_TEST(test_streams),         TRIP_TEST(test_streams_in_zones),
		TRIP_TEST(test_set_clocks),
	};

	return cmocka_run_group_tests(tests, trip_setup, folder_remove);
}
