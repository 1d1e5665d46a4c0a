// test_live_sinks.c - logs written live: what was flushed survives any failure
// SPDX-License-Identifier: MIT

#include "t.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/sink.h>

#include "folder.h"

#include "base/mem.h"
#include "model/schema.h"
#include "moments.h"
#include "write_limit.h"

#define N_SINGLES 30
#define N_MAX     1000 // series
#define LATE_AT   10   // the sample in which a counter missing from all counter lists appears

static char path[64];

// ---- A machine: single counters, instances of which a new one comes every fifth sample, and a
// counter that comes late. First value of series s in sample k: 1000 k + s ----

struct machine {
	struct pmon_schema schema;
	struct pmon_source_info info;
	struct pmon_sample sample;
	uint32_t series[N_MAX];
	struct pmon_raw raw[N_MAX];
	struct pmon_value values[N_MAX];
};

static void
add_series(struct machine *m, const char *text, bool wildcard)
{
	struct pmon_counter counter = {.type = 0x10410400, .time_base = 10000000};
	struct pmon_path parsed;
	uint32_t id;

	assert_true(pmon_path_parse(t_span(text), &parsed, NULL));
	assert_int_equal(pmon_schema_add(&m->schema, &parsed, &counter, m->schema.n, N_MAX, &id),
			 PMON_OK);
	m->schema.list[id]->wildcard = wildcard;
}

static struct machine *
new_machine(void)
{
	struct machine *m = calloc(1, sizeof(*m));
	char text[64];

	assert_non_null(m);
	pmon_schema_init(&m->schema, pmon_mem_allocator(NULL));
	m->info = (struct pmon_source_info){.format = "test",
					    .live = true,
					    .writer = "",
					    .converter = "",
					    .machine = "SRV",
					    .zone = "",
					    .log_start = T0,
					    .log_end = PMON_TIME_NONE};
	for (int i = 0; i < N_SINGLES; i++) {
		(void)snprintf(text, sizeof(text), "\\\\SRV\\Single\\Count %d", i);
		add_series(m, text, false);
	}
	return m;
}

static void
free_machine(struct machine *m)
{
	pmon_schema_free(&m->schema);
	free(m);
}

static const struct pmon_sample *
take(struct machine *m, size_t k)
{
	char text[64];
	pmon_time now = T0 + (pmon_time)k * PMON_TIME_PER_SEC;

	if (k % 5 == 0 && k < 300) {
		(void)snprintf(text, sizeof(text), "\\\\SRV\\Many(i%zu)\\Count", k / 5);
		add_series(m, text, true);
	}
	if (k == LATE_AT)
		add_series(m, "\\\\SRV\\Late\\Count", false);
	m->sample = (struct pmon_sample){
		.time = now, .ordinal = k, .n = m->schema.n, .series = m->series, .raw = m->raw};
	for (size_t i = 0; i < m->schema.n; i++) {
		m->series[i] = (uint32_t)i;
		m->raw[i] = (struct pmon_raw){.status = PMON_RAW_VALID,
					      .time = now,
					      .first = (int64_t)(1000 * k + i),
					      .second = (int64_t)k * 10000000,
					      .multi = 1};
	}
	return &m->sample;
}

// ---- Writing ----------------------------------------------------------------------------------

struct attempt {
	const char *format;
	const struct pmon_allocator *allocator;
	uint64_t ring_bytes;
	size_t n_samples;
	bool finish;
	size_t flushed; // samples that the sink reported as flushed
	unsigned notices;
};

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	struct attempt *a = ctx;

	assert_non_null(strstr(notice->text, "appeared after this file was started"));
	a->notices++;
}

static enum pmon_status
write_samples(struct attempt *a, struct machine *m, struct pmon_sink *sink, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t k = 0; k < a->n_samples && status == PMON_OK; k++) {
		const struct pmon_sample *sample = take(m, k);

		if (k == 0)
			status = pmon_sink_begin(sink, &m->schema, &m->info, err);
		if (status == PMON_OK)
			status = pmon_sink_add(sink, sample, m->values, err);
		if (status == PMON_OK)
			status = pmon_sink_flush(sink, k % 8 == 7, err);
		a->flushed += status == PMON_OK;
	}
	return status == PMON_OK && a->finish ? pmon_sink_finish(sink, err) : status;
}

static enum pmon_status
write_live(struct attempt *a, struct pmon_err *err)
{
	struct pmon_create_options options = {.size = sizeof(options),
					      .allocator = a->allocator,
					      .live = true,
					      .overwrite = true,
					      .ring_bytes = a->ring_bytes,
					      .notice = count_notice,
					      .notice_ctx = a};
	struct machine *m = new_machine();
	struct pmon_sink *sink;
	enum pmon_status status;

	a->flushed = 0;
	a->notices = 0;
	status = pmon_log_create(path, a->format, &options, &sink, err);
	if (status == PMON_OK)
		status = write_samples(a, m, sink, err);
	pmon_sink_close(sink);
	free_machine(m);
	return status;
}

// ---- Reading ----------------------------------------------------------------------------------

static bool
is_text(const char *format)
{
	return strcmp(format, "csv") == 0;
}

// Check the values of sample k. The file names only what it knows, in any order.
static void
check_sample(const struct pmon_schema *schema, const struct pmon_sample *sample, size_t k,
	     const struct machine *m)
{
	T_EQ_I64(sample->time, T0 + (pmon_time)k * PMON_TIME_PER_SEC);
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, sample->series[i]);
		size_t id = 0;

		while (id < m->schema.n &&
		       strcmp(m->schema.list[id]->name.ptr, series->name.ptr) != 0)
			id++;
		assert_true(id < m->schema.n);
		T_EQ_I64_AT(sample->raw[i].first, (int64_t)(1000 * k + id), series->name.ptr);
	}
}

// The number of values in sample k: see struct machine.
static size_t
values_in(const struct attempt *a, size_t k)
{
	size_t instances = (k < 300 ? k : 299) / 5 + 1;

	if (is_text(a->format)) // only has the columns of the first sample
		return N_SINGLES + 1;
	return N_SINGLES + instances + (k >= LATE_AT && a->ring_bytes == 0);
}

// Read everything; returns the number of samples. *first_out is the number of the first.
static size_t
read_back(const struct attempt *a, size_t *first_out)
{
	struct machine *m = new_machine();
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	size_t n = 0;

	for (size_t k = 0; k < a->n_samples; k++)
		(void)take(m, k);
	assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		if (pass > 0)
			assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
		for (n = 0; pmon_source_next(source, &sample, &err) == PMON_OK; n++) {
			if (n == 0)
				*first_out = (size_t)((sample->time - T0) / PMON_TIME_PER_SEC);
			if (is_text(a->format))
				continue;
			check_sample(pmon_source_schema(source), sample, *first_out + n, m);
			T_EQ_U64(sample->n, values_in(a, *first_out + n));
		}
	}
	T_EQ_U64(pmon_source_info(source)->losses, 0);
	assert_true(pmon_schema_count(pmon_source_schema(source)) <= m->schema.n);
	pmon_source_close(source);
	free_machine(m);
	return n;
}

// Everything flushed is there; beyond that, at most the sample that was being written.
static void
check_flushed(const struct attempt *a)
{
	size_t first = 0;
	size_t n;

	if (a->flushed == 0)
		return;
	n = read_back(a, &first);
	T_EQ_U64(first, 0);
	assert_true(n == a->flushed || n == a->flushed + 1);
}

// ---- Tests ------------------------------------------------------------------------------------

static const char *const formats[] = {
	"blg",
	"jsonl",
	"csv",
#ifdef PMON_WITH_SQLITE
	"sqlite",
#endif
};

static void
remove_files(void)
{
	static const char *const endings[] = {"", "-wal", "-shm"};
	char name[120];

	for (size_t i = 0; i < T_LEN(endings); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", path, endings[i]);
		(void)unlink(name);
	}
}

static void
whole(void **state)
{
	(void)state;
	for (size_t f = 0; f < T_LEN(formats); f++)
		for (int finish = 0; finish < 2; finish++) {
			struct attempt a = {
				.format = formats[f], .n_samples = 40, .finish = finish};
			struct pmon_err err;
			size_t first;

			assert_int_equal(write_live(&a, &err), PMON_OK);
			T_EQ_U64_AT(read_back(&a, &first), 40, formats[f]);
			T_EQ_U64_AT(a.notices, is_text(formats[f]), formats[f]);
			remove_files();
		}
}

static void
short_of_memory(void **state)
{
	(void)state;
	for (size_t f = 0; f < T_LEN(formats); f++) {
		struct attempt a = {.format = formats[f], .n_samples = 12, .finish = true};
		bool is_done = false;

		for (size_t n = 1; !is_done; n++) {
			struct t_memory memory = {.fail_at = n};
			struct pmon_allocator allocator = t_memory_allocator(&memory);
			enum pmon_status status;
			struct pmon_err err;

			a.allocator = &allocator;
			status = write_live(&a, &err);
			assert_int_equal(memory.live_blocks, 0);
			is_done = t_memory_sufficed(&memory);
			assert_int_equal(status, is_done ? PMON_OK : PMON_E_NOMEM);
			a.allocator = NULL;
			check_flushed(&a);
			remove_files();
		}
		T_EQ_U64(a.flushed, 12);
	}
}

static void
full_disk(void **state)
{
	(void)state;
	(void)signal(SIGXFSZ, SIG_IGN);
	for (size_t f = 0; f < T_LEN(formats); f++) {
		struct attempt a = {.format = formats[f], .n_samples = 60, .finish = true};
		struct pmon_err err;
		struct stat st;

		assert_int_equal(write_live(&a, &err), PMON_OK);
		assert_int_equal(stat(path, &st), 0);
		remove_files();
		for (rlim_t bytes = 0; bytes < (rlim_t)st.st_size;
		     bytes += (rlim_t)st.st_size / 37) {
			enum pmon_status status;

			limit_files(bytes);
			status = write_live(&a, &err);
			limit_files(RLIM_INFINITY);
			assert_int_equal(status, PMON_E_IO);
			check_flushed(&a);
			remove_files();
		}
	}
}

// The newest samples, without a gap, whether or not the ring wrapped around.
static void
circle(void **state)
{
	(void)state;
	for (int finish = 0; finish < 2; finish++)
		for (size_t n = 100; n < 700; n += 37) {
			struct attempt a = {.format = "blg",
					    .ring_bytes = 6 * 65536,
					    .n_samples = n,
					    .finish = finish};
			struct pmon_err err;
			struct stat st;
			size_t first, got;

			assert_int_equal(write_live(&a, &err), PMON_OK);
			assert_int_equal(stat(path, &st), 0);
			assert_true(st.st_size <= 6 * 65536);
			T_EQ_U64(a.notices, 1);
			got = read_back(&a, &first);
			T_EQ_U64(first + got, n);
			assert_true(n < 600 || (first > 0 && got >= 50));
			remove_files();
		}
}

static void
circles_that_cannot_be(void **state)
{
	struct pmon_create_options options = {
		.size = sizeof(options), .live = true, .ring_bytes = 4 * 65536};
	struct pmon_sink *sink;

	(void)state;
	assert_int_equal(pmon_log_create(path, "blg", &options, &sink, NULL), PMON_E_ARG);
	options.ring_bytes = 1 << 20;
	assert_int_equal(pmon_log_create(path, "csv", &options, &sink, NULL), PMON_E_UNSUPPORTED);
	options.live = false;
	assert_int_equal(pmon_log_create(path, "blg", &options, &sink, NULL), PMON_E_UNSUPPORTED);
	assert_int_not_equal(access(path, F_OK), 0);
}

static int
setup(void **state)
{
	if (folder_make(state) != 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/log", folder);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(short_of_memory),
		cmocka_unit_test(full_disk),
		cmocka_unit_test(circle),
		cmocka_unit_test(circles_that_cannot_be),
	};

	return cmocka_run_group_tests(tests, setup, folder_remove);
}
