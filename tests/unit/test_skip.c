// test_skip.c - logs of which some series are not read to the end
// SPDX-License-Identifier: MIT
//
// The same samples are written in each format. A reader that can skip series then gives no values
// of those, and the same values of the others as before.

#include "t.h"

#include <stdio.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "folder.h"
#include "memsource.h"
#include "model/source.h"
#include "moments.h"

#define N_SERIES  40
#define N_SAMPLES 200
#define N_BEFORE  3 // samples that are read before series are skipped
#define KEPT      7 // every so many series are read on

static bool
is_kept(const struct pmon_series *series)
{
	unsigned disk;

	assert_int_equal(sscanf(series->path.instance.ptr, "%u", &disk), 1);
	return disk % KEPT == 0;
}

static double
number_of(uint32_t disk, size_t sample)
{
	return (double)(disk * 1000 + sample) + 0.5;
}

static void
write_log(const char *path, const char *format)
{
	struct mem_source *m = mem_source_new();
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	uint32_t series[N_SERIES];
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_err err;
	char text[64];

	for (unsigned i = 0; i < N_SERIES; i++) {
		(void)snprintf(text, sizeof(text), "\\\\SRV\\Disk(%u)\\Share", i);
		series[i] = mem_source_series(m, text, PMON_PERF_DOUBLE_RAW, 0);
	}
	for (size_t k = 0; k < N_SAMPLES; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * PMON_TIME_PER_SEC);
		for (uint32_t i = 0; i < N_SERIES; i++) {
			double number = number_of(i, k);
			int64_t bits;

			memcpy(&bits, &number, sizeof(bits));
			mem_source_raw(m, series[i], bits, 0);
		}
	}
	source = mem_source_open(m);
	if (pmon_log_create(path, format, &options, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s: %s", format, err.msg);
	pmon_sink_close(sink);
	pmon_source_close(source);
}

// The values of a sample must be the written ones. Returns their number.
static size_t
check_sample(const struct pmon_source *source, const struct pmon_sample *sample, size_t k,
	     bool skipped)
{
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series =
			pmon_schema_at(pmon_source_schema(source), sample->series[i]);
		double number;
		unsigned disk;

		assert_int_equal(sscanf(series->path.instance.ptr, "%u", &disk), 1);
		memcpy(&number, &sample->raw[i].first, sizeof(number));
		T_EQ_DBL(number, number_of(disk, k));
		assert_true(!skipped || is_kept(series));
	}
	return sample->n;
}

static void
skip_others(struct pmon_source *source)
{
	bool unread[N_SERIES];

	for (size_t i = 0; i < N_SERIES; i++)
		unread[i] = !is_kept(pmon_schema_at(pmon_source_schema(source), i));
	pmon_source_skip(source, unread, N_SERIES);
}

static void
check_format(const char *format)
{
	char path[FOLDER_SIZE + 16];
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;

	(void)snprintf(path, sizeof(path), "%s/log.%s", folder, format);
	write_log(path, format);
	assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
	for (size_t k = 0; k < N_SAMPLES; k++) {
		bool skipped = k >= N_BEFORE;

		if (k == N_BEFORE)
			skip_others(source);
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		T_EQ_U64_AT(check_sample(source, sample, k, skipped),
			    skipped ? (N_SERIES + KEPT - 1) / KEPT : N_SERIES, format);
	}
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_END);
	pmon_source_close(source);
	(void)unlink(path);
}

static void
test_blg(void **state)
{
	(void)state;
	check_format("blg");
}

static void
test_csv(void **state)
{
	(void)state;
	check_format("csv");
}

// ---- Cells that are no numbers --------------------------------------------------------------

#define N_ODD_LOGS 200

// Cells as text logs have them, and as they should not.
static const char *const cells[] = {
	"\"1\"",
	"\"2.5\"",
	"\"123456789.000001\"",
	"\"1.5e+17\"",
	"\" \"",
	"\"\"",
	"\"-1\"",
	"\"n/a\"",
	"\"a\"\"b\"",
	"\"a\"b\"",
	"\"1,5\"",
	"\"\"\",\"\"7\"",
	"7",
	"",
	" ",
	" \"8\"",
	"\"9\" ",
	"\"",
	"x\"y\"",
	"\"a\"\",\"\"b\"",
};

static void
write_odd(const char *path, struct t_rand *rand)
{
	size_t odd_in_100 = t_rand_below(rand, 4) * 10;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("\"(PDH-CSV 4.0) (UTC)(0)\"", f);
	for (unsigned i = 0; i < N_SERIES; i++)
		fprintf(f, ",\"\\\\SRV\\Disk(%u)\\Share\"", i);
	for (unsigned k = 0; k < N_SAMPLES; k++) {
		fprintf(f, "\r\n\"01/01/2024 00:%02u:%02u.000\"", k / 60, k % 60);
		for (unsigned i = 0; i < N_SERIES; i++) {
			bool is_odd = t_rand_below(rand, 100) < odd_in_100;

			fprintf(f, ",%s", cells[t_rand_below(rand, is_odd ? T_LEN(cells) : 4)]);
		}
	}
	fputs("\r\n", f);
	assert_int_equal(fclose(f), 0);
}

static struct pmon_source *
open_odd(const char *path)
{
	struct pmon_source *source;
	struct pmon_err err;

	assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
	return source;
}

// The values of kept series must be the same in a full sample as in one where other series are
// skipped.
static void
compare(const struct pmon_source *source, const struct pmon_sample *all,
	const struct pmon_sample *some)
{
	size_t k = 0;

	T_EQ_I64(all->time, some->time);
	for (size_t i = 0; i < all->n; i++) {
		if (!is_kept(pmon_schema_at(pmon_source_schema(source), all->series[i])))
			continue;
		assert_true(k < some->n);
		T_EQ_U64(some->series[k], all->series[i]);
		T_EQ_U64(some->raw[k].status, all->raw[i].status);
		T_EQ_I64(some->raw[k++].first, all->raw[i].first);
	}
	T_EQ_U64(k, some->n);
}

// Where a cell ends must not depend on whether it is parsed.
static void
odd_cells(void **state)
{
	const struct pmon_sample *one;
	const struct pmon_sample *other;
	struct t_rand rand = {5};
	char path[FOLDER_SIZE + 16];
	struct pmon_err err;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/odd.csv", folder);
	for (unsigned log = 0; log < N_ODD_LOGS; log++) {
		struct pmon_source *all;
		struct pmon_source *some;
		enum pmon_status status;

		write_odd(path, &rand);
		all = open_odd(path);
		some = open_odd(path);
		skip_others(some);
		while ((status = pmon_source_next(all, &one, &err)) == PMON_OK) {
			assert_int_equal(pmon_source_next(some, &other, &err), PMON_OK);
			compare(all, one, other);
		}
		assert_int_equal(status, PMON_END);
		assert_int_equal(pmon_source_next(some, &other, &err), PMON_END);
		pmon_source_close(all);
		pmon_source_close(some);
	}
	(void)unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blg),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(odd_cells),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
