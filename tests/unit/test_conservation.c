// test_conservation.c - the CPU time of all processes adds up, in live samples and in every format
// SPDX-License-Identifier: MIT
//
// Machines at random: processes and threads start and end, and reuse the ids and names of others
// (process_trees.h). What each did in each interval is known. PMON_TEST_TREES is how many machines.

#include "t.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "folder.h"
#include "process_trees.h"

#define MAX_SEEN 128
#define TICK     100000 // 100 ns: one of stat, 1/100 s

// The raw values of an instance of Process or Thread in a sample.
struct seen {
	const struct pmon_path *path; // of one of its series
	bool has[5];
	int64_t value[5];
};
enum {
	ID,
	STARTED,
	USER,
	KERNEL,
	TIME
};

// ---- What a sample has --------------------------------------------------------------------------

static bool
is_instance(const struct pmon_path *a, const struct pmon_path *b)
{
	struct pmon_path other = *b;

	other.counter = a->counter;
	return pmon_path_same(a, &other);
}

static int
column_of(const struct pmon_path *path)
{
	static const char *const names[] = {[STARTED] = "Elapsed Time",
					    [USER] = "% User Time",
					    [KERNEL] = "% Privileged Time",
					    [TIME] = "% Processor Time"};
	bool is_thread = pmon_text_same(path->object, PMON_SPAN("Thread"));

	if (pmon_text_same(path->counter, t_span(is_thread ? "ID Thread" : "ID Process")))
		return ID;
	for (int i = STARTED; i <= TIME; i++)
		if (pmon_text_same(path->counter, t_span(names[i])))
			return i;
	return -1;
}

// Check the instances of a sample: none has the same counter twice.
static size_t
see(const struct pmon_schema *schema, const struct pmon_sample *sample, struct seen *seen)
{
	size_t n = 0;

	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_path *path = &pmon_schema_at(schema, sample->series[i])->path;
		int column = column_of(path);
		size_t at = n > 0 && is_instance(seen[n - 1].path, path) ? n - 1 : 0;

		if (column < 0)
			continue;
		while (at < n && !is_instance(seen[at].path, path))
			at++;
		assert_true(at < MAX_SEEN);
		if (at == n)
			seen[n++] = (struct seen){.path = path};
		assert_false(seen[at].has[column]);
		seen[at].has[column] = true;
		seen[at].value[column] = sample->raw[i].first;
	}
	return n;
}

static bool
is_total(const struct pmon_path *path)
{
	return pmon_text_same(path->instance, PMON_SPAN("_Total")) && path->index <= 0;
}

static const struct seen *
find_seen(const struct seen *seen, size_t n, const struct pt_row *row)
{
	const struct seen *found = NULL;

	for (size_t i = 0; i < n; i++) {
		bool is_thread = pmon_text_same(seen[i].path->object, PMON_SPAN("Thread"));

		if (is_thread != row->is_thread || !seen[i].has[ID] || seen[i].value[ID] != row->id)
			continue;
		if (found != NULL)
			fail_msg("process %u is there twice", row->process);
		found = &seen[i];
	}
	return found;
}

// ---- Raw values ---------------------------------------------------------------------------------

// Each process and thread must be present once, with its start and everything it did, and no
// others.
static void
check_rows(const struct pt_sample *want, const struct seen *seen, size_t n, const char *what)
{
	size_t n_totals = 0;

	for (size_t i = 0; i < want->n; i++) {
		const struct pt_row *row = &want->row[i];
		const struct seen *it = find_seen(seen, n, row);

		if (it == NULL)
			fail_msg("%s: %s %u of process %u is missing", what,
				 row->is_thread ? "thread" : "process", row->id, row->process);
		T_EQ_I64_AT(it->value[STARTED], TREE_TIME - TREE_PERF + row->started * TICK, what);
		T_EQ_I64_AT(it->value[USER], (int64_t)row->cpu.user * TICK, what);
		T_EQ_I64_AT(it->value[KERNEL], (int64_t)row->cpu.kernel * TICK, what);
		T_EQ_I64_AT(it->value[TIME], (int64_t)(row->cpu.user + row->cpu.kernel) * TICK,
			    what);
	}
	for (size_t i = 0; i < n; i++)
		n_totals += is_total(seen[i].path);
	T_EQ_U64_AT(n - n_totals, want->n, what);
}

// _Total grew by what the processes of the sample did.
static void
check_total(const struct process_trees *made, size_t s, const struct seen *seen, size_t n,
	    int64_t before[2], const char *what)
{
	for (size_t i = 0; i < n; i++) {
		bool is_thread = pmon_text_same(seen[i].path->object, PMON_SPAN("Thread"));
		int64_t done = 0;

		if (!is_total(seen[i].path))
			continue;
		for (size_t r = 0; r < made->sample[s].n; r++) {
			const struct pt_row *row = &made->sample[s].row[r];
			struct pt_cpu cpu = process_trees_done(made, s, row);

			if (row->is_thread == is_thread)
				done += (int64_t)(cpu.user + cpu.kernel) * TICK;
		}
		T_EQ_I64_AT(seen[i].value[TIME] - before[is_thread], done, what);
		before[is_thread] = seen[i].value[TIME];
	}
}

static void
check_sample(const struct process_trees *made, size_t s, const struct pmon_schema *schema,
	     const struct pmon_sample *sample, int64_t totals[2], const char *what)
{
	struct seen seen[MAX_SEEN];
	size_t n = see(schema, sample, seen);

	T_EQ_I64_AT(sample->time, TREE_TIME - TREE_PERF + made->sample[s].perf_100ns, what);
	check_rows(&made->sample[s], seen, n, what);
	check_total(made, s, seen, n, totals, what);
}

static void
check_paths(const struct pmon_schema *schema, const char *what)
{
	size_t n = pmon_schema_count(schema);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (pmon_path_same(&pmon_schema_at(schema, i)->path,
					   &pmon_schema_at(schema, k)->path))
				fail_msg("%s: %s is listed twice, as %s", what,
					 pmon_schema_at(schema, i)->name.ptr,
					 pmon_schema_at(schema, k)->name.ptr);
}

// ---- Formats ------------------------------------------------------------------------------------

static const char *const formats[] = {"blg", "sqlite", "jsonl"};
#define FORMATS T_LEN(formats)

static void
path_of(size_t format, char path[64])
{
	(void)snprintf(path, 64, "%s/log.%s", folder, formats[format]);
}

static void
check_log(const struct process_trees *made, const char *path, const char *what)
{
	struct pmon_source *log;
	const struct pmon_sample *sample;
	struct pmon_err err;
	int64_t totals[2] = {0, 0};

	if (pmon_log_open(path, NULL, &log, &err) != PMON_OK)
		fail_msg("%s: %s", what, err.msg);
	for (size_t s = 0; s < PT_SAMPLES; s++) {
		if (pmon_source_next(log, &sample, &err) != PMON_OK)
			fail_msg("%s: %s", what, err.msg);
		check_sample(made, s, pmon_source_schema(log), sample, totals, what);
	}
	assert_int_equal(pmon_source_next(log, &sample, &err), PMON_END);
	check_paths(pmon_source_schema(log), what);
	pmon_source_close(log);
}

// ---- Values -------------------------------------------------------------------------------------

// The counts of a process or thread in the interval, in ticks: its share of the time that it existed.
static double
ticks_of(const struct process_trees *made, size_t s, const struct pt_row *row, double percent)
{
	int64_t interval = made->sample[s].perf_100ns - made->sample[s - 1].perf_100ns;
	int64_t age = made->sample[s].perf_100ns - row->started * TICK;
	bool is_new = process_trees_find(&made->sample[s - 1], row) == NULL;

	return percent / 100 * (double)(is_new ? age : interval) / TICK;
}

static double
value_of(const struct pmon_schema *schema, const struct pmon_sample *sample,
	 const struct pmon_value *values, const struct seen *it, const char *what)
{
	struct pmon_path path = *it->path;

	path.counter = PMON_SPAN("% Processor Time");
	for (size_t i = 0; i < sample->n; i++) {
		if (!pmon_path_same(&pmon_schema_at(schema, sample->series[i])->path, &path))
			continue;
		if (!pmon_vstat_has_value(values[i].status))
			fail_msg("%s: %s: %s", what,
				 pmon_schema_at(schema, sample->series[i])->name.ptr,
				 pmon_vstat_name(values[i].status));
		return values[i].value;
	}
	fail_msg("%s: %% Processor Time is missing", what);
	return 0;
}

// Each process has its own number in each interval, and together they are what was done.
static void
check_values(const struct process_trees *made, size_t s, const struct pmon_schema *schema,
	     const struct pmon_sample *sample, const struct pmon_value *values, const char *what)
{
	struct seen seen[MAX_SEEN];
	size_t n = see(schema, sample, seen);
	double done = 0;
	double want = 0;

	for (size_t i = 0; i < made->sample[s].n; i++) {
		const struct pt_row *row = &made->sample[s].row[i];
		const struct seen *it = find_seen(seen, n, row);
		struct pt_cpu cpu = process_trees_done(made, s, row);
		double ticks;

		assert_non_null(it);
		ticks = ticks_of(made, s, row, value_of(schema, sample, values, it, what));
		if (fabs(ticks - (double)(cpu.user + cpu.kernel)) > 1e-6)
			fail_msg("%s, sample %zu: %g ticks, want %g", what, s, ticks,
				 (double)(cpu.user + cpu.kernel));
		if (!row->is_thread) {
			done += ticks;
			want += (double)(cpu.user + cpu.kernel);
		}
	}
	assert_true(fabs(done - want) < 1e-4);
}

// Read through the layer that identifies processes. Takes ownership of the source.
static void
check_identity(const struct process_trees *made, struct pmon_source *source, bool by_process,
	       const char *what)
{
	struct pmon_identity_options options = {
		.size = sizeof(options), .by_process = by_process, .from_start = true};
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	size_t s = 0;

	assert_int_equal(pmon_identity_open(source, &options, &source, &err), PMON_OK);
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		PMON_OK);
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, &err), PMON_OK);
		if (sample->preceding)
			continue;
		if (s > 0)
			check_values(made, s, pmon_source_schema(source), sample, values, what);
		s++;
	}
	assert_int_equal(s, PT_SAMPLES);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

static void
check_values_of_log(const struct process_trees *made, const char *path, bool by_process,
		    const char *what)
{
	struct pmon_source *log;
	struct pmon_err err;

	if (pmon_log_open(path, NULL, &log, &err) != PMON_OK)
		fail_msg("%s: %s", what, err.msg);
	check_identity(made, log, by_process, what);
}

// ---- Text ---------------------------------------------------------------------------------------

// Displayed values, through the layer that identifies processes, written as text the way `pmon
// record` does.
static void
write_text(const char *log_path, const char *format, const char *path)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = true};
	struct pmon_create_options create = {.size = sizeof(create), .overwrite = true};
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_err err;

	assert_int_equal(pmon_log_open(log_path, NULL, &source, &err), PMON_OK);
	assert_int_equal(pmon_identity_open(source, &options, &source, &err), PMON_OK);
	assert_int_equal(pmon_log_create(path, format, &create, &sink, &err), PMON_OK);
	assert_int_equal(pmon_copy(source, sink, NULL, &err), PMON_OK);
	pmon_sink_close(sink);
	pmon_source_close(source);
}

// What a sample of a text log displays, with the numbers of processes and threads where raw values have
// them.
static void
check_displayed(const struct process_trees *made, size_t s, const struct pmon_schema *schema,
		const struct pmon_sample *sample, const struct pmon_value *values, const char *what)
{
	struct pmon_raw *raw = calloc(sample->n + 1, sizeof(*raw));
	struct pmon_sample numbers = *sample;

	assert_non_null(raw);
	for (size_t i = 0; i < sample->n; i++)
		if (pmon_vstat_has_value(values[i].status))
			raw[i].first = llround(values[i].value);
	numbers.raw = raw;
	check_values(made, s, schema, &numbers, values, what);
	free(raw);
}

static void
check_text(const struct process_trees *made, const char *path, const char *what)
{
	struct pmon_statistics *statistics;
	struct pmon_source *log;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	size_t s = 0;

	if (pmon_log_open(path, NULL, &log, &err) != PMON_OK)
		fail_msg("%s: %s", what, err.msg);
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(log), NULL, NULL, &statistics, &err),
		PMON_OK);
	while (pmon_source_next(log, &sample, &err) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, &err), PMON_OK);
		if (s > 0)
			check_displayed(made, s, pmon_source_schema(log), sample, values, what);
		s++;
	}
	assert_int_equal(s, PT_SAMPLES);
	check_paths(pmon_source_schema(log), what);
	pmon_statistics_free(statistics);
	pmon_source_close(log);
}

static void
check_texts(const struct process_trees *made, const char *log_path, const char *what)
{
	static const char *const texts[] = {"csv", "tsv"};

	for (size_t i = 0; i < T_LEN(texts); i++) {
		char path[64];
		char name[64];

		(void)snprintf(path, sizeof(path), "%s/text.%s", folder, texts[i]);
		(void)snprintf(name, sizeof(name), "%s, %s", what, texts[i]);
		write_text(log_path, texts[i], path);
		check_text(made, path, name);
		assert_int_equal(unlink(path), 0);
	}
}

// ---- A machine ----------------------------------------------------------------------------------

static struct pmon_sink *
create(size_t format, struct pmon_source *source)
{
	struct pmon_create_options options = {
		.size = sizeof(options), .overwrite = true, .live = true};
	struct pmon_sink *sink;
	struct pmon_err err;
	char path[64];

	path_of(format, path);
	if (pmon_log_create(path, formats[format], &options, &sink, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), NULL),
		PMON_OK);
	return sink;
}

static void
open_machine(struct tree *t)
{
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\Elapsed Time",
		  "\\Process(*)\\% User Time", "\\Process(*)\\% Privileged Time",
		  "\\Process(*)\\% Processor Time", "\\Thread(*)\\ID Thread",
		  "\\Thread(*)\\Elapsed Time", "\\Thread(*)\\% User Time",
		  "\\Thread(*)\\% Privileged Time", "\\Thread(*)\\% Processor Time", NULL);
}

static void
check_values_live(const struct process_trees *made, struct tree *t, const char *what)
{
	struct pmon_source *source;
	struct pmon_err err;

	assert_int_equal(pmon_live_open(tree_options(t), &source, &err), PMON_OK);
	check_identity(made, source, false, what);
}

// Sample the machine, as `pmon record` does into a log, and look at both.
static void
run_machine(const struct process_trees *made, size_t format, const char *what)
{
	struct tree *t = tree_new();
	struct pmon_sink *sink = NULL;
	int64_t totals[2] = {0, 0};
	char path[64];

	process_trees_write(made, t);
	open_machine(t);
	for (size_t s = 0; s < PT_SAMPLES; s++) {
		assert_true(tree_next(t));
		check_sample(made, s, pmon_source_schema(tree_source(t)), tree_sample(t), totals,
			     what);
		if (s == 0)
			sink = create(format, tree_source(t));
		assert_int_equal(pmon_sink_add(sink, tree_sample(t), NULL, NULL), PMON_OK);
	}
	check_paths(pmon_source_schema(tree_source(t)), what);
	assert_int_equal(pmon_sink_finish(sink, NULL), PMON_OK);
	pmon_sink_close(sink);
	path_of(format, path);
	check_log(made, path, what);
	check_values_of_log(made, path, false, what);
	check_values_of_log(made, path, true, what);
	check_texts(made, path, what);
	check_values_live(made, t, what);
	assert_int_equal(unlink(path), 0);
	tree_free(t);
}

static void
cpu_time_is_conserved(void **state)
{
	size_t runs = t_runs("PMON_TEST_TREES", 60);

	(void)state;
	for (size_t i = 0; i < runs; i++) {
		struct t_rand rand = {i};
		struct process_trees made;
		char what[32];

		process_trees_make(&rand, &made);
		(void)snprintf(what, sizeof(what), "machine %zu, %s", i, formats[i % FORMATS]);
		run_machine(&made, i % FORMATS, what);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_time_is_conserved),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
