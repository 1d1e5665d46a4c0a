// test_blg.c - the BLG reader on logs that are built field by field, and on real ones
// SPDX-License-Identifier: MIT
//
// A log is read into a text with a line for each sample and each value, which is compared whole:
//
//	2020-01-01T00:00:00Z stream 0 sample 0 offset 0
//	\\SRV\Memory\Available Bytes = 5 0

#include "t.h"

#include <inttypes.h>
#include <stdlib.h>

#include <pmon/log.h>

#include "base/time.h"
#include "blg_build.h"
#include "format/format.h"

#define T0     INT64_C(132223104000000000) // 2020-01-01 00:00:00
#define SECOND PMON_TIME_PER_SEC
#define HOUR   (3600 * SECOND)

// Counter types.
#define RAWCOUNT   0x00010000u
#define COUNTER    0x10410400u // rate on the performance clock
#define TIMER_100N 0x20510500u // on the system clock
#define FRACTION   0x20020400u
#define RAW_BASE   0x40030403u
#define AVG_TIMER  0x30020400u
#define AVG_BASE   0x40030402u
#define MULTI_TIME 0x22410500u
#define MULTI_BASE 0x42030500u
#define PRECISE    0x20570500u
#define PRECISE_TS 0x40030500u
#define ELAPSED    0x30240500u
#define TEXT       0x00000B00u

// ---- Reading a log into a text --------------------------------------------------------------

struct text {
	char *p;
	size_t n, cap;
};

static void
add(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->cap - t->n <= n) {
		t->cap = (t->cap + n + 1) * 2;
		t->p = realloc(t->p, t->cap);
		assert_non_null(t->p);
	}
	memcpy(t->p + t->n, s, n + 1);
	t->n += n;
}

static void
add_value(struct text *t, const struct pmon_series *series, const struct pmon_raw *raw,
	  pmon_time sample_time)
{
	char line[160];

	add(t, series->name.ptr);
	(void)snprintf(line, sizeof(line), " = %" PRId64 " %" PRId64, raw->first, raw->second);
	add(t, line);
	if (raw->multi != 1) {
		(void)snprintf(line, sizeof(line), " x%" PRIu32, raw->multi);
		add(t, line);
	}
	if (raw->status != 0) {
		(void)snprintf(line, sizeof(line), " status %08" PRIX32, raw->status);
		add(t, line);
	}
	if (raw->time != sample_time) {
		(void)snprintf(line, sizeof(line), " time %+" PRId64 "ms",
			       (raw->time - sample_time) / PMON_TIME_PER_MSEC);
		add(t, line);
	}
	add(t, "\n");
}

static void
add_sample(struct text *t, const struct pmon_source *source, const struct pmon_sample *sample)
{
	char time[PMON_TIME_SIZE];
	char line[160];

	(void)pmon_time_iso(sample->time, time);
	(void)snprintf(line, sizeof(line),
		       "%s stream %" PRIu32 " sample %" PRIu64 " offset %" PRId32 "\n", time,
		       sample->stream, sample->ordinal, sample->utc_offset_min);
	add(t, line);
	for (size_t i = 0; i < sample->n; i++)
		add_value(t, pmon_schema_at(pmon_source_schema(source), sample->series[i]),
			  &sample->raw[i], sample->time);
}

static void
add_notice(void *ctx, const struct pmon_notice *notice)
{
	struct text *t = ctx;

	add(t, notice->is_loss ? "LOSS " : "note ");
	add(t, notice->text);
	add(t, "\n");
}

static enum pmon_status
read_all(struct pmon_source *source, struct text *t, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK)
		add_sample(t, source, sample);
	return status;
}

static struct pmon_source *
open_bytes(const uint8_t *file, size_t len, const struct pmon_log_options *options)
{
	struct pmon_file *f;
	struct pmon_source *source;
	struct pmon_err err;
	enum pmon_status status;

	assert_int_equal(pmon_file_memory(file, len, NULL, &f, &err), PMON_OK);
	status = pmon_log_open_file(f, options, &source, &err);
	if (status != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

// What the file is read as, and again after a rewind, when no notice comes a second time.
static char *
text_of(const uint8_t *file, size_t len)
{
	struct text first = {0}, second = {0}, notices = {0};
	struct pmon_log_options options = {.notice = add_notice, .notice_ctx = &notices};
	struct pmon_source *source = open_bytes(file, len, &options);
	struct pmon_err err;

	add(&first, "");
	add(&second, "");
	assert_int_equal(read_all(source, &first, &err), PMON_END);
	if (notices.n > 0)
		add(&first, notices.p);
	notices.n = 0;
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	assert_int_equal(read_all(source, &second, &err), PMON_END);
	assert_int_equal(notices.n, 0);
	assert_true(strncmp(first.p, second.p, second.n) == 0);
	pmon_source_close(source);
	free(second.p);
	free(notices.p);
	return first.p;
}

static void
expect_file(uint8_t *file, size_t len, const char *want)
{
	char *got = text_of(file, len);

	T_EQ_STR(got, want);
	free(got);
	free(file);
}

static void
expect(struct blg_build *b, const char *want)
{
	size_t len;
	uint8_t *file = blg_build_finish(b, &len);

	expect_file(file, len, want);
}

// ---- Building blocks ------------------------------------------------------------------------

static const struct blg_build_entry memory = {
	.type = RAWCOUNT,
	.time_base = 10000000,
	.machine = "\\\\SRV",
	.object = "Memory",
	.counter = "Available Bytes",
};

// A log of one counter whose samples are numbered.
static struct blg_build *
memory_log(const struct blg_build_options *options)
{
	struct blg_build *b = blg_build_new(options);

	blg_build_catalogue(b, T0 - 10, &memory, 1);
	return b;
}

static void
memory_sample(struct blg_build *b, int64_t time, int64_t value)
{
	blg_build_sample_begin(b);
	blg_build_single(b, 0, time, value, 0, 1);
	blg_build_sample_end(b, time);
}

// ---- Values ---------------------------------------------------------------------------------

static const struct blg_build_options generations[] = {
	{.os_major = 5, .os_minor = 1, .os_build = 2600, .is_32bit = true, .end = T0},
	{.os_major = 5, .os_minor = 2, .os_build = 3790, .end = T0},
	{.os_major = 6, .os_minor = 0, .os_build = 6000, .is_32bit = true, .end = T0},
	{.os_major = 10, .os_minor = 0, .os_build = 26200, .end = T0},
};

static void
single_and_multi_in_all_generations(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0, COUNTER, 2630633, -1, "\\\\SRV", "Memory", NULL, NULL, "Faults/sec", 0},
		{1, RAWCOUNT, 0, 0, "\\\\SRV", "Disk", "*", NULL, "Queue", 0},
		{0, RAWCOUNT, 0, 0, "\\\\SRV", "Process", "cmd", NULL, "ID", 2},
		{0, RAWCOUNT, 0, 0, "", "Thread", "0", "cmd", "ID", 0},
	};

	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_build *b = blg_build_new(&generations[g]);

		blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
		blg_build_sample_begin(b);
		blg_build_single(b, 1, T0, 7, -8, 1);
		blg_build_multi_begin(b, 0, T0);
		blg_build_item(b, "0 C:", 0, 1, 2);
		blg_build_item(b, "_Total", 1, INT64_MAX, INT64_MIN);
		blg_build_multi_end(b);
		blg_build_single(b, 0x800007D0, 0, 0, 0, 1);
		blg_build_single(b, 0, T0 + 20000, 4, 5, 6);
		blg_build_sample_end(b, T0);
		expect(b,
		       "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		       "\\\\SRV\\Memory\\Faults/sec = 7 -8 status 00000001\n"
		       "\\\\SRV\\Disk(0 C:)\\Queue = 1 2 x0\n"
		       "\\\\SRV\\Disk(_Total)\\Queue = 9223372036854775807 -9223372036854775808\n"
		       "\\\\SRV\\Process(cmd#2)\\ID = 0 0 status 800007D0\n"
		       "\\Thread(cmd/0)\\ID = 4 5 x6 time +2ms\n");
	}
}

static void
series_know_how_to_be_computed(void **state)
{
	static const struct blg_build_entry entry = {
		1, COUNTER, 2630633, -4, "\\\\SRV", "Disk", "*", NULL, "Reads/sec", 0};
	struct blg_build *b = blg_build_new(NULL);
	struct pmon_err err;
	struct text text = {0};
	struct pmon_source *source;
	const struct pmon_series *series;
	size_t len;
	uint8_t *file;

	(void)state;
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	blg_build_sample_begin(b);
	blg_build_multi_begin(b, 0, T0);
	blg_build_item(b, "R", 1, 1, 1);
	blg_build_multi_end(b);
	blg_build_sample_end(b, T0);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 0);
	assert_int_equal(read_all(source, &text, &err), PMON_END);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 1);
	series = pmon_schema_at(pmon_source_schema(source), 0);
	T_EQ_U64(series->counter.type, COUNTER);
	T_EQ_I64(series->counter.time_base, 2630633);
	T_EQ_I64(series->counter.default_scale, -4);
	T_EQ_U64(series->counter.size_bytes, 0);
	T_EQ_SPAN(series->path.machine, "SRV");
	T_EQ_SPAN(series->path.object, "Disk");
	T_EQ_SPAN(series->path.instance, "R");
	T_EQ_SPAN(series->path.counter, "Reads/sec");
	pmon_source_close(source);
	free(text.p);
	free(file);
}

static void
records_in_many_parts(void **state)
{
	struct blg_build_options options = {.chunk_bytes = 24, .buffer_bytes = 0x200, .end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	for (int i = 0; i < 3; i++)
		memory_sample(b, T0 + i * SECOND, i);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 0 0\n"
		  "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		  "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// ---- Instances ------------------------------------------------------------------------------

static void
disk_sample(struct blg_build *b, int64_t time, const char *const *names, size_t n)
{
	blg_build_sample_begin(b);
	blg_build_multi_begin(b, 0, time);
	for (size_t i = 0; i < n; i++)
		blg_build_item(b, names[i], 1, (int64_t)i, 0);
	blg_build_multi_end(b);
	blg_build_sample_end(b, time);
}

static struct blg_build *
disk_log(void)
{
	static const struct blg_build_entry entry = {1,   RAWCOUNT, 0,    0,   "\\\\S",
						     "P", "*",      NULL, "C", 0};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	blg_build_catalogue(b, T0 - 10, &entry, 1);
	return b;
}

static void
instances_come_and_go(void **state)
{
	static const char *const one[] = {"a", "b", "c"};
	static const char *const two[] = {"a", "c", "d"};
	static const char *const three[] = {"c", "b", "a", "d"};
	struct blg_build *b = disk_log();

	(void)state;
	disk_sample(b, T0, one, T_LEN(one));
	disk_sample(b, T0 + 1 * SECOND, two, T_LEN(two));
	disk_sample(b, T0 + 2 * SECOND, NULL, 0);
	disk_sample(b, T0 + 3 * SECOND, three, T_LEN(three));
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n\\\\S\\P(c)\\C = 2 0\n"
		  "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		  "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(c)\\C = 1 0\n\\\\S\\P(d)\\C = 2 0\n"
		  "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		  "2020-01-01T00:00:03Z stream 0 sample 3 offset 0\n"
		  "\\\\S\\P(c)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n\\\\S\\P(a)\\C = 2 0\n"
		  "\\\\S\\P(d)\\C = 3 0\n");
}

// The n-th instance of a name in a record is #n, whatever stood at its position before.
static void
duplicates_are_numbered_in_each_record(void **state)
{
	static const char *const one[] = {"x", "a", "x", "x"};
	static const char *const two[] = {"a", "b", "x"};
	static const char *const three[] = {"x", "x", "a", "x", "x"};
	struct blg_build *b = disk_log();

	(void)state;
	disk_sample(b, T0, one, T_LEN(one));
	disk_sample(b, T0 + 1 * SECOND, two, T_LEN(two));
	disk_sample(b, T0 + 2 * SECOND, three, T_LEN(three));
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\S\\P(x)\\C = 0 0\n\\\\S\\P(a)\\C = 1 0\n"
		  "\\\\S\\P(x#1)\\C = 2 0\n\\\\S\\P(x#2)\\C = 3 0\n"
		  "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		  "\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n\\\\S\\P(x)\\C = 2 0\n"
		  "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		  "\\\\S\\P(x)\\C = 0 0\n\\\\S\\P(x#1)\\C = 1 0\n\\\\S\\P(a)\\C = 2 0\n"
		  "\\\\S\\P(x#2)\\C = 3 0\n\\\\S\\P(x#3)\\C = 4 0\n");
}

// Names that are written with their parent and index have these parts.
static void
names_are_split_into_parts(void **state)
{
	static const char *const names[] = {"explorer/0", "svchost#3", "", "a(b)", "cmd/1#2"};
	struct pmon_err err;
	struct blg_build *b = disk_log();
	const struct pmon_schema *schema;
	struct pmon_source *source;
	struct text text = {0};
	size_t len;
	uint8_t *file;

	(void)state;
	disk_sample(b, T0, names, T_LEN(names));
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	assert_int_equal(read_all(source, &text, &err), PMON_END);
	schema = pmon_source_schema(source);
	T_EQ_U64(pmon_schema_count(schema), 5);
	T_EQ_SPAN(pmon_schema_at(schema, 0)->path.parent, "explorer");
	T_EQ_SPAN(pmon_schema_at(schema, 0)->path.instance, "0");
	T_EQ_SPAN(pmon_schema_at(schema, 1)->path.instance, "svchost");
	T_EQ_I64(pmon_schema_at(schema, 1)->path.index, 3);
	T_EQ_SPAN(pmon_schema_at(schema, 2)->path.instance, "");
	T_EQ_SPAN(pmon_schema_at(schema, 3)->path.instance, "a(b)");
	T_EQ_SPAN(pmon_schema_at(schema, 4)->path.parent, "cmd");
	T_EQ_SPAN(pmon_schema_at(schema, 4)->path.instance, "1");
	T_EQ_I64(pmon_schema_at(schema, 4)->path.index, 2);
	T_EQ_SPAN(pmon_schema_at(schema, 4)->name, "\\\\S\\P(cmd/1#2)\\C");
	pmon_source_close(source);
	free(text.p);
	free(file);
}

// Instances that come later stand with their counter.
static void
order_is_that_of_the_catalogue(void **state)
{
	static const struct blg_build_entry entries[] = {
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "C", 0},
		{0, RAWCOUNT, 0, 0, "\\\\S", "M", NULL, NULL, "A", 0},
	};
	struct blg_build *b = blg_build_new(NULL);
	const struct pmon_schema *schema;
	struct pmon_source *source;
	struct pmon_err err;
	struct text text = {0};
	size_t len;
	uint8_t *file;

	(void)state;
	blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
	for (int64_t i = 0; i < 2; i++) {
		blg_build_sample_begin(b);
		blg_build_multi_begin(b, 0, T0);
		blg_build_item(b, i == 0 ? "first" : "later", 1, 0, 0);
		blg_build_multi_end(b);
		blg_build_single(b, 0, T0, 0, 0, 1);
		blg_build_sample_end(b, T0 + i);
	}
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	assert_int_equal(read_all(source, &text, &err), PMON_END);
	schema = pmon_source_schema(source);
	T_EQ_U64(pmon_schema_count(schema), 3);
	T_EQ_SPAN(pmon_schema_at(schema, 0)->name, "\\\\S\\M\\A");
	T_EQ_SPAN(pmon_schema_at(schema, 2)->name, "\\\\S\\P(later)\\C");
	assert_true(pmon_schema_at(schema, 1)->order < pmon_schema_at(schema, 2)->order);
	assert_true(pmon_schema_at(schema, 2)->order < pmon_schema_at(schema, 0)->order);
	pmon_source_close(source);
	free(text.p);
	free(file);
}

static bool
want_b(void *ctx, const struct pmon_path *path)
{
	(*(size_t *)ctx)++;
	return pmon_text_same(path->instance, PMON_SPAN("b"));
}

static void
unwanted_series_are_left_out(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct blg_build *b = disk_log();
	size_t asked = 0;
	struct pmon_log_options options = {.want = want_b, .want_ctx = &asked};
	struct pmon_source *source;
	struct text text = {0};
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	disk_sample(b, T0, names, T_LEN(names));
	disk_sample(b, T0 + SECOND, names, T_LEN(names));
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, &options);
	assert_int_equal(read_all(source, &text, &err), PMON_END);
	T_EQ_STR(text.p, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n\\\\S\\P(b)\\C = 1 0\n"
			 "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n\\\\S\\P(b)\\C = 1 0\n");
	T_EQ_U64(asked, 3);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 1);
	pmon_source_close(source);
	free(text.p);
	free(file);
}

// ---- Whole objects --------------------------------------------------------------------------

static const struct blg_build_title titles[] = {
	{2, "System"}, {10, "Rate"}, {12, "Fraction"}, {14, "Average"}, {16, "Multi"},
	{18, "Busy"},  {20, "Up"},   {230, "Process"}, {232, "Thread"},
};

static const struct blg_build_counter counters[] = {
	{10, COUNTER, 4, 0},    {12, FRACTION, 4, 0}, {12, RAW_BASE, 4, 0},
	{14, AVG_TIMER, 8, 3},  {15, AVG_BASE, 4, 0}, {16, MULTI_TIME, 8, 0},
	{17, MULTI_BASE, 4, 0}, {18, PRECISE, 8, 0},  {18, PRECISE_TS, 8, 0},
	{20, ELAPSED, 8, 0},    {22, RAWCOUNT, 4, 0}, {23, TEXT, 4, 0},
	{24, RAWCOUNT, 3, 0},
};

static struct blg_build *
object_log(const struct blg_build_options *options, const char *instance)
{
	const struct blg_build_entry entry = {0x10, 0x10,     0,    0,   "\\\\SRV",
					      "O",  instance, NULL, "*", 0};
	struct blg_build *b = blg_build_new(options);

	blg_build_names(b, T0 - 20, "\\\\SRV", titles, 4);
	blg_build_names(b, T0 - 20, "\\\\SRV", titles + 3, T_LEN(titles) - 3);
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	return b;
}

static void
object_values(void **state)
{
	static const int64_t values[] = {0xFFFFFFFF, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
	struct blg_build_object object = {
		.title = 2,
		.system_time = T0 - HOUR, // local, an hour behind
		.perf_time = 100,
		.perf_freq = 1000,
		.perf_time_100ns = T0 + 5,
		.object_time = 300,
		.object_freq = 3000,
		.counters = counters,
		.n_counters = T_LEN(counters),
		.values = values,
	};

	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_build *b = object_log(&generations[g], NULL);

		object.extra = g % 2 * 8;
		blg_build_sample_begin(b);
		blg_build_object(b, &object);
		blg_build_sample_end(b, T0 - HOUR);
		blg_build_instance_list(b, T0 - HOUR);
		expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset -60\n"
			  "\\\\SRV\\O\\Rate = 4294967295 100\n"
			  "\\\\SRV\\O\\Fraction = 3 4\n"
			  "\\\\SRV\\O\\Average = 5 6\n"
			  "\\\\SRV\\O\\Multi = 7 100 x8\n"
			  "\\\\SRV\\O\\Busy = 9 10\n"
			  "\\\\SRV\\O\\Up = 11 300\n"
			  "\\\\SRV\\O\\#22 = 12 0\n"
			  "\\\\SRV\\O\\#24 = 0 0 x0 status C0000BBA\n"
			  "note the log has no name for counter #22 of O\n"
			  "note the log has no name for counter #24 of O\n");
	}
}

static void
object_series_know_how_to_be_computed(void **state)
{
	static const int64_t values[T_LEN(counters)] = {0};
	static const struct {
		const char *counter;
		int64_t time_base;
		uint8_t size;
	} want[] = {
		{"Rate", 1000, 4},  {"Fraction", 1000, 4}, {"Average", 1000, 8},
		{"Multi", 1000, 8}, {"Busy", 10000000, 8}, {"Up", 3000, 8},
		{"#22", 1000, 4},
	};
	struct blg_build_object object = {
		.title = 2,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.object_freq = 3000,
		.counters = counters,
		.n_counters = T_LEN(counters),
		.values = values,
	};
	struct blg_build *b = object_log(NULL, NULL);
	struct pmon_source *source;
	struct text text = {0};
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	blg_build_sample_begin(b);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	assert_int_equal(read_all(source, &text, &err), PMON_END);
	for (size_t i = 0; i < T_LEN(want); i++) {
		const struct pmon_series *s = pmon_schema_at(pmon_source_schema(source), i);

		T_EQ_SPAN(s->path.counter, want[i].counter);
		assert_null(s->path.instance.ptr);
		T_EQ_I64_AT(s->counter.time_base, want[i].time_base, want[i].counter);
		T_EQ_U64_AT(s->counter.size_bytes, want[i].size, want[i].counter);
	}
	T_EQ_I64(pmon_schema_at(pmon_source_schema(source), 2)->counter.default_scale, 3);
	pmon_source_close(source);
	free(text.p);
	free(file);
}

static const struct blg_build_counter one_counter[] = {{10, COUNTER, 4, 0}};

static void
object_instances(void **state)
{
	static const struct blg_build_instance first[] = {
		{"svchost", 0, 0, 0}, {"cmd", 0, 0, 0}, {"svchost", 0, 0, 0}, {"", 0, 0, 42}};
	static const int64_t values[] = {1, 2, 3, 4};
	static const struct blg_build_instance second[] = {{"cmd", 0, 0, 0}, {"svchost", 0, 0, 0}};
	struct blg_build_object object = {
		.title = 230,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = one_counter,
		.n_counters = 1,
		.instances = first,
		.n_instances = 4,
		.values = values,
	};
	struct blg_build_options options = {.end = T0, .chunk_bytes = 64};
	struct blg_build *b = object_log(&options, "*");

	(void)state;
	blg_build_sample_begin(b);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
	object.instances = second;
	object.n_instances = 2;
	blg_build_sample_begin(b);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0 + SECOND);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\O(svchost)\\Rate = 1 0\n"
		  "\\\\SRV\\O(cmd)\\Rate = 2 0\n"
		  "\\\\SRV\\O(svchost#1)\\Rate = 3 0\n"
		  "\\\\SRV\\O(42)\\Rate = 4 0\n"
		  "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\O(cmd)\\Rate = 1 0 time -1000ms\n"
		  "\\\\SRV\\O(svchost)\\Rate = 2 0 time -1000ms\n");
}

// A definition that appears later is a new series; those that were there keep theirs.
static void
object_definitions_may_change(void **state)
{
	static const struct blg_build_counter more[] = {{18, RAWCOUNT, 4, 0}, {10, COUNTER, 4, 0}};
	static const struct blg_build_instance instances[] = {{"a", 0, 0, 0}};
	static const int64_t values[] = {1, 2};
	struct blg_build_object object = {
		.title = 230,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = one_counter,
		.n_counters = 1,
		.instances = instances,
		.n_instances = 1,
		.values = values,
	};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = object_log(&options, "*");

	(void)state;
	blg_build_sample_begin(b);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
	object.counters = more;
	object.n_counters = 2;
	blg_build_sample_begin(b);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0 + 1);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\O(a)\\Rate = 1 0\n"
		  "2020-01-01T00:00:00.0000001Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\O(a)\\Busy = 1 0 time +0ms\n"
		  "\\\\SRV\\O(a)\\Rate = 2 0 time +0ms\n");
}

// Threads know their process by its number in the process object of the same sample.
static void
object_parents(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0x10, 0x10, 0, 0, "\\\\SRV", "Thread", "*", NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\SRV", "Process", "*", NULL, "*", 0},
	};
	static const struct blg_build_instance threads[] = {
		{"0", 230, 1, 0}, {"0", 230, 0, 0}, {"0", 230, 1, 0}, {"7", 230, 99, 0}};
	static const struct blg_build_instance processes[] = {{"idle", 0, 0, 0}, {"cmd", 0, 0, 0}};
	static const int64_t values[] = {1, 2, 3, 4};
	struct blg_build_object object = {
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = one_counter,
		.n_counters = 1,
		.values = values,
	};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	blg_build_names(b, T0 - 20, "\\\\SRV", titles, T_LEN(titles));
	blg_build_catalogue(b, T0 - 10, entries, 2);
	blg_build_sample_begin(b);
	object.title = 232;
	object.instances = threads;
	object.n_instances = 4;
	blg_build_object(b, &object);
	object.title = 230;
	object.instances = processes;
	object.n_instances = 2;
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Thread(cmd/0)\\Rate = 1 0\n"
		  "\\\\SRV\\Thread(idle/0)\\Rate = 2 0\n"
		  "\\\\SRV\\Thread(cmd/0#1)\\Rate = 3 0\n"
		  "\\\\SRV\\Thread(7)\\Rate = 4 0\n"
		  "\\\\SRV\\Process(idle)\\Rate = 1 0\n"
		  "\\\\SRV\\Process(cmd)\\Rate = 2 0\n");
}

static void
object_names_of_one_byte(void **state)
{
	static const struct blg_build_instance instances[] = {{"caf\xE9", 0, 0, 0}};
	static const int64_t values[] = {1};
	struct blg_build_object object = {
		.title = 230,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = one_counter,
		.n_counters = 1,
		.instances = instances,
		.n_instances = 1,
		.values = values,
		.code_page = 1252,
	};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = object_log(&options, "*");

	(void)state;
	for (int i = 0; i < 2; i++) {
		blg_build_sample_begin(b);
		blg_build_object(b, &object);
		blg_build_sample_end(b, T0);
	}
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\O(caf\xC3\xA9)\\Rate = 1 0\n"
		  "2020-01-01T00:00:00Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\O(caf\xC3\xA9)\\Rate = 1 0\n"
		  "note instance names in code page 1252: characters beyond ASCII may come out "
		  "wrong\n");
}

// Names are those of the machine.
static void
object_names_of_several_machines(void **state)
{
	static const struct blg_build_entry entries[] = {
		{0x10, 0x10, 0, 0, "\\\\A", "O", NULL, NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\B", "O", NULL, NULL, "*", 0},
		{0x10, 0x10, 0, 0, "\\\\C", "O", NULL, NULL, "*", 0},
	};
	static const struct blg_build_title of_a[] = {{10, "name at A"}};
	static const struct blg_build_title of_b[] = {{10, "name at B"}};
	static const int64_t values[] = {1};
	struct blg_build_object object = {
		.title = 2,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = one_counter,
		.n_counters = 1,
		.values = values,
	};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	blg_build_names(b, T0 - 20, "\\\\A", of_a, 1);
	blg_build_names(b, T0 - 20, "\\\\b", of_b, 1);
	blg_build_catalogue(b, T0 - 10, entries, 3);
	blg_build_sample_begin(b);
	for (int i = 0; i < 3; i++)
		blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\A\\O\\name at A = 1 0\n"
		  "\\\\B\\O\\name at B = 1 0\n"
		  "\\\\C\\O\\#10 = 1 0\n"
		  "note the log has no name for counter #10 of O\n");
}

// ---- Time -----------------------------------------------------------------------------------

// Berlin: UTC+1, in summer +2 from the last Sunday of March to the last of October.
static const struct blg_build_options berlin = {
	.end = T0,
	.bias = -60,
	.daylight_bias = -60,
	.to_standard = {.month = 10, .weekday = 0, .day = 5, .hour = 3},
	.to_daylight = {.month = 3, .weekday = 0, .day = 5, .hour = 2},
	.zone_name = "W. Europe Standard Time",
};

static int64_t
moment(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute)
{
	struct pmon_civil civil = {
		.year = year, .month = month, .day = day, .hour = hour, .minute = minute};

	return pmon_time_from_civil(&civil);
}

static void
expect_times(const struct blg_build_options *options, const int64_t *local, size_t n,
	     const char *const *want)
{
	struct blg_build *b = memory_log(options);
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	for (size_t i = 0; i < n; i++)
		memory_sample(b, local[i], 0);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	for (size_t i = 0; i < n; i++) {
		char text[PMON_TIME_SIZE];

		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		(void)pmon_time_iso(sample->time, text);
		T_EQ_STR_AT(text, want[i], want[i]);
		T_EQ_I64(local[i] - sample->time, sample->utc_offset_min * PMON_TIME_PER_MIN);
		T_EQ_I64(sample->raw[0].time, sample->time);
	}
	pmon_source_close(source);
	free(file);
}

// In autumn the clock shows an hour twice; the samples go on, so the second time is standard time.
static void
zone_rules(void **state)
{
	const int64_t local[] = {
		moment(2021, 3, 28, 1, 59),  moment(2021, 3, 28, 3, 0),
		moment(2021, 10, 31, 2, 10), moment(2021, 10, 31, 2, 50),
		moment(2021, 10, 31, 2, 10), moment(2021, 10, 31, 2, 50),
		moment(2021, 10, 31, 3, 10), moment(2021, 12, 31, 23, 59),
	};
	static const char *const want[] = {
		"2021-03-28T00:59:00Z", "2021-03-28T01:00:00Z", "2021-10-31T00:10:00Z",
		"2021-10-31T00:50:00Z", "2021-10-31T01:10:00Z", "2021-10-31T01:50:00Z",
		"2021-10-31T02:10:00Z", "2021-12-31T22:59:00Z",
	};

	(void)state;
	expect_times(&berlin, local, T_LEN(local), want);
}

// Sydney: summer goes over new year.
static void
zone_rules_of_the_south(void **state)
{
	static const struct blg_build_options sydney = {
		.end = T0,
		.bias = -600,
		.daylight_bias = -60,
		.to_standard = {.month = 4, .weekday = 0, .day = 1, .hour = 3},
		.to_daylight = {.month = 10, .weekday = 0, .day = 1, .hour = 2},
	};
	const int64_t local[] = {moment(2021, 1, 1, 11, 0), moment(2021, 4, 4, 3, 0),
				 moment(2021, 7, 1, 10, 0), moment(2021, 10, 3, 3, 0)};
	static const char *const want[] = {"2021-01-01T00:00:00Z", "2021-04-03T17:00:00Z",
					   "2021-07-01T00:00:00Z", "2021-10-02T16:00:00Z"};

	(void)state;
	expect_times(&sydney, local, T_LEN(local), want);
}

static void
zone_with_dates_of_one_year(void **state)
{
	struct blg_build_options options = berlin;
	const int64_t local[] = {moment(2021, 1, 1, 1, 0), moment(2021, 6, 1, 2, 0),
				 moment(2022, 6, 1, 1, 0)};
	static const char *const want[] = {"2021-01-01T00:00:00Z", "2021-06-01T00:00:00Z",
					   "2022-06-01T00:00:00Z"};

	(void)state;
	options.to_standard = (struct blg_build_date){2021, 10, 0, 31, 3, 0, 0, 0};
	options.to_daylight = (struct blg_build_date){2021, 3, 0, 28, 2, 0, 0, 0};
	expect_times(&options, local, T_LEN(local), want);
}

static void
zone_without_summer(void **state)
{
	// The extra biases are there, but without dates they mean nothing.
	static const struct blg_build_options india = {
		.end = T0, .bias = -330, .standard_bias = 7, .daylight_bias = -60};
	const int64_t local[] = {moment(2021, 7, 1, 5, 30)};
	static const char *const want[] = {"2021-07-01T00:00:00Z"};

	(void)state;
	expect_times(&india, local, T_LEN(local), want);
}

// A counter on the system clock tells the offset exactly: here the header is of another zone, and
// the clocks go back between two samples. A sample in between whose counter has no value keeps it.
static void
data_tells_the_offset(void **state)
{
	static const struct blg_build_entry entry = {0,   TIMER_100N, 10000000, 0,   "\\\\S",
						     "P", NULL,       NULL,     "T", 0};
	const struct {
		int64_t local, utc;
		uint32_t status;
		int32_t offset;
	} samples[] = {
		{T0 + 0 * HOUR, T0 + 4 * HOUR + 9990, 0, -240},
		{T0 + 1 * HOUR, 0, 0x800007D0, -240},
		{T0 + 1 * HOUR, T0 + 6 * HOUR + 5, 0, -300},
		{T0 + 2 * HOUR, T0 + 7 * HOUR + 3 * SECOND, 0, -300}, // too far off a quarter
		{T0 + 2 * HOUR, T0 + 7 * HOUR, 0x80000000, -300},
		{T0 + 3 * HOUR, T0 - 2 * HOUR - HOUR / 2, 1, 330},
	};
	struct blg_build *b = blg_build_new(&berlin);
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	for (size_t i = 0; i < T_LEN(samples); i++) {
		blg_build_sample_begin(b);
		blg_build_single(b, samples[i].status, samples[i].local, 1, samples[i].utc, 1);
		blg_build_sample_end(b, samples[i].local);
	}
	file = blg_build_finish(b, &len);
	// Without any series the offset is still found.
	for (int pass = 0; pass < 2; pass++) {
		size_t asked = 0;
		struct pmon_log_options options = {.want = pass == 0 ? NULL : want_b,
						   .want_ctx = &asked};

		source = open_bytes(file, len, &options);
		for (size_t i = 0; i < T_LEN(samples); i++) {
			assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
			T_EQ_I64(sample->utc_offset_min, samples[i].offset);
			T_EQ_I64(sample->time,
				 samples[i].local - samples[i].offset * PMON_TIME_PER_MIN);
			T_EQ_U64(sample->n, pass == 0);
		}
		T_EQ_I64(pmon_source_info(source)->utc_offset_min, -240);
		pmon_source_close(source);
	}
	free(file);
}

// ---- Order of the buffers -------------------------------------------------------------------

static void
expect_order(const size_t *order, size_t n, const char *want)
{
	struct blg_build_options options = {.buffer_bytes = 0x200, .end = T0};
	struct blg_build *b = memory_log(&options);
	const struct pmon_sample *sample;
	struct text notices = {0};
	struct pmon_log_options log_options = {.notice = add_notice, .notice_ctx = &notices};
	struct pmon_source *source;
	struct pmon_err err;
	struct text values = {0};
	size_t len;
	uint8_t *file;

	add(&values, "");
	// A buffer of 0x200 bytes holds the catalogue and one sample, or three samples.
	for (int i = 0; i < 8; i++)
		memory_sample(b, T0 + i * SECOND, i);
	file = blg_build_finish(b, &len);
	T_EQ_U64(len / 0x200, n + 1);
	blg_build_reorder(file, len, order, n);
	source = open_bytes(file, len, &log_options);
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		char digit[2] = {(char)('0' + sample->raw[0].first), '\0'};

		add(&values, digit);
	}
	if (notices.n > 0)
		add(&values, notices.p);
	T_EQ_STR(values.p, want);
	pmon_source_close(source);
	free(values.p);
	free(notices.p);
	free(file);
}

static void
buffers_are_read_in_order_of_sequence(void **state)
{
	static const size_t as_is[] = {1, 2, 3, 4};
	static const size_t rotated[] = {3, 4, 1, 2};
	static const size_t mixed[] = {3, 1, 4, 2};
	static const size_t twice[] = {1, 3, 2, 3}; // buffer 3 two times, 4 not at all

	(void)state;
	expect_order(as_is, 4, "01234567");
	expect_order(rotated, 4, "01234567");
	expect_order(mixed, 4, "01234567");
	expect_order(twice, 4,
		     "0456123456note buffer numbers are not unique; reading the buffers as they "
		     "stand\n");
}

// A circular log that has wrapped begins in the middle of a record, and the list of counters may
// stand anywhere.
static void
samples_before_their_catalogue(void **state)
{
	struct blg_build_options options = {.end = T0, .log_mode = 2};
	struct blg_build *b = blg_build_new(&options);
	static const char tail[] = "tail of a record";

	(void)state;
	blg_build_part(b, 0x22, T0 - SECOND, 2, 2, tail, sizeof(tail));
	memory_sample(b, T0, 1);
	blg_build_catalogue(b, T0 - 10, &memory, 1);
	memory_sample(b, T0 + SECOND, 2);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		  "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// ---- Things that are not known --------------------------------------------------------------

static void
unknown_things_are_counted(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);
	struct pmon_source *source;
	struct text text = {0};
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	blg_build_foreign(b, 20);
	blg_build_system_event(b, 12);
	blg_build_record(b, 0x25, T0, "something", 9);
	blg_build_sample_begin(b);
	blg_build_value(b, 0x0903, "something else", 14);
	blg_build_sample_end(b, T0);
	memory_sample(b, T0 + SECOND, 5);
	blg_build_instance_list(b, T0);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	for (int pass = 0; pass < 2; pass++) {
		text.n = 0;
		assert_int_equal(read_all(source, &text, &err), PMON_END);
		T_EQ_STR(text.p, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
				 "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
				 "\\\\SRV\\Memory\\Available Bytes = 5 0\n");
		T_EQ_U64(pmon_source_info(source)->records_unknown, 2);
		T_EQ_U64(pmon_source_info(source)->losses, 0);
		assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	}
	pmon_source_close(source);
	free(text.p);
	free(file);
}

static void
several_logs_in_one_file(void **state)
{
	static const uint8_t other_id[16] = {0x22};
	static const uint8_t first_id[16] = {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
					     0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11};
	struct blg_build_entry other = memory;
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	other.counter = "Pages/sec";
	memory_sample(b, T0, 1);
	blg_build_log_id(b, other_id);
	blg_build_catalogue(b, T0, &other, 1);
	memory_sample(b, T0 + SECOND, 2);
	blg_build_log_id(b, first_id);
	memory_sample(b, T0 + 2 * SECOND, 3);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		  "2020-01-01T00:00:01Z stream 1 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Pages/sec = 2 0\n"
		  "2020-01-01T00:00:02Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 3 0\n");
}

// So many that what is kept of them has to move.
static void
many_logs_in_one_file(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	for (uint8_t i = 0; i < 40; i++) {
		const uint8_t id[16] = {i};

		blg_build_log_id(b, id);
		blg_build_catalogue(b, T0, &memory, 1);
		memory_sample(b, T0 + i * SECOND, i);
	}
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	for (uint32_t i = 0; i < 40; i++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		T_EQ_U64(sample->stream, i);
		T_EQ_U64(sample->ordinal, 0);
		T_EQ_I64(sample->raw[0].first, i);
	}
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_END);
	T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), 40);
	pmon_source_close(source);
	free(file);
}

static void
second_catalogue_of_a_log(void **state)
{
	struct blg_build_entry other = memory;
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	other.counter = "Pages/sec";
	memory_sample(b, T0, 1);
	blg_build_catalogue(b, T0, &memory, 1); // the same again changes nothing
	memory_sample(b, T0 + SECOND, 2);
	blg_build_catalogue(b, T0, &other, 1);
	memory_sample(b, T0 + 2 * SECOND, 3);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		  "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 2 0\n"
		  "2020-01-01T00:00:02Z stream 0 sample 2 offset 0\n"
		  "\\\\SRV\\Memory\\Pages/sec = 3 0\n");
}

// Two entries of the same path stay two series.
static void
same_path_twice(void **state)
{
	const struct blg_build_entry entries[] = {memory, memory};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	blg_build_catalogue(b, T0 - 10, entries, 2);
	blg_build_sample_begin(b);
	blg_build_single(b, 0, T0, 1, 0, 1);
	blg_build_single(b, 0, T0, 2, 0, 1);
	blg_build_sample_end(b, T0);
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// ---- Damage that is told --------------------------------------------------------------------

static void
missing_parts_are_told(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	memory_sample(b, T0, 1);
	blg_build_part(b, 0x22, T0 + SECOND, 1, 3, "abc", 3);
	blg_build_part(b, 0x22, T0 + SECOND, 3, 3, "abc", 3);
	memory_sample(b, T0 + 2 * SECOND, 2);
	blg_build_part(b, 0x24, T0 + 3 * SECOND, 1, 2, "abc", 3);
	expect(b,
	       "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
	       "\\\\SRV\\Memory\\Available Bytes = 1 0\n"
	       "2020-01-01T00:00:02Z stream 0 sample 1 offset 0\n"
	       "\\\\SRV\\Memory\\Available Bytes = 2 0\n"
	       "LOSS sample of 2020-01-01 00:00:01.000: part 2 of 3 is missing\n"
	       "LOSS table of counter names of 2020-01-01 00:00:03.000: part 2 of 2 is missing\n");
}

static void
damaged_samples_are_told(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	blg_build_sample_begin(b);
	blg_build_value(b, 0x0103, "short", 5);
	blg_build_sample_end(b, T0);
	blg_build_sample_begin(b);
	blg_build_sample_end(b, T0);
	blg_build_record(b, 0x22, T0, "BL\3\0\x18\0\0\0BL\3\1\xFF\0\0\0\0\0\0\0\0\0\0\0", 24);
	blg_build_record(b, 0x22, T0, "BL\3\0\xFF\0\0\0", 8);
	memory_sample(b, 5, 1);
	expect(b, "LOSS sample of 2020-01-01 00:00:00.000: a value is too short\n"
		  "LOSS sample of 2020-01-01 00:00:00.000: it has not one value for each counter\n"
		  "LOSS sample of 2020-01-01 00:00:00.000: the lengths of its values do not add "
		  "up\n"
		  "LOSS sample of 2020-01-01 00:00:00.000: its head is damaged\n"
		  "LOSS sample: its time is damaged\n");
}

// The values of a counter whose entry is damaged are left out, all others stay where they belong.
static void
damaged_entry_of_the_catalogue(void **state)
{
	struct blg_build_entry entries[] = {memory, memory, memory};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	entries[1].object = NULL;
	entries[2].counter = "Pages/sec";
	blg_build_catalogue(b, T0 - 10, entries, 3);
	blg_build_sample_begin(b);
	for (int64_t i = 0; i < 3; i++)
		blg_build_single(b, 0, T0, i, 0, 1);
	blg_build_sample_end(b, T0);
	// Told while the log is opened, so not part of a pass.
	expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		  "\\\\SRV\\Memory\\Available Bytes = 0 0\n"
		  "\\\\SRV\\Memory\\Pages/sec = 2 0\n"
		  "LOSS entry 2 of the list of counters is damaged\n");
}

static void
damaged_size_of_the_buffers(void **state)
{
	static const size_t places[] = {0x00, 0x68};

	(void)state;
	for (size_t i = 0; i < T_LEN(places); i++) {
		struct blg_build_options options = {.end = T0};
		struct blg_build *b = memory_log(&options);
		size_t len;
		uint8_t *file;
		char *got;

		memory_sample(b, T0, 1);
		file = blg_build_finish(b, &len);
		file[places[i] + 1] = 0x18; // 0x1800 for 0x1000
		got = text_of(file, len);
		assert_non_null(strstr(got, "Available Bytes = 1 0"));
		free(got);
		free(file);
	}
}

static void
cut_files_are_told(void **state)
{
	struct blg_build_options options = {.buffer_bytes = 0x200, .end = T0};
	static const struct {
		size_t less;
		const char *want; // behind the samples
	} rows[] = {
		{0x1FF + 0x200,
		 "LOSS the file is cut off: 1 of its 5 buffers of 512 bytes are missing\n"
		 "LOSS the file ends inside a buffer: 511 of its 512 bytes are missing\n"},
		{0x200, "LOSS the file is cut off: 1 of its 5 buffers of 512 bytes are missing\n"},
		{0x150, "LOSS the file ends inside a buffer: 336 of its 512 bytes are missing\n"},
		{8, "note the file ends inside the unused part of a buffer\n"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build *b = memory_log(&options);
		size_t len;
		uint8_t *file;
		char *got, *tail;

		for (int k = 0; k < 8; k++)
			memory_sample(b, T0 + k * SECOND, k);
		file = blg_build_finish(b, &len);
		got = text_of(file, len - rows[i].less);
		tail = strstr(got, rows[i].want[0] == 'L' ? "LOSS" : "note");
		assert_non_null(tail);
		T_EQ_STR(tail, rows[i].want);
		free(got);
		free(file);
	}
}

// ---- The file as a whole --------------------------------------------------------------------

static void
info_of_the_log(void **state)
{
	struct blg_build_options options = berlin;
	struct blg_build *b;
	const struct pmon_source_info *info;
	struct pmon_source *source;
	struct text text = {0};
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	options.start = moment(2021, 7, 1, 0, 0);
	options.end = options.start + HOUR;
	b = memory_log(&options);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, NULL);
	info = pmon_source_info(source);
	T_EQ_STR(info->format, "BLG");
	T_EQ_STR(info->writer, "Windows 10 build 14393 x64");
	T_EQ_STR(info->machine, "SRV");
	T_EQ_STR(info->zone, "W. Europe Standard Time");
	T_EQ_I64(info->utc_offset_min, 120);
	T_EQ_I64(info->log_start, options.start);
	T_EQ_I64(info->log_end, options.end);
	T_EQ_U64(info->size_bytes, len);
	T_EQ_U64(info->bytes_read, 0);
	assert_int_equal(read_all(source, &text, &err), PMON_END);
	T_EQ_U64(info->bytes_read, len);
	T_EQ_U64(info->host->cpu_mhz, 2400);
	T_EQ_I64(info->host->boot, PMON_TIME_NONE);
	T_EQ_I64(info->host->perf_freq, 10000000);
	T_EQ_I64((int8_t)info->host->zone_info[0], -60);
	pmon_source_close(source);
	free(file);
}

static void
writers_by_name(void **state)
{
	static const struct {
		uint8_t major, minor;
		uint32_t build;
		bool is_32bit;
		const char *want;
	} rows[] = {
		{5, 1, 2600, true, "Windows XP build 2600 x86"},
		{5, 2, 3790, true, "Windows Server 2003 build 3790 x86"},
		{6, 0, 6000, true, "Windows Vista build 6000 x86"},
		{6, 0, 6001, false, "Windows Vista or Server 2008 build 6001 x64"},
		{6, 1, 7601, false, "Windows 7 build 7601 x64"},
		{6, 2, 9200, false, "Windows 8 build 9200 x64"},
		{6, 3, 9600, false, "Windows 8.1 build 9600 x64"},
		{10, 0, 14393, false, "Windows 10 build 14393 x64"},
		{10, 0, 26200, false, "Windows 11 build 26200 x64"},
		{12, 3, 4, false, "Windows 12.3 build 4 x64"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build_options options = {.os_major = rows[i].major,
						    .os_minor = rows[i].minor,
						    .os_build = rows[i].build,
						    .is_32bit = rows[i].is_32bit};
		size_t len;
		uint8_t *file = blg_build_finish(memory_log(&options), &len);
		struct pmon_source *source = open_bytes(file, len, NULL);

		T_EQ_STR(pmon_source_info(source)->writer, rows[i].want);
		pmon_source_close(source);
		free(file);
	}
}

static enum pmon_status
try_open(const void *bytes, size_t len, const struct pmon_log_options *options,
	 struct pmon_err *err)
{
	struct pmon_file *file;
	struct pmon_source *source;
	enum pmon_status status;

	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, err), PMON_OK);
	status = pmon_log_open_file(file, options, &source, err);
	if (status == PMON_OK)
		pmon_source_close(source);
	else
		assert_null(source);
	return status;
}

static void
files_that_are_no_logs(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum pmon_status status;
		const char *word; // somewhere in the message
	} rows[] = {
#define ROW(bytes, status, word) {bytes, sizeof(bytes) - 1, status, word}
		ROW("", PMON_E_FORMAT, "empty"),
		ROW("This is BibTeX", PMON_E_FORMAT, "text"),
		ROW("PK\x03\x04", PMON_E_UNSUPPORTED, "unzip"),
		ROW("\x01\x02\x03\x04", PMON_E_FORMAT, "not a performance log"),
#undef ROW
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_err err;

		T_EQ_I64_AT(try_open(rows[i].bytes, rows[i].len, NULL, &err), rows[i].status,
			    rows[i].word);
		if (strstr(err.msg, rows[i].word) == NULL)
			fail_msg("\"%s\" does not say \"%s\"", err.msg, rows[i].word);
	}
}

static void
event_traces_without_counters(void **state)
{
	struct pmon_err err;
	struct blg_build *b = blg_build_new(NULL);
	size_t len;
	uint8_t *file = blg_build_finish(b, &len);

	(void)state;
	T_EQ_I64(try_open(file, len, NULL, &err), PMON_E_FORMAT);
	assert_non_null(strstr(err.msg, "without any event"));
	free(file);
	b = blg_build_new(NULL);
	blg_build_foreign(b, 20);
	file = blg_build_finish(b, &len);
	T_EQ_I64(try_open(file, len, NULL, &err), PMON_E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "event trace"));
	free(file);
	b = blg_build_new(NULL);
	memory_sample(b, T0, 1);
	file = blg_build_finish(b, &len);
	T_EQ_I64(try_open(file, len, NULL, &err), PMON_E_FORMAT);
	assert_non_null(strstr(err.msg, "list of counters is lost"));
	free(file);
}

static void
paths_that_are_no_files(void **state)
{
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	T_EQ_I64(pmon_log_open("/nonexistent/a.blg", NULL, &source, &err), PMON_E_NOTFOUND);
	assert_null(source);
	T_EQ_I64(pmon_log_open("/", NULL, &source, &err), PMON_E_IO);
	assert_non_null(strstr(err.msg, "is a directory"));
	T_EQ_I64(pmon_log_open("/dev/null", NULL, &source, NULL), PMON_E_FORMAT);
}

static void
limits_are_kept(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct pmon_log_options options = {.limits = {.series = 2}};
	struct blg_build *b = disk_log();
	struct pmon_source *source;
	struct text text = {0};
	struct pmon_err err;
	size_t len;
	uint8_t *file;

	(void)state;
	disk_sample(b, T0, names, 2);
	disk_sample(b, T0 + 1, names, 3);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, &options);
	T_EQ_I64(read_all(source, &text, &err), PMON_E_LIMIT);
	assert_non_null(strstr(text.p, "sample 0"));
	assert_null(strstr(text.p, "sample 1"));
	// There is no going on.
	T_EQ_I64(read_all(source, &text, &err), PMON_E_LIMIT);
	pmon_source_close(source);
	// A name, and a record, that are too long are losses.
	options.limits = (struct pmon_limits){.string_bytes = 16};
	b = disk_log();
	disk_sample(b, T0, (const char *const[]){"a name of many letters"}, 1);
	disk_sample(b, T0 + 1, names, 1);
	free(file);
	file = blg_build_finish(b, &len);
	source = open_bytes(file, len, &options);
	text.n = 0;
	T_EQ_I64(read_all(source, &text, &err), PMON_END);
	assert_non_null(strstr(text.p, "sample 0"));
	T_EQ_U64(pmon_source_info(source)->losses, 1);
	pmon_source_close(source);
	free(text.p);
	free(file);
}

// ---- Real files -----------------------------------------------------------------------------

static void
real_files(void **state)
{
	static const struct {
		const char *name;
		uint64_t samples, values;
		size_t series;
		const char *writer, *machine, *first;
	} rows[] = {
		{"blg/pwsh-CounterSamples.blg", 25, 250, 10, "Windows 10 build 14393 x64",
		 "charlieparker", "2016-11-26T21:46:30.874Z"},
		{"blg/tx-BasicPerfCounters.blg", 601, 6010, 10, "Windows 8 build 9200 x64",
		 "GEORGIS3", "2013-02-20T02:50:17.844Z"},
		{"blg/pal-SampleLog.blg", 11, 18164, 1832, "Windows Vista build 6000 x86",
		 "ZACH-PC", "2007-08-14T19:40:38.659Z"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const char *path = t_data_path(rows[i].name);
		const struct pmon_sample *sample;
		struct pmon_source *source;
		struct pmon_err err;
		uint64_t samples = 0, values = 0;

		if (path == NULL)
			skip();
		assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
		while (pmon_source_next(source, &sample, &err) == PMON_OK) {
			char time[PMON_TIME_SIZE];

			(void)pmon_time_iso(sample->time, time);
			if (samples == 0)
				T_EQ_STR_AT(time, rows[i].first, rows[i].name);
			T_EQ_U64(sample->ordinal, samples);
			samples++;
			values += sample->n;
		}
		T_EQ_U64_AT(samples, rows[i].samples, rows[i].name);
		T_EQ_U64_AT(values, rows[i].values, rows[i].name);
		T_EQ_U64_AT(pmon_schema_count(pmon_source_schema(source)), rows[i].series,
			    rows[i].name);
		T_EQ_STR(pmon_source_info(source)->writer, rows[i].writer);
		T_EQ_STR(pmon_source_info(source)->machine, rows[i].machine);
		T_EQ_U64(pmon_source_info(source)->losses, 0);
		T_EQ_U64(pmon_source_info(source)->records_unknown, 0);
		pmon_source_close(source);
	}
}

static void
real_file_that_is_no_blg(void **state)
{
	const char *path = t_data_path("blg/pwsh-CorruptBlg.blg");
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	if (path == NULL)
		skip();
	T_EQ_I64(pmon_log_open(path, NULL, &source, &err), PMON_E_FORMAT);
	assert_non_null(strstr(err.msg, "text"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_and_multi_in_all_generations),
		cmocka_unit_test(series_know_how_to_be_computed),
		cmocka_unit_test(records_in_many_parts),
		cmocka_unit_test(instances_come_and_go),
		cmocka_unit_test(duplicates_are_numbered_in_each_record),
		cmocka_unit_test(names_are_split_into_parts),
		cmocka_unit_test(order_is_that_of_the_catalogue),
		cmocka_unit_test(unwanted_series_are_left_out),
		cmocka_unit_test(object_values),
		cmocka_unit_test(object_series_know_how_to_be_computed),
		cmocka_unit_test(object_instances),
		cmocka_unit_test(object_definitions_may_change),
		cmocka_unit_test(object_parents),
		cmocka_unit_test(object_names_of_one_byte),
		cmocka_unit_test(object_names_of_several_machines),
		cmocka_unit_test(zone_rules),
		cmocka_unit_test(zone_rules_of_the_south),
		cmocka_unit_test(zone_with_dates_of_one_year),
		cmocka_unit_test(zone_without_summer),
		cmocka_unit_test(data_tells_the_offset),
		cmocka_unit_test(buffers_are_read_in_order_of_sequence),
		cmocka_unit_test(samples_before_their_catalogue),
		cmocka_unit_test(unknown_things_are_counted),
		cmocka_unit_test(several_logs_in_one_file),
		cmocka_unit_test(many_logs_in_one_file),
		cmocka_unit_test(second_catalogue_of_a_log),
		cmocka_unit_test(same_path_twice),
		cmocka_unit_test(missing_parts_are_told),
		cmocka_unit_test(damaged_samples_are_told),
		cmocka_unit_test(damaged_entry_of_the_catalogue),
		cmocka_unit_test(damaged_size_of_the_buffers),
		cmocka_unit_test(cut_files_are_told),
		cmocka_unit_test(info_of_the_log),
		cmocka_unit_test(writers_by_name),
		cmocka_unit_test(files_that_are_no_logs),
		cmocka_unit_test(event_traces_without_counters),
		cmocka_unit_test(paths_that_are_no_files),
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(real_files),
		cmocka_unit_test(real_file_that_is_no_blg),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
