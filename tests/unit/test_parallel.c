// test_parallel.c - statistics read by several threads equal those read by one
// SPDX-License-Identifier: MIT
//
// The comparison covers everything visible: the series in order, each field of their statistics,
// every notice, the description of the source, and the status.

#include "t.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "buf.h"
#include "format/format.h"
#include "memsource.h"
#include "query/statistics.h"

#define N_SAMPLES 500
#define N_PLACES  24
#define KEEP      (PMON_KEEP_TOTALS | PMON_KEEP_PERCENTILES)
#define START     INT64_C(133485408000000000) // 2024-01-01

// ---- All that can be seen, as text -----------------------------------------------------------

static void
add_value(struct buf *seen, const struct pmon_value *value, pmon_time time)
{
	buf_add(seen, " %a %d %d at %" PRId64, value->value, (int)value->status, (int)value->policy,
		time);
}

static void
add_raw(struct buf *seen, bool is_there, const struct pmon_raw *raw)
{
	if (is_there)
		buf_add(seen, " raw %u %u %" PRId64 " %" PRId64 " %" PRId64, raw->status,
			raw->multi, raw->time, raw->first, raw->second);
}

static void
add_stats(struct buf *seen, const struct pmon_stats *s)
{
	struct pmon_value average = pmon_stats_average(s);

	for (size_t i = 0; i < PMON_V_COUNT; i++)
		buf_add(seen, " %" PRIu64, s->count[i]);
	add_value(seen, &s->last, 0);
	add_value(seen, &average, 0);
	add_value(seen, &s->minimum, s->minimum_time);
	add_value(seen, &s->maximum, s->maximum_time);
	buf_add(seen, " %" PRId64 " %" PRId64 " %" PRIu64 " %d", s->first_raw_time,
		s->last_raw_time, s->pairs, (int)s->wrapped);
	for (size_t i = 0; i < 4; i++)
		buf_add(seen, " %" PRIx64 " %" PRIx64, s->numerator.word[i],
			s->denominator.word[i]);
	add_raw(seen, s->has_head, &s->head);
	add_raw(seen, s->has_tail, &s->tail);
}

static void
add_kept(struct buf *seen, const struct pmon_statistics *statistics, size_t i)
{
	struct pmon_value value = pmon_statistics_total(statistics, i);

	add_value(seen, &value, 0);
	for (double p = 0; p <= 100; p += 25) {
		value = pmon_statistics_percentile(statistics, i, p);
		add_value(seen, &value, 0);
	}
	// An invalid percentile is rejected, not rounded.
	assert_int_equal(pmon_statistics_percentile(statistics, i, -0.5).status, PMON_V_NO_DATA);
	assert_int_equal(pmon_statistics_percentile(statistics, i, 100.5).status, PMON_V_NO_DATA);
	assert_int_equal(pmon_statistics_percentile(statistics, i, NAN).status, PMON_V_NO_DATA);
}

static void
add_notice(void *ctx, const struct pmon_notice *notice)
{
	buf_add(ctx, "%d %" PRIu64 " %" PRIu64 " %s\n", (int)notice->is_loss, notice->offset,
		notice->length, notice->text);
}

static void
add_all(struct buf *seen, const struct pmon_source *source,
	const struct pmon_statistics *statistics)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	const struct pmon_source_info *info = pmon_source_info(source);
	size_t n = pmon_schema_count(schema);
	const struct pmon_series **list = calloc(n + 1, sizeof(const struct pmon_series *));

	assert_non_null(list);
	pmon_schema_in_order(schema, list);
	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, list[i]->id);

		buf_add(seen, "%s %x %d", list[i]->name.ptr, list[i]->counter.type,
			(int)list[i]->wildcard);
		if (stats != NULL) {
			add_stats(seen, stats);
			add_kept(seen, statistics, list[i]->id);
		}
		buf_add(seen, "\n");
	}
	buf_add(seen, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", info->utc_offset_min,
		info->bytes_read, info->records_unknown, info->losses, info->bytes_lost);
	buf_add(seen, "%" PRIu64 " samples, %" PRIu64 " empty\n",
		pmon_statistics_used(statistics).samples, pmon_statistics_used(statistics).empty);
	free(list);
}

// ---- Reading ---------------------------------------------------------------------------------

struct log {
	const char *bytes;
	size_t len;
};

static bool
want_some(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->instance.len == 0 || path->instance.ptr[path->instance.len - 1] % 3 != 0;
}

static bool
want_few(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->instance.len == 3 && memcmp(path->instance.ptr, "p42", 3) == 0;
}

// The selections; NULL for all counters.
static const pmon_want_fn wants[] = {NULL, want_some, want_few};

static struct pmon_source *
open_log(const struct log *log, struct buf *seen, pmon_want_fn want)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = add_notice, .notice_ctx = seen};
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;

	options.want = want;
	T_EQ_I64(pmon_file_memory(log->bytes, log->len, NULL, &file, &err), PMON_OK);
	status = pmon_log_open_file(file, &options, &source, &err);
	buf_add(seen, "opened: %d\n", (int)status);
	return status == PMON_OK ? source : NULL;
}

// Sample by sample, as anybody may; with threads the way that knows more of the source.
static enum pmon_status
read_statistics(struct pmon_source *source, unsigned threads, struct pmon_statistics **out,
		struct pmon_err *err)
{
	struct pmon_statistics_options options = {
		.size = sizeof(options), .keep = KEEP, .threads = threads, .part_bytes = 1};
	const struct pmon_sample *sample;
	enum pmon_status status;

	if (threads > 0)
		return pmon_statistics_read(source, &options, NULL, out, err);
	status = pmon_statistics_new(pmon_source_schema(source), NULL, NULL, out, err);
	assert_int_equal(status, PMON_OK);
	pmon_statistics_keep(*out, KEEP);
	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK)
		assert_int_equal(pmon_statistics_add(*out, sample, NULL, err), PMON_OK);
	if (status == PMON_END)
		return PMON_OK;
	pmon_statistics_free(*out);
	return status;
}

static struct buf
read_log(const struct log *log, unsigned threads, pmon_want_fn want)
{
	struct buf seen = {NULL, 0, 0};
	struct pmon_source *source = open_log(log, &seen, want);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	if (source == NULL)
		return seen;
	status = read_statistics(source, threads, &statistics, &err);
	buf_add(&seen, "read: %d %s\n", (int)status, status == PMON_OK ? "" : err.msg);
	if (status == PMON_OK) {
		add_all(&seen, source, statistics);
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_END);
		// The second time around, from the beginning again.
		pmon_statistics_free(statistics);
		assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
		T_EQ_I64(read_statistics(source, threads, &statistics, &err), PMON_OK);
		add_all(&seen, source, statistics);
		pmon_statistics_free(statistics);
	}
	pmon_source_close(source);
	return seen;
}

static void
check_log(const struct log *log, const char *label)
{
	static const unsigned threads[] = {1, 2, 5};

	for (size_t w = 0; w < T_LEN(wants); w++) {
		struct buf one = read_log(log, 0, wants[w]);

		for (size_t i = 0; i < T_LEN(threads); i++) {
			struct buf more = read_log(log, threads[i], wants[w]);

			T_EQ_STR_AT(more.text, one.text, label);
			buf_free(&more);
		}
		buf_free(&one);
	}
}

// The log can be read in n parts, to the end, and they fit together.
static void
check_parts(const struct log *log, size_t n)
{
	struct buf seen = {NULL, 0, 0};
	struct pmon_source *source = open_log(log, &seen, NULL);
	const struct pmon_sample *sample;
	struct pmon_source *parts[16];
	uint32_t *maps[16];
	struct pmon_err err;
	size_t n_parts = n;

	assert_non_null(source);
	assert_non_null(source->split);
	T_EQ_I64(source->split->split(source, 1, parts, &n_parts, &err), PMON_OK);
	T_EQ_U64(n_parts, n);
	for (size_t i = 0; i < n; i++) {
		enum pmon_status status = PMON_OK;

		while (status == PMON_OK)
			status = pmon_source_next(parts[i], &sample, &err);
		T_EQ_I64(status, PMON_END);
		maps[i] = calloc(pmon_schema_count(pmon_source_schema(parts[i])) + 1,
				 sizeof(uint32_t));
		assert_non_null(maps[i]);
	}
	T_EQ_I64(source->split->join(source, parts, n, maps, &err), PMON_OK);
	for (size_t i = 0; i < n; i++) {
		pmon_source_close(parts[i]);
		free(maps[i]);
	}
	pmon_source_close(source);
	buf_free(&seen);
}

// ---- Generated logs --------------------------------------------------------------------------

static const uint32_t types[] = {
	PMON_PERF_100NSEC_TIMER,     PMON_PERF_COUNTER_COUNTER,     PMON_PERF_COUNTER_RAWCOUNT,
	PMON_PERF_AVERAGE_TIMER,     PMON_PERF_RAW_FRACTION,        PMON_PERF_ELAPSED_TIME,
	PMON_PERF_100NSEC_TIMER_INV, PMON_PERF_COUNTER_LARGE_DELTA,
};

// The last value of a series.
struct last {
	int64_t first;
	int64_t second;
};

static void
put_value(struct t_rand *r, struct mem_source *m, uint32_t series, uint32_t type, pmon_time time,
	  struct last *last)
{
	if (t_rand_below(r, 60) == 0) {
		mem_source_bad(m, series, PMON_RAW_INVALID);
		return;
	}
	last->first += (int64_t)t_rand_below(r, 5000000);
	last->second += (int64_t)t_rand_below(r, 9);
	if (t_rand_below(r, 50) == 0)
		last->first = (int64_t)t_rand_below(r, 100);
	mem_source_raw(m, series, last->first,
		       (type & 0x00300C00u) == 0x00100400u ? time : last->second);
}

// Counters with their own paths, and instances that come and go, with `names` different names; or
// all with their own paths.
static struct pmon_source *
make_source(uint64_t seed, size_t names, bool are_single)
{
	struct t_rand r = {.state = seed};
	struct mem_source *m = mem_source_new();
	struct last *last = calloc(T_LEN(types) * (names + 1), sizeof(*last));
	size_t in_place[N_PLACES];
	struct pmon_source *source;
	pmon_time time = START;

	assert_non_null(last);
	for (size_t i = 0; i <= names; i++)
		for (size_t k = 0; k < T_LEN(types); k++) {
			char path[80];

			(void)snprintf(path, sizeof(path), "\\\\M\\%s(%s%zu)\\C%zu",
				       i == 0 ? "Own" : "Process",
				       i % 5 == 4 ? "a long name " : "p", i, k);
			T_EQ_U64(mem_source_series(m, path, types[k], 10000000),
				 i * T_LEN(types) + k);
		}
	for (size_t p = 0; p < N_PLACES; p++)
		in_place[p] = 1 + p % names;
	for (size_t s = 0; s < N_SAMPLES; s++) {
		time += PMON_TIME_PER_SEC + (int64_t)t_rand_below(&r, 1000) * 1000;
		mem_source_sample(m, time);
		in_place[t_rand_below(&r, N_PLACES)] = 1 + t_rand_below(&r, names);
		for (size_t p = 0; p <= N_PLACES; p++) {
			size_t i = p == 0 ? 0 : in_place[p - 1];
			bool is_twice = false;

			for (size_t q = 1; q < p; q++)
				is_twice = is_twice || in_place[q - 1] == i;
			// Some instances never have all counters.
			for (size_t k = 0; k < T_LEN(types) && !is_twice; k++)
				if (p > 0 ? i % 9 != 8 || k % 3 != 1 : t_rand_below(&r, 40) != 0)
					put_value(&r, m, (uint32_t)(i * T_LEN(types) + k), types[k],
						  time, &last[i * T_LEN(types) + k]);
		}
	}
	free(last);
	source = mem_source_open(m);
	for (size_t i = T_LEN(types); i < source->schema.n && !are_single; i++)
		source->schema.list[i]->wildcard = true;
	return source;
}

static struct log
make_log(const char *format, uint64_t seed, size_t names, bool are_single)
{
	char path[] = "/tmp/pmon-parallel-XXXXXX";
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_source *source = make_source(seed, names, are_single);
	struct pmon_sink *sink;
	struct pmon_err err = {.status = PMON_OK};
	struct log log;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	T_EQ_I64(pmon_log_create(path, format, &options, &sink, &err), PMON_OK);
	if (pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
	pmon_source_close(source);
	log.bytes = t_read_file(path, &log.len);
	assert_non_null(log.bytes);
	(void)close(fd);
	(void)unlink(path);
	return log;
}

static void
free_log(struct log *log)
{
	free((char *)log->bytes);
}

// ---- Tests -----------------------------------------------------------------------------------

static void
test_made_up_logs(void **state)
{
	static const char *const formats[] = {"blg", "csv", "tsv"};

	(void)state;
	for (size_t f = 0; f < T_LEN(formats); f++)
		for (uint64_t seed = 1; seed <= 2; seed++) {
			struct log log = make_log(formats[f], seed, seed == 1 ? 3 : 100, false);

			check_parts(&log, 5);
			check_log(&log, formats[f]);
			free_log(&log);
		}
}

// So many counters that, if few are requested, these are read one by one.
static void
test_many_counters(void **state)
{
	struct log log = make_log("blg", 31, 60, true);
	struct t_rand r = {.state = 6};
	char *bytes = (char *)log.bytes;

	(void)state;
	check_log(&log, "many counters");
	for (int round = 0; round < 3; round++) {
		size_t at = t_rand_below(&r, log.len);
		char before = bytes[at];

		bytes[at] = (char)t_rand_u64(&r);
		check_log(&log, "many counters, damaged");
		bytes[at] = before;
	}
	free_log(&log);
}

static void
test_damaged_logs(void **state)
{
	static const char *const formats[] = {"blg", "csv"};
	int rounds = getenv("PMON_TEST_FULL") != NULL ? 20 : 4;
	struct t_rand r = {.state = 5};

	(void)state;
	for (size_t f = 0; f < T_LEN(formats); f++) {
		struct log log = make_log(formats[f], 9, 20, false);
		char *bytes = (char *)log.bytes;

		for (int round = 0; round < rounds; round++) {
			size_t at = t_rand_below(&r, log.len);
			char before = bytes[at];
			size_t len = log.len;

			bytes[at] = (char)t_rand_u64(&r);
			if (round % 5 == 0)
				log.len = at + 1;
			check_log(&log, formats[f]);
			bytes[at] = before;
			log.len = len;
		}
		free_log(&log);
	}
}

// Two logs in one file; the second has another header and another clock: the parts must detect that.
static void
test_text_logs_put_together(void **state)
{
	struct log a = make_log("csv", 21, 4, false);
	struct log b = make_log("csv", 22, 5, false);
	struct log both = {NULL, a.len + b.len};
	char *bytes = malloc(both.len);

	(void)state;
	assert_non_null(bytes);
	memcpy(bytes, a.bytes, a.len);
	memcpy(bytes + a.len, b.bytes, b.len);
	both.bytes = bytes;
	check_log(&both, "two logs");
	free(bytes);
	free_log(&a);
	free_log(&b);
}

static void
check_real_log(const char *bytes, size_t len, const char *name)
{
	const struct log log = {.bytes = (char *)(uintptr_t)bytes, .len = len};

	check_log(&log, name);
}

static void
test_real_logs(void **state)
{
	static const char *const names[] = {
		"blg/pal-SampleLog.blg",
		"blg/pwsh-CorruptBlg.blg",
		"blg/pwsh-CounterSamples.blg",
		"blg/pwsh-CounterSamples.csv",
		"blg/pwsh-CounterSamples.tsv",
		"blg/tx-BasicPerfCounters.blg",
		"pdh-text/esxtop_gsliu_origin.csv",
		"pdh-text/mizosk_synthetic_small.csv",
		"pdh-text/sirisaac_Sample01.csv",
		"pdh-text/wfjsg_huge_value.csv",
		"pdh-text/wfjsg_test2.csv",
		"pdh-text/wfjsg_test_sjis.csv",
	};

	(void)state;
	t_each_data(names, T_LEN(names), check_real_log);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_made_up_logs), cmocka_unit_test(test_many_counters),
		cmocka_unit_test(test_damaged_logs), cmocka_unit_test(test_text_logs_put_together),
		cmocka_unit_test(test_real_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
