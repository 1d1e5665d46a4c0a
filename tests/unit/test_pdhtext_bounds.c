// test_pdhtext_bounds.c - values in text logs that no counter can have, and those that one can
// SPDX-License-Identifier: MIT
//
// Impossible values are generated as in reality: counters that go back, whose differences are taken
// modulo 2^32 or 2^64, or as negative numbers. Possible values go up to the limits of machines.

#include "test_pdhtext.h"

#include "buf.h"

#define LINES 20

// A log of one counter, every `seconds`: `usual` in all lines but one.
static void
read_spike(struct table *t, const char *path, int seconds, double usual, double spike)
{
	struct buf text = {NULL, 0, 0};

	buf_add(&text, "\"(PDH-CSV 4.0) (UTC)(0)\",\"%s\"" CRLF, path);
	for (int i = 0; i < LINES; i++)
		buf_add(&text, "\"07/23/2026 %02d:%02d:%02d.000\",\"%.17g\"" CRLF,
			i * seconds / 3600, i * seconds / 60 % 60, i * seconds % 60,
			i == LINES / 2 ? spike : usual);
	read_bytes(t, text.text, text.len, NULL);
	T_EQ_U64(t->n_rows, LINES);
	buf_free(&text);
}

static void
expect(const char *path, int seconds, double usual, double spike, bool is_left_out)
{
	struct table t;
	char label[200];

	(void)snprintf(label, sizeof(label), "%s: %.17g among %g every %d s", path, spike, usual,
		       seconds);
	read_spike(&t, path, seconds, usual, spike);
	for (int i = 0; i < LINES; i++)
		if (i != LINES / 2)
			T_EQ_DBL_AT(t.cell[i][0], usual, label);
	T_EQ_BOOL_AT(isinf(t.cell[LINES / 2][0]), is_left_out, label);
	T_EQ_BOOL_AT(strstr(t.notices, "1 cell of \"") != NULL &&
			     strstr(t.notices,
				    "is impossible for its type and left out; line 12: ") != NULL,
		     is_left_out, label);
	T_EQ_U64(t.n_losses, 0);
	close_table(&t);
}

#define RATE_32 "\\\\S\\Memory\\Pages/sec"                      // PERF_COUNTER_COUNTER
#define RATE_64 "\\\\S\\Network Interface(n)\\Bytes Total/sec"  // PERF_COUNTER_BULK_COUNT
#define PROCESS "\\\\S\\Process(app)\\% Processor Time"         // PERF_100NSEC_TIMER
#define IDLE    "\\\\S\\Processor(0)\\% Idle Time"              // PERF_100NSEC_TIMER
#define BUSY    "\\\\S\\Processor(_Total)\\% Processor Time"    // PERF_100NSEC_TIMER_INV
#define DISK    "\\\\S\\PhysicalDisk(0 C:)\\% Disk Time"        // PERF_PRECISION_100NS_TIMER
#define LATENCY "\\\\S\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read" // PERF_AVERAGE_TIMER
#define LEVEL   "\\\\S\\Memory\\Available MBytes"               // PERF_COUNTER_LARGE_RAWCOUNT
#define SHARE   "\\\\S\\LogicalDisk(C:)\\% Free Space"          // PERF_RAW_FRACTION
#define DELTA   "\\\\S\\ASP.NET Applications(x)\\Nothing known" // unknown
#define OWN     "\\\\S\\Boiler\\Temperature"                    // unknown

static void
counters_that_went_back(void **state)
{
	static const int seconds[] = {1, 5, 15, 30, 60};
	struct t_rand r = {3};

	(void)state;
	for (int i = 0; i < 200; i++) {
		int s = seconds[t_rand_below(&r, T_LEN(seconds))];
		double back = (double)(1 + t_rand_below(&r, 1000000000));
		double usual = (double)t_rand_below(&r, 10000);

		expect(RATE_64, s, usual, (0x1p64 - back) / s, true);
		expect(RATE_64, s, usual, -back / s, true);
		expect(RATE_32, s, usual, (0x1p32 - back) / s, true);
		expect(RATE_32, s, usual, -(0x1p32 - back) / s, true);
		expect(IDLE, s, 70, 100 * -back / (s * 1e7), true);
		expect(IDLE, s, 70, 100 * (0x1p64 - back) / (s * 1e7), true);
		expect(PROCESS, s, 70, 100 * (0x1p64 - back) / (s * 1e7), true);
		expect(DISK, s, 70, 100 * (0x1p64 - back) / (s * 1e7), true);
		expect(DISK, s, 70, 100 * -back / (s * 1e7), true);
		expect(LATENCY, s, 0.01, -back / 1e7, true);
		// a hundred operations
		expect(LATENCY, s, 0.01, (0x1p64 - back) / 1e7 / 100, true);
		// Idle time went back by more than two intervals, or forward by more than two.
		expect(BUSY, s, 70, 100 * (1 + 2.5 + back / 1e9), true);
		expect(BUSY, s, 70, 100 * (1 - 2.5 - back / 1e9), true);
	}
	expect(SHARE, 15, 40, 100 * -0x1p31 / 1000,
	       true); // megabytes as a negative number of 32 bits
	expect(SHARE, 15, 40, -1, true);
	expect(LEVEL, 15, 4000, 0x1p64, true); // -1 without its sign
	expect(RATE_64, 15, 20, 1e300, true);
}

static void
values_of_real_machines(void **state)
{
	static const struct {
		const char *path;
		double value;
	} values[] = {
		{RATE_32, 0},      {RATE_32, 1e7},   // pages a second
		{RATE_32, 3e7},                      // system calls of a hundred processors
		{RATE_64, 1e11},                     // 800 Gbit/s
		{RATE_64, 1e14},                     // memory of the largest machine
		{PROCESS, 100},    {PROCESS, 12800}, // 128 processors
		{PROCESS, 204800}, {IDLE, 100},
		{IDLE, 104.2}, // the interval was a little longer than the writer took it for
		{BUSY, 100},       {BUSY, -0.3},     // idle for longer than the interval
		{BUSY, -5},        {DISK, 23000},    // a queue of 230 requests
		{DISK, 1e6},       {LATENCY, 86400}, // a day, behind a lost path
		{SHARE, 0},        {SHARE, 100},
		{LEVEL, -5},       {LEVEL, 0x1p63}, // INT64_MAX: no limit
		{DELTA, -1e9},     {DELTA, 1e19},
		{OWN, -40},        {OWN, 1e300},
	};
	static const int seconds[] = {1, 15, 60, 300};

	(void)state;
	for (size_t i = 0; i < T_LEN(values); i++)
		for (size_t k = 0; k < T_LEN(seconds); k++)
			expect(values[i].path, seconds[k], 1, values[i].value, false);
}

// A value that is usual in a log is not an outlier, even if it is large for a 32-bit counter.
static void
large_rates_that_are_usual(void **state)
{
	(void)state;
	expect(RATE_32, 15, 1e6, 1.5e8, false);
	expect(RATE_32, 15, 2e8, 2.8e8, false);
	expect(RATE_32, 15, 1e5, 1.5e8, true); // (2^32 - x) / 15 s, a thousand times the others
	expect(RATE_32, 15, 1e6, 0x1p33, true);
	expect(RATE_32, 300, 10, 1e7, false); // half of what 300 s could give, and possible
}

// A process has no more time than all processors, where the log has them all.
static void
processors_of_the_log(void **state)
{
	static const struct {
		const char *processors;
		double possible;
	} logs[] = {
		{"0,1,2,3,_Total", 800}, {"_Total,1,0", 400},
		{"0,1,2,3", 409600}, // without the sum it may be a choice
		{"_Total", 409600},      {"0,_Total", 409600},
		{"0,2,_Total", 409600},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(logs); i++)
		for (int over = 0; over < 2; over++) {
			struct buf text = {NULL, 0, 0};
			struct table t;
			char list[40];
			size_t n = 0;

			buf_add(&text, "\"(PDH-CSV 4.0) (UTC)(0)\",\"%s\"", PROCESS);
			(void)snprintf(list, sizeof(list), "%s", logs[i].processors);
			for (char *p = strtok(list, ","); p != NULL; p = strtok(NULL, ","), n++)
				buf_add(&text, ",\"\\\\S\\Processor(%s)\\%% User Time\"", p);
			for (int line = 0; line < 3; line++) {
				buf_add(&text, CRLF T0 ",\"%.17g\"",
					line > 0 ? 1 : logs[i].possible * (over ? 1.01 : 1));
				for (size_t k = 0; k < n; k++)
					buf_add(&text, ",\"1\"");
			}
			buf_add(&text, CRLF);
			read_bytes(&t, text.text, text.len, NULL);
			T_EQ_BOOL_AT(isinf(t.cell[0][0]), over, logs[i].processors);
			close_table(&t);
			buf_free(&text);
		}
}

// If most lines of a log suggest more processors, the log does not list all.
static void
processors_that_the_log_lacks(void **state)
{
	struct buf text = {NULL, 0, 0};
	struct table t;

	(void)state;
	buf_add(&text, "%s",
		HEAD ",\"\\\\S\\Processor(0)\\% User Time\",\"\\\\S\\Processor(1)\\% User Time\","
		     "\"\\\\S\\Processor(_Total)\\% User Time\",\"" PROCESS "\"" CRLF);
	for (int i = 0; i < LINES; i++)
		buf_add(&text, "\"07/23/2026 06:04:%02d.000\",\"1\",\"1\",\"1\",\"%d\"" CRLF, i,
			i == 3 ? 3000000 : 800);
	read_bytes(&t, text.text, text.len, NULL);
	for (int i = 0; i < LINES; i++)
		T_EQ_DBL(t.cell[i][3], i == 3 ? INFINITY : 800);
	close_table(&t);
	buf_free(&text);
}

// Read as Windows does, they are values; the notice reports them.
static void
copies_keep_them(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .ignore_changes = true};
	struct table t;
	static const char text[] = HEAD "," B CRLF T0 ",\"20\"" CRLF T1 ",\"22370888.58\"" CRLF;

	(void)state;
	read_bytes(&t, text, sizeof(text) - 1, &options);
	T_EQ_DBL(t.cell[1][0], 22370888.58);
	HAS_NOTICE(
		&t,
		"1 cell of \"\\\\SRV\\Processor(_Total)\\% Processor Time\" is impossible for its "
		"type, and kept as it is; line 3: 22370888.58");
	close_table(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_that_went_back),
		cmocka_unit_test(values_of_real_machines),
		cmocka_unit_test(large_rates_that_are_usual),
		cmocka_unit_test(processors_of_the_log),
		cmocka_unit_test(processors_that_the_log_lacks),
		cmocka_unit_test(copies_keep_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
