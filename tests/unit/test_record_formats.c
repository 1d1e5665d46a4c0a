// test_record_formats.c - every recorded format holds every raw value, under one path an instance
// SPDX-License-Identifier: MIT
//
// Machines whose processes and threads start, end, and start again under the same name are recorded
// in each format. The result must be what the live source delivered, sample by sample: a missing
// value, or one under a second series with the same path, is a difference.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "folder.h"
#include "format/format.h"
#include "lines.h"
#include "live_task.h"
#include "memsource.h"
#include "model/sink.h"
#include "os/outfile.h"

#define N_TREES   24
#define N_TASKS   24
#define N_RUNS    2
#define WHOLE     SIZE_MAX
#define NAME_SIZE 64

static const char *const formats[] = {"blg", "sqlite", "jsonl"};
static const char *const patterns[] = {"\\Process(*)\\*", "\\Thread(*)\\*", "\\System\\*"};

// ---- A machine ------------------------------------------------------------------------------

struct life {
	unsigned id; // 0: does not live
	unsigned started;
	unsigned threads;
	unsigned long ticks;
};

static const char *
comm_of(size_t i)
{
	static const char *const comms[] = {"qq", "qq", "qq", "ww", "k/0:1", "a#1", "a"};

	return comms[i % T_LEN(comms)];
}

static void
change_lives(struct life lives[N_TASKS], struct t_rand *r, unsigned n, unsigned *next_id)
{
	for (size_t i = 0; i < N_TASKS; i++) {
		if (t_rand_below(r, 4) != 0)
			continue;
		if (lives[i].id != 0)
			lives[i].id = 0;
		else
			lives[i] = (struct life){
				.id = t_rand_below(r, 5) == 0 && n > 0
					      ? 10 + (unsigned)t_rand_below(r, 6)
					      : (*next_id)++,
				.started = 90000 + 100 * n,
				.threads = 1 + (unsigned)t_rand_below(r, 3),
			};
		for (size_t k = 0; k < N_TASKS; k++) // an id is used once at a time
			if (k != i && lives[k].id != 0 && lives[k].id == lives[i].id)
				lives[i].id = 0;
	}
}

static void
write_lives(struct tree *t, unsigned n, struct life lives[N_TASKS], struct t_rand *r)
{
	for (size_t i = 0; i < N_TASKS; i++) {
		struct task task = {.id = lives[i].id,
				    .comm = comm_of(i),
				    .utime = lives[i].ticks += t_rand_below(r, 100),
				    .threads = lives[i].threads,
				    .started = lives[i].started};

		if (lives[i].id == 0)
			continue;
		task_process(t, n, task);
		for (unsigned k = 0; k < lives[i].threads; k++) {
			task.id = lives[i].id + 10000 * k;
			task_thread(t, n, lives[i].id, task);
		}
	}
}

static struct tree *
make_tree(uint64_t seed)
{
	struct t_rand r = {.state = seed};
	struct life lives[N_TASKS] = {{.id = 0}};
	struct tree *t = tree_new();
	unsigned next_id = 10;
	char text[64];

	for (unsigned n = 0; n < N_TREES; n++) {
		change_lives(lives, &r, n, &next_id);
		write_lives(t, n, lives, &r);
		(void)snprintf(text, sizeof(text), "ctxt %u\n", 1000 + 7 * n);
		tree_file(t, n, "proc/stat", text);
	}
	tree_open(t, patterns[0], patterns[1], patterns[2], NULL);
	return t;
}

// ---- What the live source gives ----------------------------------------------------------------

static struct pmon_source *
open_live(struct tree *t)
{
	struct pmon_source *source;
	struct pmon_err err;

	if (pmon_live_open(tree_options(t), &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

// All of it in memory.
static struct mem_source *
truth_of(struct tree *t)
{
	struct pmon_source *live = open_live(t);
	const struct pmon_schema *schema = pmon_source_schema(live);
	struct mem_source *m = mem_source_new();
	const struct pmon_sample *s;

	while (pmon_source_next(live, &s, NULL) == PMON_OK) {
		for (size_t i = m->base.schema.n; i < pmon_schema_count(schema); i++) {
			const struct pmon_series *of = pmon_schema_at(schema, i);
			uint32_t id = mem_source_add(m, &of->path, &of->counter);

			m->base.schema.list[id]->wildcard = of->wildcard;
		}
		mem_source_sample_of(m, s->time, s->utc_offset_min, 0);
		for (size_t i = 0; i < s->n; i++)
			mem_source_put(m, s->series[i], &s->raw[i]);
	}
	m->base.info.log_start = m->base.info.log_end = PMON_TIME_NONE;
	pmon_source_close(live);
	return m;
}

// ---- Logs -----------------------------------------------------------------------------------

static void
path_of(char buf[NAME_SIZE], const char *name)
{
	(void)snprintf(buf, NAME_SIZE, "%s/%s", folder, name);
}

// Does not close the source.
static void
write_as(struct pmon_source *source, const char *format, const char *name,
	 struct pmon_create_options options)
{
	struct pmon_sink *sink;
	struct pmon_err err;
	char path[NAME_SIZE];

	path_of(path, name);
	options.overwrite = true;
	if (pmon_log_create(path, format, &options, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
}

static void
no_loss(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	if (notice->is_loss)
		fail_msg("%s", notice->text);
}

static struct pmon_source *
open_named(const char *name)
{
	struct pmon_log_options options = {.size = sizeof(options), .notice = no_loss};
	struct pmon_source *source;
	struct pmon_err err;
	char path[NAME_SIZE];

	path_of(path, name);
	if (pmon_log_open(path, &options, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

static void
remove_named(const char *name)
{
	char path[NAME_SIZE];

	path_of(path, name);
	assert_int_equal(unlink(path), 0);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
check_paths(struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	size_t n = pmon_schema_count(schema);
	const char **names = calloc(n + 1, sizeof(*names));

	assert_non_null(names);
	for (size_t i = 0; i < n; i++)
		names[i] = pmon_schema_at(schema, i)->name.ptr;
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 1; i < n; i++)
		if (strcmp(names[i - 1], names[i]) == 0)
			fail_msg("%s is there twice", names[i]);
	free(names);
}

// The statistics of a log as several threads read it.
static struct lines
read_in_parts(const char *name)
{
	struct pmon_statistics_options options = {
		.size = sizeof(options), .threads = 3, .part_bytes = 1};
	struct pmon_source *source = open_named(name);
	struct pmon_statistics *statistics;
	struct lines l;
	struct pmon_err err;

	assert_int_equal(pmon_statistics_read(source, &options, NULL, &statistics, &err), PMON_OK);
	l = statistics_lines(source, statistics);
	check_paths(source);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return l;
}

// The log contains the last samples of the truth: all, or n of them.
static void
check_log(const char *name, struct mem_source *truth, size_t n)
{
	struct pmon_source *source = open_named(name);
	struct lines got = read_lines(source);
	struct lines want, statistics;
	size_t from = truth->n - (n == WHOLE ? truth->n : n);

	truth->next = from;
	want = read_lines(&truth->base);
	same_lines(&got, &want);
	check_paths(source);
	got = read_statistics(source);
	truth->next = from;
	want = read_statistics(&truth->base);
	same_lines(&got, &want);
	pmon_source_close(source);
	statistics = read_in_parts(name);
	truth->next = from;
	want = read_statistics(&truth->base);
	same_lines(&statistics, &want);
}

// ---- The tests ------------------------------------------------------------------------------

static void
record(struct tree *t, const char *format, const char *name, uint64_t ring_bytes)
{
	struct pmon_source *live = open_live(t);

	write_as(live, format, name,
		 (struct pmon_create_options){.size = sizeof(struct pmon_create_options),
					      .live = true,
					      .ring_bytes = ring_bytes});
	pmon_source_close(live);
}

// Each format, and a BLG converted from it.
static void
test_recorded(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= N_RUNS; seed++) {
		struct tree *t = make_tree(seed);
		struct mem_source *truth = truth_of(t);

		check_paths(&truth->base);
		for (size_t i = 0; i < T_LEN(formats); i++) {
			struct pmon_source *log;

			record(t, formats[i], "a", 0);
			check_log("a", truth, WHOLE);
			log = open_named("a");
			write_as(
				log, "blg", "b",
				(struct pmon_create_options){
					.size = sizeof(struct pmon_create_options), .live = false});
			pmon_source_close(log);
			check_log("b", truth, WHOLE);
		}
		pmon_source_close(&truth->base);
		tree_free(t);
	}
	remove_named("a");
	remove_named("b");
}

// The rest of a circular log is valid. In the larger log that is everything.
static void
test_circle(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= N_RUNS; seed++) {
		struct tree *t = make_tree(seed);
		struct mem_source *truth = truth_of(t);
		struct pmon_source *log;
		struct lines l;
		size_t n;

		record(t, "blg", "a", 64 << 20);
		check_log("a", truth, WHOLE);
		record(t, "blg", "a", 384 << 10);
		log = open_named("a");
		l = read_lines(log);
		n = count_samples(&l);
		free_lines(&l);
		pmon_source_close(log);
		assert_true(n > 2 && n < N_TREES);
		check_log("a", truth, n);
		pmon_source_close(&truth->base);
		tree_free(t);
	}
	remove_named("a");
}

// A file to append to must exist: a failed attempt leaves none behind.
static void
test_append_to_nothing(void **state)
{
	const char *format;
	char path[NAME_SIZE];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/missing", folder);
	for (size_t i = 0; (format = pmon_log_writable(i)) != NULL; i++) {
		struct pmon_create_options options = {
			.size = sizeof(options), .live = true, .append = true};
		struct pmon_sink *sink;
		struct pmon_err err;
		enum pmon_status status = pmon_log_create(path, format, &options, &sink, &err);

		assert_true(status == PMON_E_FORMAT || status == PMON_E_UNSUPPORTED);
		assert_null(sink);
		assert_int_not_equal(access(path, F_OK), 0);
	}
}

static struct pmon_source *
many_samples(size_t n)
{
	struct mem_source *m = mem_source_new();
	uint32_t id =
		mem_source_series(m, "\\\\S\\Disk(a)\\Reads/sec", PMON_PERF_COUNTER_BULK_COUNT, 1);

	for (size_t i = 0; i < n; i++) {
		mem_source_sample(m, (pmon_time)(i + 1) * PMON_TIME_PER_SEC);
		mem_source_raw(m, id, (int64_t)i, (int64_t)i);
	}
	return mem_source_open(m);
}

// A recorder looks at its file before each sample. When another program truncates it after that, the sample gives the
// file its size again.
static void
test_truncated_during_a_sample(void **state)
{
	const size_t n = 4000;

	(void)state;
	for (size_t k = 0; k < T_LEN(formats); k++) {
		struct pmon_create_options options = {.size = sizeof(options), .live = true};
		struct pmon_source *source = many_samples(n);
		enum pmon_status status = PMON_OK;
		struct pmon_outfile *file;
		const struct pmon_sample *sample;
		struct pmon_sink *sink;
		char path[NAME_SIZE];

		(void)snprintf(path, sizeof(path), "%s/truncated.%s", folder, formats[k]);
		assert_int_equal(pmon_log_create(path, formats[k], &options, &sink, NULL), PMON_OK);
		assert_int_equal(pmon_sink_begin(sink, pmon_source_schema(source),
						 pmon_source_info(source), NULL),
				 PMON_OK);
		file = sink->ops->file(sink);
		for (size_t i = 0; status == PMON_OK && i < n; i++) {
			assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
			assert_int_equal(pmon_sink_add(sink, sample, NULL, NULL), PMON_OK);
			if (i == n - 10)
				assert_int_equal(truncate(path, 0), 0);
			// SQLite may miss what it has to read.
			status = pmon_sink_flush(sink, i % 16 == 0 || i > n - 20, NULL);
			assert_true(i >= n - 10 ||
				    (status == PMON_OK && !pmon_outfile_state(file).is_emptied));
		}
		assert_true(pmon_outfile_state(file).is_emptied);
		pmon_sink_close(sink);
		pmon_source_close(source);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_circle),
		cmocka_unit_test(test_append_to_nothing),
		cmocka_unit_test(test_truncated_during_a_sample),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
