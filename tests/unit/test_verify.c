// test_verify.c - what is written can be read back, or the writer reports that it cannot
// SPDX-License-Identifier: MIT
//
// Logs with names that are difficult for some formats are written in every format with
// pmon_create_options.verify. The intended contents are known here, line by line, and are compared
// with the file: if they differ, pmon_sink_finish() must have failed, and there must be no file.

#include "t.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "folder.h"
#include "format/format.h"
#include "memsource.h"
#include "moments.h"
#include "query/digest.h"
#include "write_fault.h"

static const char *const formats[] = {"blg", "csv", "tsv", "sqlite", "jsonl", "jsonl-values"};

#define N_SAMPLES 4
#define LONG_NAME 5000

// ---- What was meant, and what is there --------------------------------------------------------

// Lines "path time value", and one "sample time 0" for each sample. Their order does not matter.
struct table {
	char **lines;
	size_t n, cap;
};

static void
table_add(struct table *t, struct pmon_span path, pmon_time time, int64_t value)
{
	char *line = malloc(path.len + 64);

	assert_non_null(line);
	memcpy(line, path.ptr, path.len);
	(void)snprintf(line + path.len, 64, "|%" PRId64 "|%" PRId64, time / PMON_TIME_PER_MSEC,
		       value);
	if (t->n == t->cap) {
		t->cap = t->cap * 2 + 16;
		t->lines = realloc(t->lines, t->cap * sizeof(*t->lines));
		assert_non_null(t->lines);
	}
	t->lines[t->n++] = line;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
table_same(struct table *a, struct table *b)
{
	if (a->n != b->n)
		return false;
	if (a->n == 0)
		return true;
	qsort(a->lines, a->n, sizeof(*a->lines), by_text);
	qsort(b->lines, b->n, sizeof(*b->lines), by_text);
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->lines[i], b->lines[i]) != 0)
			return false;
	return true;
}

static void
table_free(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->lines[i]);
	free(t->lines);
}

static void
note_loss(void *ctx, const struct pmon_notice *notice)
{
	*(bool *)ctx |= notice->is_loss;
}

// What a reader finds in the file. False if it reports a loss or cannot open the file.
static bool
table_read(struct table *t, const char *path)
{
	bool lost = false;
	const struct pmon_log_options options = {
		.size = sizeof(options), .notice = note_loss, .notice_ctx = &lost};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	enum pmon_status status = pmon_log_open(path, &options, &source, NULL);

	while (status == PMON_OK && (status = pmon_source_next(source, &sample, NULL)) == PMON_OK) {
		table_add(t, PMON_SPAN("sample"), sample->time, 0);
		for (size_t i = 0; i < sample->n; i++) {
			const struct pmon_series *series =
				pmon_schema_at(pmon_source_schema(source), sample->series[i]);
			double number = (double)sample->raw[i].first;

			if (sample->raw[i].status != PMON_RAW_VALID)
				continue;
			if (series->counter.type == PMON_PERF_DOUBLE_RAW)
				memcpy(&number, &sample->raw[i].first, sizeof(number));
			table_add(t, series->name, sample->time, (int64_t)number);
		}
	}
	pmon_source_close(source);
	return status == PMON_END && !lost;
}

// ---- Logs -------------------------------------------------------------------------------------

struct log {
	struct mem_source *source;
	struct table meant;
};

static void
log_add(struct log *log, const struct pmon_path *path)
{
	const struct pmon_counter counter = {.type = PMON_PERF_COUNTER_LARGE_RAWCOUNT,
					     .size_bytes = 8};

	(void)mem_source_add(log->source, path, &counter);
}

static void
log_sample(struct log *log, pmon_time time)
{
	mem_source_sample(log->source, time);
	table_add(&log->meant, PMON_SPAN("sample"), time, 0);
}

// Samples of all series; some values are missing.
static void
log_fill(struct log *log, struct t_rand *r)
{
	const struct pmon_schema *schema = &log->source->base.schema;

	for (int t = 0; t < N_SAMPLES; t++) {
		pmon_time time = T0 + t * SECOND;

		log_sample(log, time);
		for (uint32_t i = 0; i < pmon_schema_count(schema); i++) {
			int64_t value = (int64_t)t_rand_below(r, 1000000);

			if (t > 0 && t_rand_below(r, 4) == 0)
				continue;
			mem_source_raw(log->source, i, value, 0);
			table_add(&log->meant, pmon_schema_at(schema, i)->name, time, value);
		}
	}
}

static bool
can_be_named(const struct log *log, const char *format)
{
	const struct pmon_schema *schema = &log->source->base.schema;
	const struct pmon_writer *writer = pmon_writer_find(format);

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (!writer->can_name(pmon_schema_at(schema, i)))
			return false;
	return true;
}

// Write the log, and see. Returns whether it was written.
static bool
try(struct log *log, const char *format)
{
	const struct pmon_create_options options = {
		.size = sizeof(options), .overwrite = true, .verify = true};
	const char *path = in_folder("log");
	struct table got = {.n = 0};
	struct pmon_err err = {.status = PMON_OK};
	bool written =
		write_source(mem_source_open(log->source), path, format, &options, &err) == PMON_OK;

	if (written) {
		if (!table_read(&got, path))
			fail_msg("%s: written, but damaged", format);
		if (!table_same(&log->meant, &got))
			fail_msg("%s: written, but another log", format);
		assert_int_equal(unlink(path), 0);
	} else {
		assert_string_not_equal(err.msg, "");
	}
	assert_int_equal(folder_count(), 0); // no temporary file either
	table_free(&got);
	table_free(&log->meant);
	return written;
}

// ---- Names ------------------------------------------------------------------------------------

static char long_name[LONG_NAME + 1];

static const char *const names[] = {
	"plain",
	"",
	" ",
	"a b",
	" a",
	"a ",
	"(",
	")",
	"(a",
	"a)",
	"a(b)c",
	"\\",
	"\\a",
	"a\\b",
	"a\\",
	"/",
	"a/b",
	"/a",
	"a/",
	"#",
	"a#1",
	"#1",
	"a#0",
	"*",
	"?",
	"\"",
	"a\"b",
	",",
	"a,b",
	";",
	"'",
	"a\tb",
	"\t",
	"a\nb",
	"a\rb",
	"a\r\nb",
	"\n",
	"a\x01"
	"b",
	"\x7F",
	"\xC3\xA9",
	"\xE2\x82\xAC",
	"\xF0\x9F\x98\x80",
	"\xEF\xBF\xBD",
	"\xFF",
	"a\xC3",
	"\xED\xA0\x80",
	"_Total",
	"A",
	"a",
	"[a]",
	"{a}",
	"null",
	"0",
	"(PDH-CSV 4.0)",
	"a\xE2\x80\xA8"
	"b",
	"\xEF\xBB\xBF"
	"a",
	long_name,
};

enum place {
	MACHINE,
	OBJECT,
	PARENT,
	INSTANCE,
	COUNTER,
	N_PLACES
};

static struct pmon_path
path_with(enum place place, const char *name)
{
	struct pmon_path path = {.machine = PMON_SPAN("SRV"),
				 .object = PMON_SPAN("Obj"),
				 .counter = PMON_SPAN("Cnt")};

	if (place == PARENT || place == INSTANCE)
		path.instance = PMON_SPAN("inst");
	switch (place) {
	case MACHINE:
		path.machine = t_span(name);
		break;
	case OBJECT:
		path.object = t_span(name);
		break;
	case PARENT:
		path.parent = t_span(name);
		break;
	case INSTANCE:
		path.instance = t_span(name);
		break;
	default:
		path.counter = t_span(name);
		break;
	}
	return path;
}

static void
each_name_alone(void **state)
{
	struct t_rand r = {1};

	(void)state;
	for (size_t f = 0; f < T_LEN(formats); f++)
		for (size_t i = 0; i < T_LEN(names); i++)
			for (enum place place = 0; place < N_PLACES; place++) {
				struct log log = {.source = mem_source_new()};
				struct pmon_path path = path_with(place, names[i]);
				bool can_name;

				log_add(&log, &path);
				log_fill(&log, &r);
				can_name = can_be_named(&log, formats[f]);
				if (!try(&log, formats[f]) && can_name)
					fail_msg("%s, place %d, name %zu: not written", formats[f],
						 (int)place, i);
			}
}

// Names that the names of others become when something is done to them: blanks for line ends, capitals, U+FFFD.
static void
add_at_random(struct log *log, struct t_rand *r)
{
	struct pmon_path path = {.machine = PMON_SPAN("SRV"),
				 .object = t_span(names[t_rand_below(r, T_LEN(names))]),
				 .counter = t_span(names[t_rand_below(r, T_LEN(names))])};

	if (t_rand_below(r, 4) == 0)
		path.machine = t_span(names[t_rand_below(r, T_LEN(names))]);
	if (t_rand_below(r, 2) == 0)
		path.instance = t_span(names[t_rand_below(r, T_LEN(names))]);
	if (path.instance.ptr != NULL && t_rand_below(r, 3) == 0)
		path.parent = t_span(names[t_rand_below(r, T_LEN(names))]);
	if (path.instance.ptr != NULL)
		path.index = (int32_t)t_rand_below(r, 3);
	log_add(log, &path);
}

// Many at once: a log is written whole, or not at all.
static void
random_schemas(void **state)
{
	size_t runs = t_runs("PMON_TEST_SCHEMAS", 300);
	struct t_rand r = {2};
	size_t written = 0;

	(void)state;
	for (size_t i = 0; i < runs; i++)
		for (size_t f = 0; f < T_LEN(formats); f++) {
			struct log log = {.source = mem_source_new()};
			size_t n = 1 + t_rand_below(&r, 6);

			while (n-- > 0)
				add_at_random(&log, &r);
			log_fill(&log, &r);
			written += try(&log, formats[f]);
		}
	assert_true(written > runs);
}

// A sample without values still counts as a sample, wherever it is.
static void
samples_without_values(void **state)
{
	(void)state;
	for (size_t f = 0; f < T_LEN(formats); f++)
		for (unsigned full = 0; full < 1U << N_SAMPLES; full++) {
			struct log log = {.source = mem_source_new()};
			struct pmon_path path = path_with(COUNTER, "C");

			log_add(&log, &path);
			for (int t = 0; t < N_SAMPLES; t++) {
				log_sample(&log, T0 + t * SECOND);
				if ((full >> t & 1) == 0)
					continue;
				mem_source_raw(log.source, 0, t, 0);
				table_add(&log.meant,
					  pmon_schema_at(&log.source->base.schema, 0)->name,
					  T0 + t * SECOND, t);
			}
			if (!try(&log, formats[f]) && full != 0)
				fail_msg("%s, samples %#x: not written", formats[f], full);
		}
}

// ---- Sources that cannot be read in parts -------------------------------------------------------

// As identity and pace do when memory runs out: close the parts that are open.
static enum pmon_status
no_parts(struct pmon_source *source, uint64_t part_bytes, struct pmon_source **parts, size_t *n,
	 struct pmon_err *err)
{
	(void)source;
	(void)part_bytes;
	(void)err;
	for (size_t i = 0; i < *n; i++)
		parts[i] = NULL;
	return PMON_E_NOMEM;
}

static void
failed_parts(void **state)
{
	static const struct pmon_source_split split = {.split = no_parts};
	struct mem_source *m = mem_source_new();
	uint32_t series = mem_source_series(m, "\\\\S\\Q\\N", PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct pmon_digest digest;

	(void)state;
	mem_source_sample(m, T0);
	mem_source_raw(m, series, 7, 0);
	m->base.split = &split;
	pmon_digest_init(&digest, PMON_DIGEST_RAW, &m->base.schema, NULL);
	assert_int_equal(pmon_digest_read(&digest, &m->base, 4, NULL), PMON_OK);
	T_EQ_U64(digest.values, 1);
	pmon_digest_free(&digest);
	pmon_source_close(&m->base);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_alone),
		cmocka_unit_test(random_schemas),
		cmocka_unit_test(samples_without_values),
		cmocka_unit_test(failed_parts),
	};

	memset(long_name, 'x', LONG_NAME);
	return cmocka_run_group_tests_name("verify", tests, folder_make, folder_remove);
}
