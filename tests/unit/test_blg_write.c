// test_blg_write.c - what is written as a BLG is read back
// SPDX-License-Identifier: MIT
//
// Sources are real logs, and small ones that are put together here. A source and the log that was
// written from it are compared as lists of lines, one for each raw value, and by their statistics.

#include "t.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/query.h>
#include <pmon/sink.h>

#include "base/mem.h"
#include "base/time.h"
#include "format/blg/write.h"
#include "model/source.h"

#define T0     INT64_C(132223104000000000) // 2020-01-01 00:00:00
#define SECOND PMON_TIME_PER_SEC
#define HOUR   (3600 * SECOND)

// Counter types.
#define RAWCOUNT   0x00010000u
#define COUNTER    0x10410400u // rate on the performance clock
#define TIMER_100N 0x20510500u // on the system clock
#define DOUBLE_RAW 0x00012000u

static char folder[] = "/tmp/pmon-blg-write-XXXXXX";
static char path[80];

// ---- A source that is put together ----------------------------------------------------------

struct fake {
	struct pmon_source source;
	struct pmon_allocator libc;
	struct pmon_sample *samples;
	size_t *from; // where the values of each begin
	size_t n, cap, from_cap;
	uint32_t *series;
	struct pmon_raw *raw;
	size_t n_values, series_cap, raw_cap;
	size_t pos;
	uint64_t ordinals[4];
};

static enum pmon_status
fake_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct fake *f = (struct fake *)source;
	struct pmon_sample *s;

	(void)err;
	if (f->pos == f->n)
		return PMON_END;
	s = &f->samples[f->pos];
	s->series = s->n > 0 ? f->series + f->from[f->pos] : NULL;
	s->raw = s->n > 0 ? f->raw + f->from[f->pos] : NULL;
	f->pos++;
	*sample = s;
	return PMON_OK;
}

static enum pmon_status
fake_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)err;
	((struct fake *)source)->pos = 0;
	return PMON_OK;
}

static void
fake_close(struct pmon_source *source)
{
	struct fake *f = (struct fake *)source;

	pmon_schema_free(&f->source.schema);
	free(f->samples);
	free(f->from);
	free(f->series);
	free(f->raw);
	free(f);
}

static const struct pmon_source_ops fake_ops = {fake_next, fake_rewind, fake_close};

static struct fake *
fake_new(void)
{
	struct fake *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->source.ops = &fake_ops;
	f->libc = *pmon_mem_allocator(NULL);
	pmon_schema_init(&f->source.schema, &f->libc);
	f->source.info.zone = "";
	f->source.info.log_start = PMON_TIME_NONE;
	f->source.info.log_end = PMON_TIME_NONE;
	return f;
}

// A series from its parts; the time base is 1000. NULL parts are absent.
static uint32_t
fake_parts(struct fake *f, const struct pmon_path *p, uint32_t type, bool wildcard)
{
	struct pmon_counter counter = {.type = type, .time_base = 1000, .default_scale = -2};
	uint32_t id;

	if (type == RAWCOUNT || type == DOUBLE_RAW)
		counter.time_base = 0;
	if (type == TIMER_100N)
		counter.time_base = PMON_TIME_PER_SEC;
	assert_int_equal(pmon_schema_add(&f->source.schema, p, &counter, f->source.schema.n,
					 UINT32_MAX, &id),
			 PMON_OK);
	f->source.schema.list[id]->wildcard = wildcard;
	return id;
}

static uint32_t
fake_series(struct fake *f, const char *text, uint32_t type, bool wildcard)
{
	struct pmon_path p;

	assert_true(pmon_path_parse(t_span(text), &p, NULL));
	return fake_parts(f, &p, type, wildcard);
}

static void
fake_sample(struct fake *f, pmon_time time, int32_t offset_min, uint32_t stream)
{
	assert_true(pmon_mem_grow(&f->libc, &f->samples, &f->cap, f->n + 1, sizeof(*f->samples)));
	assert_true(pmon_mem_grow(&f->libc, &f->from, &f->from_cap, f->n + 1, sizeof(*f->from)));
	f->from[f->n] = f->n_values;
	f->samples[f->n++] = (struct pmon_sample){.time = time,
						  .utc_offset_min = offset_min,
						  .stream = stream,
						  .ordinal = f->ordinals[stream]++};
}

static void
fake_raw(struct fake *f, uint32_t id, const struct pmon_raw *raw)
{
	assert_true(pmon_mem_grow(&f->libc, &f->series, &f->series_cap, f->n_values + 1,
				  sizeof(*f->series)));
	assert_true(
		pmon_mem_grow(&f->libc, &f->raw, &f->raw_cap, f->n_values + 1, sizeof(*f->raw)));
	f->series[f->n_values] = id;
	f->raw[f->n_values++] = *raw;
	f->samples[f->n - 1].n++;
}

// A value at the time of the sample.
static void
fake_value(struct fake *f, uint32_t id, int64_t first)
{
	pmon_time time = f->samples[f->n - 1].time;
	struct pmon_raw raw = {
		.multi = 1, .time = time, .first = first, .second = (time - T0) / 10000};

	fake_raw(f, id, &raw);
}

static void
fake_bad(struct fake *f, uint32_t id, uint32_t status)
{
	struct pmon_raw raw = {.status = status, .multi = 1, .time = f->samples[f->n - 1].time};

	fake_raw(f, id, &raw);
}

// ---- Lines ----------------------------------------------------------------------------------

struct lines {
	char **p;
	size_t n, cap;
};

static void
add_line(struct lines *l, const char *text)
{
	assert_true(
		pmon_mem_grow(pmon_mem_allocator(NULL), &l->p, &l->cap, l->n + 1, sizeof(*l->p)));
	l->p[l->n] = malloc(strlen(text) + 1);
	assert_non_null(l->p[l->n]);
	strcpy(l->p[l->n++], text);
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
sort_lines(struct lines *l)
{
	if (l->n > 1)
		qsort(l->p, l->n, sizeof(*l->p), compare_lines);
}

static void
free_lines(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->p[i]);
	free(l->p);
	*l = (struct lines){0};
}

static void
sample_line(struct lines *l, const struct pmon_sample *s)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "%" PRId64 " sample, offset %" PRId32, s->time,
		       s->utc_offset_min);
	add_line(l, line);
}

static void
value_line(struct lines *l, const struct pmon_series *series, const struct pmon_sample *s, size_t i)
{
	const struct pmon_raw *r = &s->raw[i];
	size_t size = series->name.len + 256;
	char *line = malloc(size);

	assert_non_null(line);
	(void)snprintf(line, size,
		       "%" PRId64 " %s type %08" PRIX32 " base %" PRId64 " scale %" PRId32
		       " status %08" PRIX32 " time %" PRId64 " %" PRId64 " %" PRId64 " x%" PRIu32,
		       s->time, series->name.ptr, series->counter.type, series->counter.time_base,
		       series->counter.default_scale, r->status, r->time, r->first, r->second,
		       r->multi);
	add_line(l, line);
	free(line);
}

static struct lines
read_lines(struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	const struct pmon_sample *s;
	struct lines l = {0};
	struct pmon_err err;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &s, &err)) == PMON_OK) {
		sample_line(&l, s);
		for (size_t i = 0; i < s->n; i++)
			value_line(&l, pmon_schema_at(schema, s->series[i]), s, i);
	}
	assert_int_equal(status, PMON_END);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	return l;
}

static size_t
put_value(char *buf, size_t size, const char *name, struct pmon_value v, pmon_time t)
{
	return (size_t)snprintf(buf, size, " %s %a %s %" PRId64, name, v.value,
				pmon_vstat_name(v.status), t);
}

static void
stats_line(struct lines *l, const struct pmon_series *series, const struct pmon_stats *st)
{
	size_t size = series->name.len + 1024;
	char *line = malloc(size);
	size_t n;

	assert_non_null(line);
	n = (size_t)snprintf(line, size, "%s %08" PRIX32, series->name.ptr, series->counter.type);
	n += put_value(line + n, size - n, "min", st->minimum, st->minimum_time);
	n += put_value(line + n, size - n, "max", st->maximum, st->maximum_time);
	n += put_value(line + n, size - n, "avg", pmon_stats_average(st), st->first_raw_time);
	for (size_t i = 0; i < PMON_V_COUNT; i++)
		n += (size_t)snprintf(line + n, size - n, " %" PRIu64, st->count[i]);
	add_line(l, line);
	free(line);
}

static struct lines
read_statistics(struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct pmon_statistics *st;
	const struct pmon_sample *s;
	struct lines l = {0};
	struct pmon_err err;

	assert_int_equal(pmon_statistics_new(schema, NULL, NULL, &st, &err), PMON_OK);
	while (pmon_source_next(source, &s, &err) == PMON_OK)
		assert_int_equal(pmon_statistics_add(st, s, NULL, &err), PMON_OK);
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (pmon_statistics_at(st, i) != NULL)
			stats_line(&l, pmon_schema_at(schema, i), pmon_statistics_at(st, i));
	pmon_statistics_free(st);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	return l;
}

// The same lines in any order. Frees both.
static void
same_lines(struct lines *got, struct lines *want)
{
	sort_lines(got);
	sort_lines(want);
	for (size_t i = 0; i < got->n && i < want->n; i++)
		T_EQ_STR_AT(got->p[i], want->p[i], "line");
	if (got->n != want->n)
		print_error("more: %s\n", got->n > want->n ? got->p[want->n] : want->p[got->n]);
	assert_int_equal(got->n, want->n);
	free_lines(got);
	free_lines(want);
}

// ---- Writing and reading --------------------------------------------------------------------

static struct pmon_sink *
create(void)
{
	struct pmon_create_options options = {.overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(path, "blg", &options, &sink, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return sink;
}

static void
write_log(struct pmon_source *source)
{
	struct pmon_sink *sink = create();
	struct pmon_err err;

	if (pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
}

static void
no_loss(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	if (notice->is_loss)
		fail_msg("%s", notice->text);
}

static struct pmon_source *
open_log(const char *name)
{
	struct pmon_log_options options = {.notice = no_loss};
	struct pmon_source *source;
	struct pmon_err err;

	if (pmon_log_open(name, &options, &source, &err) != PMON_OK)
		fail_msg("%s: %s", name, err.msg);
	return source;
}

// Every buffer says of itself what is true, and the header knows how many there are.
static void
check_buffers(void)
{
	size_t len;
	char *text = t_read_file(path, &len);
	const uint8_t *p = (const uint8_t *)text;

	assert_non_null(text);
	assert_int_equal(len % BLG_OUT_BUFFER, 0);
	T_EQ_U64(pmon_le32(p + 0x8C), len / BLG_OUT_BUFFER);
	assert_true(pmon_le64(p + 0x78) != 0);
	for (size_t at = 0, i = 0; at < len; at += BLG_OUT_BUFFER, i++) {
		uint32_t used = pmon_le32(p + at + 0x30);
		bool is_end = at == 0 || at + BLG_OUT_BUFFER == len;

		T_EQ_U64(pmon_le32(p + at), BLG_OUT_BUFFER);
		T_EQ_U64(pmon_le32(p + at + 4), used);
		T_EQ_U64(pmon_le64(p + at + 0x18), i);
		assert_true(used % 8 == 0 && used >= 0x48 && used <= BLG_OUT_BUFFER);
		T_EQ_U64(p[at + 0x34], (is_end ? 1u : 0u) | (i > 0 ? 0x20u : 0u));
		for (size_t k = used; k < BLG_OUT_BUFFER; k++)
			assert_int_equal(p[at + k], 0xFF);
	}
	free(text);
}

// Write a source, read it back, compare all of it. Closes the source.
static void
round_trip(struct pmon_source *source)
{
	struct pmon_source *back;
	struct lines a, b;

	write_log(source);
	check_buffers();
	back = open_log(path);
	a = read_lines(source);
	b = read_lines(back);
	same_lines(&b, &a);
	a = read_statistics(source);
	b = read_statistics(back);
	same_lines(&b, &a);
	pmon_source_close(back);
	pmon_source_close(source);
}

// The paths of the values of sample number n, in order, with a blank between them.
static void
values_of(size_t n, char *buf, size_t size)
{
	struct pmon_source *source = open_log(path);
	const struct pmon_sample *s;
	struct pmon_err err;
	size_t at = 0;

	for (size_t i = 0; i <= n; i++)
		assert_int_equal(pmon_source_next(source, &s, &err), PMON_OK);
	buf[0] = '\0';
	for (size_t i = 0; i < s->n; i++)
		at += (size_t)snprintf(
			buf + at, size - at, "%s%s=%" PRId64, i > 0 ? " " : "",
			pmon_schema_at(pmon_source_schema(source), s->series[i])->name.ptr,
			s->raw[i].first);
	pmon_source_close(source);
}

// ---- wr.h -----------------------------------------------------------------------------------

static void
test_wr(void **state)
{
	uint8_t buf[16];
	struct pmon_wr w = pmon_wr_init(buf, sizeof(buf));

	(void)state;
	pmon_wr_u8(&w, 1);
	pmon_wr_u8(&w, 2);
	pmon_wr_u16(&w, 0x0403);
	pmon_wr_u32(&w, 0x08070605);
	pmon_wr_i64(&w, INT64_C(0x100F0E0D0C0B0A09));
	assert_true(pmon_wr_ok(&w));
	for (size_t i = 0; i < sizeof(buf); i++)
		assert_int_equal(buf[i], i + 1);
	assert_int_equal(pmon_wr_left(&w), 0);
	pmon_wr_seek(&w, 14);
	pmon_wr_u32(&w, 0);
	assert_false(pmon_wr_ok(&w)); // there was room for two bytes only,
	pmon_wr_seek(&w, 0);
	pmon_wr_u8(&w, 0); // and now for none
	assert_int_equal(buf[0], 1);
	assert_int_equal(buf[15], 16);
	assert_null(pmon_wr_bytes(&w, 0));
}

// ---- Real logs ------------------------------------------------------------------------------

static void
real_log(const char *name)
{
	char *first, *second;
	size_t first_len, second_len;
	const char *file = t_data_path(name);

	if (file == NULL)
		skip();
	round_trip(open_log(file));
	first = t_read_file(path, &first_len);
	round_trip(open_log(path));
	second = t_read_file(path, &second_len);
	// What pmon wrote comes back to the byte, ids and times too.
	assert_int_equal(first_len, second_len);
	assert_memory_equal(first, second, first_len);
	free(first);
	free(second);
}

static void
test_real_pwsh(void **state)
{
	(void)state;
	real_log("blg/pwsh-CounterSamples.blg");
}

static void
test_real_tx(void **state)
{
	(void)state;
	real_log("blg/tx-BasicPerfCounters.blg");
}

// Whole objects come back as counters of their own.
static void
test_real_pal(void **state)
{
	(void)state;
	real_log("blg/pal-SampleLog.blg");
}

// ---- Instances ------------------------------------------------------------------------------

static void
test_churn(void **state)
{
	struct fake *f = fake_new();
	uint32_t free_bytes = fake_series(f, "\\\\S\\Memory\\Free", RAWCOUNT, false);
	uint32_t id[40];
	struct t_rand rand = {5};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		(void)snprintf(buf, sizeof(buf), "\\\\S\\Process(p%zu)\\Work%s", i / 2,
			       i % 2 ? "" : " Time");
		id[i] = fake_series(f, buf, i % 2 ? COUNTER : TIMER_100N, true);
	}
	for (size_t k = 0; k < 300; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 60, 0);
		fake_value(f, free_bytes, (int64_t)k);
		for (size_t i = 0; i < 40 && k % 50 != 7; i++) // in some there is none at all
			if (t_rand_below(&rand, 4) != 0)
				fake_value(f, id[i], (int64_t)(k * 100 + i));
	}
	round_trip(&f->source);
}

static void
test_duplicates(void **state)
{
	struct fake *f = fake_new();
	uint32_t a0 = fake_series(f, "\\\\S\\P(a)\\C", COUNTER, true);
	uint32_t a2 = fake_series(f, "\\\\S\\P(a#2)\\C", COUNTER, true);
	uint32_t b0 = fake_series(f, "\\\\S\\P(b)\\C", COUNTER, true);
	uint32_t a1 = fake_series(f, "\\\\S\\P(a#1)\\C", COUNTER, true);
	char buf[256];

	(void)state;
	// as a reader gives them; in another order; with the last gone
	for (size_t k = 0; k < 3; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		fake_value(f, k == 1 ? a1 : a0, (int64_t)k + 10);
		fake_value(f, b0, 20);
		fake_value(f, k == 1 ? a0 : a1, (int64_t)k + 30);
		if (k < 2)
			fake_value(f, a2, (int64_t)k + 40);
	}
	round_trip(&f->source);
	values_of(0, buf, sizeof(buf));
	T_EQ_STR(buf,
		 "\\\\S\\P(a)\\C=10 \\\\S\\P(b)\\C=20 \\\\S\\P(a#1)\\C=30 \\\\S\\P(a#2)\\C=40");
	values_of(1, buf, sizeof(buf));
	T_EQ_STR(buf,
		 "\\\\S\\P(a)\\C=31 \\\\S\\P(a#1)\\C=11 \\\\S\\P(a#2)\\C=41 \\\\S\\P(b)\\C=20");
}

// Where the first of a name was not selected, or is gone, the index stands in the name.
static void
test_duplicates_alone(void **state)
{
	struct fake *f = fake_new();
	uint32_t a1 = fake_series(f, "\\\\S\\P(a#1)\\C", COUNTER, true);
	uint32_t b3 = fake_series(f, "\\\\S\\P(b#3)\\C", COUNTER, true);
	uint32_t b4 = fake_series(f, "\\\\S\\P(b#4)\\C", COUNTER, true);

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		fake_value(f, a1, (int64_t)k);
		fake_value(f, b4, (int64_t)k * 2);
		fake_value(f, b3, (int64_t)k * 3);
	}
	round_trip(&f->source);
}

static void
test_duplicate_gone(void **state)
{
	struct fake *f = fake_new();
	uint32_t a0 = fake_series(f, "\\\\S\\P(a)\\C", RAWCOUNT, true);
	uint32_t a1 = fake_series(f, "\\\\S\\P(a#1)\\C", RAWCOUNT, true);
	char buf[256];

	(void)state;
	fake_sample(f, T0, 0, 0);
	fake_value(f, a0, 1);
	fake_value(f, a1, 2);
	fake_sample(f, T0 + SECOND, 0, 0);
	fake_value(f, a1, 3);
	write_log(&f->source);
	values_of(1, buf, sizeof(buf));
	T_EQ_STR(buf, "\\\\S\\P(a#1)\\C=3");
	pmon_source_close(&f->source);
}

// The same path twice in one source stays two.
static void
test_same_path_twice(void **state)
{
	for (size_t wildcard = 0; wildcard < 2; wildcard++) {
		struct fake *f = fake_new();
		uint32_t x = fake_series(f, "\\\\S\\P(a)\\C", RAWCOUNT, wildcard);
		uint32_t y = fake_series(f, "\\\\S\\P(a)\\C", RAWCOUNT, wildcard);

		(void)state;
		for (size_t k = 0; k < 3; k++) {
			fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
			fake_value(f, x, (int64_t)k);
			fake_value(f, y, (int64_t)k + 100);
		}
		round_trip(&f->source);
	}
}

static void
test_parents_and_names(void **state)
{
	static const char *const paths[] = {
		"\\\\S\\Thread(explorer/0)\\C",
		"\\\\S\\Thread(explorer/0#1)\\C",
		"\\\\S\\Thread(explorer#1/0)\\C",
		"\\\\S\\Thread()\\C",
		"\\\\S\\Thread(d:/x (1))\\C",
		"\\\\S\\Thread(a, \"b\" \\ c)\\C",
		"\\\\S\\Thread(\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80)\\\xD0\x9F/s",
		"\\Thread(no machine)\\C",
		"\\\\S\\Thread(a#07)\\C",
		"\\\\S\\Thread(/)\\C",
	};

	(void)state;
	for (size_t wildcard = 0; wildcard < 2; wildcard++) {
		struct fake *f = fake_new();

		for (size_t i = 0; i < T_LEN(paths); i++)
			(void)fake_series(f, paths[i], COUNTER, wildcard);
		for (size_t k = 0; k < 3; k++) {
			fake_sample(f, T0 + (pmon_time)k * SECOND, -480, 0);
			for (uint32_t i = 0; i < T_LEN(paths); i++)
				fake_value(f, i, (int64_t)(k * 7 + i));
		}
		round_trip(&f->source);
	}
}

// What UTF-16 with a NUL at its end cannot say becomes U+FFFD.
static void
test_unspeakable_names(void **state)
{
	struct fake *f = fake_new();
	struct pmon_path p = {.object = PMON_SPAN("O\0x"), .counter = PMON_SPAN("\xFF\xC3(")};
	char buf[64];

	(void)state;
	fake_sample(f, T0, 0, 0);
	fake_value(f, fake_parts(f, &p, RAWCOUNT, false), 5);
	write_log(&f->source);
	values_of(0, buf, sizeof(buf));
	T_EQ_STR(buf, "\\O\xEF\xBF\xBDx\\\xEF\xBF\xBD\xEF\xBF\xBD(=5");
	pmon_source_close(&f->source);
}

// ---- Statuses -------------------------------------------------------------------------------

static void
test_bad_statuses(void **state)
{
	static const uint32_t bad[] = {PMON_RAW_NO_MACHINE, PMON_RAW_NO_INSTANCE, PMON_RAW_INVALID,
				       0x800007D5u};
	struct fake *f = fake_new();
	uint32_t one = fake_series(f, "\\\\S\\O\\C", COUNTER, false);
	uint32_t a = fake_series(f, "\\\\S\\P(a)\\C", COUNTER, true);
	uint32_t b = fake_series(f, "\\\\S\\P(b)\\C", COUNTER, true);

	(void)state;
	for (size_t k = 0; k < 12; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		if (k % 3 == 1) {
			fake_bad(f, one, bad[k / 3]);
			fake_bad(f, a, bad[k / 3]);
			fake_bad(f, b, bad[k / 3]);
		} else {
			fake_value(f, one, (int64_t)(k * k));
			fake_value(f, a, (int64_t)(k * k));
			fake_value(f, b, (int64_t)(k * k));
		}
	}
	f->raw[6].status = PMON_RAW_NEW;
	round_trip(&f->source);
}

// The instances of a record have one status: of those that differ the usable ones are kept.
static void
test_mixed_statuses(void **state)
{
	struct fake *f = fake_new();
	uint32_t a = fake_series(f, "\\\\S\\P(a)\\C", RAWCOUNT, true);
	uint32_t b = fake_series(f, "\\\\S\\P(b)\\C", RAWCOUNT, true);
	uint32_t c = fake_series(f, "\\\\S\\P(c)\\C", RAWCOUNT, true);
	char buf[128];

	(void)state;
	fake_sample(f, T0, 0, 0);
	fake_bad(f, a, PMON_RAW_INVALID);
	fake_value(f, b, 2);
	fake_value(f, c, 3);
	write_log(&f->source);
	values_of(0, buf, sizeof(buf));
	T_EQ_STR(buf, "\\\\S\\P(b)\\C=2 \\\\S\\P(c)\\C=3");
	pmon_source_close(&f->source);
}

// A counter that was absent is absent when it is read back: what follows starts anew.
static void
test_absent(void **state)
{
	struct fake *f = fake_new();
	uint32_t a = fake_series(f, "\\\\S\\O\\A", COUNTER, false);
	uint32_t b = fake_series(f, "\\\\S\\O(i/j#2)\\B", COUNTER, false);

	(void)state;
	for (size_t k = 0; k < 9; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		if (k % 4 != 1)
			fake_value(f, a, (int64_t)(k * k));
		if (k % 4 != 2)
			fake_value(f, b, (int64_t)(k * k));
	}
	round_trip(&f->source);
}

static void
test_formatted(void **state)
{
	static const double values[] = {0.1, -1e300, 5e-324, 0.0, 123456789.0625};
	struct fake *f = fake_new();
	uint32_t a = fake_series(f, "\\\\S\\O\\A", DOUBLE_RAW, false);

	(void)state;
	f->source.schema.list[a]->formatted = true;
	for (size_t k = 0; k < T_LEN(values); k++) {
		int64_t bits;

		memcpy(&bits, &values[k], sizeof(bits));
		fake_sample(f, T0 + (pmon_time)k * SECOND + 3, 0, 0);
		fake_raw(f, a,
			 &(struct pmon_raw){.multi = 1,
					    .time = T0 + (pmon_time)k * SECOND + 3,
					    .first = bits});
	}
	round_trip(&f->source);
}

// ---- Time -----------------------------------------------------------------------------------

// No counter tells UTC here: the zone in the header alone does.
static void
clock_changes(const pmon_time *at, const int32_t *offsets, size_t n, pmon_time step)
{
	struct fake *f = fake_new();
	uint32_t a = fake_series(f, "\\\\S\\O\\A", COUNTER, false);
	size_t part = 0;

	for (pmon_time t = at[0]; t < at[n]; t += step) {
		while (t >= at[part + 1])
			part++;
		fake_sample(f, t, offsets[part], 0);
		fake_value(f, a, t / step);
	}
	round_trip(&f->source);
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

static void
test_zones(void **state)
{
	const int32_t offsets[] = {0, 330, 345, -570, -720, 840, 15, -480};

	(void)state;
	for (size_t i = 0; i < T_LEN(offsets); i++) {
		struct fake *f = fake_new();
		uint32_t a = fake_series(f, "\\\\S\\O\\A", COUNTER, false);

		f->source.info.zone = "A name of a zone that is longer than 31 characters";
		f->source.info.utc_offset_min = 60; // wrong; the samples know better
		for (size_t k = 0; k < 3; k++) {
			fake_sample(f, T0 + (pmon_time)k * SECOND + 1, offsets[i], 0);
			fake_value(f, a, (int64_t)k);
			// 100 ns units and times of their own are kept
			f->raw[f->n_values - 1].time += (int64_t)k - 20007;
		}
		round_trip(&f->source);
	}
}

// The rules of the source's zone are kept where they fit, else not.
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

// ---- Several logs ---------------------------------------------------------------------------

// Two machines, sampled in turn: neither is absent when it is the other's turn.
static void
test_streams(void **state)
{
	struct fake *f = fake_new();
	uint32_t a = fake_series(f, "\\\\A\\O\\C", COUNTER, false);
	uint32_t ai = fake_series(f, "\\\\A\\P(i)\\C", COUNTER, true);
	uint32_t b = fake_series(f, "\\\\B\\O\\C", COUNTER, false);
	uint32_t bi = fake_series(f, "\\\\B\\P(i)\\C", COUNTER, true);
	struct pmon_source *back;
	struct lines x, y;

	(void)state;
	pmon_schema_set_source(&f->source.schema, b, 1);
	pmon_schema_set_source(&f->source.schema, bi, 1);
	for (size_t k = 0; k < 20; k++) {
		pmon_time t = T0 + (pmon_time)k * SECOND;

		fake_sample(f, t, 60, 0);
		fake_value(f, a, (int64_t)(k * k));
		if (k % 5 != 2)
			fake_value(f, ai, (int64_t)(k * k));
		if (k % 3 != 0)
			continue;
		fake_sample(f, t + SECOND / 2, 60, 1);
		if (k != 9) // an empty sample: both are absent
			fake_value(f, b, (int64_t)(k * k));
		if (k != 9)
			fake_value(f, bi, (int64_t)(k * k));
	}
	round_trip(&f->source);
	back = open_log(path);
	x = read_statistics(back);
	assert_int_equal(x.n, 4);
	y = read_statistics(back);
	same_lines(&x, &y);
	pmon_source_close(back);
}

static void
drop_sample_lines(struct lines *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (strstr(l->p[i], " sample, ") != NULL)
			free(l->p[i]);
		else
			l->p[n++] = l->p[i];
	l->n = n;
}

// The header has one zone. A machine in another one keeps its own clock where a counter tells it;
// else its moments are right, on the clock of the first machine.
static void
test_streams_in_zones(void **state)
{
	for (uint32_t has_clock = 0; has_clock < 2; has_clock++) {
		struct fake *f = fake_new();
		uint32_t a = fake_series(f, "\\\\A\\O\\C", COUNTER, false);
		uint32_t b = fake_series(f, "\\\\B\\O\\C", has_clock ? TIMER_100N : COUNTER, false);
		struct pmon_source *back;
		struct lines x, y;

		(void)state;
		pmon_schema_set_source(&f->source.schema, b, 1);
		f->source.info.utc_offset_min = 60;
		for (size_t k = 0; k < 20; k++) {
			pmon_time t = T0 + (pmon_time)k * SECOND;

			fake_sample(f, t, k % 2 ? 60 : -300, k % 2 == 0);
			fake_value(f, k % 2 ? a : b, (int64_t)k);
			f->raw[k].second = t;
		}
		if (has_clock) {
			round_trip(&f->source);
			continue;
		}
		write_log(&f->source);
		back = open_log(path);
		x = read_lines(back);
		y = read_lines(&f->source);
		drop_sample_lines(&x);
		drop_sample_lines(&y);
		same_lines(&x, &y);
		pmon_source_close(back);
		pmon_source_close(&f->source);
	}
}

// ---- Samples like the one before ------------------------------------------------------------

// A sample that mostly lists what the one before it did, in the same order, and else a part of all.
static void
random_sample(struct fake *f, struct t_rand *rand, uint32_t n_series)
{
	size_t before = f->n > 0 ? f->from[f->n - 1] : 0;
	size_t n_before = f->n > 0 ? f->samples[f->n - 1].n : 0;
	uint32_t leave_out = (uint32_t)t_rand_below(rand, 4);
	uint32_t first = (uint32_t)t_rand_below(rand, n_series);

	fake_sample(f, T0 + (pmon_time)f->n * SECOND, 0, 0);
	if (t_rand_below(rand, 4) > 0 && n_before > 0) {
		for (size_t i = 0; i < n_before; i++)
			fake_value(f, f->series[before + i], (int64_t)t_rand_below(rand, 1000));
		return;
	}
	for (uint32_t i = 0; i < n_series; i++)
		if (leave_out == 0 || t_rand_below(rand, leave_out) == 0)
			fake_value(f, (first + i) % n_series, (int64_t)t_rand_below(rand, 1000));
}

// The values of every sample in another order than those of the sample before it.
static void
shuffle(struct fake *f, struct t_rand *rand)
{
	for (size_t k = 0; k < f->n; k++) {
		uint32_t *series = f->series + f->from[k];
		struct pmon_raw *raw = f->raw + f->from[k];

		for (uint32_t i = (uint32_t)f->samples[k].n; i > 1; i--) {
			uint32_t j = (uint32_t)t_rand_below(rand, i);
			uint32_t id = series[i - 1];
			struct pmon_raw value = raw[i - 1];

			series[i - 1] = series[j];
			raw[i - 1] = raw[j];
			series[j] = id;
			raw[j] = value;
		}
	}
}

// A sample that lists what the one before it did is written in a short way, and in another order in the
// plain one: the log is the same.
static void
test_like_before(void **state)
{
	struct t_rand rand = {1};

	(void)state;
	for (uint32_t n_series = 1; n_series < 200; n_series = n_series * 3 + 1) {
		struct fake *f = fake_new();
		char name[64];
		size_t len, plain_len;
		char *bytes;
		char *plain;

		for (uint32_t i = 0; i < n_series; i++) {
			(void)snprintf(name, sizeof(name), "\\\\S\\O(i%u)\\C", i);
			(void)fake_series(f, name, i % 2 ? COUNTER : RAWCOUNT, false);
		}
		for (int i = 0; i < 200; i++)
			random_sample(f, &rand, n_series);
		write_log(&f->source);
		bytes = t_read_file(path, &len);
		shuffle(f, &rand);
		write_log(&f->source);
		plain = t_read_file(path, &plain_len);
		assert_int_equal(len, plain_len);
		assert_memory_equal(bytes, plain, len);
		free(bytes);
		free(plain);
		round_trip(&f->source);
	}
}

// ---- Sizes ----------------------------------------------------------------------------------

// Records of more than one part, and of more than one buffer.
static void
many(size_t n, bool wildcard, size_t n_samples)
{
	struct fake *f = fake_new();
	char buf[64];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(buf, sizeof(buf), "\\\\S\\O(instance %zu)\\C", i);
		(void)fake_series(f, buf, COUNTER, wildcard);
	}
	for (size_t k = 0; k < n_samples; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		for (uint32_t i = 0; i < n; i++)
			fake_value(f, i, (int64_t)(k * n + i));
	}
	round_trip(&f->source);
}

static void
test_many(void **state)
{
	(void)state;
	for (size_t n = 160; n < 172; n++) // about 8000 bytes, the size of a part
		many(n, false, 3);
	for (size_t n = 1360; n < 1368; n++) // about a buffer
		many(n, false, 2);
	many(5000, false, 7);
	many(5000, true, 7);
	many(3, true, 2000);
}

static void
test_empty(void **state)
{
	struct fake *f = fake_new();
	struct pmon_sink *sink = create();
	struct pmon_source *back;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_copy(&f->source, sink, NULL, &err), PMON_E_UNSUPPORTED);
	pmon_sink_close(sink);
	(void)fake_series(f, "\\\\S\\O\\C", COUNTER, false);
	(void)fake_series(f, "\\\\S\\P(i)\\C", COUNTER, true);
	round_trip(&f->source);
	back = open_log(path);
	assert_int_equal(pmon_schema_count(pmon_source_schema(back)), 1);
	pmon_source_close(back);
	f = fake_new();
	(void)fake_series(f, "\\\\S\\O\\C", COUNTER, false);
	fake_sample(f, T0, 0, 0); // a sample without any value
	fake_sample(f, T0 + SECOND, 0, 0);
	round_trip(&f->source);
}

// ---- The calls ------------------------------------------------------------------------------

static void
test_options(void **state)
{
	struct pmon_create_options options = {.overwrite = false};
	struct pmon_sink *sink;
	struct pmon_err err;
	struct fake *f = fake_new();

	(void)state;
	assert_int_equal(pmon_log_create("-", "blg", &options, &sink, &err), PMON_E_UNSUPPORTED);
	(void)fake_series(f, "\\\\S\\O\\C", COUNTER, false);
	write_log(&f->source);
	assert_int_equal(pmon_log_create(path, "blg", &options, &sink, &err), PMON_E_EXISTS);
	assert_null(sink);
	pmon_source_close(&f->source);
}

// Instances may come late; counters may not.
static void
test_late_series(void **state)
{
	struct fake *f = fake_new();
	struct pmon_sink *sink = create();
	struct pmon_source *back;
	struct pmon_err err;
	struct lines l;
	uint32_t id;

	(void)state;
	fake_sample(f, T0, 0, 0);
	assert_int_equal(pmon_sink_add(sink, &f->samples[0], NULL, &err), PMON_E_STATE);
	(void)fake_series(f, "\\\\S\\P(i)\\C", COUNTER, true);
	assert_int_equal(pmon_sink_begin(sink, &f->source.schema, &f->source.info, &err), PMON_OK);
	for (size_t k = 0; k < 40; k++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "\\\\S\\P(i#%zu)\\C", k + 1);
		id = fake_series(f, name, COUNTER, true);
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		for (uint32_t i = 0; i <= id; i++)
			fake_value(f, i, (int64_t)(k * i));
	}
	f->pos = 1;
	for (size_t k = 0; k < 40; k++) {
		const struct pmon_sample *s;

		assert_int_equal(pmon_source_next(&f->source, &s, &err), PMON_OK);
		assert_int_equal(pmon_sink_add(sink, s, NULL, &err), PMON_OK);
	}
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
	pmon_sink_close(sink);
	back = open_log(path);
	l = read_lines(back);
	assert_int_equal(l.n, 40 + 41 * 42 / 2 - 1); // lines of samples, and of 2 to 41 values
	free_lines(&l);
	assert_int_equal(pmon_schema_count(pmon_source_schema(back)), 41);
	pmon_source_close(back);
	sink = create();
	assert_int_equal(pmon_sink_begin(sink, &f->source.schema, &f->source.info, &err), PMON_OK);
	assert_int_equal(pmon_sink_add(sink, &f->samples[1], NULL, &err), PMON_OK);
	(void)fake_series(f, "\\\\S\\New\\C", COUNTER, false);
	assert_int_equal(pmon_sink_add(sink, &f->samples[2], NULL, &err), PMON_E_STATE);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
	pmon_sink_close(sink);
	pmon_source_close(&f->source);
}

// ---- A writer that is stopped ---------------------------------------------------------------

// The file under its temporary name; false when there is none.
static bool
find_temp(char *buf, size_t size)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool found = false;

	assert_non_null(dir);
	while (!found && (entry = readdir(dir)) != NULL) {
		found = strstr(entry->d_name, ".tmp") != NULL;
		if (found)
			(void)snprintf(buf, size, "%s/%.64s", folder, entry->d_name);
	}
	closedir(dir);
	return found;
}

// A log of some weight: churn, two machines' worth of singles, records of several parts.
static struct fake *
busy(size_t n_samples)
{
	struct fake *f = fake_new();
	struct t_rand rand = {9};
	char buf[64];

	for (size_t i = 0; i < 60; i++) {
		(void)snprintf(buf, sizeof(buf), "\\\\S\\P(instance %zu)\\C", i);
		(void)fake_series(f, buf, COUNTER, true);
		(void)snprintf(buf, sizeof(buf), "\\\\S\\O\\C %zu", i);
		(void)fake_series(f, buf, COUNTER, false);
	}
	for (size_t k = 0; k < n_samples; k++) {
		fake_sample(f, T0 + (pmon_time)k * SECOND, 0, 0);
		for (uint32_t i = 0; i < 120; i++)
			if (i % 2 == 1 || t_rand_below(&rand, 3) != 0)
				fake_value(f, i, (int64_t)(k * i));
	}
	return f;
}

// The file holds the first samples of the source, whole, and at least so many.
static void
check_prefix(const char *name, struct pmon_source *source, size_t at_least)
{
	struct lines want = read_lines(source);
	struct pmon_source *back = NULL;
	struct lines got = {0};
	struct pmon_err err;
	size_t n_samples = 0, end = 0;

	if (pmon_log_open(name, NULL, &back, &err) == PMON_OK)
		got = read_lines(back);
	for (size_t i = 0; i < got.n; i++)
		n_samples += strstr(got.p[i], " sample, ") != NULL;
	assert_true(n_samples >= at_least);
	for (size_t n = 0; end < want.n; end++) {
		n += strstr(want.p[end], " sample, ") != NULL;
		if (n > n_samples)
			break;
		// cut behind the last sample that is there
	}
	for (size_t i = end; i < want.n; i++)
		free(want.p[i]);
	want.n = end;
	same_lines(&got, &want);
	pmon_source_close(back);
}

static void
copy_file(const char *from, const char *to)
{
	size_t len;
	char *bytes = t_read_file(from, &len);
	FILE *file = fopen(to, "wb");

	assert_non_null(bytes);
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	free(bytes);
}

// The log has the same bytes when it is written again without flushing.
static void
same_without_flush(struct fake *f)
{
	size_t len, flushed_len;
	char *with = t_read_file(path, &flushed_len);
	char *without;

	f->pos = 0;
	write_log(&f->source);
	without = t_read_file(path, &len);
	assert_int_equal(len, flushed_len);
	assert_memory_equal(with, without, len);
	free(with);
	free(without);
}

// After a flush everything is in the file, at any moment; without one, what was in full buffers.
static void
test_flush(void **state)
{
	struct fake *f = busy(60);
	struct pmon_sink *sink = create();
	const struct pmon_sample *s;
	struct t_rand rand = {3};
	struct pmon_err err;
	char temp[256], copy[128];
	size_t flushed = 0;

	(void)state;
	(void)snprintf(copy, sizeof(copy), "%s/copy.blg", folder);
	assert_int_equal(pmon_sink_begin(sink, &f->source.schema, &f->source.info, &err), PMON_OK);
	assert_int_equal(pmon_blg_writer_flush(sink, false, &err), PMON_OK); // nothing yet
	for (size_t k = 0; k < 60; k++) {
		size_t pos;

		assert_int_equal(pmon_source_next(&f->source, &s, &err), PMON_OK);
		assert_int_equal(pmon_sink_add(sink, s, NULL, &err), PMON_OK);
		if (t_rand_below(&rand, 3) == 0) {
			assert_int_equal(pmon_blg_writer_flush(sink, k % 10 == 0, &err), PMON_OK);
			flushed = k + 1;
		}
		assert_true(find_temp(temp, sizeof(temp)));
		copy_file(temp, copy);
		pos = f->pos;
		f->pos = 0;
		check_prefix(copy, &f->source, flushed);
		f->pos = pos;
	}
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	pmon_sink_close(sink);
	f->pos = 0;
	check_prefix(path, &f->source, 60);
	check_buffers();
	same_without_flush(f);
	assert_int_equal(unlink(copy), 0);
	pmon_source_close(&f->source);
}

static void
write_slowly(struct pmon_source *source, int pipe_end)
{
	struct pmon_sink *sink = create();
	const struct pmon_sample *s;
	struct pmon_err err;
	uint32_t n = 0;

	if (pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err) !=
	    PMON_OK)
		_exit(1);
	while (pmon_source_next(source, &s, &err) == PMON_OK) {
		if (pmon_sink_add(sink, s, NULL, &err) != PMON_OK)
			_exit(1);
		n++;
		if (n % 5 == 0 && (pmon_blg_writer_flush(sink, false, &err) != PMON_OK ||
				   write(pipe_end, &n, sizeof(n)) != (ssize_t)sizeof(n)))
			_exit(1);
	}
	_exit(0);
}

static void
test_killed(void **state)
{
	struct fake *f = busy(3000);
	struct t_rand rand = {4};

	(void)state;
	for (size_t turn = 0; turn < 10; turn++) {
		struct timespec wait = {.tv_nsec = (long)t_rand_below(&rand, 12) * 1000000};
		char temp[256];
		uint32_t n, last = 0;
		int ends[2];
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0)
			write_slowly(&f->source, ends[1]);
		close(ends[1]);
		assert_int_equal(read(ends[0], &n, sizeof(n)), sizeof(n)); // it has begun
		nanosleep(&wait, NULL);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		do
			last = n;
		while (read(ends[0], &n, sizeof(n)) == (ssize_t)sizeof(n));
		close(ends[0]);
		assert_true(access(path, F_OK) != 0); // nothing under the final name
		assert_true(find_temp(temp, sizeof(temp)));
		check_prefix(temp, &f->source, last);
		assert_int_equal(unlink(temp), 0);
	}
	pmon_source_close(&f->source);
}

// ---------------------------------------------------------------------------------------------

static int
setup(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/log.blg", folder);
	return 0;
}

static int
remove_log(void **state)
{
	(void)state;
	(void)unlink(path);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	return rmdir(folder); // fails when anything was left
}

#define TEST(f) cmocka_unit_test_setup_teardown((f), remove_log, remove_log)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_wr),
		TEST(test_real_pwsh),
		TEST(test_real_tx),
		TEST(test_real_pal),
		TEST(test_churn),
		TEST(test_duplicates),
		TEST(test_duplicates_alone),
		TEST(test_duplicate_gone),
		TEST(test_same_path_twice),
		TEST(test_parents_and_names),
		TEST(test_unspeakable_names),
		TEST(test_bad_statuses),
		TEST(test_mixed_statuses),
		TEST(test_absent),
		TEST(test_formatted),
		TEST(test_daylight_saving),
		TEST(test_zones),
		TEST(test_zone_rules),
		TEST(test_streams),
		TEST(test_streams_in_zones),
		TEST(test_like_before),
		TEST(test_many),
		TEST(test_empty),
		TEST(test_options),
		TEST(test_late_series),
		TEST(test_flush),
		TEST(test_killed),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
