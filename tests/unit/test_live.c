// test_live.c - the schedule, and what a live source does whatever it samples
// SPDX-License-Identifier: MIT

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "live/live.h"
#include "os/clock.h"
#include "os/dir.h"
#include "os/ticker.h"
#include "t.h"

#define MSEC PMON_TIME_PER_MSEC

static void
sleep_ms(long ms)
{
	struct timespec length = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	(void)nanosleep(&length, NULL);
}

// ---- The schedule ---------------------------------------------------------------------------

// Ticks are at multiples of the interval after the first, however late the caller is.
static void
ticks_do_not_drift(void **state)
{
	struct pmon_ticker ticker;
	int64_t start;

	(void)state;
	assert_int_equal(pmon_ticker_open(&ticker, 20 * MSEC, NULL), PMON_OK);
	start = ticker.due_100ns;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(pmon_ticker_wait(&ticker, -1, NULL), PMON_OK);
		assert_true(pmon_os_clocks().boot_100ns >= start + i * 20 * MSEC);
		sleep_ms(3);
	}
	assert_int_equal((ticker.due_100ns - start) % (20 * MSEC), 0);
	pmon_ticker_close(&ticker);
}

// A caller that is 70 ms late in a schedule of 20 ms has missed at least three ticks, and continues with
// the next tick in the future. On a busy machine it may be late for the first one, too.
static void
missed_ticks_are_counted(void **state)
{
	struct pmon_ticker ticker;
	int64_t start;
	int64_t now;
	int64_t missed;

	(void)state;
	assert_int_equal(pmon_ticker_open(&ticker, 20 * MSEC, NULL), PMON_OK);
	start = ticker.due_100ns;
	assert_int_equal(pmon_ticker_wait(&ticker, -1, NULL), PMON_OK);
	missed = (int64_t)ticker.missed;
	assert_true(missed <= (pmon_os_clocks().boot_100ns - start) / (20 * MSEC));
	sleep_ms(90);
	now = pmon_os_clocks().boot_100ns;
	assert_int_equal(pmon_ticker_wait(&ticker, -1, NULL), PMON_OK);
	assert_true((int64_t)ticker.missed >= missed + 3);
	assert_true(ticker.due_100ns > now);
	assert_int_equal((ticker.due_100ns - start) / (20 * MSEC), ticker.missed + 2);
	pmon_ticker_close(&ticker);
}

static void
a_descriptor_ends_the_wait(void **state)
{
	struct pmon_ticker ticker;
	int ends[2];
	int64_t start = pmon_os_clocks().boot_100ns;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pmon_ticker_open(&ticker, 3600 * PMON_TIME_PER_SEC, NULL), PMON_OK);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_OK); // the first is due
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(pmon_ticker_wait(&ticker, ends[0], NULL), PMON_END);
	assert_true(pmon_os_clocks().boot_100ns - start < 600 * PMON_TIME_PER_SEC);
	pmon_ticker_close(&ticker);
	close(ends[0]);
	close(ends[1]);
}

// ---- The table ------------------------------------------------------------------------------

// Every row can be computed and explained: a known type that is displayed, a help text for each count, no
// name twice in its object, a base where the type needs one.
static void
every_counter_is_described(void **state)
{
	struct pmon_live_counter c;
	struct pmon_live_counter other;
	size_t n = 0;

	(void)state;
	for (; pmon_live_counter_at(n, &c); n++) {
		assert_non_null(pmon_type_by_word(c.type));
		assert_true(pmon_type_is_displayed(c.type));
		assert_true(c.help[0] != '\0' && c.from[0] != '\0' && c.object_help[0] != '\0');
		assert_non_null(c.windows);
		assert_in_range(c.default_scale + 7, 0, 14);
		for (size_t i = 0; i < n; i++)
			if (pmon_live_counter_at(i, &other) && strcmp(other.object, c.object) == 0)
				assert_string_not_equal(other.counter, c.counter);
	}
	assert_true(n > 0);
	assert_false(pmon_live_counter_at(SIZE_MAX, &c));
}

// ---- Sources --------------------------------------------------------------------------------

static void
write_file(const char *folder, const char *name, const char *text)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	t_write_text(path, text);
}

// A recorded tree with a clock and a count of context switches.
static void
make_tree(const char *root, const char *name, const char *clock, const char *stat)
{
	char folder[300];
	char proc[310];

	(void)snprintf(folder, sizeof(folder), "%s/%s", root, name);
	(void)snprintf(proc, sizeof(proc), "%s/proc", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkdir(proc, 0700), 0);
	if (clock != NULL)
		write_file(folder, "clock", clock);
	write_file(proc, "stat", stat);
}

static char *
new_root(char *root)
{
	strcpy(root, "/tmp/pmon-live-XXXXXX");
	assert_non_null(mkdtemp(root));
	return root;
}

static void
remove_root(const char *root)
{
	char command[300];

	(void)snprintf(command, sizeof(command), "rm -r '%s'", root);
	assert_int_equal(system(command), 0);
}

static struct pmon_source *
open_replay(const char *root, struct pmon_select *select)
{
	struct pmon_live_options options = {
		.size = sizeof(options), .replay = root, .select = select};
	struct pmon_source *source;

	assert_int_equal(pmon_live_open(&options, &source, NULL), PMON_OK);
	return source;
}

static struct pmon_select *
selection(const char *pattern)
{
	struct pmon_select *select;

	assert_int_equal(pmon_select_new(NULL, &select, NULL), PMON_OK);
	assert_int_equal(
		pmon_select_add(select, (struct pmon_span){pattern, strlen(pattern)}, NULL),
		PMON_OK);
	return select;
}

// Two trees, 2 s apart on the system clock: 5,000 more switches are 2,500 per second.
static void
trees_are_played_back(void **state)
{
	char root[64];
	struct pmon_select *select = selection("\\System\\Context Switches/sec");
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_source *source;

	(void)state;
	new_root(root);
	make_tree(root, "t1", "130000000020000000 3020000000\n", "ctxt 15000\n");
	make_tree(root, "t0", "130000000000000000 3000000000\n", "ctxt 10000\n");
	source = open_replay(root, select);
	assert_true(pmon_source_info(source)->live);
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_int_equal(sample->time, 130000000000000000 + i * 20000000);
		assert_int_equal(sample->ordinal, i);
		assert_int_equal(sample->n, 1);
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, NULL), PMON_OK);
	}
	assert_float_equal(values[0].value, 2500, 0);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_E_STATE);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	pmon_select_free(select);
	remove_root(root);
}

static void
trees_without_a_clock_are_refused(void **state)
{
	char root[64];
	struct pmon_live_options options = {.size = sizeof(options), .replay = root};
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	new_root(root);
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_E_NOTFOUND);
	assert_null(source);
	make_tree(root, "t0", NULL, "ctxt 10000\n");
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_E_FORMAT);
	assert_non_null(strstr(err.msg, "clock"));
	remove_root(root);
}

static void
a_root_without_proc_is_refused(void **state)
{
	char root[64];
	struct pmon_live_options options = {.size = sizeof(options), .root = root};
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	new_root(root);
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_E_NOTFOUND);
	assert_non_null(strstr(err.msg, root));
	remove_root(root);
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_E_NOTFOUND);
	options = (struct pmon_live_options){.size = sizeof(struct pmon_live_options),
					     .interval_100ns = -1};
	assert_int_equal(pmon_live_open(&options, &source, &err), PMON_E_ARG);
}

// The schema has only requested counters, and without patterns none that are sampled on request only.
static void
only_requested_counters_are_sampled(void **state)
{
	struct pmon_select *select = selection("\\System\\Context*");
	struct pmon_live_options options = {.size = sizeof(options), .select = select};
	const struct pmon_sample *sample;
	struct pmon_source *source;

	(void)state;
	assert_int_equal(pmon_live_open(&options, &source, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_int_equal(sample->n, 1);
	assert_string_equal(pmon_schema_at(pmon_source_schema(source), 0)->path.counter.ptr,
			    "Context Switches/sec");
	pmon_source_close(source);
	pmon_select_free(select);
}

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	assert_false(notice->is_loss);
	assert_non_null(strstr(notice->text, "a gap"));
	++*(int *)ctx;
}

// Samples that were not taken in time are missing, the others are at their times, and the loss
// is reported once. On a busy machine the first one may be late, too.
static void
missed_samples_are_gaps(void **state)
{
	int told = 0;
	int told_before;
	uint64_t missed;
	struct pmon_live_options options = {.size = sizeof(options),
					    .interval_100ns = 20 * MSEC,
					    .notice = count_notice,
					    .notice_ctx = &told};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	pmon_time first;

	(void)state;
	assert_int_equal(pmon_live_open(&options, &source, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	first = sample->time;
	missed = pmon_live_missed(source);
	told_before = told;
	sleep_ms(90);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_true(sample->time - first >= 80 * MSEC);
	assert_int_equal(sample->ordinal, 1);
	assert_true(pmon_live_missed(source) >= missed + 3);
	assert_int_equal(told, told_before + 1);
	pmon_source_close(source);
}

static void
names_are_cleaned(void **state)
{
	char name[] = "a(b)#1/c\\d\x1b";
	char path[] = "/a(b)#1/c\\d";
	char foreign[] = "caf\xE9"; // Latin-1
	char utf8[] = "caf\xC3\xA9";

	(void)state;
	pmon_live_clean_name(name);
	assert_string_equal(name, "a[b]_1_c_d?");
	pmon_live_clean_path(path);
	assert_string_equal(path, "/a[b]_1/c\\d");
	pmon_live_clean_name(foreign);
	assert_string_equal(foreign, "caf?");
	pmon_live_clean_name(utf8);
	assert_string_equal(utf8, "caf\xC3\xA9");
}

// ---- What the source stands on --------------------------------------------------------------

static void
patterns_report_what_they_could_match(void **state)
{
	struct pmon_select *select = selection("\\\\SRV\\Process(pmon)\\% *");

	(void)state;
	assert_true(pmon_select_could(select, PMON_SPAN("process"), PMON_SPAN("% User Time")));
	assert_false(pmon_select_could(select, PMON_SPAN("Process"), PMON_SPAN("ID Process")));
	assert_false(pmon_select_could(select, PMON_SPAN("Thread"), PMON_SPAN("% User Time")));
	assert_true(pmon_select_names(select, PMON_SPAN("PROCESS")));
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\Thre*(*)\\*"), NULL), PMON_OK);
	assert_true(pmon_select_could(select, PMON_SPAN("Thread"), PMON_SPAN("% User Time")));
	assert_false(pmon_select_names(select, PMON_SPAN("Thread")));
	pmon_select_free(select);
}

static void
folders_are_listed(void **state)
{
	char root[64];
	char path[100];
	struct pmon_dir *dir;
	size_t n;

	(void)state;
	new_root(root);
	write_file(root, "a-file", "x");
	for (int i = 2; i >= 0; i--) {
		(void)snprintf(path, sizeof(path), "%s/%s", root,
			       i == 0   ? ".hidden"
			       : i == 1 ? "b"
					: "c");
		assert_int_equal(mkdir(path, 0700), 0);
	}
	assert_int_equal(pmon_dir_list_folders(root, NULL, 2, &dir, NULL), PMON_OK);
	assert_non_null(strstr(pmon_dir_paths(dir, &n)[0], "/b"));
	assert_non_null(strstr(pmon_dir_paths(dir, &n)[1], "/c"));
	assert_int_equal(n, 2);
	pmon_dir_free(dir);
	assert_int_equal(pmon_dir_list_folders(root, NULL, 1, &dir, NULL), PMON_E_LIMIT);
	remove_root(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_do_not_drift),
		cmocka_unit_test(missed_ticks_are_counted),
		cmocka_unit_test(a_descriptor_ends_the_wait),
		cmocka_unit_test(every_counter_is_described),
		cmocka_unit_test(trees_are_played_back),
		cmocka_unit_test(trees_without_a_clock_are_refused),
		cmocka_unit_test(a_root_without_proc_is_refused),
		cmocka_unit_test(only_requested_counters_are_sampled),
		cmocka_unit_test(missed_samples_are_gaps),
		cmocka_unit_test(names_are_cleaned),
		cmocka_unit_test(patterns_report_what_they_could_match),
		cmocka_unit_test(folders_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
