// test_core_vectors.c - values and statistics that other programs and texts state
// SPDX-License-Identifier: MIT
//
// The vectors are not in the repository; each of their lines names its source.

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <pmon/counter.h>

#include "t.h"

// ---- vectors/vectors.csv -----------------------------------------------------------------------

static bool
is_empty(const struct t_csv *csv, const char *column)
{
	return t_csv_get(csv, column)[0] == '\0';
}

static bool
note_has(const struct t_csv *csv, const char *text)
{
	return strstr(t_csv_get(csv, "note"), text) != NULL;
}

static struct pmon_raw
raw_of_row(const struct t_csv *csv, const char *first, const char *second, const char *multi)
{
	return (struct pmon_raw){
		.first = strtoll(t_csv_get(csv, first), NULL, 0),
		.second = strtoll(t_csv_get(csv, second), NULL, 0),
		.multi = (uint32_t)strtoul(t_csv_get(csv, multi), NULL, 0),
	};
}

// Rows that cannot apply state no raw values: what first samples, wraps and caps do in programs
// that call PDH (Zabbix ZBX-5201, Micro Focus, TIBCO, telegraf, netdata, .NET, KB841960, the
// Resource Kit), and the scale factors that PdhSetCounterScaleFactor takes. test_core_calc.c has
// raw values of our own for those.
static bool
applies(const struct t_csv *csv)
{
	return !is_empty(csv, "first1") &&
	       (!is_empty(csv, "expected value") || !is_empty(csv, "expected status"));
}

static struct pmon_calc
calc_of_row(const struct t_csv *csv)
{
	struct pmon_counter counter = {
		.type = (uint32_t)strtoul(t_csv_get(csv, "type hex"), NULL, 16),
		.time_base = strtoll(t_csv_get(csv, "timebase"), NULL, 0),
	};
	struct pmon_calc_options options = {0};
	struct pmon_calc calc;

	if (is_empty(csv, "type hex")) // "numerator difference only"
		counter.type = PMON_PERF_COUNTER_LARGE_DELTA;
	if (counter.type == PMON_PERF_ELAPSED_TIME && is_empty(csv, "timebase"))
		counter.time_base = 1; // not stated; any will do for a start of 0
	if (note_has(csv, "strict option"))
		options.policy = PMON_POLICY_STRICT;
	options.cap_100 = note_has(csv, "without PDH_FMT_NOCAP100");
	pmon_calc_init(&calc, &counter, &options);
	return calc;
}

static void
check_vector(const struct t_csv *csv)
{
	struct pmon_raw older = raw_of_row(csv, "first0", "second0", "multi0");
	struct pmon_raw newer = raw_of_row(csv, "first1", "second1", "multi1");
	struct pmon_calc calc = calc_of_row(csv);
	struct pmon_value got =
		pmon_calc_value(&calc, is_empty(csv, "first0") ? NULL : &older, &newer);
	double want = strtod(t_csv_get(csv, "expected value"), NULL);
	double tolerance = 0;
	char label[32];

	// One row gives its percentage with two decimals and says so. Checkmk divides by seconds,
	// which may round the last digit another way.
	if (note_has(csv, "2 decimals"))
		tolerance = 0.005;
	else if (strncmp(t_csv_get(csv, "source"), "Checkmk", 7) == 0)
		tolerance = want * DBL_EPSILON;
	snprintf(label, sizeof(label), "row %zu", csv->row);
	T_EQ_U64_AT(pmon_vstat_pdh(got.status),
		    strtoul(t_csv_get(csv, "expected status"), NULL, 16), label);
	if (!is_empty(csv, "expected value") && !(fabs(got.value - want) <= tolerance))
		T_EQ_DBL_AT(got.value, want, label);
}

static void
test_vectors_csv(void **state)
{
	struct t_csv csv;
	size_t rows = 0;
	size_t applied = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/vectors.csv");
	while (t_csv_next(&csv)) {
		rows++;
		if (!applies(&csv))
			continue;
		check_vector(&csv);
		applied++;
	}
	t_csv_close(&csv);
	T_EQ_U64(rows, 34);
	T_EQ_U64(applied, 19);
}

// ---- vectors/stat_vectors.csv ------------------------------------------------------------------

// "0:0 2147727:1 2147727:1", oldest first
static void
add_raws(struct pmon_stats *stats, const char *text)
{
	while (*text != '\0') {
		struct pmon_raw raw = {0};
		char *end;

		raw.first = strtoll(text, &end, 0);
		assert_int_equal(*end, ':');
		raw.second = strtoll(end + 1, &end, 0);
		(void)pmon_stats_add(stats, &raw);
		text = end + strspn(end, " ");
	}
}

static void
test_stat_vectors_csv(void **state)
{
	struct t_csv csv;
	size_t rows = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/stat_vectors.csv");
	while (t_csv_next(&csv)) {
		struct pmon_calc calc = calc_of_row(&csv);
		struct pmon_stats stats;

		pmon_stats_init(&stats, &calc);
		add_raws(&stats, t_csv_get(&csv, "raws (first:second, oldest first)"));
		T_EQ_DBL(stats.minimum.value, strtod(t_csv_get(&csv, "min"), NULL));
		T_EQ_DBL(stats.maximum.value, strtod(t_csv_get(&csv, "max"), NULL));
		T_EQ_DBL(pmon_stats_average(&stats).value, strtod(t_csv_get(&csv, "mean"), NULL));
		rows++;
	}
	t_csv_close(&csv);
	T_EQ_U64(rows, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors_csv),
		cmocka_unit_test(test_stat_vectors_csv),
	};

	return cmocka_run_group_tests_name("core_vectors", tests, NULL, NULL);
}
