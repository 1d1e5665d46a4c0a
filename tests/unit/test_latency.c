// test_latency.c - average latencies of disks in logs of displayed values
// SPDX-License-Identifier: MIT
//
// Cells are made of the number of operations of each interval and of the time that they took; the average is the sum of
// the times over the sum of the numbers, by the integers.

#include "test_pdhtext.h"

#include <math.h>

#include "buf.h"
#include "query/statistics.h"

#define MOST_DISKS 3
#define READ       "\\\\S\\PhysicalDisk(%zu C:)\\Avg. Disk sec/Read"
#define RATE       "\\\\S\\PhysicalDisk(%zu C:)\\Disk Reads/sec"

struct disk {
	double seconds;
	double operations;
};

struct made {
	struct buf text;
	struct disk disks[MOST_DISKS];
	size_t n;
};

// Some intervals have no operations, some lines no values, and not all intervals are equally long.
static void
make(struct made *m, struct t_rand *r, size_t n_disks, size_t lines)
{
	int clock = 0;

	*m = (struct made){.n = n_disks};
	buf_add(&m->text, "\"(PDH-CSV 4.0) (UTC)(0)\"");
	for (size_t i = 0; i < m->n; i++)
		buf_add(&m->text, ",\"" READ "\",\"" RATE "\"", i, i);
	for (size_t line = 0; line < lines; line++) {
		int interval = 1 + (int)t_rand_below(r, 20);

		clock += interval;
		buf_add(&m->text, CRLF "\"07/%02d/2026 %02d:%02d:%02d.000\"", 1 + clock / 86400,
			clock / 3600 % 24, clock / 60 % 60, clock % 60);
		for (size_t i = 0; i < m->n; i++) {
			double n = (double)t_rand_below(r, 3) * (double)t_rand_below(r, 5000);
			double seconds = n * (double)(1 + t_rand_below(r, 100000)) / 1e6;

			if (line == 0 || t_rand_below(r, 10) == 0) {
				buf_add(&m->text, ",\" \",\" \"");
				continue;
			}
			m->disks[i].seconds += seconds;
			m->disks[i].operations += n;
			buf_add(&m->text, ",\"%.17g\",\"%.17g\"", n > 0 ? seconds / n : 0,
				n / interval);
		}
	}
	buf_add(&m->text, CRLF);
}

static double
average_of(const struct made *m, const struct pmon_source *source,
	   const struct pmon_statistics *statistics, size_t disk)
{
	const struct pmon_series *series = pmon_schema_at(pmon_source_schema(source), 2 * disk);
	const struct disk *d = &m->disks[disk];
	enum pmon_average_kind kind;
	struct pmon_value got = pmon_statistics_average(statistics, series->id, &kind);

	if (d->operations > 0) {
		T_EQ_U64(kind, PMON_AVERAGE_DERIVED);
		assert_true(fabs(got.value - d->seconds / d->operations) <=
			    1e-12 * d->seconds / d->operations);
	}
	(void)pmon_statistics_average(statistics, series->id + 1, &kind);
	T_EQ_U64(kind, PMON_AVERAGE_MEAN);
	return got.value;
}

static void
averages_are_those_of_the_operations(void **state)
{
	struct t_rand r = {11};

	(void)state;
	for (int i = 0; i < 60; i++) {
		double first[MOST_DISKS];
		struct made m;

		make(&m, &r, 1 + t_rand_below(&r, MOST_DISKS),
		     i < 50 ? 2 + t_rand_below(&r, 200) : 3000);
		for (unsigned threads = 1; threads <= 4; threads++) {
			struct pmon_statistics_options options = {
				.size = sizeof(options), .threads = threads, .part_bytes = 2000};
			struct pmon_statistics *statistics;
			struct pmon_err err;
			struct table t;

			open_bytes(&t, m.text.text, m.text.len, NULL);
			assert_int_equal(t.status, PMON_OK);
			assert_int_equal(
				pmon_statistics_read(t.source, &options, NULL, &statistics, &err),
				PMON_OK);
			for (size_t disk = 0; disk < m.n; disk++) {
				double average = average_of(&m, t.source, statistics, disk);

				if (threads == 1)
					first[disk] = average;
				T_EQ_DBL(average, first[disk]); // to the last bit
			}
			pmon_statistics_free(statistics);
			close_table(&t);
		}
		buf_free(&m.text);
	}
}

// ---- Several streams ------------------------------------------------------------------------

#define MOST_LOGS 4

// Logs of the same disks with samples in any order; each log has its own stream.
struct logs {
	struct made made[MOST_LOGS];
	struct table tables[MOST_LOGS];
	const struct pmon_sample *next[MOST_LOGS]; // NULL: at its end
	size_t n;
};

static void
read_next(struct logs *logs, size_t i)
{
	if (pmon_source_next(logs->tables[i].source, &logs->next[i], NULL) != PMON_OK)
		logs->next[i] = NULL;
}

static void
open_logs(struct logs *logs, struct t_rand *r)
{
	size_t n_disks = 1 + t_rand_below(r, MOST_DISKS);

	*logs = (struct logs){.n = 2 + t_rand_below(r, MOST_LOGS - 1)};
	for (size_t i = 0; i < logs->n; i++) {
		make(&logs->made[i], r, n_disks, 2 + t_rand_below(r, 60));
		open_bytes(&logs->tables[i], logs->made[i].text.text, logs->made[i].text.len, NULL);
		assert_int_equal(logs->tables[i].status, PMON_OK);
		read_next(logs, i);
	}
}

static void
close_logs(struct logs *logs)
{
	for (size_t i = 0; i < logs->n; i++) {
		close_table(&logs->tables[i]);
		buf_free(&logs->made[i].text);
	}
}

static const struct pmon_schema *
schema_of(const struct logs *logs)
{
	return pmon_source_schema(logs->tables[0].source);
}

static struct pmon_statistics *
new_statistics(const struct logs *logs)
{
	struct pmon_statistics *statistics;

	assert_int_equal(pmon_statistics_new(schema_of(logs), NULL, NULL, &statistics, NULL),
			 PMON_OK);
	return statistics;
}

// The next sample of a log that has one, into its stream. False when no log has.
static bool
add_any(struct logs *logs, struct t_rand *r, struct pmon_statistics *statistics)
{
	size_t first = t_rand_below(r, logs->n);

	for (size_t k = 0; k < logs->n; k++) {
		size_t i = (first + k) % logs->n;
		struct pmon_sample sample;

		if (logs->next[i] == NULL)
			continue;
		sample = *logs->next[i];
		sample.stream = (uint32_t)(MOST_LOGS - i);
		assert_int_equal(pmon_statistics_add(statistics, &sample, NULL, NULL), PMON_OK);
		read_next(logs, i);
		return true;
	}
	return false;
}

// All operations of all logs, whatever the order of samples, and with each log cut in two.
static void
streams_are_combined(void **state)
{
	static const uint32_t same[] = {0, 1, 2, 3, 4, 5};
	struct t_rand r = {12};

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct pmon_statistics *parts[2];
		struct logs logs;
		size_t before;

		open_logs(&logs, &r);
		parts[0] = new_statistics(&logs);
		parts[1] = new_statistics(&logs);
		before = t_rand_below(&r, 60);
		while (before > 0 && add_any(&logs, &r, parts[0]))
			before--;
		while (add_any(&logs, &r, parts[1]))
			continue;
		assert_int_equal(pmon_statistics_append(parts[0], parts[1], same, NULL), PMON_OK);
		for (size_t k = 1; k < logs.n; k++)
			for (size_t disk = 0; disk < logs.made[0].n; disk++) {
				logs.made[0].disks[disk].seconds +=
					logs.made[k].disks[disk].seconds;
				logs.made[0].disks[disk].operations +=
					logs.made[k].disks[disk].operations;
			}
		for (size_t disk = 0; disk < logs.made[0].n; disk++)
			(void)average_of(&logs.made[0], logs.tables[0].source, parts[0], disk);
		pmon_statistics_free(parts[0]);
		pmon_statistics_free(parts[1]);
		close_logs(&logs);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_are_those_of_the_operations),
		cmocka_unit_test(streams_are_combined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
