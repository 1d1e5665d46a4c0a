// test_fleet.c - statistics of many logs at once equal those of the logs merged by time
// SPDX-License-Identifier: MIT
//
// Fleets are generated from a seed: machines with several logs each; counters that are reset and
// wrap around; instances that appear and disappear; logs that overlap, share samples, are empty, or
// break off. The test compares all visible results of the statistics.

#include "t.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "buf.h"
#include "model/source.h"
#include "query/statistics.h"

#define START       INT64_C(133485408000000000) // 2024-01-01
#define N_INSTANCES 4
#define N_SERIES    (3 * N_INSTANCES)
#define KEEP        (PMON_KEEP_TOTALS | PMON_KEEP_PERCENTILES)
#define MOST_LOGS   64

// ---- Generated logs -------------------------------------------------------------------------

struct plan {
	unsigned seed;
	unsigned machine;
	int64_t first_s; // number of the machine's sample that it begins with
	int64_t n;
	bool is_broken; // it fails after its last sample
	bool is_absent; // it cannot be opened
	bool is_late;   // its clock steps back once
	int32_t scale;
};

struct made {
	struct pmon_source base;
	const struct plan *plan;
	int64_t next;
	struct pmon_sample sample;
	uint32_t id[N_SERIES];
	uint32_t series[N_SERIES];
	struct pmon_raw raw[N_SERIES];
	atomic_int *open;
};

static uint32_t
hash(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t x = ((uint64_t)a << 40) ^ ((uint64_t)b << 20) ^ c;

	x = (x ^ (x >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
	x = (x ^ (x >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
	return (uint32_t)(x >> 32);
}

// The series of an instance: a rate of 32 bits, an average with its base, a share of the clock.
static void
add_series(struct made *m, unsigned i)
{
	static const uint32_t types[] = {PMON_PERF_COUNTER_COUNTER, PMON_PERF_AVERAGE_TIMER,
					 PMON_PERF_100NSEC_TIMER_INV};
	struct pmon_counter counter = {
		.type = types[i % 3], .time_base = 10000000, .default_scale = m->plan->scale};
	char text[128];
	struct pmon_path path;

	(void)snprintf(text, sizeof(text), "\\\\M%u\\Disk(%u)\\Counter %u", m->plan->machine, i / 3,
		       i % 3);
	assert_true(pmon_path_parse((struct pmon_span){text, strlen(text)}, &path, NULL));
	T_EQ_I64(pmon_schema_add(&m->base.schema, &path, &counter, i, 1000, &m->id[i]), PMON_OK);
}

// The raw value of a series in sample s of its machine, the same in every log that holds it.
static void
set_raw(const struct made *m, unsigned i, int64_t s, pmon_time time, struct pmon_raw *raw)
{
	const struct plan *p = m->plan;
	int64_t since = s - (int64_t)(hash(p->seed, p->machine, i) % 50); // it was reset then

	*raw = (struct pmon_raw){.time = time, .multi = 1};
	if (hash(p->seed + 1, p->machine, (uint32_t)(s * N_SERIES + i)) % 40 == 0)
		raw->status = PMON_RAW_NO_INSTANCE;
	raw->first = (since < 0 ? s : since) * 12345 + hash(p->seed, i, (uint32_t)s) % 1000;
	if (i % 3 == 0)
		raw->first = (int64_t)(uint32_t)(raw->first * 400000);
	raw->second = i % 3 == 1 ? (since < 0 ? s : since) / 2 : time;
}

static enum pmon_status
made_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct made *m = (struct made *)source;
	const struct plan *p = m->plan;
	int64_t s = p->first_s + m->next;

	if (m->next == p->n && p->is_broken) {
		*err = (struct pmon_err){.status = PMON_E_IO, .msg = "broken"};
		return PMON_E_IO;
	}
	if (m->next == p->n)
		return PMON_END;
	m->sample = (struct pmon_sample){.time = START + s * PMON_TIME_PER_SEC,
					 .ordinal = (uint64_t)m->next++,
					 .series = m->series,
					 .raw = m->raw};
	if (p->is_late && m->next == p->n / 2)
		m->sample.time -= 20 * PMON_TIME_PER_SEC;
	for (unsigned i = 0; i < N_SERIES; i++) {
		// Instances are gone for five samples at a time.
		if (hash(p->seed + 2, p->machine * 8 + i / 3, (uint32_t)(s / 5)) % 4 == 0)
			continue;
		if (m->id[i] == PMON_SERIES_NONE)
			add_series(m, i);
		m->series[m->sample.n] = m->id[i];
		set_raw(m, i, s, m->sample.time, &m->raw[m->sample.n++]);
	}
	m->base.info.bytes_read += 100;
	*sample = &m->sample;
	return PMON_OK;
}

static enum pmon_status
made_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)err;
	((struct made *)source)->next = 0;
	source->info.bytes_read = 0;
	return PMON_OK;
}

static void
made_close(struct pmon_source *source)
{
	struct made *m = (struct made *)source;

	(*m->open)--;
	pmon_schema_free(&m->base.schema);
	free(m);
}

static const struct pmon_source_ops made_ops = {made_next, made_rewind, made_close};

// ---- A fleet of them ------------------------------------------------------------------------

struct made_fleet {
	struct plan plans[MOST_LOGS];
	size_t n;
	atomic_int open;
	atomic_int most_open;
	int failed[MOST_LOGS];
};

static enum pmon_status
open_made(void *ctx, size_t i, struct pmon_source **source, struct pmon_err *err)
{
	struct made_fleet *fleet = ctx;
	struct made *m = calloc(1, sizeof(*m));
	int open = ++fleet->open;

	assert_non_null(m);
	*source = NULL;
	if (fleet->plans[i].is_absent) {
		fleet->open--;
		free(m);
		*err = (struct pmon_err){.status = PMON_E_NOTFOUND, .msg = "absent"};
		return PMON_E_NOTFOUND;
	}
	if (open > fleet->most_open)
		fleet->most_open = open;
	m->base.ops = &made_ops;
	m->base.info = (struct pmon_source_info){
		.format = "made", .writer = "", .converter = "", .machine = "", .zone = ""};
	m->base.info.size_bytes = 100 * (uint64_t)fleet->plans[i].n;
	m->open = &fleet->open;
	m->plan = &fleet->plans[i];
	for (unsigned k = 0; k < N_SERIES; k++)
		m->id[k] = PMON_SERIES_NONE;
	pmon_schema_init(&m->base.schema, pmon_mem_allocator(NULL));
	*source = &m->base;
	return PMON_OK;
}

static void
note_failed(void *ctx, size_t i, const struct pmon_err *err)
{
	struct made_fleet *fleet = ctx;

	assert_true(err->msg[0] != '\0');
	fleet->failed[i]++;
}

// Logs of a few machines, one after the other; with `oddities` some overlap, break off, or are absent.
static void
make_fleet(struct made_fleet *fleet, unsigned seed, bool oddities)
{
	unsigned machines = 2 + hash(seed, 1, 1) % 4;

	*fleet = (struct made_fleet){.n = 0};
	for (unsigned k = 0; k < machines * 6; k++) {
		uint32_t dice = hash(seed, k, 7);
		// Every other machine's logs are named from the newest to the oldest.
		unsigned machine = k % machines;
		int64_t part = machine % 2 == 0 ? k / machines : 5 - k / machines;
		struct plan *p = &fleet->plans[fleet->n++];

		*p = (struct plan){.seed = seed, .machine = machine, .first_s = part * 40, .n = 40};
		if (dice % 8 == 0)
			p->n -= dice % 30; // a gap to the next
		if (!oddities)
			continue;
		p->n += dice % 9 == 0 ? 10 : 0; // holds samples of the next too
		p->n = dice % 11 == 0 ? 0 : p->n;
		p->first_s -= dice % 13 == 0 ? 1 : 0; // and here one of the one before
		p->is_broken = dice % 17 == 0;
		p->is_absent = dice % 19 == 0;
		p->is_late = dice % 23 == 0;
		p->scale = dice % 29 == 0 ? 1 : 0;
	}
}

// ---- All that can be seen, as text -----------------------------------------------------------

static void
add_stats(struct buf *seen, const struct pmon_stats *s)
{
	struct pmon_value average = pmon_stats_average(s);

	for (size_t i = 0; i < PMON_V_COUNT; i++)
		buf_add(seen, " %" PRIu64, s->count[i]);
	buf_add(seen, " %a %d %a %d %a %" PRId64 " %a %" PRId64, s->last.value, (int)s->last.status,
		average.value, (int)average.status, s->minimum.value, s->minimum_time,
		s->maximum.value, s->maximum_time);
	buf_add(seen, " %" PRId64 " %" PRId64 " %" PRIu64 " %d", s->first_raw_time,
		s->last_raw_time, s->pairs, (int)s->wrapped);
	buf_add(seen, " %" PRIx64 " %" PRIx64, s->numerator.word[0], s->denominator.word[0]);
}

static void
add_kept(struct buf *seen, const struct pmon_statistics *statistics, size_t i)
{
	struct pmon_value total = pmon_statistics_total(statistics, i);

	buf_add(seen, " %a", total.value);
	for (double p = 0; p <= 100; p += 25) {
		struct pmon_value value = pmon_statistics_percentile(statistics, i, p);

		buf_add(seen, " %a %d", value.value, (int)value.status);
	}
}

static void
add_all(struct buf *seen, const struct pmon_source *source,
	const struct pmon_statistics *statistics)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	size_t n = pmon_schema_count(schema);
	const struct pmon_series **list = calloc(n + 1, sizeof(const struct pmon_series *));

	assert_non_null(list);
	pmon_schema_in_order(schema, list);
	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, list[i]->id);

		buf_add(seen, "%s from %u", list[i]->name.ptr, list[i]->source);
		// A series that only has values before the window shows nothing, however it is
		// stored.
		if (stats != NULL && pmon_stats_samples(stats) > 0) {
			add_stats(seen, stats);
			add_kept(seen, statistics, list[i]->id);
		}
		buf_add(seen, "\n");
	}
	buf_add(seen, "%" PRIu64 " bytes, %" PRIu64 " samples, %" PRIu64 " empty\n",
		pmon_source_info(source)->bytes_read, pmon_statistics_used(statistics).samples,
		pmon_statistics_used(statistics).empty);
	free(list);
}

// ---- Reading ---------------------------------------------------------------------------------

struct bounds {
	pmon_time from;
	pmon_time to;
};

static struct pmon_source *
merge_made(struct made_fleet *fleet, unsigned threads)
{
	struct pmon_logs logs = {.size = sizeof(logs),
				 .n = fleet->n,
				 .open = open_made,
				 .failed = note_failed,
				 .ctx = fleet,
				 .threads = threads};
	struct pmon_source *source;
	struct pmon_err err;

	T_EQ_I64(pmon_merge_logs(&logs, NULL, &source, &err), PMON_OK);
	return source;
}

static struct buf
read_by_time(struct made_fleet *fleet, const struct bounds *bounds)
{
	struct pmon_source *source = merge_made(fleet, 1);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct buf seen = {NULL, 0, 0};
	enum pmon_status status;
	struct pmon_err err;

	T_EQ_I64(pmon_window_open(source, bounds->from, bounds->to, NULL, &source, &err), PMON_OK);
	T_EQ_I64(pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		 PMON_OK);
	pmon_statistics_keep(statistics, KEEP);
	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
		T_EQ_I64(pmon_statistics_add(statistics, sample, NULL, &err), PMON_OK);
	T_EQ_I64(status, PMON_END);
	add_all(&seen, source, statistics);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return seen;
}

static struct buf
read_at_once(struct made_fleet *fleet, const struct bounds *bounds, unsigned threads)
{
	const struct pmon_statistics_options read = {
		.size = sizeof(read), .keep = KEEP, .threads = threads};
	struct pmon_fleet_options options = {
		.size = sizeof(options), .read = &read, .from = bounds->from, .to = bounds->to};
	struct pmon_source *source = merge_made(fleet, threads);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct buf seen = {NULL, 0, 0};
	struct pmon_err err;

	T_EQ_I64(pmon_fleet_read(source, &options, NULL, &statistics, &err), PMON_OK);
	add_all(&seen, source, statistics);
	T_EQ_I64(pmon_source_next(source, &sample, &err), PMON_END);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return seen;
}

static void
check_fleet(unsigned seed, bool oddities, const struct bounds *bounds)
{
	struct made_fleet fleet;
	struct buf by_time;
	int failed[MOST_LOGS];
	char label[64];

	make_fleet(&fleet, seed, oddities);
	by_time = read_by_time(&fleet, bounds);
	memcpy(failed, fleet.failed, sizeof(failed));
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct buf at_once;

		memset(fleet.failed, 0, sizeof(fleet.failed));
		at_once = read_at_once(&fleet, bounds, threads);
		(void)snprintf(label, sizeof(label), "seed %u, %u threads", seed, threads);
		T_EQ_STR_AT(at_once.text, by_time.text, label);
		assert_memory_equal(fleet.failed, failed, sizeof(failed));
		buf_free(&at_once);
	}
	T_EQ_I64_AT(fleet.open, 0, label);
	buf_free(&by_time);
}

static const struct bounds everything = {PMON_TIME_NONE, PMON_TIME_NONE};

static void
plain_fleets(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < t_runs("PMON_TEST_FLEETS", 40); seed++)
		check_fleet(seed, false, &everything);
}

static void
odd_fleets(void **state)
{
	(void)state;
	for (unsigned seed = 100; seed < 100 + t_runs("PMON_TEST_FLEETS", 300); seed++)
		check_fleet(seed, true, &everything);
}

static void
windows(void **state)
{
	(void)state;
	for (unsigned seed = 500; seed < 500 + t_runs("PMON_TEST_FLEETS", 100); seed++) {
		struct bounds bounds = {START + hash(seed, 3, 3) % 200 * PMON_TIME_PER_SEC,
					START + hash(seed, 4, 4) % 250 * PMON_TIME_PER_SEC};

		if (bounds.from > bounds.to)
			bounds.to = PMON_TIME_NONE;
		check_fleet(seed, seed % 2 == 0, &bounds);
	}
}

// For consecutive logs, one log a machine is open, plus the first log; while they are joined,
// a few logs a thread are open.
static void
few_are_open(void **state)
{
	struct made_fleet fleet;
	struct buf seen;

	(void)state;
	make_fleet(&fleet, 3, false);
	seen = read_by_time(&fleet, &everything);
	assert_true(fleet.n >= 12);
	assert_true(fleet.most_open <= 2 + (int)fleet.n / 6);
	buf_free(&seen);
	fleet.most_open = 0;
	seen = read_at_once(&fleet, &everything, 2);
	assert_true(fleet.most_open <= 1 + 2 * 2 + 2);
	buf_free(&seen);
}

static void
rewound(void **state)
{
	struct made_fleet fleet;
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err;
	uint64_t n[2] = {0, 0};

	(void)state;
	make_fleet(&fleet, 5, true);
	source = merge_made(&fleet, 2);
	for (int i = 0; i < 2; i++) {
		while (pmon_source_next(source, &sample, &err) == PMON_OK)
			n[i] += sample->n;
		T_EQ_I64(pmon_source_rewind(source, &err), PMON_OK);
	}
	assert_true(n[0] > 1000);
	T_EQ_U64(n[1], n[0]);
	pmon_source_close(source);
	T_EQ_I64(fleet.open, 0);
}

static void
none_opens(void **state)
{
	struct made_fleet fleet = {.n = 2, .plans = {{.is_absent = true}, {.is_absent = true}}};
	struct pmon_logs logs = {.size = sizeof(logs),
				 .n = 2,
				 .open = open_made,
				 .failed = note_failed,
				 .ctx = &fleet,
				 .threads = 2};
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	T_EQ_I64(pmon_merge_logs(&logs, NULL, &source, &err), PMON_E_NOTFOUND);
	assert_null(source);
	logs.failed = NULL;
	T_EQ_I64(pmon_merge_logs(&logs, NULL, &source, &err), PMON_E_NOTFOUND);
	T_EQ_STR(err.msg, "absent");
	T_EQ_I64(fleet.failed[0] + fleet.failed[1], 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_fleets), cmocka_unit_test(odd_fleets),
		cmocka_unit_test(windows),      cmocka_unit_test(few_are_open),
		cmocka_unit_test(rewound),      cmocka_unit_test(none_opens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
